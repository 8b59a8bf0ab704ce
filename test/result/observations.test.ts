import { expect, it } from 'vitest';
import { runTarget } from '../../conformance/run.ts';
import { variants } from '../../proof/catalogue.ts';
import { inputsFor, withBehaviour } from '../../proof/servers/behaviour.ts';

it.each([
  ['path-id-as-javascript-reads-it', ['%201', '+1', '01', '0x1', '1.0']],
  ['path-id-as-pydantic-reads-it', ['%201', '+1', '01', '0_1', '1.0']],
])('a target is told which spellings of an id it takes, and not judged for them: %s', async (wanted, spellings) => {
  const behaviour = variants.find(({ id }) => id === wanted)?.behaviour ?? {};
  await withBehaviour(behaviour, async ({ url, seed, transport }) => {
    const { verdict, observations } = await runTarget(inputsFor(url, seed), { transport, journal: false });
    expect(verdict).toBe('passed');
    const seen = observations.find(({ id }) => id === 'open.integer-spelling');
    expect([seen?.observed, seen?.detail?.toSorted()]).toEqual(['some-accepted', spellings]);
  });
});
