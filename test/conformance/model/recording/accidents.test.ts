import { describe, expect, it } from 'vitest';
import { type Exchange, STILL_RESPONDS } from '../../../../conformance/http/exchange.ts';
import { withoutAccidents } from '../../../../conformance/model/recording/accidents.ts';
import { answered, faulted, updateRequest } from '../../../support/exchanges.ts';

const request = updateRequest();
const through = (count: number, lost = 0, pauses = 0): Exchange[] =>
  Array.from({ length: count }, () => ({ ...answered(request, 200), lost, pauses }));
const closed = (lost: number): Exchange => ({ ...faulted(request, 'closed'), lost });
const busy = (pauses: number): Exchange => ({ ...answered(request, 503), pauses });

/** How the last exchange ended, as it is judged: its status, or the kind of its transport error. */
function endOf(exchanges: readonly Exchange[]): number | string | undefined {
  const last = withoutAccidents(exchanges).at(-1);
  return last?.response?.status ?? last?.transportError?.kind;
}

describe('withoutAccidents', () => {
  it.each<[what: string, others: readonly Exchange[], last: Exchange, end: number | string]>([
    ['a connection that is closed each time, where no other was', through(300), closed(7), 'closed'],
    ['the same, where idle connections were', [...through(200), ...through(100, 1)], closed(7), 'closed'],
    [
      'the same, where few fresh ones were',
      [...through(270), ...through(27, 1), ...through(3, 2)],
      closed(7),
      'closed',
    ],
    [
      'the same, where half of them were',
      [...through(150, 1), ...through(75, 2), ...through(75, 3)],
      closed(7),
      'timeout',
    ],
    [
      'one that was closed on few tries, where some were',
      [...through(270, 1), ...through(30, 2)],
      closed(2),
      'timeout',
    ],
    ['503 each time, where no other was', through(300), busy(7), 503],
    ['the same, where few were', [...through(270), ...through(30, 0, 1)], busy(7), 503],
    ['the same, where half of them were', [...through(150), ...through(150, 0, 2)], busy(7), 'throttled'],
    ['503 once, where others were for a while', [...through(290), ...through(10, 0, 1)], busy(0), 'throttled'],
    ['another status', through(300, 3, 3), answered(request, 500), 500],
    ['another transport error', through(300, 3, 3), faulted(request, 'protocol'), 'protocol'],
  ])('judges %s', (_what, others, last, end) => expect(endOf([...others, last])).toBe(end));

  it('judges no 503 that came when everything got 503, nor the questions that showed it', () => {
    const throttled: Exchange = faulted(request, 'throttled');
    const asked: Exchange = faulted({ ...request, purpose: STILL_RESPONDS }, 'throttled');
    const rest = [busy(7), ...through(1), busy(7), busy(1), throttled, asked, asked];
    const ends = withoutAccidents(rest).map((x) => x.response?.status ?? x.transportError?.kind);
    expect(ends).toEqual([503, 200, 'throttled', 'throttled', 'throttled']);
  });

  it('learns nothing from what failed each time', () => {
    expect(endOf([...through(100), ...Array.from({ length: 100 }, () => closed(7))])).toBe('closed');
    expect(endOf([...through(100), ...Array.from({ length: 100 }, () => busy(7))])).toBe(503);
  });

  it('keeps what it does not change', () => {
    const exchanges = [...through(3), closed(7), busy(7)];
    expect(withoutAccidents(exchanges)).toEqual(exchanges);
    exchanges.forEach((each, index) => expect(withoutAccidents(exchanges)[index]).toBe(each));
  });
});
