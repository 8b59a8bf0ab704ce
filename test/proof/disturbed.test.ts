import { expect, it } from 'vitest';
import { judgePair } from '../../proof/disturbed/two-runs.ts';

// Without the name or the address of its run, the second run took the role that the first one had set for an old one.
it.each(['16', '19', '245', '273', '287'])(
  'two runs at once leave no value that neither tells of: pair %s',
  async (seed) => {
    expect((await judgePair(seed)).problems).toEqual([]);
  },
);
