import { expect, it } from 'vitest';
import { withoutCommands } from '../../common/github.ts';

it('a text for the log of a workflow has no line that is taken for a command', () => {
  const text = withoutCommands('ok\n::error::x\n    ::stop-commands::y\na ::notice::z ##[error]w\n\t::b', {
    GITHUB_ACTIONS: 'true',
  });
  expect(text).toBe('ok\n\\::error::x\n    \\::stop-commands::y\na ::notice::z ## [error]w\n\t\\::b');
});
