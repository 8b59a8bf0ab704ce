import { describe, expect, it } from 'vitest';
import { UsageError } from '../../common/process/args.ts';
import { commands, hiddenCommands, overview } from '../../cli/commands.ts';
import { cli, expectUsageError } from '../support/cli.ts';

const loaded = Object.entries(commands);

describe('the help', () => {
  it.each(loaded)('of %s has usage, an example and the exit codes, in 80 columns', async (name, load) => {
    const { command } = await load();
    expect(command.usage).toMatch(new RegExp(`^${name}\\b`));
    expect(command.help).toMatch(new RegExp(`^Usage: admin-api-conformance ${name}\\b`));
    if (!['render', 'init', 'baseline'].includes(name))
      expect(command.help).toMatch(/\nExamples?\b.*:\n {2}admin-api-conformance /);
    expect(command.help).toMatch(/\nExit codes: 0.*\n$/s);
    for (const line of command.help.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('lists every command beside what it does, in 80 columns', async () => {
    const lines = (await overview()).split('\n');
    for (const [name] of loaded) expect(lines.some((line) => line.startsWith(`  ${name}`))).toBe(true);
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(80);
      if (line.startsWith('  ')) expect(line).toMatch(/^ {2}.{18} \S|^ {2}admin-api-conformance .* {2}|^ {40}/);
    }
  });
});

it('A limit of the machine is named, and is no error of the suite', async () => {
  const limited = () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
  Object.assign(hiddenCommands, { limited });
  expectUsageError(await cli(['limited']), /ulimit -n/);
});

it('Of many mistakes, the first ten are told, shortened, and how many more there are', async () => {
  const many = Array.from({ length: 300_000 }, (_each, index) => `a${index}: ${'x'.repeat(50_000 / (index + 1))}`);
  Object.assign(hiddenCommands, { mistaken: () => Promise.reject(new UsageError(many)) });
  const { code, stderr } = await cli(['mistaken']);
  const lines = stderr.trimEnd().split('\n');
  expect(code).toBe(2);
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatch(/^admin-api-conformance: a0: x{1000,}… \(\d+ more characters\)$/);
  expect(lines[10]).toBe('admin-api-conformance: There are 299,990 more mistakes.');
});
