import { describe, expect, it } from 'vitest';
import { type Due, UNSPECIFIED } from '../../../conformance/http/due.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import { makeNotes } from '../../../conformance/model/facts.ts';
import { documentedErrors, judgeBodies, judgeErrors, successesIn } from '../../../conformance/model/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { answered, bannersRequest, faulted, inOrder, updateRequest, VALID } from '../../support/exchanges.ts';
import { refusalDue, viewOf } from '../../support/model.ts';

const LIST = bannersRequest();
const UPDATE = updateRequest();
type Meant = RequestSpec['meant']['body'];
const meant = (body: Meant, id: Meant = 'valid'): RequestSpec => updateRequest({ meant: { body, id } });

const ERROR = { id: '1', name: 'ValidationError', message: 'The name is a number.' };
const error = (body: unknown, status = 400): Exchange => answered(meant('invalid'), status, body);

/** What a pass says: each deviation as check and mode, and each check that holds. */
function saidOf(judge: typeof judgeErrors, exchanges: readonly Exchange[]): readonly string[] {
  const notes = makeNotes();
  judge(viewOf(inOrder(...exchanges)), notes);
  const failed = notes.deviations.map(({ checks, mode }) => `${checks.join()} ${mode}`);
  const holds = [...notes.witnesses.keys()].map((check) => `${check} holds`);
  return [...failed, ...holds, ...[...notes.doubts.keys()].map((check) => `${check} is in doubt`)];
}

