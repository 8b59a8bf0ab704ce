import { describe, expect, it } from 'vitest';
import { UNSPECIFIED } from '../../../conformance/http/due.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import { makeNotes } from '../../../conformance/model/facts.ts';
import { documentedErrors, judgeBodies, judgeErrors, successesIn } from '../../../conformance/model/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { answered, bannersRequest, faulted, inOrder, updateRequest } from '../../support/exchanges.ts';
import { refusalDue, viewOf } from '../../support/model.ts';

const LIST = bannersRequest();
const UPDATE = updateRequest();
type Meant = RequestSpec['meant']['body'];
const meant = (body: Meant, id: Meant = 'valid'): RequestSpec => updateRequest({ meant: { body, id } });

const ERROR = { id: '1', name: 'ValidationError', message: 'The name is a number.' };
const error = (body: unknown, status = 400): Exchange => answered(meant('invalid'), status, body);
const typed = (type: string): Exchange => {
  const x = error(ERROR);
  return { ...x, ...(x.response && { response: { ...x.response, headers: { 'content-type': type } } }) };
};
const text = (request: RequestSpec, status: number, body: string): Exchange => {
  const json = { ok: false, reason: 'it is no JSON' } as const;
  return { ...answered(request, status), response: { status, headers: {}, text: body, json } };
};

/** What a pass says: each deviation as check and mode, and each check that holds. */
function saidOf(judge: typeof judgeErrors, exchanges: readonly Exchange[]): readonly string[] {
  const notes = makeNotes();
  judge(viewOf(inOrder(...exchanges)), notes);
  const failed = notes.deviations.map(({ checks, mode }) => `${checks.join()} ${mode}`);
  return [...failed, ...[...notes.witnesses.keys()].map((check) => `${check} holds`)];
}

describe('documentedErrors', () => {
  const counts = (x: Exchange, other = answered(UPDATE, 200)): boolean => documentedErrors([other, x]).includes(x);

  it('holds a response with a status that the contract lists as an error of the operation, and no other', () => {
    const held = (request: RequestSpec): number[] =>
      [400, 401, 403, 404, 200, 302, 415, 422, 500].filter((status) => counts(answered(request, status)));
    expect(held(meant('invalid'))).toEqual([400, 401, 403, 404]);
    expect(held(LIST)).toEqual([401]);
    expect(counts(faulted(UPDATE, 'timeout'))).toBe(false);
  });

  it('does not hold the 404 of a router: that of an operation which responds with nothing else', () => {
    const notFound = answered(UPDATE, 404);
    expect(counts(notFound, notFound)).toBe(false);
    expect(counts(notFound, answered(LIST, 200))).toBe(false);
    expect(counts(notFound, answered(UPDATE, 401))).toBe(true);
  });

  it.each([
    ['unspecified', 'valid', 400, true],
    ['valid', 'unspecified', 400, false],
    ['valid', 'invalid', 404, false],
    ['valid', 'invalid', 400, true],
  ] as const)('where the body is %s and the id %s, a %i counts: %s', (body, id, status, expected) => {
    expect(counts(answered(meant(body, id), status))).toBe(expected);
  });
});

describe('successesIn', () => {
  const holds = (x: Exchange): boolean => (successesIn([x]).get(x.request.operation) ?? []).includes(x);

  it.each<[what: string, expected: boolean, x: Exchange]>([
    ['an accepted update', true, answered(UPDATE, 200)],
    ['an accepted list', true, answered(LIST, 200)],
    ['an error as body of what must be accepted', true, answered(UPDATE, 200, ERROR)],
    ['an error as body of what may be refused', false, answered(meant('unspecified'), 200, ERROR)],
    ['another 2xx status', false, answered(UPDATE, 201)],
    ['no response', false, faulted(UPDATE, 'timeout')],
    ['an update that must be refused', false, answered(meant('invalid'), 200)],
    ['an update of the missing user', false, answered(updateRequest({ subject: 'missing-user' }), 200)],
    ['an update without a key', false, answered(updateRequest({ credential: { label: 'none' } }), 200)],
    ['a body that is not UTF-8', false, answered(updateRequest({ charset: 'latin1' }), 200)],
  ])('of %s: %s', (_what, expected, x) => {
    expect(holds(x)).toBe(expected);
  });

  it('does not hold what shows the bytes that another request left, until an update replaces them', () => {
    const [bytes, reading, update, last] = inOrder(
      answered(updateRequest({ charset: 'latin1' }), 200),
      answered(updateRequest({ body: '{}' }), 200),
      answered(UPDATE, 200),
      answered(updateRequest({ body: '{}' }), 200),
    );
    const all = [bytes, reading, update, last].flatMap((each) => each ?? []);
    expect(successesIn(all).get('updateUser')).toEqual([update, last]);
  });
});

