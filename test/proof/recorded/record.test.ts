import { expect, it } from 'vitest';
import type { Judged } from '../../../proof/judging.ts';
import { ofServers, recordedAfter } from '../../../proof/recorded/record.ts';

const NOTHING = { killedBy: {}, inconclusive: {} };

const judged = (id: string, own: Partial<Judged>): Judged => ({
  ...{ id, verdict: 'failed', failed: {}, inconclusive: {}, problems: [] },
  ...own,
});

it('what a server showed takes the place of what was recorded of it, and of no other', () => {
  const before = { killedBy: { d: { a: 'lost' }, other: { a: 'lost' } }, inconclusive: {} };
  expect(recordedAfter(before, [judged('d', { failed: { b: 'mixed' } })], [], true).killedBy).toEqual({
    d: { b: 'mixed' },
    other: { a: 'lost' },
  });
});

it('a server that is not there any more is no longer recorded', () =>
  expect(ofServers({ d: { a: 'lost' }, gone: { a: 'lost' } }, [{ id: 'd' }])).toEqual({ d: { a: 'lost' } }));

it('another order of the requests leaves what both show', () => {
  const before = { killedBy: { d: { a: 'lost', b: 'lost', c: 'lost' } }, inconclusive: {} };
  const again = [judged('d', { failed: { a: 'lost', b: 'mixed', e: 'lost' } })];
  expect(recordedAfter(before, again, [], false).killedBy).toEqual({ d: { a: 'lost' } });
});

it('what a busy machine left open is not recorded', () => {
  const variants = [
    judged('slow', { inconclusive: { a: 'target-unreachable', b: 'deadline' } }),
    judged('hides', { inconclusive: { a: 'not-observable', b: 'deadline' } }),
  ];
  expect(recordedAfter(NOTHING, [], variants, true).inconclusive).toEqual({ hides: { a: 'not-observable' } });
});

it('a variant on which nothing is inconclusive any more is no longer recorded', () => {
  const before = { killedBy: {}, inconclusive: { v: { a: 'not-observable' }, other: { a: 'not-observable' } } };
  expect(recordedAfter(before, [], [judged('v', {})], true).inconclusive).toEqual({ other: { a: 'not-observable' } });
});