describe('what is expected and found', () => {
  const found = (x: Exchange): readonly unknown[] => {
    const notes = makeNotes();
    judgeBodies(viewOf([x]), operations, notes);
    judgeErrors(viewOf([x, answered(LIST, 200)]), notes);
    const of = notes.deviations.filter(({ mode }) => ['wrong-type', 'missing', 'wrong-error-body'].includes(mode));
    return of.map(({ pointer, expected, actual }) => [pointer, expected, actual]);
  };

  it.each([
    [answered(UPDATE, 200, { id: 1, name: 7 }), '/name', '(string or null)', 7],
    [answered(UPDATE, 200, { id: 1, rootRole: '1' }), '/rootRole', '(integer or object)', '1'],
    [answered(UPDATE, 200, { id: 1, permissions: ['a', 2] }), '/permissions/1', '(string)', 2],
    [answered(UPDATE, 200, { id: 1, createdAt: 'now' }), '/createdAt', '(date-time)', 'now'],
    [answered(LIST, 200, { banners: [{ createdAt: 'now' }] }), '/banners/0/createdAt', '(offset-date-time)', 'now'],
    [error({ ...ERROR, id: 7 }), '/id', '(string)', 7],
  ])('of a member is its type in the schema, and its value: %#', (x, ...said) => expect(found(x)).toEqual([said]));

  it('of an error body that lacks a member is the whole of it', () => {
    const body = { message: 'No.' };
    expect(found(error(body))).toEqual([['', 'an object with the strings id, name, message', body]]);
  });
});

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
    expect(counts(notFound, faulted(UPDATE, 'timeout'))).toBe(false);
    expect(counts(notFound, answered(UPDATE, 401))).toBe(true);
  });

  it.each([
    ['unspecified', 'valid', 400, true],
    ['valid', 'unspecified', 400, false],
    ['valid', 'invalid', 404, false],
    ['valid', 'invalid', 400, true],
  ] as const)('where the body is %s and the id %s, a %i counts: %s', (body, id, status, expected) =>
    expect(counts(answered(meant(body, id), status))).toBe(expected),
  );

  it('does not hold what may be refused for its media type', () => {
    const text = { ...meant('unspecified'), headers: { 'Content-Type': 'text/plain' } };
    expect(counts(answered(text, 400))).toBe(false);
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
    [
      'an error as body of what another key may be refused',
      false,
      answered(bannersRequest({ credential: { label: 'the restricted key', role: 'restricted' } }), 200, ERROR),
    ],
    ['an update with another spelling of the id', false, answered(meant('valid', 'unspecified'), 200)],
    ['no response', false, faulted(UPDATE, 'timeout')],
    ['an update that must be refused', false, answered(meant('invalid'), 200)],
    ['an update of the missing user', false, answered(updateRequest({ subject: 'missing-user' }), 200)],
    ['an update without a key', false, answered(updateRequest({ credential: { label: 'none' } }), 200)],
    ['a body that is not UTF-8', false, answered(updateRequest({ charset: 'latin1' }), 200)],
  ])('of %s: %s', (_what, expected, x) => expect(holds(x)).toBe(expected));

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
  const saidOfErrors = (...errors: readonly Exchange[]) => saidOf(judgeErrors, errors);

  it.each([
    ['application/json', 'holds'],
    ['application/problem+json', 'holds'],
    ['text/json ; charset=utf-8', 'holds'],
    ['x-application/json', 'wrong-media-type'],
    ['application/json-seq', 'wrong-media-type'],
  ])('reads %s as a media type: %s', (type, said) => {
    const x = answered(meant('invalid'), 400, ERROR, { 'content-type': type });
    expect(saidOfErrors(x)).toContain(`json-error ${said}`);
  });

  it.each([
    ['error-message-given holds', ERROR],
    ['error-message-given empty', { ...ERROR, message: ' ' }],
    ['error-message-given is in doubt', { id: '1' }],
    ['error-shows-no-internals holds', ERROR],
    ['error-shows-no-internals internals-shown', { ...ERROR, message: 'Error\n    at f (/srv/app/users.js:10:3)' }],
  ])('tells what messages say: %s', (said, body) => expect(saidOfErrors(error(body))).toContain(said));

  it('tells that a request was carried out of one that must be refused', () => {
    const saidOfUser = (due: Due) =>
      saidOfErrors(answered(updateRequest({ due }), 400, { id: 4 })).filter((said) =>
        said.startsWith('error-body-400'),
      );
    expect(saidOfUser(refusalDue('a'))).toEqual(['error-body-400 wrong-error-body', 'error-body-400 wrong-error-body']);
    expect(saidOfUser(VALID)).toEqual(['error-body-400 wrong-error-body']);
  });

  it('compares the ids of errors', () => {
    const idsOf = (...ids: readonly string[]) =>
      saidOfErrors(...ids.map((id) => error({ ...ERROR, id }))).filter((said) => said.startsWith('error-id-distinct'));
    expect(idsOf('1')).toEqual([]);
    expect(idsOf('1', '2')).toEqual(['error-id-distinct holds']);
    expect(idsOf('1', '1')).toEqual(['error-id-distinct repeated-id']);
  });
});

describe('judgeBodies', () => {
  const saidOfBody = (request: RequestSpec, body: unknown, ...before: readonly Exchange[]) =>
    saidOf((view, notes) => judgeBodies(view, operations, notes), [...before, answered(request, 200, body)]);
  const failed = (said: readonly string[]): readonly string[] => said.filter((each) => !each.endsWith(' holds'));

  it('does not blame a response for showing a value that should have been refused', () => {
    const invalid = answered(updateRequest({ body: '{"name":5}', meant: { body: 'invalid', id: 'valid' } }), 400);
    expect(failed(saidOfBody(UPDATE, { id: 4, name: 5 }, invalid))).toEqual([]);
    expect(failed(saidOfBody(UPDATE, { id: 4, name: 6 }, invalid))).toEqual(['user-name wrong-type']);
    const unspecified = updateRequest({ body: '{"rootRole":"1"}', meant: { body: 'unspecified', id: 'valid' } });
    expect(failed(saidOfBody(unspecified, { id: 4, rootRole: '1' }, answered(unspecified, 200, { id: 4 })))).toEqual([
      'user-root-role wrong-type',
    ]);
  });

  it('judges each body that is no object', () =>
    expect(failed(saidOfBody(LIST, 'none', answered(LIST, 200, [])))).toHaveLength(2));

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