describe('judgeErrors', () => {
  const fine = ['error-shows-no-internals', 'json-error', 'error-body-400', 'error-name-400', 'error-message-given'];
  /** Of an error: the checks that fail, and those that hold of the others. */
  const but = (failed: readonly string[], ...without: readonly string[]): readonly string[] => [
    ...failed,
    ...fine.filter((check) => !without.includes(check)).map((check) => `${check} holds`),
  ];
  const rest = ['error-body-400', 'error-name-400', 'error-message-given'];

  it.each<[what: string, x: Exchange, said: readonly string[]]>([
    ['the error of the contract', error(ERROR), but([])],
    ['another name', error({ ...ERROR, name: 'E' }), but(['error-name-400 wrong-error-name'], 'error-name-400')],
    ['a number as id', error({ ...ERROR, id: 1 }), but(['error-body-400 wrong-error-body'], ...rest.slice(0, 2))],
    ['an empty message', error({ ...ERROR, message: ' ' }), but(['error-message-given empty'], 'error-message-given')],
    ['another media type', typed('text/html'), but(['json-error wrong-media-type'], 'json-error')],
    ['a JSON media type with a suffix', typed('application/problem+json; charset=utf-8'), but([])],
    ['a text', text(meant('invalid'), 400, 'no'), but(['json-error not-json'], 'json-error', ...rest)],
    [
      'a stack trace',
      error({ ...ERROR, stack: ['at x'] }),
      but(['error-shows-no-internals internals-shown'], 'error-shows-no-internals'),
    ],
    ['an error that the contract does not describe', error({}, 500), ['error-shows-no-internals holds']],
    [
      'the user',
      answered(updateRequest({ due: refusalDue('a'), meant: { body: 'invalid', id: 'valid' } }), 400, { id: 4 }),
      but(['error-body-400 wrong-error-body', 'error-body-400 wrong-error-body'], ...rest),
    ],
  ])('judges %s', (_what, x, said) => {
    expect([...saidOf(judgeErrors, [x])].sort()).toEqual([...said].sort());
  });

  it('compares the ids of errors', () => {
    const idsOf = (...ids: readonly string[]) =>
      saidOf(
        judgeErrors,
        ids.map((id) => error({ ...ERROR, id })),
      ).filter((said) => said.startsWith('error-id-distinct'));
    expect(idsOf('1')).toEqual([]);
    expect(idsOf('1', '2')).toEqual(['error-id-distinct holds']);
    expect(idsOf('1', '1')).toEqual(['error-id-distinct repeated-id']);
  });
});

describe('judgeBodies', () => {
  const saidOfBody = (request: RequestSpec, body: unknown, ...before: readonly Exchange[]) =>
    saidOf(
      (view, notes) => {
        judgeBodies(view, operations, notes);
      },
      [...before, answered(request, 200, body)],
    );
  const failed = (said: readonly string[]): readonly string[] => said.filter((each) => !each.endsWith(' holds'));

  it('judges each member that is shown, and its checks hold', () => {
    const said = saidOfBody(UPDATE, { id: 4, name: null, email: 'a@x.example', permissions: [] });
    for (const check of ['json-user', 'user-is-object', 'user-id', 'user-name', 'user-email', 'user-permissions'])
      expect(said).toContain(`${check} holds`);
    expect(failed(said)).toEqual([]);
  });

  it.each<[what: string, request: RequestSpec, body: unknown, said: string]>([
    ['an array as user', UPDATE, [], 'user-is-object not-an-object'],
    ['a wrapped user', UPDATE, { user: { id: 4 } }, 'user-is-object wrapped'],
    ['no id', UPDATE, { name: 'Ada' }, 'user-id missing'],
    ['a number as name', UPDATE, { id: 4, name: 5 }, 'user-name wrong-type'],
    ['null as email', UPDATE, { id: 4, email: null }, 'user-email wrong-type'],
    ['a password', UPDATE, { id: 4, password: 'x' }, 'user-no-secrets secret-shown'],
    ['a banner with a text as id', LIST, { banners: [{ id: 'x' }] }, 'banner-id wrong-type'],
  ])('judges %s', (_what, request, body, said) => {
    expect(failed(saidOfBody(request, body))).toEqual([said]);
  });

  it('does not blame a response for showing a value that should have been refused', () => {
    const invalid = answered(updateRequest({ body: '{"name":5}', meant: { body: 'invalid', id: 'valid' } }), 400);
    expect(failed(saidOfBody(UPDATE, { id: 4, name: 5 }, invalid))).toEqual([]);
    expect(failed(saidOfBody(UPDATE, { id: 4, name: 6 }, invalid))).toEqual(['user-name wrong-type']);
  });

  it('says which members no object shows, once one is shown', () => {
    const absentIn = (x: Exchange): readonly string[] => {
      const notes = makeNotes();
      judgeBodies(viewOf([x]), operations, notes);
      return [...notes.absences.keys()];
    };
    expect(absentIn(answered(UPDATE, 200, { id: 4 }))).toContain('user-email');
    expect(absentIn(answered(updateRequest({ due: UNSPECIFIED }), 500))).toEqual([]);
  });
});
