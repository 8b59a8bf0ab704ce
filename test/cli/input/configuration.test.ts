import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseConfiguration, withConfiguration } from '../../../cli/input/configuration.ts';
import { parseOptions } from '../../../cli/input/options.ts';
import { configurationSchema, givenBaseUrl, parseLimits, parseTarget } from '../../../cli/input/settings.ts';
import { RUN_OPTIONS } from '../../../cli/run.ts';
import { UsageError } from '../../../common/process/args.ts';
import { casesBeside } from '../../support/data.ts';
import { temporaryFolder } from '../../support/folder.ts';

const schema = configurationSchema();
const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
const folder = temporaryFolder();

/** The lines of the refusal, each of which says where in the file. */
async function refusal(text: string): Promise<readonly string[]> {
  const error: unknown = await parseConfiguration('conf.yaml', text).catch((thrown: unknown) => thrown);
  expect(error, text).toBeInstanceOf(UsageError);
  const { lines } = error as UsageError;
  for (const line of lines) expect(line).toMatch(/^conf\.yaml:\d+:\d+: \S.*[.?]$/);
  return lines;
}

it('the schema says of each member what it is', () => {
  const { properties } = schema as { properties: Record<string, { description?: string }> };
  for (const [name, member] of Object.entries(properties)) expect(member.description, name).toMatch(/^[A-Z].*\.$/s);
});

const { values, misspelt, mistakes } = casesBeside(import.meta.url) as {
  readonly values: Readonly<Record<string, { right?: unknown[]; wrong?: unknown[] }>>;
  readonly misspelt: Readonly<Record<string, string>>;
  readonly mistakes: readonly { text: string; says: string }[];
};

const FILES = [
  ...Object.entries(values).flatMap(([name, { right = [], wrong = [] }]) => [
    ...right.map((value) => [true, { [name]: value }] as const),
    ...wrong.map((value) => [false, { [name]: value }] as const),
  ]),
  ...[{}, { userId: 4, otherUserId: '5', only: ['users'], skip: ['banners'] }].map((file) => [true, file] as const),
  ...[[], 'userId', 5].map((file) => [false, file] as const),
];

it.each(FILES)('the code and the schema both say %s of %j', async (right, value) => {
  expect(fits(value)).toBe(right);
  const read = parseConfiguration('conf.json', JSON.stringify(value));
  if (right) await expect(read).resolves.toBeInstanceOf(Map);
  else await expect(read).rejects.toBeInstanceOf(UsageError);
});

describe('parseConfiguration', () => {
  it.each<[text: string, settings: Readonly<Record<string, string | string[]>>]>([
    ['', {}],
    ['# nothing yet\n', {}],
    ['{}', {}],
    ['# ours\nuserId: 4\nroleIds: [1, "Editor", {id: 3}]', { 'user-id': '4', 'role-ids': '1,"Editor",{"id":3}' }],
    ['only: [users, auth.*]\nfailOn: should', { only: ['users', 'auth.*'], 'fail-on': 'should' }],
    ['userId: 123456789012345678901234567890', { 'user-id': '123456789012345678901234567890' }],
    ['adminKeyFile: keys/admin\nbaseline: /known.json', { 'admin-key-file': 'ci/keys/admin', baseline: '/known.json' }],
    ['reports: { json: out/r.json }', { report: ['json=ci/out/r.json'] }],
  ])(
    'gives each setting as its option would have been given, and paths as relative to the file: %j',
    async (text, all) => {
      const read = [...(await parseConfiguration('ci/conf.yaml', text))];
      expect(Object.fromEntries(read.map(([option, { given }]) => [option, given]))).toEqual(all);
    },
  );

  it.each(Object.entries(misspelt))('refuses %s, and asks whether %s was meant', async (name, meant) => {
    expect(await refusal(`${name}: x`)).toEqual([`conf.yaml:1:1: ${name}: unknown setting. Did you mean ${meant}?`]);
  });

  it.each(['adminKey', 'admin-key', 'CONFORMANCE_ADMIN_KEY', 'restrictedKey', 'CONFORMANCE_RESTRICTED_KEY'])(
    'refuses a key (%s), does not repeat it, and says where to put it',
    async (name) => {
      const [line = ''] = await refusal(`${name}: geheim`);
      expect(line).toMatch(/CONFORMANCE_(ADMIN|RESTRICTED)_KEY.*KeyFile/);
      expect(line).not.toContain('geheim');
    },
  );

  it('names every mistake, each in its line', async () => {
    const lines = await refusal('userID: 4\nadminKey: geheim\nroleIds: 1\n');
    const starts = ['conf.yaml:1:1: userID: unknown', 'conf.yaml:2:1: adminKey: keys', 'conf.yaml:3:1: roleIds: this'];
    expect(lines).toEqual(starts.map((start) => expect.stringContaining(start) as string));
  });

  it.each(mistakes)('says where $text is wrong, and how', async ({ text, says }) => {
    expect(await refusal(text)).toEqual([`conf.yaml:${says}`]);
  });
});

