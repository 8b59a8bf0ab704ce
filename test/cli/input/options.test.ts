import { describe, expect, it } from 'vitest';
import { optionHelp, parseOptions } from '../../../cli/input/options.ts';
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

describe('parseOptions', () => {
  it('takes from the flags which options have a value, a short form, or may be repeated', () => {
    const { values, positionals } = parse(...'--explore=5 --only a --only=b -q --timeout 7 -- --admin-key'.split(' '));
    expect(values).toEqual({ explore: '5', only: ['a', 'b'], quiet: true, timeout: '7' });
    expect(positionals).toEqual(['--admin-key']);
  });

  it.each([
    ['--admin-key', 'CONFORMANCE_ADMIN_KEY'],
    ['--restricted-key', 'CONFORMANCE_RESTRICTED_KEY'],
  ])('refuses %s, does not repeat the key, and says where to put it', (option, variable) => {
    for (const args of [[option, 'geheim'], [`${option}=geheim`]]) {
      const message = messageOf(UsageError, () => parse(...args));
      for (const text of [option, variable, `${option}-file`]) expect(message).toContain(text);
      expect(message).not.toContain('geheim');
    }
  });
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
