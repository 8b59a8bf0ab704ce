import { describe, expect, it } from 'vitest';
import type { Result } from '../../../conformance/result/result.ts';
import { findCulprits } from '../../../conformance/traffic/side-effects.ts';
import type { Behaviour } from '../../../proof/servers/behaviour.ts';
import { called } from '../../../proof/catalogue.ts';
import { sideEffectsDefects } from '../../../proof/defects/list-banners/side-effects.ts';
import { judgeBehaviour } from '../../support/judging.ts';

const KEPT = 'banners-kept-by-other-requests';
const NO_USER = 'reading-changes-no-user';

describe('the search for what changes something', () => {
  const candidate = (id: number) => ({
    id: String(id),
    kind: id < 16 ? 'few' : 'many',
    send: () => Promise.resolve(undefined),
  });
  const candidates = Array.from({ length: 64 }, (_each, id) => candidate(id));

  /** What is found where some candidates change something, and how often candidates were sent. */
  async function search(guilty: readonly string[]) {
    const sent: number[] = [];
    const culprits = await findCulprits(candidates, (some) => {
      sent.push(some.length);
      return Promise.resolve(some.filter(({ id }) => guilty.includes(id)).map(({ id }) => `changed by ${id}`));
    });
    return { culprits: [...culprits], sent };
  }

  it.each(['0', '15', '16', '40', '63'])('finds %s by halving', async (id) => {
    const { culprits, sent } = await search([id]);
    expect(culprits).toEqual([[id, [`changed by ${id}`]]]);
    expect(sent.length).toBeLessThanOrEqual(1 + 2 + 2 * 6);
  });

  it('finds one of each kind', async () => {
    const { culprits } = await search(['3', '9', '20', '50']);
    expect(culprits.map(([id]) => id)).toEqual(['3', '20']);
  });
});

function outcomeOf({ checks }: Result, id: string): string | undefined {
  return checks.find((check) => check.id === id)?.outcome;
}

const behaviourOf = (id: string): Behaviour => called(sideEffectsDefects, `side-effect-${id}`).behaviour;

describe('side effects', () => {
  it('need four lists, and no update of their own, where there are none', async () => {
    const { result, sent } = await judgeBehaviour({});
    expect([outcomeOf(result, KEPT), outcomeOf(result, NO_USER)]).toEqual(['passed', 'passed']);
    expect(sent.filter((purpose) => purpose === 'A repeated request for the banners')).toHaveLength(4);
    expect(sent).not.toContain('An update that must change the user alone');
  });

  it('are looked for where only they are judged', async () => {
    const only = [KEPT, NO_USER];
    const { result } = await judgeBehaviour({}, { only });
    expect(only.map((id) => outcomeOf(result, id))).toEqual(['passed', 'passed']);
    const { result: other } = await judgeBehaviour(behaviourOf('update-adds-banner'), { only });
    expect(outcomeOf(other, KEPT)).toBe('failed');
  });
});
