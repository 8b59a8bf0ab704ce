import { expect, it } from 'vitest';
import { documentWithoutCommands, withoutCommands } from '../../common/github.ts';

const ON_GITHUB = { GITHUB_ACTIONS: 'true' };

it('a text for the log of a workflow has no line that is taken for a command', () => {
  const text = 'ok\n::error::x\n    ::stop-commands::y\na ::notice::z ##[error]w\n\t::b';
  expect(withoutCommands(text, ON_GITHUB)).toBe(
    'ok\n\\::error::x\n    \\::stop-commands::y\na ::notice::z ## [error]w\n\t\\::b',
  );
});

/** ms of the processor for an input, of the fastest of three tries. */
function costOf(work: () => unknown): number {
  const costs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...costs);
}

it.each([
  ['blank lines', '\n'],
  ['blanks', ' '],
  ['tabs before colons', '\t:\n'],
  ['colons', '::\n'],
])('takes time in proportion to the length of the text: %s', (_what, piece) => {
  const lengths = [50_000, 100_000, 200_000, 400_000];
  const costs = lengths.map((length) =>
    costOf(() => {
      const text = piece.repeat(length);
      return [withoutCommands(text, ON_GITHUB), documentWithoutCommands(text, ON_GITHUB)];
    }),
  );
  const [shortest = 0, , , longest = 0] = costs;
  // Where it is quadratic, the longest takes 64 times as long as the shortest, and minutes.
  expect(longest, costs.join(', ')).toBeLessThan(24 * Math.max(shortest, 20));
});
