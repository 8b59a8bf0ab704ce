import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { inputsOf, readSettings, valuesInVariables } from '../../cli/configuration.ts';
import { type CommandIo, helpOf } from '../../cli/command.ts';
import { configurationText } from '../../cli/init.ts';
import { valuesOf } from '../../cli/option.ts';
import { command as run } from '../../cli/run.ts';
import {
  configurationSchema,
  environmentOf,
  FILE_SETTINGS,
  objectOf,
  SETTING_NAMES,
  settings,
} from '../../cli/settings.ts';
import { UsageError } from '../../common/process/args.ts';
import { read as readAs } from '../../common/schema.ts';
import { parseYaml } from '../../common/yaml.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { defects, variants } from '../../proof/catalogue.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { casesBeside } from '../support/repository.ts';

interface Cases {
  readonly values: Readonly<Record<string, { readonly right?: unknown[]; readonly wrong?: unknown[] }>>;
  readonly refused: readonly (readonly [text: string, line: string])[];
}
const { values, refused } = casesBeside(import.meta.url) as Cases;

const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configurationSchema());

/** The values in a file. */
function read(text: string) {
  const yaml = parseYaml('c.yaml', text);
  return readAs(objectOf(FILE_SETTINGS), yaml.data ?? {}, yaml.at);
}

function refusal(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UsageError) return error.message.split('\n');
  }
  return expect.fail('The text was not refused in words.');
}

/** The settings that name files which are read. */
const FILES = ['adminKeyFile', 'restrictedKeyFile', 'ca', 'baseline'];

/** A file with one setting, as JSON, whose keys may be any. */
const fileWith = (name: string, value: unknown): string => `{${JSON.stringify(name)}: ${JSON.stringify(value)}}`;

describe('a setting in a file', () => {
  const all = Object.entries(values);
  const isRead = (name: string): boolean => !FILES.includes(name) && name !== '$schema';

  it('has right and wrong values for each', () =>
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining([...FILE_SETTINGS])));

  it.each(all.flatMap(([name, { right = [] }]) => right.map((value) => [name, value] as const)))(
    '%s may be %j, by the JSON Schema too',
    (name, value) => {
      expect(isValid({ [name]: value }), JSON.stringify(isValid.errors)).toBe(true);
      if (isRead(name)) expect(Object.keys(read(fileWith(name, value)))).toEqual([name]);
    },
  );

  it.each(all.flatMap(([name, { wrong = [] }]) => wrong.map((value) => [name, value] as const)))(
    '%s may not be %j: one line says where',
    (name, value) => {
      const lines = refusal(fileWith(name, value));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^c\.yaml:1:\d+: .*\.$|^c\.yaml:1:\d+: .*\?$/);
      expect(lines[0]).not.toContain('geheim');
    },
  );

  it.each(refused)('%j is refused in words', (text, line) => expect(refusal(text)).toEqual([line]));

  it('tells ten mistakes at most', () => {
    const text = FILE_SETTINGS.map((name) => `${name}:`).join('\n');
    expect(refusal(text)).toHaveLength(10);
  });
});

describe('the same setting from several places', () => {
  const NAMES = ['userId', 'adminKeyFile', 'only', 'roleIds'] as const;

  it('is taken from the flag before the variable before the file, and what is not taken may be wrong', () => {
    const config = { path: 'ci/c.yaml', text: 'userId: x\nonly: users\nroleIds: [5, 6]\nadminKeyFile: none\n' };
    const environment = {
      ...{ CONFORMANCE_USER_ID: 'x', CONFORMANCE_ROLE_IDS: '"a","b"', CONFORMANCE_ADMIN_KEY: 'a key' },
    };
    const flags = valuesOf(settings, { userId: '1', only: ['a,b', 'c'] });
    const found = readSettings(NAMES, { ...flags, config }, { environment } as unknown as CommandIo);
    const expected = { userId: '1', only: ['a', 'b', 'c'], roleIds: ['a', 'b'], adminKeyFile: 'a key' };
    expect(found).toEqual({ ...expected, config });
  });

  it('is a key in the environment, without the line end of a file, which no message shows', () => {
    const read = (key: string) => valuesInVariables({ CONFORMANCE_ADMIN_KEY: key }, NAMES);
    expect(read('a key\r\n')).toEqual({ adminKeyFile: 'a key' });
    for (const key of [' geheim', 'geheim\n\n', '   ', 'geheim\u20ac'])
      expect(() => read(key)).toThrow(/^CONFORMANCE_ADMIN_KEY: the key (?!.*geheim)/);
  });

  it.each([
    [{ adminKeyFile: 'same-key', restrictedKeyFile: 'same-key' }, 'are the same'],
    [{ userId: '4', otherUserId: '4' }, 'must differ; got 4, 4'],
    [{ baseUrl: new URL('http://h/%73ecret-key-42/x'), adminKeyFile: 'secret-key-42' }, 'contains a key'],
  ])('is refused where it does not fit the others: %j', (given, says) => {
    expect(() => inputsOf(given)).toThrow(says);
    expect(() => inputsOf(given)).toThrow(/^(?!.*(same-key|secret)).*$/);
  });
});

it.each<[string, (length: number) => string]>([
  ['blanks in a value', (length) => `userId: "${' '.repeat(length)}x"\n`],
  ['blanks in a name', (length) => `"${' '.repeat(length)}x": 1\n`],
  ['line ends in a value', (length) => `userId: ${JSON.stringify('\n'.repeat(length))}\n`],
  ['an address without an @', (length) => `baseUrl: x:${'a'.repeat(length)}\n`],
  ['a name with a comma behind it', (length) => `only: ["${'a'.repeat(length)},"]\n`],
  ['unknown names', (length) => Array.from({ length: length / 50 }, (_each, at) => `x${at}: 1\n`).join('')],
])('a file takes time in proportion to its length: %s', (_what, text) => {
  // If it took time in proportion to the square of the length, this would take minutes.
  expect(refusal(text(500_000))).not.toEqual([]);
});

it('the help of run shows every setting, with its variable, in 80 columns', () => {
  const help = helpOf('run', run);
  for (const name of SETTING_NAMES) {
    const { flag, variable = '', about } = settings[name];
    expect(help).toContain(flag);
    expect(help).toContain(variable);
    expect(about).not.toBe('');
  }
  for (const line of help.split('\n')) {
    expect(line.length).toBeLessThanOrEqual(80);
    if (line.startsWith('  -')) expect(line).toMatch(/^ {2}--?\S+(?: \S+|, -\w| \S+\|\S+)?(?:$| {2,}\S)/);
  }
});

it('init writes a file that is valid as it is, and whose comments are settings', () => {
  const text = configurationText(new URL('http://localhost:4242/base/'));
  expect(read(text)).toEqual({ baseUrl: new URL('http://localhost:4242/base') });
  const whole = read(configurationText().replaceAll(/^# (\w+: )/gm, '$1'));
  expect(Object.keys(whole)).toEqual(['baseUrl', 'userId', 'otherUserId', 'missingUserId', 'roleIds', 'bannerIds']);
});

it('the lines that serve prints say the same as the inputs of every server of the proof', () => {
  for (const { behaviour, inputs: own } of [...defects, ...variants]) {
    const inputs = inputsFor('http://localhost', behaviour.seed ?? defaultSeed, own);
    expect(inputsOf(valuesInVariables(environmentOf(inputs), SETTING_NAMES))).toEqual(inputs);
  }
});
