import { describe, expect, it } from 'vitest';
import { oneOf, parseArguments, UsageError } from '../../../common/process/args.ts';
import { messageOf } from '../../support/exchanges.ts';

const OPTIONS = {
  'user-id': { type: 'string' },
  'admin-key-file': { type: 'string' },
  only: { type: 'string', multiple: true },
  reference: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const parse = (...args: string[]) => parseArguments(args, OPTIONS, 1);
const refusal = (...args: string[]): string => messageOf(UsageError, () => parse(...args));

describe('parseArguments', () => {
  it('reads options and positionals in any order', () => {
    const { values, positionals } = parse('--user-id', '4', 'http://x', '--only=a', '--only', 'b', '-h');
    expect(values).toMatchObject({ 'user-id': '4', only: ['a', 'b'], help: true });
    expect(positionals).toEqual(['http://x']);
    expect(parse('--', '--nope').positionals).toEqual(['--nope']);
    expect(parse('--user-id=-5').values['user-id']).toBe('-5');
  });

  it.each([
    ['--user-idd', '--user-id'],
    ['--usr-id=4', '--user-id'],
    ['--refrence', '--reference'],
    ['--ony', '--only'],
  ])('refuses the unknown option %s with the near miss %s', (arg, near) => {
    expect(refusal(arg, '4')).toMatch(new RegExp(`^${arg.split('=')[0] ?? ''}: .*Did you mean ${near}\\?$`));
  });

  it.each(['--quite-something-else', '--constructor', '--toString', '--__proto__', '--hasOwnProperty'])(
    'refuses the unknown option %s, which is like none, without a near miss',
    (arg) => {
      expect(refusal(arg)).toBe(`${arg}: unknown option. See --help.`);
    },
  );

  it('repeats no value of a misspelt option, which may be a key', () => {
    expect(refusal('--admin-kye=geheim')).not.toContain('geheim');
  });

  it('refuses an argument too many, and names it', () => {
    expect(refusal('http://x', 'http://y')).toContain('"http://y"');
    expect(messageOf(UsageError, () => parseArguments(['x'], OPTIONS, 0))).toContain('"x"');
  });

  it.each<[what: string, says: RegExp, args: string[]]>([
    ['an option without its value', /^--user-id needs a value; see --help\.$/, ['--user-id']],
    ['an option whose value looks like an option', /--user-id/, ['--user-id', '--only', 'a']],
    ['an option whose value is negative', /--user-id=/, ['--user-id', '-5']],
    ['a value for an option that takes none', /--help/, ['--help=yes']],
    ['an unknown short option', /-x/, ['-x']],
    ['an unknown short option behind a known one', /-x/, ['-hx']],
    ['an option without a name', /--=x/, ['--=x']],
  ])('refuses %s in one line that names it', (_what, says, args) => {
    expect(refusal(...args)).toMatch(says);
    expect(refusal(...args)).not.toMatch(/[\r\n]/);
  });
});

describe('oneOf', () => {
  it('gives the word', () => {
    expect(oneOf('--format', 'json', ['pretty', 'json'])).toBe('json');
  });

  it.each(['jsno', 'JSON', '', 'toString', 'js\non'])('refuses %j in one line with the name and the words', (given) => {
    const message = messageOf(UsageError, () => oneOf('--format', given, ['pretty', 'json']));
    expect(message).toContain('--format');
    expect(message).toContain('pretty, json');
    expect(message).not.toContain('\n');
    if (given === 'jsno') expect(message).toMatch(/Did you mean json\?$/);
  });
});
