import { expect, test } from 'vitest';
import { pathIds } from '../../conformance/checks/path-ids.ts';
import { INPUTS, json, judged, outcomesOf, scripted, sessionOver } from '../support/engine.ts';

/** Ids that differ from that of user 1 in higher bits alone. */
const [first, second, third, fourth] = [1n, 2n, 3n, 4n].map((multiple) => String(1n + multiple * 2n ** 32n));
const CHECK = 'path-id-beyond-32-bits';

test.each([
  ['are left alone where the operator named them', [first], first, 'passed'],
  ['are passed over where they exist', [first, second], undefined, 'passed'],
  ['are no fault where all exist', [first, second, third, fourth], undefined, 'inconclusive: not-shown'],
])('users with the same lowest 32 bits of the id %s', async (_what, existing, otherUserId, outcome) => {
  const { transport } = scripted((request, respond) => {
    const id = existing.find((each) => request.path.endsWith(`/${each}`));
    return id === undefined ? respond() : json(200, { id: Number(id), name: 'Ada' });
  });
  const session = sessionOver(transport, { inputs: { ...INPUTS, ...(otherUserId && { otherUserId }) } });
  const outcomes = outcomesOf(await judged(session, ...pathIds.filter(({ id }) => id === CHECK)));
  expect(outcomes[CHECK]).toBe(outcome);
});
