import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Problem } from '../../conformance/engine/outcome.ts';
import { fixOf, usualFix } from '../../conformance/result/fixes.ts';
import { requirements } from '../../contract/document.ts';

type Texts = Readonly<Record<string, string>>;
const FILE = new URL('../../conformance/result/fixes.yaml', import.meta.url);
const texts = parse(readFileSync(FILE, 'utf8')) as {
  readonly requirements: Readonly<Record<string, string | Texts>>;
  readonly members: Texts;
  readonly responses: Texts;
};
const ways = Object.entries(texts.requirements).flatMap(([requirement, fixes]) =>
  Object.entries(typeof fixes === 'string' ? { other: fixes } : fixes).map(([way, text]) => ({
    ...{ requirement, way, text },
  })),
);
/** A few plain sentences in one paragraph. */
const PARAGRAPH = /^[A-Z0-9][^\n]{20,400}[.)?]$/;

describe('the texts of fixes', () => {
  test('are a paragraph each', () => {
    const ofChecks = checks.flatMap(({ fix }) => fix ?? []);
    const all = [...ways.map(({ text }) => text), ...Object.values({ ...texts.members, ...texts.responses })];
    for (const text of [...all, ...ofChecks]) {
      expect(text).toMatch(PARAGRAPH);
      expect(text.split(/\. /).length, text).toBeLessThanOrEqual(4);
    }
  });

  test('cover every requirement', () => {
    for (const { id } of requirements) expect(usualFix(id), id).toMatch(PARAGRAPH);
  });

  test('are all used: each requirement is one of the contract, each way a check of it or what can go wrong', () => {
    for (const { requirement, way } of ways) {
      expect(requirements.map(({ id }) => id)).toContain(requirement);
      const own = checks.filter((each) => each.requirement === requirement).map(({ id }) => id);
      expect(['accepted', 'shown', 'kept', 'other', ...own], requirement).toContain(way);
    }
    const others = requirements.map(({ id }) => id).filter((id) => !(id in texts.requirements));
    const used = new Set(others.map((id) => usualFix(id)));
    expect([...used].sort()).toEqual(Object.values(texts.members).sort());
  });
});

interface Given extends Partial<Omit<Problem, 'exchanges' | 'actual'>> {
  /** The status; none if there was no response. */
  readonly got?: number;
  readonly sent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the response. */
  readonly text?: string;
}

/** The fix for a problem: by default, for a valid update that got this status. */
function fixFor({ got, sent, headers = {}, text = '', ...more }: Given): string {
  const actual = got === undefined ? 'no response (the connection was closed)' : String(got);
  const expected = more.expected ?? '200';
  const json: unknown = text.startsWith('{') ? { message: text } : undefined;
  return fixOf({
    ...{ check: 'a-check', requirement: 'update.success-is-200', aspect: 'other', expected, actual },
    title: `A request got ${actual}, not ${expected}`,
    exchanges: [
      {
        request: { operation: 'updateUser', path: '/api/admin/user-admin/1', headers, body: sent },
        response: { status: got ?? 0, headers: {}, text, json },
        ...{ startedMs: 0, durationMs: 1 },
      },
    ],
    ...more,
  });
}

/** A fault that is no wrong status. */
const FAULT = { title: 'A fault' };

