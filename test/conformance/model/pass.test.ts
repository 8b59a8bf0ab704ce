import { expect, it } from 'vitest';
import type { Exchange, RequestSpec, TransportError } from '../../../conformance/http/exchange.ts';
import { type Passed, passOver } from '../../../conformance/model/pass.ts';
import type { Recording } from '../../../conformance/model/recording/recording.ts';
import type { JudgedOperation } from '../../../conformance/model/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import {
  answered,
  faulted,
  inOrder,
  recordingOf,
  update,
  updateRequest,
  VALID,
  without,
} from '../../support/exchanges.ts';
import { put } from '../../support/model.ts';

const passed = (recording: Recording, own: readonly JudgedOperation[] = []): Passed =>
  passOver(recording, own, { refusals: () => undefined });
const lost = (check: string, own: Partial<RequestSpec> = {}, kind: TransportError = 'closed'): Exchange =>
  faulted(updateRequest({ due: { ...VALID, checks: [check] }, ...own }), kind);

it('judges the exchanges in the order of sending, without what is replaced, and those that restored the users', () => {
  const [first, again, second, third] = inOrder(
    put({}, { item: 'a' }, 409),
    put({}, { item: 'a', again: true }),
    put({ name: 'b' }),
    put({ name: 'c' }),
  );
  const exchanges = [third, first, again].flatMap((each) => each ?? []);
  const { view } = passed(recordingOf(exchanges, { restoring: second ? [second] : [] }));
  expect(view.exchanges).toEqual([again, second, third]);
});

const reading = lost('c', { due: { ...VALID, role: 'reading', checks: ['c'] } });
it.each<[what: string, sent: readonly Exchange[], judged: number, doubts: readonly string[]]>([
  ['judges one', [put({}), lost('a'), lost('b'), reading, lost('d', { phase: 'restore' })], 2, ['b']],
  ['judges all after which something responded', [lost('a'), lost('b'), put({})], 3, []],
  ['judges all where nothing responded', [lost('a'), lost('b')], 2, []],
  ['judges all where one was lost otherwise', [put({}), lost('a'), lost('b', {}, 'timeout')], 3, []],
])('of the connections that were closed at the end, %s', (_what, sent, judged, checks) => {
  const { view, doubts } = passed(recordingOf(inOrder(...sent)));
  const detail = 'the target had closed every connection since an earlier request';
  expect(view.exchanges).toHaveLength(judged);
  const found = [...doubts].filter(([, doubt]) => doubt.detail === detail);
  expect(found.map(([check]) => check)).toEqual(checks);
  for (const [, doubt] of found)
    expect(doubt).toMatchObject({ reason: 'target-unreachable', exchanges: [{ request: sent[2]?.request }] });
});

const [list, updating] = ['listBanners', 'updateUser'].map((id) => operations.find((each) => each.id === id));
const writes = {
  ...{ members: ['name'], sets: () => ({ name: 'Ada' }), putBack: () => undefined },
  ...{ stored: { requirement: 'stored', check: 'is-stored' }, kept: { requirement: 'kept', check: 'is-kept' } },
};
/** The update of a user, as if users had no sessions. */
function withWrites(
  resource: 'user' | 'banner',
  judgeState?: JudgedOperation['judgeState'],
): readonly JudgedOperation[] {
  if (!list || !updating) return [];
  return [
    list,
    { ...without(updating, 'judgeState'), ...(judgeState && { judgeState }), effect: { resource, writes } },
  ];
}

it('judges what is kept without sessions', () => {
  const ada = { id: 4, name: 'Ada' };
  const shown = recordingOf([
    update({ name: 'Ada' }, ada),
    answered(updateRequest({ subject: 'other-user' }), 200, ada),
  ]);
  const keptBy = (own: readonly JudgedOperation[]) => [...passed(shown, own).witnesses.keys()].includes('is-stored');
  expect(keptBy(withWrites('user'))).toBe(true);
  expect(keptBy(withWrites('user', () => undefined))).toBe(false);
  expect(keptBy([...withWrites('user'), ...withWrites('user', () => undefined)])).toBe(false);
  expect(keptBy(withWrites('banner'))).toBe(false);
});

it('knows which operations show what is written', () => {
  const shownBy = (own: readonly JudgedOperation[]) => [...passed(recordingOf([]), own).showWritten];
  expect(shownBy(withWrites('user'))).toEqual(['updateUser']);
  expect(shownBy(withWrites('banner'))).toEqual(['listBanners']);
  expect(shownBy(withWrites('user').slice(0, 1))).toEqual([]);
});
