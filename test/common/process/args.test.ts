import { expect, it } from 'vitest';
import { parseArguments, UsageError } from '../../../common/process/args.ts';

const OPTIONS = {
  'user-id': { type: 'string' },
  only: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

const parse = (...args: string[]) => parseArguments(args, OPTIONS, 1);

it('parseArguments reads options and positionals in any order', () => {
  const { values, positionals } = parse('--user-id', '4', 'http://x', '--only=a', '--only', 'b', '-h');
  expect(values).toMatchObject({ 'user-id': '4', only: ['a', 'b'], help: true });
  expect(positionals).toEqual(['http://x']);
  expect(parse('--', '--nope').positionals).toEqual(['--nope']);
  expect(parse('--user-id=-5').values['user-id']).toBe('-5');
});

it.each([
  ['--ony a', '--ony: unknown option. Did you mean --only?'],
  // A value that may be a key is never repeated.
  ['--quite-something-else=geheim', '--quite-something-else: unknown option. See --help.'],
  ['--__proto__', '--__proto__: unknown option. See --help.'],
  ['--constructor=x', '--constructor: unknown option. See --help.'],
  ['-hx', '-x: unknown option. See --help.'],
  ['--help=yes', '--help takes no value.'],
  ['--user-id', '--user-id needs a value; see --help.'],
  ['--user-id -5', '--user-id needs a value; write one that starts with a dash as --user-id=VALUE.'],
  ['http://x http://y', '"http://y" is one argument too many.'],
])('%s is refused in one line', (call, line) => expect(() => parse(...call.split(' '))).toThrow(new UsageError(line)));
