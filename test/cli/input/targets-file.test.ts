import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseTargets, readTargets, targetsSchema } from '../../../cli/input/targets-file.ts';
import type { UsageError } from '../../../common/args.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
folder.write('a.key', 'key-of-a\n');
folder.write('b.key', 'key-of-b\n');
const flags = { values: {}, positionals: [] };
const FILE = folder.at('targets.yaml');

const mistakesOf = (read: Promise<unknown>): Promise<readonly string[]> =>
  read.then(
    () => [],
    (error: unknown) => (error as UsageError).lines.map((line) => line.replaceAll(`${folder.path}/`, '')),
  );

const FLEET = `
defaults: { userId: 4, adminKeyFile: a.key, timeout: 100, only: [users] }
targets:
  - { name: a, baseUrl: http://a.example }
  - name: b.1-x_Y
    baseUrl: http://b.example/base
    adminKeyFile: b.key
    userId: 5
    timeout: 200
    wait: 3
`;

describe('a file of targets', () => {
  it('gives each target its settings, and the defaults where it has none', async () => {
    const targets = await readTargets(await parseTargets(FILE, FLEET), flags, {});
    expect(targets).toMatchObject([
      {
        name: 'a',
        inputs: { userId: '4', adminKey: 'key-of-a' },
        options: { limits: { timeout: 100 }, only: ['users'] },
      },
      {
        name: 'b.1-x_Y',
        inputs: { userId: '5', adminKey: 'key-of-b' },
        options: { limits: { timeout: 200 } },
        wait: 3,
      },
    ]);
    expect(targets.map(({ inputs }) => inputs.baseUrl.href)).toEqual(['http://a.example/', 'http://b.example/base']);
  });

  it('is overridden by flags, and never by the environment: the key of one target must not go to all', async () => {
    process.env.CONFORMANCE_ADMIN_KEY = 'not-for-all';
    try {
      const entries = await parseTargets(FILE, FLEET);
      const targets = await readTargets(entries, { ...flags, values: { timeout: '7' } }, {});
      expect(targets.map(({ inputs }) => inputs.adminKey)).toEqual(['key-of-a', 'key-of-b']);
      expect(targets.map(({ options }) => options.limits?.timeout)).toEqual([7, 7]);
    } finally {
      delete process.env.CONFORMANCE_ADMIN_KEY;
    }
  });

  it('is fitted by its schema', async () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(targetsSchema());
    const { parse } = await import('yaml');
    expect(validate(parse(FLEET)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ targets: [{ name: '../x' }] })).toBe(false);
    expect(validate({ targets: [{ name: 'x', reports: {} }] })).toBe(false);
  });

  it.each([
    ['a: 1', ['targets.yaml:1:1: a file of targets must be an object with the list "targets".']],
    ['targets: []', ['targets.yaml:1:10: the list of targets is empty.']],
    [
      'target: []\ntargets: []',
      ['targets.yaml:1:1: a file of targets has "defaults" and "targets"; here is "target".'],
    ],
    ['defaults: 1\ntargets: []', ['targets.yaml:1:11: defaults must be an object of settings; this is 1.']],
    [
      'targets:\n- 1\n- { baseUrl: http://a.example }',
      [
        'targets.yaml:2:3: a target is an object with name and baseUrl; this is 1.',
        'targets.yaml:3:3: the target has no name.',
      ],
    ],
    [
      'targets:\n- { name: a, usrId: 4, userId: x, reports: {}, adminKey: s3cret }',
      [
        'targets.yaml:2:35: reports: not of a target: a fleet writes its results to the folder of --output.',
        'targets.yaml:2:14: usrId: unknown setting. Did you mean userId?',
        'targets.yaml:2:24: userId: "x" is not a user id; give an integer such as 4.',
        'targets.yaml:2:48: adminKey: keys do not belong in a configuration file; set CONFORMANCE_ADMIN_KEY, or name a file with adminKeyFile.',
      ],
    ],
    [
      'targets:\n- { name: eu }\n- { name: EU }',
      ['targets.yaml:3:5: name: EU is the name of the target at targets.yaml:2:5, too.'],
    ],
  ])('is refused with the place of each mistake: %j', async (text, lines) => {
    expect(await mistakesOf(parseTargets(FILE, text))).toEqual(lines);
  });

  it.each([
    ...['..', '.', 'a/b', 'a\\\\b', '', 'a b', '-x', 'con', 'NUL.txt', 'x.', 'ä', 'a\\u0000', '$(id)'],
    'x'.repeat(65),
  ])('refuses a name that is no safe name of a folder: %s', async (name) => {
    const [line] = await mistakesOf(parseTargets(FILE, `targets: [{ name: "${name}" }]`));
    expect(line).toMatch(/^targets\.yaml:1:13: name: .* is no name; give 1 to 64 letters/);
  });

  it.each([
    ['{ name: a }', 'targets.yaml:1:13: target a has no baseUrl.'],
    ['{ name: a, baseUrl: http://a.example, userId: 1, otherUserId: 1 }', 'targets.yaml:1:13: target a: '],
    [
      '{ name: a, baseUrl: http://a.example, adminKeyFile: no.key }',
      'targets.yaml:1:49: adminKeyFile no.key: no such file.',
    ],
    [
      '{ name: a, baseUrl: http://a.example, userId: 1 }, { name: b, baseUrl: http://a.example/, otherUserId: 1 }',
      'user 1 of http://a.example belongs to a and to b; give each users of its own.',
    ],
  ])('is refused before anything is sent: %s', async (target, problem) => {
    const [line] = await mistakesOf(
      parseTargets(FILE, `targets: [${target}]`).then((all) => readTargets(all, flags, {})),
    );
    expect(line).toContain(problem);
  });
});
