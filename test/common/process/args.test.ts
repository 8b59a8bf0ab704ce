import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from '../../../common/process/args.ts';

const OPTIONS = {
  'user-id': { type: 'string' },
  'admin-key-file': { type: 'string' },
  only: { type: 'string', multiple: true },
  reference: { type: 'boolean' },
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

/** A value that may be a key is never repeated. */
const CALLS = [
  ...['--user-idd 4', '--usr-id=4', '--refrence', '--ony a', '--admin-kye=geheim', '--quite-something-else'],
  ...['--constructor', '--toString', '--__proto__', '--hasOwnProperty', 'http://x http://y', '--user-id'],
  ...['--user-id --only a', '--user-id -5'],
];

describe('a call that is refused', () => {
  it('is refused in one line, as it was reviewed', async () => {
    const refusal = (call: string): string => {
      try {
        return `accepted: ${JSON.stringify(parse(...call.split(' ')))}`;
      } catch (error) {
        return (error as UsageError).message;
      }
    };
    const lines = CALLS.map((call) => [call, refusal(call)]);
    for (const [, line] of lines) expect(line).toMatch(/^(?!.*geheim).+$/);
    await expect(lines.map((each) => each.join('\n  ')).join('\n')).toMatchFileSnapshot('golden/refusals.txt');
  });

  it.each([
    ['--help=yes', '--help'],
    ['-x', '-x'],
    ['-hx', '-x'],
    ['--=x', '--=x'],
  ])('is refused in one line of Node.js, which names the option: %s', (call, names) =>
    expect(() => parse(call)).toThrow(new RegExp(`^.*${names}.*$`)),
  );

  it('may have an argument too many where none is taken', () =>
    expect(() => parseArguments(['x'], OPTIONS, 0)).toThrow('"x"'));
});
