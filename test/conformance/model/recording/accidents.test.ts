import { describe, expect, it } from 'vitest';
import { type Exchange, STILL_RESPONDS } from '../../../../conformance/http/exchange.ts';
import { withoutAccidents } from '../../../../conformance/model/recording/accidents.ts';
import { statusOf } from '../../../../conformance/model/recording/view.ts';
import { answered, faulted, inOrder, updateRequest } from '../../../support/exchanges.ts';

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
    ['a connection that is closed each time, where no other was', through(30), closed(7), 'closed'],
    ['one that is closed at once, where no other was', through(30), closed(0), 'closed'],
    ['the same each time, where idle connections were', [...through(20), ...through(10, 1)], closed(7), 'closed'],
    ['the same, where few fresh ones were', [...through(26), ...through(3, 1), ...through(1, 2)], closed(7), 'closed'],
    [
      'the same, where half of them were',
      [...through(15, 1), ...through(7, 2), ...through(8, 3)],
      closed(7),
      'timeout',
    ],
    ['one that was closed on few tries, where some were', [...through(27, 1), ...through(3, 2)], closed(2), 'timeout'],
    ['503 each time, where no other was', through(30), busy(7), 503],
    ['the same, where few were', [...through(27), ...through(3, 0, 1)], busy(4), 503],
    ['the same, where half of them were', [...through(15), ...through(15, 0, 2)], busy(7), 'throttled'],
    ['503 once, where others were for a while', [...through(29), ...through(1, 0, 1)], busy(0), 'throttled'],
    ['another status', through(30, 3, 3), answered(request, 500), 500],
    ['another transport error', through(30, 3, 3), faulted(request, 'protocol'), 'protocol'],
  ])('judges %s', (_what, others, last, end) => expect(endOf([...others, last])).toBe(end));

  it('judges no 503 that came when everything got 503, nor the questions that showed it', () => {
    const unreachable: Exchange = faulted(request, 'unreachable');
    const asked: Exchange = faulted({ ...request, purpose: STILL_RESPONDS }, 'throttled');
    const rest = [busy(7), ...through(1), busy(7), busy(1), unreachable, asked, asked];
    const ends = withoutAccidents(rest).map((x) => x.response?.status ?? x.transportError?.kind);
    expect(ends).toEqual([503, 200, 'throttled', 'throttled', 'unreachable']);
  });

  it('judges no 503 that came before anything else', () => {
    const ends = withoutAccidents(inOrder(busy(7), ...through(1), busy(7), ...through(1))).map(statusOf);
    expect(ends).toEqual([0, 200, 503, 200]);
  });

  it('says how often each was sent', () => {
    const detailOf = (exchanges: readonly Exchange[]) => withoutAccidents(exchanges).at(-1)?.transportError?.detail;
    const last = { ...closed(5), pauses: 2 };
    expect(detailOf([...through(30, 3), last])).toBe(
      'no response 8 times in a row, as other requests got none at first',
    );
    const responded = 'the target responded 503 8 times in a row, as to other requests';
    expect(detailOf([...through(30, 0, 3), busy(7)])).toBe(`${responded} at first`);
    expect(detailOf([busy(7), faulted({ ...request, purpose: STILL_RESPONDS }, 'throttled')])).toBe(
      `${responded} then`,
    );
  });

  it('learns nothing from what failed each time', () => {
    expect(endOf([...through(10), ...Array.from({ length: 10 }, () => closed(7))])).toBe('closed');
    expect(endOf([...through(10), ...Array.from({ length: 10 }, () => busy(7))])).toBe(503);
  });

  it('keeps what it does not change', () => {
    const exchanges = [...through(3), closed(7), busy(7)];
    expect(withoutAccidents(exchanges)).toEqual(exchanges);
    exchanges.forEach((each, index) => expect(withoutAccidents(exchanges)[index]).toBe(each));
  });
});
