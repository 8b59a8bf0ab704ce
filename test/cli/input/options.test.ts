import { describe, expect, it } from 'vitest';
import { optionHelp, optionName, parseOptions } from '../../../cli/input/options.ts';
import { UsageError } from '../../../common/process/args.ts';
import { messageOf } from '../../support/exchanges.ts';

const OPTIONS = [
  { flag: '--admin-key-file FILE', meaning: 'a key', variable: 'CONFORMANCE_ADMIN_KEY' },
  { flag: '--restricted-key-file FILE', meaning: 'another key', variable: 'CONFORMANCE_RESTRICTED_KEY' },
  { flag: '--explore[=N]', meaning: 'try more' },
  { flag: '--only A,B', meaning: 'these', multiple: true },
  { flag: '--timeout MS', meaning: 'milliseconds', default: 100 },
  { flag: '--quiet, -q', meaning: 'less' },
] as const;

const parse = (...args: string[]) => parseOptions(args, OPTIONS, 1);
const refusal = (...args: string[]): string => messageOf(UsageError, () => parse(...args));

describe('parseOptions', () => {
  it('takes from the flags which options have a value, a short form, or may be repeated', () => {
    expect(parse('--explore=5', '--only', 'a', '--only=b', '-q', '--timeout', '7').values).toEqual({
      explore: '5',
      only: ['a', 'b'],
      quiet: true,
      timeout: '7',
    });
  });

  it.each([
    ['--admin-key', 'CONFORMANCE_ADMIN_KEY'],
    ['--restricted-key', 'CONFORMANCE_RESTRICTED_KEY'],
  ])('refuses %s, does not repeat the key, and says where to put it', (option, variable) => {
    for (const message of [refusal(option, 'geheim'), refusal(`${option}=geheim`)]) {
      expect(message).toContain(option);
      expect(message).toContain(variable);
      expect(message).toContain(`${option}-file`);
      expect(message).not.toContain('geheim');
    }
  });

  it('leaves what stands behind -- alone', () => {
    expect(parse('--', '--admin-key').positionals).toEqual(['--admin-key']);
  });
});

it('optionName is that of the flag, or of the argument', () => {
  expect([...OPTIONS, { flag: 'BASE_URL', meaning: '' }].map(optionName)).toEqual([
    'admin-key-file',
    'restricted-key-file',
    'explore',
    'only',
    'timeout',
    'quiet',
    'base-url',
  ]);
});

it('optionHelp shows variable, repetition and default', () => {
  expect(optionHelp(OPTIONS.slice(1, 5)).split('\n')).toEqual([
    '  --restricted-key-file FILE  CONFORMANCE_RESTRICTED_KEY',
    '                              another key',
    '  --explore[=N]               try more',
    '  --only A,B                  these; repeatable',
    '  --timeout MS                milliseconds (100)',
  ]);
});
