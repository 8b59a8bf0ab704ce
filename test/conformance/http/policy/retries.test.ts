import { describe, expect, it } from 'vitest';
import type { TransportError } from '../../../../conformance/http/exchange.ts';
import {
  type Action,
  type BusyExperience,
  type Event,
  learn,
  MOST_TRIES,
  NEVER_BUSY,
  NO_EXPERIENCE,
  type Outcome,
  START,
  type State,
  step,
} from '../../../../conformance/http/policy/retries.ts';

const STAYED_ONCE: BusyExperience = { stayed: 1, recovered: false, inARow: MOST_TRIES };
const STAYS: BusyExperience = { stayed: 2, recovered: false, inARow: 2 * MOST_TRIES };
const RECOVERS: BusyExperience = { stayed: 2, recovered: true, inARow: 0 };
const BUSY: Outcome = { kind: 'busy', status: 503 };
const UNKNOWN: Omit<Event, 'outcome'> = {
  contended: false,
  busy: NEVER_BUSY,
  closed: NO_EXPERIENCE,
  mayReturn: false,
};

const event = (outcome: Outcome, known: Partial<Event> = {}): Event => ({ ...UNKNOWN, ...known, outcome });
const after = (pauses: number, lost = 0): State => ({ ...START, pauses, lost });
const LAST = MOST_TRIES - 1;

describe('step', () => {
  it.each<[what: string, state: State, event: Event, action: Action, wait?: number]>([
    ['a response', START, event({ kind: 'response' }), 'record'],
    ['429', START, event({ kind: 'busy', status: 429 }), 'pause', 50],
    ['429 that asks for a second', START, event({ kind: 'busy', status: 429, pause: 1_000 }), 'pause', 1_000],
    ['429 that asks for nothing', after(3), event({ kind: 'busy', status: 429, pause: 0 }), 'pause', 400],
    ['429 that stays', after(LAST), event({ kind: 'busy', status: 429 }), 'giveUp'],
    ['429 where it was seen to stay', START, event({ kind: 'busy', status: 429 }, { busy: STAYS }), 'pause', 50],
    ['503', START, event(BUSY), 'pause', 50],
    ['503 the sixth time', after(5), event(BUSY), 'pause', 1_600],
    ['503 that stays', after(LAST), event(BUSY), 'record'],
    ['503 that stays, where others recovered', after(LAST), event(BUSY, { busy: RECOVERS }), 'record'],
    ['503 with a pause that stays', after(LAST), event({ kind: 'busy', status: 503, pause: 50 }), 'giveUp'],
    ['503 where it was seen to stay', START, event(BUSY, { busy: STAYS }), 'pause', 50],
    ['503 where it was seen to stay once, the second time', after(1), event(BUSY, { busy: STAYED_ONCE }), 'pause', 100],
    ['503 where it was seen to stay, the second time', after(1), event(BUSY, { busy: STAYS }), 'record'],
    ['503 where it was seen to stay, and to go', START, event(BUSY, { busy: RECOVERS }), 'pause', 50],
    ['a closed connection, which may have been idle', START, event('closed'), 'retryFresh', 0],
    ['a fresh connection that is closed', after(0, 1), event('closed'), 'pause', 50],
    ['the third one', after(0, 2), event('closed'), 'pause', 100],
    ['the third one, where it was seen to stay', after(0, 2), event('closed', { closed: STAYS }), 'record'],
    ['the third one, where others recovered', after(0, 2), event('closed', { closed: RECOVERS }), 'pause', 100],
    ['connections that are closed each time', after(0, LAST), event('closed'), 'record'],
    ['the same, where others recovered', after(0, LAST), event('closed', { closed: RECOVERS }), 'record'],
    ['closed connections among pauses', after(4, 3), event('closed'), 'record'],
    ['a time-out', START, event('timeout'), 'record'],
    ['a time-out among concurrent requests', START, event('timeout', { contended: true }), 'retryAlone', 50],
    ['a second time-out', after(0, 1), event('timeout', { contended: true }), 'record'],
    ['a target that was never there', START, event('unreachable'), 'record'],
    ['a target that is away', START, event('unreachable', { mayReturn: true }), 'pause', 250],
    ...(['limit', 'protocol', 'throttled', 'aborted'] satisfies TransportError[]).map(
      (kind): [string, State, Event, Action] => [
        kind,
        START,
        event(kind, { contended: true, mayReturn: true }),
        'record',
      ],
    ),
  ])('after %s', (_what, state, given, action, wait) => {
    const [next, next_action] = step(state, given);
    expect(next_action).toBe(action);
    if (wait !== undefined) expect(next.wait).toBe(wait);
  });

  it.each<[string, Outcome]>([
    ['429', { kind: 'busy', status: 429 }],
    ['503', BUSY],
    ['closed connections', 'closed'],
  ])('spreads its tries at %s over more than two seconds, and ends', (_what, outcome) => {
    let [state, action]: [State, Action] = [START, 'pause'];
    let [waited, tries] = [0, 0];
    while (action === 'pause' || action === 'retryFresh') {
      [state, action] = step(state, event(outcome));
      tries += 1;
      waited += state.wait;
    }
    expect(tries).toBe(MOST_TRIES);
    expect(waited).toBeGreaterThan(2_000);
    expect(waited).toBeLessThan(8_000);
  });
});

it.each<[what: string, before: State, action: Action, outcome: Outcome, learned: object]>([
  ['that 503 stays', after(LAST), 'record', BUSY, { busy: STAYED_ONCE }],
  ['that 503 goes', after(1), 'record', { kind: 'response' }, { busy: { stayed: 0, recovered: true } }],
  ['that connections stay closed', after(0, LAST), 'record', 'closed', { closed: { stayed: 1, recovered: false } }],
  ['that fresh connections recover', after(0, 2), 'record', { kind: 'response' }, { closed: { recovered: true } }],
  ['nothing from an idle connection', after(0, 1), 'record', { kind: 'response' }, { closed: NO_EXPERIENCE }],
  ['nothing from a response', START, 'record', { kind: 'response' }, { busy: NEVER_BUSY, closed: NO_EXPERIENCE }],
  ['nothing from a pause', START, 'pause', BUSY, { busy: NEVER_BUSY }],
])('one learns %s from what came of a request', (_what, before, action, outcome, learned) =>
  expect(learn(before, action, event(outcome))).toMatchObject(learned),
);

it('The tries in a row that got 503 are counted until another response comes', () => {
  const { busy } = learn(after(1), 'record', event(BUSY, { busy: STAYED_ONCE }));
  expect(busy.inARow).toBe(MOST_TRIES + 2);
  expect(learn(START, 'record', event('timeout', { busy })).busy.inARow).toBe(MOST_TRIES + 2);
  expect(learn(START, 'record', event({ kind: 'response' }, { busy })).busy.inARow).toBe(0);
});
