import { describe, expect, it } from 'vitest';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Deviation } from '../../../conformance/model/facts.ts';
import { REFUSAL_FAILURE_MODES } from '../../../conformance/operations/negative-check.ts';
import { fixOf } from '../../../conformance/result/fixes.ts';
import { checkOf } from '../../support/checks.ts';
import { answered, updateRequest, without } from '../../support/exchanges.ts';
import { deviation } from '../../support/model.ts';

const check = checkOf({ failureModes: { ...REFUSAL_FAILURE_MODES } });

function refuse(statuses: readonly number[], changes: Partial<RequestSpec>): RequestSpec {
  return updateRequest({ due: { ...updateRequest().due, class: 'refuse', statuses }, ...changes });
}

const invalid = { meant: { body: 'invalid', id: 'valid' } } as const;
const fix = (x: Exchange, own: Partial<Deviation>): string => fixOf(deviation('outcome', x, own), check);
const accepted = (changes: Partial<RequestSpec>): string =>
  fix(answered(refuse([400], changes), 200, { id: 4 }), { mode: 'accepted', actual: 'accepted' });
describe('fixOf', () => {
  it.each<[what: string, body: string | undefined, says: RegExp, more?: Partial<RequestSpec>]>([
    ['null', '{"name":null}', /Refuse `null`, .*left out/],
    ['a number', '{"name":5}', /Refuse a number here\. .*convert/],
    ['a boolean', '{"name":true}', /Refuse a boolean here/],
    ['an array', '{"name":[]}', /Refuse an array here/],
    ['an array as body', '[]', /Refuse an array as body/],
    ['null as body', 'null', /Refuse `null` as body/],
    ['no body', undefined, /without a body.* empty object/],
    ['other bytes than UTF-8', '{"name":"caf\u00e9"}', /strict UTF-8/, { charset: 'latin1' }],
    ['no JSON', '{"name":', /not JSON/],
  ])('says how to refuse %s', (_what, body, says, more = {}) => {
    const bare = without(refuse([400], { ...invalid, ...more }), 'body');
    const x = answered(body === undefined ? bare : { ...bare, body }, 200, { id: 4 });
    expect(fix(x, { mode: 'accepted', actual: 'accepted' })).toMatch(says);
  });

  it.each<[what: string, changes: Partial<RequestSpec>, says: RegExp]>([
    ['path id', { meant: { body: 'valid', id: 'invalid' } }, /whole segment/],
    ['missing user', { subject: 'missing-user' }, /must not create/],
    ['restricted key', { credential: { label: 'the restricted key', role: 'restricted' } }, /permission.* 403/],
    ['unknown key', { credential: { label: 'an unknown key', bad: 'unknown-key' } }, /401/],
  ])('says how to refuse a request with a wrong %s', (_what, changes, says) => {
    expect(accepted(changes)).toMatch(says);
  });

  it.each([
    [400, 500, /fails .* 400\./],
    [400, 401, /key is valid.* 400\./],
    [400, 422, /validator .* 400\./],
    [401, 403, /401, .*403 for/],
    [401, 400, /key before the body/],
    [400, 409, /Respond with 400\./],
  ])('says what a wrong status comes from, and which to send: %i, %i', (due, actual, says) => {
    const x = answered(refuse([due], invalid), actual, {});
    expect(fix(x, { mode: 'wrong-status', actual })).toMatch(says);
  });

  it('knows a parser that takes names of members in any letter case', () => {
    const own = { mode: 'other-member-changed' };
    const [capitals, exact] = ['{"NAME":"Ada"}', '{"name":"Ada"}'].map((body) =>
      fix(answered(updateRequest({ body }), 200, {}), own),
    );
    expect(capitals).toMatch(/letter by letter/);
    expect(exact).toBe('');
  });

  it.each([
    ['Validation failed (numeric string is expected)', true],
    ["Parameter 'id' must be an integer", true],
    ['email and name must be provided', false],
    ['id: the name is too long', false],
  ])('knows a refusal for the path id: %s', (message, isForPathId) => {
    const x = answered(updateRequest({ body: '{"name":"Ada"}' }), 400, { message });
    expect(fix(x, { mode: 'refused' }).includes('id in the path')).toBe(isForPathId);
  });

  it('takes the words of the check for everything else, and none for a mode that nobody explained', () => {
    const x = answered(updateRequest(), 200, { id: 4 });
    expect(fixOf(deviation('not-stored', x, { mode: 'no-response' }), check)).toBe(
      REFUSAL_FAILURE_MODES['no-response'],
    );
    expect(fixOf(deviation('not-stored', x, { mode: 'unheard-of' }), check)).toBe('');
    expect(fixOf(deviation('damaged', x, { mode: 'damaged' }), undefined)).toMatch(/^After the request/);
  });
});
