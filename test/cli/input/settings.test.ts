import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../../cli/input/options.ts';
import { parseLimits, parseTarget, SETTINGS, TARGET_SETTINGS } from '../../../cli/input/settings.ts';
import { DEFAULT_LIMITS } from '../../../conformance/http/policy/limits.ts';
import { UsageError } from '../../../common/process/args.ts';
import { casesBeside } from '../../support/data.ts';
import { messageOf } from '../../support/exchanges.ts';
import { temporaryFolder } from '../../support/folder.ts';

const { path: folder, at, write: file } = temporaryFolder();

type Environment = Readonly<Record<string, string>>;

const target = (args: readonly string[], environment: Environment = {}) =>
  parseTarget(parseOptions(args, TARGET_SETTINGS, 0), environment);

/** The message, which is one line and names what was wrong. */
function refusal(named: string, args: readonly string[], environment: Environment = {}): string {
  const message = messageOf(UsageError, () => target(args, environment));
  expect(message).not.toMatch(/[\r\n]/);
  expect(message).toContain(named);
  return message;
}

describe('parseTarget', () => {
  it('takes an empty variable for none, and an empty option for a mistake', () => {
    const names = ['ADMIN_KEY', 'USER_ID', 'ROLE_IDS', 'EMAIL_DOMAIN'].map((name) => [`CONFORMANCE_${name}`, '']);
    for (const environment of [{}, Object.fromEntries(names) as Environment])
      expect(target([], environment)).toEqual({ emailDomain: 'example.com' });
    refusal('--user-id', ['--user-id', '']);
    refusal('--role-ids', ['--role-ids', '']);
    refusal('--email-domain', ['--email-domain', '']);
  });
});

describe('a key', () => {
  it.each([
    ['a line feed', 'secret-key\n'],
    ['a carriage return and a line feed', 'secret-key\r\n'],
    ['nothing', 'secret-key'],
    ['nothing, and has a blank and a letter of Latin-1', 'Bearer kéy'],
  ])('is read from a file that ends with %s', (_what, content) => {
    expect(target(['--admin-key-file', file('key', content)]).adminKey).toBe(content.trimEnd());
  });

  it.each([
    ['is blank', '   '],
    ['starts with a blank', ' geheim'],
    ['ends with a blank', 'geheim '],
    ['has two lines', 'geheim\ngeheim'],
    ['has a tab', 'ge\theim'],
    ['has a NUL', 'ge\u0000heim'],
    ['has a control character', 'ge\u007fheim'],
    ['has characters beyond Latin-1', 'geheim→'],
  ])('is refused where it %s, without being shown', (_what, key) => {
    expect(refusal('CONFORMANCE_ADMIN_KEY', [], { CONFORMANCE_ADMIN_KEY: key })).not.toContain('geheim');
    const path = file('bad-key', key);
    expect(refusal('--restricted-key-file', ['--restricted-key-file', path])).not.toContain('geheim');
  });

  it.each([
    ['empty', file('empty', ''), ''],
    ['a line end', file('line-end', '\n'), ''],
    ['not there', at('nope'), 'no such file'],
    ['a folder', folder, 'folder'],
  ])('is refused where its file is %s', (_what, path, says) => {
    expect(refusal('--admin-key-file', ['--admin-key-file', path])).toContain(says);
  });

  it('is refused where both are the same, without being shown', () => {
    const environment = { CONFORMANCE_ADMIN_KEY: 'geheim', CONFORMANCE_RESTRICTED_KEY: 'geheim' };
    expect(refusal('restricted key', [], environment)).not.toContain('geheim');
    const path = file('same-key', 'geheim\n');
    refusal('restricted key', ['--restricted-key-file', path], { CONFORMANCE_ADMIN_KEY: 'geheim' });
  });
});

it.each([
  ['--user-id', '--other-user-id'],
  ['--user-id', '--missing-user-id'],
  ['--other-user-id', '--missing-user-id'],
])('ids of users are refused where %s and %s are the same', (left, right) => {
  expect(refusal('differ', [left, '4', right, '4'])).toContain('4');
  expect(() => target([left, '4', right, '5'])).not.toThrow();
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

  it('is refused under the name by which it was given', () => {
    refusal('--missing-user-id: ', ['--missing-user-id=04']);
    refusal('CONFORMANCE_ROLE_IDS: ', [], { CONFORMANCE_ROLE_IDS: '1' });
  });
});

it('parseLimits gives those that were given, and the defaults of the others', () => {
  const args = ['--timeout', '100', '--deadline=2000'];
  const limits = { ...DEFAULT_LIMITS, timeout: 100, deadline: 2000 };
  expect(parseLimits(parseOptions(args, Object.values(SETTINGS), 0))).toEqual(limits);
});
