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
const write = (shown: Banner, own: Partial<RequestSpec> = {}): Exchange => answered(spec(own), 200, shown);
const refused = (item: string, status = 400, own: Partial<RequestSpec> = {}): Exchange =>
  answered(spec({ item, due: refusalDue('a'), meant: { body: 'invalid', id: 'valid' }, ...own }), status, {});
const unanswered = faulted(spec(), 'timeout');
/** An update of a user, which does not show the banner. */
const ofUser = answered(updateRequest(), 200, {});
/** Another member is changed. */
const OFF: Banner = { ...NEW, enabled: false };

function factsOf(exchanges: readonly Exchange[], effect = EFFECT): Facts {
  const notes = makeNotes();
  const refusals = (item: string): string | undefined => (item === '' ? undefined : `${item}-changes-nothing`);
  const banner = { subject: 'banner', resource: 'banner', id: '1' } as const;
  judgeKept(viewOf(inOrder(...exchanges)), notes, banner, { refusals, operationOf: (id) => operationOf(id, effect) });
  return notes;
}

describe('what an operation writes that has no sessions', () => {
  it.each<[what: string, exchanges: readonly Exchange[], deviations: string]>([
    ['is stored', [read(OLD), write(NEW), read(NEW)], ''],
    ['is stored, and not shown', [read(OLD), write({}), read(NEW)], ''],
    ['may be stored without a response', [read(OLD), unanswered, read(NEW)], ''],
    ['is only echoed', [read(OLD), write(NEW), read(OLD)], 'not-stored message is-stored'],
    ['is not stored', [read(OLD), write({}), read(OLD)], 'not-stored message is-stored'],
    ['comes with another change', [read(OLD), write({}), read(OFF)], 'changed enabled is-kept'],
    ['comes with a change after its response', [read(OLD), write(NEW), read(OFF)], 'changed enabled is-kept'],
    [
      'comes with another change than before, beside what is refused',
      [read(OLD), write({}), read(NEW), refused('a'), write({}), read(OFF)],
      'changed enabled is-kept',
    ],
    [
      'is changed by a refused request',
      [read(OLD), refused('a'), read(OLD), refused('b'), refused('a'), read(NEW)],
      'changed-banner message b-changes-nothing',
    ],
    [
      'is changed by what changed nothing before',
      [read(OLD), refused('a'), read(OLD), refused('a'), read(NEW)],
      'changed-banner message a-changes-nothing',
    ],
    [
      'is changed by what changed it before',
      [read(OLD), refused('a'), read(NEW), refused('b'), refused('a'), read(OLD)],
      ['a', 'a'].map((item) => `changed-banner message ${item}-changes-nothing`).join(),
    ],
    [
      'is changed by what was wrongly accepted',
      [read(OLD), refused('a', 200), write({}), refused('b'), read(OFF)],
      'changed-banner enabled a-changes-nothing',
    ],
    [
      'is set by what was wrongly accepted',
      [read(OLD), refused('a', 200), read(NEW)],
      'changed-banner message a-changes-nothing',
    ],
    [
      'is changed by a refused request to another one',
      [read(OLD), refused('a', 400, { subject: 'other' }), read(NEW)],
      'other-banner-changed message a-changes-nothing',
    ],
    ['is changed by a valid request that is refused', [read(OLD), answered(spec(), 500), read(NEW)], ' message '],
    ['is changed while a request gets no response', [read(OLD), unanswered, refused('a'), read(OFF)], ' enabled '],
    ['is changed by nobody in the run', [read(OLD), refused('a'), read(OLD), read(NEW)], ''],
    ['is changed while a user is updated', [read(OLD), refused('a'), ofUser, read(NEW)], ' message '],
    ['is stored of another one', [read(OLD), write({}, { subject: 'other' }), read(OLD)], ''],
    ['is no member that the contract knows', [read({ ...OLD, seen: 1 }), refused('a'), read({ ...OLD, seen: 2 })], ''],
    ['is another banner', [read(OLD), read({ ...NEW, id: 3 })], ''],
  ])('%s', (_what, exchanges, deviations) => {
    const found = factsOf(exchanges).deviations;
    expect(found.map(({ mode, member = '', checks }) => `${mode} ${member} ${checks.join()}`).join()).toBe(deviations);
  });

  it('is undecided where each reading changes it', () => {
    const counted = (count: number): Exchange => read({ ...OLD, message: `Read ${count} times.` });
    const { deviations, doubts } = factsOf([counted(1), counted(2), write(NEW), counted(3), refused('a'), counted(4)]);
    expect(deviations).toEqual([]);
    expect([...doubts.keys()]).toEqual(['is-stored', 'a-changes-nothing']);
    expect(doubts.get('is-stored')).toMatchObject({
      ...{ reason: 'precondition-failed', detail: 'message differs each time that it is read' },
      exchanges: [{ request: spec() }, { request: bannersRequest() }],
    });
  });

  it('deviates with the values, the requests that show it, and what may have changed it', () => {
    const sent = inOrder(read(OLD), refused('a'), refused('b'), read(NEW));
    const [before, first, second, after] = sent;
    const suspects = [{ exchange: first }, { exchange: second }];
    expect(factsOf(sent).deviations).toMatchObject([
      {
        ...{ kind: 'changed', requirements: ['refused'], subject: 'banner', pointer: '/message' },
        ...{ expected: 'Old', actual: 'New', by: second, x: after, shows: [before, second, after] },
        change: { between: suspects, suspects, classes: ['refused'], blamed: 'refused' },
        message: 'An update (the response to it is 400): message is "New" after it, expected "Old".',
      },
    ]);
    const [notStored] = factsOf([read(OLD), write({}), read(OLD)]).deviations;
    expect(notStored).toMatchObject({ kind: 'not-stored', requirements: ['stored'], change: { blamed: 'writer' } });
  });

  it('is not blamed on a refused request of another resource, nor is it a witness for that', () => {
    const { deviations, witnesses } = factsOf([read(OLD), refused('a'), read(NEW), refused('a'), read(NEW)], OF_USER);
    expect(deviations.map(({ requirements, checks }) => [...requirements, ...checks])).toEqual([[]]);
    expect([...witnesses.keys()]).toEqual([]);
  });

  it('is seen to be stored, to keep the rest, and not to change by what is refused', () => {
    const { witnesses } = factsOf([read(OLD), write({}), refused('a'), refused('b', 200), read(NEW)]);
    expect([...witnesses.keys()].sort()).toEqual(['a-changes-nothing', 'is-kept', 'is-stored']);
    // An update may only be echoed.
    expect([...factsOf([read(OLD), write(NEW)]).witnesses.keys()]).toEqual([]);
  });
});