describe('withConfiguration', () => {
  const configure = async (args: string[], environment: Record<string, string>, reference = false) => {
    const notes: string[] = [];
    const err = { write: (text: string) => notes.push(text) };
    const flags = parseOptions(args, RUN_OPTIONS, 1);
    return { parsed: await withConfiguration(flags, { options: RUN_OPTIONS, environment, err, reference }), notes };
  };

  it('names a variable that seems misspelt, and no value', async () => {
    const others = { CONFORMANCE_USER_ID: '4', CONFORMANCE_PORT: '80', CONFORMANCE_ROLEIDS: '' };
    const { notes } = await configure([], { CONFORMANCE_ADMINKEY: 'secret', ...others });
    expect(notes).toEqual(['CONFORMANCE_ADMINKEY is set, but not read. Did you mean CONFORMANCE_ADMIN_KEY?\n']);
  });

  it('refuses a file that is named and not there, by the name of option or variable', async () => {
    const says = 'nope.yaml: no such file.';
    await expect(configure(['--config', 'nope.yaml'], {})).rejects.toThrow(`--config ${says}`);
    await expect(configure([], { CONFORMANCE_CONFIG: 'nope.yaml' })).rejects.toThrow(`CONFORMANCE_CONFIG ${says}`);
  });

  it('puts flags before the environment, and both before the file', async () => {
    const text =
      'baseUrl: http://file.example\nuserId: 1\notherUserId: 2\nmissingUserId: 3\ntimeout: 50\ndeadline: 60\n';
    const file = folder.write('c.yaml', text);
    const own = { CONFORMANCE_OTHER_USER_ID: '20', CONFORMANCE_MISSING_USER_ID: '30' };
    const environment = { ...own, CONFORMANCE_CONFIG: file };
    const { parsed, notes } = await configure(['--missing-user-id', '300', '--timeout', '500'], environment);
    expect(parseTarget(parsed, environment)).toMatchObject({ userId: '1', otherUserId: '20', missingUserId: '300' });
    expect(parseLimits(parsed)).toMatchObject({ timeout: 500, deadline: 60 });
    const hostOf = async (args: string[], given: Record<string, string>) =>
      givenBaseUrl((await configure(args, given)).parsed, given)?.host;
    expect(await hostOf([], environment)).toBe('file.example');
    expect(await hostOf([], { ...environment, CONFORMANCE_BASE_URL: 'http://env.example' })).toBe('env.example');
    expect(await hostOf(['http://flag.example'], environment)).toBe('flag.example');
    expect(notes).toEqual([]);

    const reference = await configure(['--reference', '--config', file], {}, true);
    expect(Object.keys(reference.parsed.values).sort()).toEqual(['config', 'deadline', 'reference', 'timeout']);
  });

  it('names the place in the file where a value of it is wrong only beside others', async () => {
    const file = folder.write('c.yaml', 'userId: 4\nadminKeyFile: nowhere\n');
    const { parsed } = await configure(['--config', file], {});
    expect(() => parseTarget(parsed, {})).toThrow(`${file}:2:1: adminKeyFile ${folder.at('nowhere')}: no such file.`);
  });
});
