import { describe, expect, it } from 'vitest';
import { type Exchange, objectBody, type RequestSpec } from '../../../conformance/http/exchange.ts';
import { type Facts, makeNotes } from '../../../conformance/model/facts.ts';
import { judgeKept } from '../../../conformance/model/kept.ts';
import type { JudgedOperation } from '../../../conformance/model/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Effect } from '../../../conformance/resources/effect.ts';
import type { OperationId } from '../../../contract/document.ts';
import { answered, bannersRequest, faulted, inOrder, updateRequest, VALID } from '../../support/exchanges.ts';
import { refusalDue, viewOf } from '../../support/model.ts';

type Banner = Readonly<Record<string, unknown>>;

const EFFECT: Effect = {
  resource: 'banner',
  refused: { requirement: 'refused', parts: [] },
  writes: {
    members: ['message', 'enabled'],
    isPartial: true,
    sets: () => ({ message: 'New' }),
    stored: { requirement: 'stored', check: 'is-stored' },
    kept: { requirement: 'kept', check: 'is-kept' },
    putBack: (values) => values,
  },
};

/** The update of a user stands for one of a banner, which shows it, unless it has an effect of its own. */
function operationOf(id: OperationId, effect = EFFECT): JudgedOperation | undefined {
  const list = operations.find((each) => each.id === 'listBanners');
  if (!list || id === list.id) return list;
  const objects: JudgedOperation['shows']['objects'] = (exchange) => [
    { value: objectBody(exchange) ?? {}, pointer: '' },
  ];
  const shows = { ...list.shows, objects };
  return { ...list, id, effect, shows };
}

const OF_USER: Effect = { ...EFFECT, resource: 'user' };

const OLD: Banner = { id: 1, message: 'Old', enabled: true };
const NEW: Banner = { ...OLD, message: 'New' };
const read = (banner: Banner): Exchange => answered(bannersRequest(), 200, { banners: [{ id: 2 }, banner] });
const spec = (own: Partial<RequestSpec> = {}): RequestSpec =>
  updateRequest({ subject: 'banner', due: VALID, body: '{"message":"New"}', ...own });
const write = (shown: Banner): Exchange => answered(spec(), 200, shown);
const refused = (item: string, status = 400): Exchange =>
  answered(spec({ item, due: refusalDue('a'), meant: { body: 'invalid', id: 'valid' } }), status, {});

function factsOf(exchanges: readonly Exchange[], effect = EFFECT): Facts {
  const notes = makeNotes();
  const refusals = (item: string): string => `${item}-changes-nothing`;
  const banner = { subject: 'banner', resource: 'banner', id: '1' } as const;
  judgeKept(viewOf(inOrder(...exchanges)), notes, banner, { refusals, operationOf: (id) => operationOf(id, effect) });
  return notes;
}

describe('what an operation writes that has no sessions', () => {
  it.each<[what: string, exchanges: readonly Exchange[], deviations: string]>([
    ['is stored', [read(OLD), write(NEW), read(NEW)], ''],
    ['is stored, and not shown', [read(OLD), write({}), read(NEW)], ''],
    ['may be stored without a response', [read(OLD), faulted(spec(), 'timeout'), read(NEW)], ''],
    ['is only echoed', [read(OLD), write(NEW), read(OLD)], 'not-stored message is-stored'],
    ['is not stored', [read(OLD), write({}), read(OLD)], 'not-stored message is-stored'],
    ['comes with another change', [read(OLD), write({}), read({ ...NEW, enabled: false })], 'changed enabled is-kept'],
    [
      'is changed by a refused request',
      [read(OLD), refused('a'), read(OLD), refused('a'), refused('b'), read(NEW)],
      'changed-banner message b-changes-nothing',
    ],
    ['is changed by nobody in the run', [read(OLD), read(NEW)], ' message '],
    [
      'is changed while a user is updated',
      [read(OLD), refused('a'), answered(updateRequest(), 200, {}), read(NEW)],
      ' message ',
    ],
    ['is another banner', [read(OLD), read({ ...NEW, id: 3 })], ''],
  ])('%s', (_what, exchanges, deviations) => {
    const found = factsOf(exchanges).deviations;
    expect(found.map(({ mode, member = '', checks }) => `${mode} ${member} ${checks.join()}`).join()).toBe(deviations);
  });

  it('is not blamed on a write where each reading changes it, and what that write stores is undecided', () => {
    const counted = (count: number): Exchange => read({ ...OLD, message: `Read ${count} times.` });
    const { deviations, doubts } = factsOf([counted(1), counted(2), write(NEW), counted(3), refused('a'), counted(4)]);
    expect(deviations.map(({ kind, member, checks }) => [kind, member, checks])).toEqual(
      [1, 2, 3].map(() => ['changed', 'message', []]),
    );
    expect([...doubts.keys()]).toEqual(['is-stored', 'a-changes-nothing']);
  });

  it('is not blamed on a refused request of another resource', () => {
    const { deviations } = factsOf([read(OLD), refused('a'), read(NEW)], OF_USER);
    expect(deviations.map(({ checks }) => checks)).toEqual([[]]);
  });

  it('is seen to be stored, to keep the rest, and not to change by what is refused', () => {
    const { witnesses } = factsOf([read(OLD), write({}), refused('a'), read(NEW)]);
    expect([...witnesses.keys()].sort()).toEqual(['a-changes-nothing', 'is-kept', 'is-stored']);
  });
});
