import { expect, it } from 'vitest';
import { ABSENT } from '../../../conformance/http/exchange.ts';
import { makeIsForeign } from '../../../conformance/model/user/foreign.ts';
import { answered, bannersRequest, updateRequest } from '../../support/exchanges.ts';

const bodies = [
  '{"name":"Ada Lovelace","email":"ada@x.example"}',
  '{"name":"Grace \\"H\\" Hopper",}',
  'name=Jean+Bartik',
  '{"name":"Kim"}',
];
const exchanges = [...bodies.map((body) => answered(updateRequest({ body }), 200)), answered(bannersRequest(), 200)];

it.each<[what: string, value: unknown, isForeign: boolean]>([
  ['a text that was not sent', 'Eve', true],
  ['one that was sent', 'Ada Lovelace', false],
  ['a part of it', 'Ada', false],
  ['a longer one', 'Dr. Ada Lovelace', false],
  ['one in other letters, and without what stands between words', 'ADA__LOVELACE', false],
  ['a longer one with a short one', 'Kimberley', false],
  ['a part that is too short', 'OV', true],
  ['an empty one', '', false],
  ['none', ABSENT, false],
  ['a number', 5, false],
  ['one that was sent in a form', 'Jean Bartik', false],
  ['one that was sent in a body that is no JSON, in other letters', 'grace-\\"h\\"-hopper', false],
])('says whether %s comes from elsewhere', (_what, value, isForeign) =>
  expect(makeIsForeign(exchanges)(value)).toBe(isForeign),
);
