import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseTargets, readTargets, targetsSchema } from '../../../cli/input/targets-file.ts';
import type { UsageError } from '../../../common/process/args.ts';
import { casesBeside } from '../../support/data.ts';
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

  it('is fitted by its schema', () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(targetsSchema());
    expect(validate(parse(FLEET)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ targets: [{ name: '../x' }] })).toBe(false);
    expect(validate({ targets: [{ name: 'x', reports: {} }] })).toBe(false);
  });

  const { read, judged } = casesBeside(import.meta.url) as {
    read: { of: string; says: string[] }[];
    judged: [string, string][];
  };

  it.each(read)('is refused with the place of each mistake: $of', async ({ of, says }) => {
    expect(await mistakesOf(parseTargets(FILE, of))).toEqual(says);
  });

  it.each([
    ...['..', '.', 'a/b', 'a\\\\b', '', 'a b', '-x', 'con', 'NUL.txt', 'x.', 'ä', 'a\\u0000', '$(id)'],
    'x'.repeat(65),
  ])('refuses a name that is no safe name of a folder: %s', async (name) => {
    const [line] = await mistakesOf(parseTargets(FILE, `targets: [{ name: "${name}" }]`));
    expect(line).toMatch(/^targets\.yaml:1:13: name: .* is no name; give 1 to 64 letters/);
  });

  it.each(judged)('is refused before anything is sent: %s', async (target, problem) => {
    const [line] = await mistakesOf(
      parseTargets(FILE, `targets: [${target}]`).then((all) => readTargets(all, flags, {})),
    );
    expect(line).toContain(problem);
  });
});
