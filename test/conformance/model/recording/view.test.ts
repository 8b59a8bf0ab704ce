import { expect, it } from 'vitest';
import { shapeOf, superseded } from '../../../../conformance/model/recording/view.ts';
import { faulted, updateRequest } from '../../../support/exchanges.ts';
import { put } from '../../../support/model.ts';

it.each<[status: number, isReplaced: boolean]>([
  [200, false],
  [400, false],
  [409, true],
  [422, false],
  [423, true],
  [500, true],
])('%i is replaced by the same request, sent again by itself: %s', (status, isReplaced) => {
  const first = put({}, { item: 'a' }, status);
  const again = put({}, { item: 'a', again: true }, status);
  const other = put({}, { item: 'b' }, status);
  const unanswered = faulted(updateRequest({ item: 'b', again: true }), 'timeout');
  expect([...superseded([other, first, again, unanswered])]).toEqual(isReplaced ? [first] : []);
});

it('a body has the same shape in any order', () => expect(shapeOf(put({ b: 1, a: 2 }))).toBe('a,b'));
