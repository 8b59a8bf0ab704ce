import { expect, it } from 'vitest';
import { validators } from '../../../contract/validators.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Deviation } from '../../../conformance/model/facts.ts';
import { wayOf } from '../../../conformance/model/responses.ts';
import { REFUSAL_FAILURE_MODES } from '../../../conformance/operations/negative-check.ts';
import { fixOf } from '../../../conformance/result/fixes.ts';
import { checkOf } from '../../support/checks.ts';
import { answered, bannersRequest, updateRequest } from '../../support/exchanges.ts';
import { deviation } from '../../support/model.ts';

const check = checkOf({ failureModes: { ...REFUSAL_FAILURE_MODES } });
const INVALID = { meant: { body: 'invalid', id: 'valid' } } as const;

const refuse = (statuses: readonly number[], changes: Partial<RequestSpec>): RequestSpec =>
  updateRequest({ due: { ...updateRequest().due, class: 'refuse', statuses }, ...changes });

type Case = readonly [what: string, x: Exchange, own: Partial<Deviation>];

const accepted = (what: string, changes: Partial<RequestSpec>, own: Partial<Deviation> = {}): Case => {
  const x = answered(refuse([400], changes), 200, { id: 4 });
  return [`accepted: ${what}`, x, { mode: 'accepted', actual: 'accepted', ...own }];
};
const status = (due: number, actual: number): Case => {
  const x = answered(refuse([due], INVALID), actual, {});
  return [`${actual} in place of ${due}`, x, { mode: 'wrong-status', actual }];
};
const valid = (what: string, mode: string, request: RequestSpec, of = 200, response: unknown = { id: 4 }): Case => {
  return [`${mode}: ${what}`, answered(request, of, response), { mode }];
};
const bodies = ['{"name":null}', '{"name":5}', '{"name":true}', '{"name":[]}', '[]', 'null', '{"name":'];
const messages = [
  ...['Validation failed (numeric string is expected)', "Parameter 'id' must be an integer"],
  ...['email and name must be provided', 'id: the name is too long'],
];
const date = 'Sat, 31 Jan 2026 09:00:00 GMT';
const [violation] = validators.members.createUserResponseSchema.get('createdAt')?.(date) ?? [];
const noDate = wayOf(date, violation?.message ?? '');
const { body, ...bare } = refuse([400], INVALID);

const cases: readonly Case[] = [
  ...bodies.map((each) => accepted(each, { ...INVALID, body: each })),
  ['accepted: no body', answered(bare, 200, { id: 4 }), { mode: 'accepted', actual: 'accepted' }],
  accepted('other bytes than UTF-8', { ...INVALID, body: '{"name":"caf\u00e9"}', charset: 'latin1' }),
  accepted('a trailing comma', { ...INVALID, body: '{"name":"Ada",}' }, { requirements: ['request-body.strict-json'] }),
  accepted('NaN', { ...INVALID, body: '{"name":"Ada","x":NaN}' }, { requirements: ['request-body.strict-json'] }),
  accepted('a wrong path id', { meant: { body: 'valid', id: 'invalid' } }),
  accepted('a missing user', { subject: 'missing-user' }),
  accepted('the restricted key', { credential: { label: 'the restricted key', role: 'restricted' } }),
  accepted('an unknown key', { credential: { label: 'an unknown key', bad: 'unknown-key' } }),
  ...[status(400, 500), status(400, 401), status(400, 422), status(401, 403), status(401, 400), status(400, 409)],
  ...['{"NAME":"Ada"}', '{"name":"Ada"}'].map((each) =>
    valid(each, 'other-member-changed', updateRequest({ body: each })),
  ),
  ...messages.map((message) => valid(message, 'refused', updateRequest({ body: '{"name":"Ada"}' }), 400, { message })),
  valid('no such path', 'refused', updateRequest(), 404, { message: 'The path is not available.' }),
  valid('a parameter of the list', 'refused', bannersRequest(), 400, { message: 'A parameter is missing.' }),
  valid(
    'a media type',
    'refused',
    updateRequest({ headers: { 'Content-Type': 'Application/JSON; Charset="utf-8"' } }),
    415,
    {},
  ),
  [
    'a valid request fails now and then',
    answered(updateRequest(), 500, {}),
    { kind: 'sporadic', mode: 'server-error' },
  ],
  valid('the words of the check', 'no-response', updateRequest()),
  [
    'a date in another form',
    answered(updateRequest(), 200, { id: 4 }),
    { kind: 'member', mode: 'wrong-type', old: noDate },
  ],
  [
    'other bytes than UTF-8 get 500',
    answered(refuse([400], { ...INVALID, body: '{"name":"caf\u00e9"}', charset: 'latin1' }), 500, {}),
    { mode: 'wrong-status', requirements: ['request-body.utf-8'] },
  ],
  [
    'an array as body gets 500',
    answered(refuse([400], { ...INVALID, body: '[]' }), 500, {}),
    { mode: 'wrong-status', requirements: ['request-body.object'] },
  ],
  valid('a mode that nobody explained', 'unheard-of', updateRequest()),
  valid('a user who is damaged', 'damaged', updateRequest()),
];

it('the fix for each cause is as it was reviewed', async () => {
  expect(body).toBeDefined();
  const texts = cases.map(([what, x, own]) => `${what}\n  ${fixOf(deviation('outcome', x, own), check)}`.trimEnd());
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/fixes.txt');
});
