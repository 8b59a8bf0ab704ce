import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../../cli/input/options.ts';
import { parseLimits, parseTarget, SETTINGS, TARGET_SETTINGS } from '../../../cli/input/settings.ts';
import { DEFAULT_LIMITS } from '../../../conformance/http/policy/limits.ts';
import { UsageError } from '../../../common/process/args.ts';
import { escapeInvisible } from '../../../common/text.ts';
import { casesBeside } from '../../support/data.ts';
import { messageOf } from '../../support/exchanges.ts';
import { temporaryFolder } from '../../support/folder.ts';

const { path: folder, at, write: file } = temporaryFolder();

type Environment = Readonly<Record<string, string>>;

const target = (args: readonly string[], environment: Environment = {}) =>
  parseTarget(parseOptions(args, TARGET_SETTINGS, 0), environment);

it('an empty variable is none', () => {
  const names = ['ADMIN_KEY', 'USER_ID', 'ROLE_IDS', 'EMAIL_DOMAIN'].map((name) => [`CONFORMANCE_${name}`, '']);
  for (const environment of [{}, Object.fromEntries(names) as Environment])
    expect(target([], environment)).toEqual({ emailDomain: 'example.com' });
});

it.each(['secret-key\n', 'secret-key\r\n', 'secret-key', 'Bearer kéy'])('a key is read from a file: %j', (content) =>
  expect(target(['--admin-key-file', file('key', content)]).adminKey).toBe(content.trimEnd()),
);

const KEYS = ['   ', ' geheim', 'geheim ', 'geheim\ngeheim', 'ge\theim', 'ge\u0000heim', 'ge\u007fheim', 'geheim→'];
const GIVEN = { CONFORMANCE_ADMIN_KEY: 'geheim' };
const USERS = ['--user-id', '--other-user-id', '--missing-user-id'];

/** What is refused, and under which name. */
const refused: readonly (readonly [what: string, args: readonly string[], environment?: Environment])[] = [
  ...['--user-id', '--role-ids', '--email-domain'].map((name) => [`${name} ""`, [name, '']] as const),
  ['--missing-user-id=04', ['--missing-user-id=04']],
  ['CONFORMANCE_ROLE_IDS=1', [], { CONFORMANCE_ROLE_IDS: '1' }],
  ...KEYS.map((key) => [`a key ${escapeInvisible(JSON.stringify(key))}`, [], { CONFORMANCE_ADMIN_KEY: key }] as const),
  ...KEYS.map((key, place) => {
    return [
      `a file with the key ${escapeInvisible(JSON.stringify(key))}`,
      ['--admin-key-file', file(`key-${place}`, key)],
    ] as const;
  }),
  ['an empty file', ['--admin-key-file', file('empty', '')]],
  ['a file with a line end', ['--admin-key-file', file('line-end', '\n')]],
  ['no file', ['--admin-key-file', at('nope')]],
  ['a folder', ['--admin-key-file', folder]],
  ['the same key twice', [], { ...GIVEN, CONFORMANCE_RESTRICTED_KEY: 'geheim' }],
  ['the same key in a file', ['--restricted-key-file', file('same-key', 'geheim\n')], GIVEN],
  ...USERS.flatMap((one, place) =>
    USERS.slice(place + 1).map((other) => [`the same user as ${one} and ${other}`, [one, '4', other, '4']] as const),
  ),
];

it('what is wrong with a target is said in one line, without a key, as it was reviewed', async () => {
  const lines = refused.map(([what, args, environment]) => {
    const message = messageOf(UsageError, () => target(args, environment)).replaceAll(folder, 'FOLDER');
    expect(message).toMatch(/^(?!.*geheim).+$/);
    return `${what}\n  ${message}`;
  });
  await expect(lines.join('\n')).toMatchFileSnapshot('golden/targets.txt');
  expect(() => target(['--user-id', '4', '--other-user-id', '5'])).not.toThrow();
});

type Cases<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;
const cases = casesBeside(import.meta.url) as {
  readonly right: Cases<unknown>;
  readonly wrong: Cases<readonly string[]>;
};
const everyCase = <T>(all: Cases<T>) =>
  Object.entries(all).flatMap(([setting, own]) => Object.entries(own).map((each) => [setting, ...each] as const));

describe('the text of a setting', () => {
  const read = (setting: string, text: string): unknown => SETTINGS[setting]?.kind.parse(text, '--it');

  it.each(everyCase(cases.right))('gives %s of %j', (setting, text, value) => {
    const given = read(setting, text);
    expect(given instanceof URL ? given.href : given).toEqual(value);
  });

  const wrong = everyCase(cases.wrong).flatMap(([setting, says, texts]) => texts.map((text) => [setting, text, says]));
  it.each(wrong)('is refused in one line as %s: %j', (setting = '', text = '', says = '') => {
    const message = messageOf(UsageError, () => read(setting, text));
    expect(message).toMatch(/^--it: [^\r\n]*$/);
    expect(message).toContain(says);
    expect(message).not.toContain('geheim');
  });
});

it('parseLimits gives those that were given, and the defaults of the others', () => {
  const args = ['--timeout', '100', '--deadline=2000'];
  const limits = { ...DEFAULT_LIMITS, timeout: 100, deadline: 2000 };
  expect(parseLimits(parseOptions(args, Object.values(SETTINGS), 0))).toEqual(limits);
});
