import { expect, it } from 'vitest';
import { withoutCommands } from '../../common/github.ts';

const ON_GITHUB = { GITHUB_ACTIONS: 'true' };

it('a text for the log of a workflow has no line that is taken for a command', () => {
  const text = 'ok\n::error::x\n    ::stop-commands::y\na ::notice::z ##[error]w\n\t::b';
  expect(withoutCommands(text, ON_GITHUB)).toBe(
    'ok\n:\u200b:error::x\n    :\u200b:stop-commands::y\na ::notice::z ##\u200b[error]w\n\t:\u200b:b',
  );
  expect(withoutCommands(text, {})).toBe(text);
});

it.each([
  ['blank lines', '\n'],
  ['blanks', ' '],
  ['tabs before colons', '\t:\n'],
  ['colons', '::\n'],
])('takes time in proportion to the length of the text: %s', (_what, piece) => {
  // If it took time in proportion to the square of the length, this would take hours.
  const text = piece.repeat(500_000);
  expect(withoutCommands(text, ON_GITHUB)).not.toMatch(/^::/m);
});