const OF_RESPONSES: Readonly<Record<string, Given>> = {
  intermittent: { got: 500, fix: 'Of the check.', seen: { times: 3, of: 160, what: 'requests' } },
  'framework-error': { ...FAULT, requirement: 'bodies.json', got: 404 },
  'two-bodies': { ...FAULT, requirement: 'bodies.json', got: 401, text: '{"name":"NoKey"}{"banners":[]}' },

  collision: { requirement: 'update.concurrent-fields', expected: '200, 409, 423, 429 or 503', got: 500 },
  closed: {},
  'other-success': { got: 204 },
  'not-modified': { requirement: 'banners.success-is-200', got: 304 },
  redirect: { got: 302 },
  'unsupported-media-type': { got: 415, headers: { 'Content-Type': 'application/json' } },
  'not-acceptable': { requirement: 'update.accept-forms', got: 406, headers: { Accept: '*/*' } },
  'not-400': { requirement: 'update.values-faithful', expected: '200 or 400', got: 409 },
  'path-id-as-text': { got: 400, sent: '{"name":"x"}', text: '{"message":"id must be a number"}' },
  'admin-forbidden': { got: 403 },
  'put-refused': { got: 405 },
  taken: { got: 409, text: 'duplicate key' },
  'user-missing': { got: 404 },
  'empty-update-fails': { requirement: 'update.empty-body-changes-nothing', expected: '200 or 400', got: 500 },
  'valid-request-fails': { got: 500 },
  'unknown-member-fails': { requirement: 'update.unlisted-members', expected: '200 or 400', got: 500 },
  'unusual-value-fails': { requirement: 'update.values-faithful', expected: '200 or 400', got: 500 },

  'refusal-closed': { requirement: 'request-body.object', expected: '400' },
  'refusal-redirect': { requirement: 'auth.key-valid', expected: '401', got: 302 },
  'refusal-fails': { requirement: 'request-body.name-type', expected: '400', got: 500, fix: 'Of the check.' },
  'forbidden-without-key': { requirement: 'auth.key-required', expected: '401', got: 403 },
  'key-checked-late': { requirement: 'auth.key-required', expected: '401', got: 404 },
  'key-valid': { requirement: 'request-body.object', expected: '400', got: 401 },
  'validator-default': { requirement: 'request-body.name-type', expected: '400', got: 422 },
  'other-refusal': { requirement: 'permission.refused', expected: '403', got: 404 },

  null: { requirement: 'request-body.name-type', expected: '400', got: 200, sent: '{"name":null}' },
  boolean: { requirement: 'request-body.root-role-type', expected: '400', got: 200, sent: '{"rootRole":false}' },
  number: { requirement: 'request-body.name-type', expected: '400', got: 200, sent: '{"name":5}' },
  array: { requirement: 'request-body.email-type', expected: '400', got: 200, sent: '{"email":["x"]}' },
};

describe('what a response tells comes first:', () => {
  test('there is a case for each text', () => {
    expect(Object.keys(OF_RESPONSES)).toEqual(Object.keys(texts.responses));
  });

  test.each(Object.entries(OF_RESPONSES))('%s', (name, given) => {
    const values: Texts = { ...given.headers, status: String(given.got), expected: given.expected ?? '200' };
    const filled = texts.responses[name]?.replaceAll(/\{([\w-]+)\}/g, (_all, each: string) => values[each] ?? '?');
    expect(fixFor(given)).toBe(filled);
  });
});

describe('if the response tells nothing, the fix is that of', () => {
  const noToken = { requirement: 'auth.key-valid', expected: '401', got: 200 };
  const notRead = { requirement: 'update.fields-optional', got: 400, text: '{"email":"is required"}' };
  const object = { requirement: 'request-body.name-type', expected: '400', got: 200, sent: '{"name":{}}' };

  test.each<[string, Given, string]>([
    ['the check', { ...noToken, fix: 'Of the check.' }, 'Of the check.'],
    ['the requirement and the check', { ...noToken, check: 'auth-unsigned-token' }, 'Verify the signature'],
    ['the requirement', noToken, 'Check the key before'],
    ['the requirement, though the response speaks of an error', notRead, 'Every member of the body is optional'],
    ['what went wrong', { ...FAULT, requirement: 'update.empty-text', aspect: 'kept' }, 'Change only the members'],
    ['a member', object, 'Refuse the body with 400'],
    ['a time', { ...FAULT, requirement: 'user.created-at' }, 'Write it as RFC 3339'],
  ])('%s', (_what, given, start) => expect(fixFor(given).startsWith(start)).toBe(true));
});
