import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Problem } from '../../conformance/facts/outcome.ts';
import { fixOf, usualFix } from '../../conformance/result/fixes.ts';
import { requirements } from '../../contract/document.ts';

type Texts = Readonly<Record<string, string>>;
const FILE = new URL('../../conformance/result/fixes.yaml', import.meta.url);
const texts = parse(readFileSync(FILE, 'utf8')) as {
  readonly requirements: Readonly<Record<string, string | Texts>>;
  readonly members: Texts;
  readonly statuses: Readonly<Record<string, Texts>>;
  readonly responses: Texts;
  readonly types: Texts;
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
    const others = [texts.members, ...Object.values(texts.statuses), texts.responses, texts.types];
    const all = [...ways.map(({ text }) => text), ...others.flatMap((each) => Object.values(each))];
    for (const text of [...all, ...ofChecks]) {
      expect(text).toMatch(PARAGRAPH);
      expect(text.split(/\. /).length, text).toBeLessThanOrEqual(4);
    }
  });

  test('cover every requirement', () => {
    for (const { id } of requirements) {
      const own = checks.filter(({ requirement }) => requirement === id);
      const isOfChecks = own.length > 0 && own.every(({ fix }) => fix !== undefined);
      if (!isOfChecks) expect(usualFix(id), id).toMatch(PARAGRAPH);
    }
  });

  test('are all used: each requirement is one of the contract, each way a check of it or what can go wrong', () => {
    for (const { requirement, way } of ways) {
      expect(requirements.map(({ id }) => id)).toContain(requirement);
      const own = checks.filter((each) => each.requirement === requirement).map(({ id }) => id);
      if (!/^\d(\d\d|xx)$/.test(way))
        expect(['accepted', 'shown', 'kept', 'other', ...own], requirement).toContain(way);
    }
    const others = requirements.map(({ id }) => id).filter((id) => !(id in texts.requirements));
    const used = new Set(others.map((id) => usualFix(id)).filter((text) => text !== ''));
    expect([...used].sort()).toEqual(Object.values(texts.members).sort());
  });
});

interface Given extends Partial<Omit<Problem, 'exchanges' | 'actual'>> {
  /** The status; none if there was no response. */
  readonly got?: number | undefined;
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

/** A requirement for each kind of request, and what its requests must get. */
const KINDS: Readonly<Record<string, Given>> = {
  valid: { requirement: 'update.success-is-200', expected: '200' },
  unusual: { requirement: 'update.values-faithful', expected: '200 or 400' },
  refused: { requirement: 'request-body.object', expected: '400' },
  'without-key': { requirement: 'auth.key-required', expected: '401' },
};
const STATUSES: Readonly<Record<string, number | undefined>> = { '2xx': 204, '3xx': 302, '4xx': 409, '5xx': 500 };

describe('a wrong status has the fix of', () => {
  const cases = Object.entries(texts.statuses).flatMap(([kind, fixes]) =>
    Object.entries(fixes).map(([way, text]) => [`${kind} ${way}`, { kind, way, text }] as const),
  );

  test.each(cases)('%s', (_name, { kind, way, text }) => {
    const headers = { Accept: '*/*', 'Content-Type': 'application/json' };
    const got = STATUSES[way] ?? (way === 'none' ? undefined : Number(way));
    const given = { ...KINDS[kind], got, headers };
    const values: Readonly<Record<string, unknown>> = { ...headers, status: got, expected: given.expected };
    const filled = text.replaceAll(/\{([\w-]+)\}/g, (_all, name: string) => String(values[name]));
    expect(fixFor({ ...given, fix: 'Of the check.' })).toBe(filled);
  });
});

describe('the fix is that of', () => {
  const { responses, types, members } = texts;
  const own = { fix: 'Of the check.' };
  const seen = { times: 3, of: 160, what: 'requests' };
  const noJson = { ...FAULT, requirement: 'bodies.json' };
  const twice = '{"name":"NoKey"}{"banners":[]}';
  const races = { requirement: 'update.concurrent-fields', expected: '200, 409 or 503' };
  const role = { requirement: 'request-body.root-role-type', expected: '400', got: 200 };
  const noToken = { requirement: 'auth.key-valid', expected: '401', got: 200 };
  const ofType = (member: string, value: string): Given => {
    return { requirement: `request-body.${member}-type`, expected: '400', got: 200, sent: `{"${member}":${value}}` };
  };

  test.each<[string, Given, string | undefined]>([
    ['the log', { got: 500, seen, ...own }, responses.intermittent],
    ['the framework', { ...noJson, got: 404 }, responses['framework-error']],
    ['a second body', { ...noJson, got: 401, text: twice }, responses['two-bodies']],
    ['a collision', { ...races, got: 500 }, responses.collision],
    [
      'the path',
      { got: 400, sent: '{"name":""}', text: '{"message":"id is no number"}' },
      responses['path-id-as-text'],
    ],
    ['a value that is taken', { got: 409, text: 'duplicate key' }, responses.taken],
    ['null', ofType('name', 'null'), types.null],
    ['a boolean', { ...role, sent: '{"rootRole":true}' }, types.boolean],
    ['a number', ofType('email', '5'), types.number],
    ['an array', ofType('email', '["x"]'), types.array],
    ['a member', ofType('name', '{}'), members['request-body']],
    ['a time', { ...FAULT, requirement: 'user.created-at' }, members.time],
    ['the check', { ...noToken, ...own }, 'Of the check.'],
    ['the requirement', noToken, 'Check the key before'],
    ['the requirement and the check', { ...noToken, check: 'auth-unsigned-token' }, 'Verify the signature'],
    [
      'the requirement and the status',
      { requirement: 'update.unlisted-members', got: 500 },
      'Your code fails here, often',
    ],
    ['the requirement and its aspect', { ...FAULT, requirement: 'update.empty-text', aspect: 'kept' }, 'Change only'],
    [
      'the requirement, whatever the message',
      { got: 400, text: '{"message":"name is invalid"}' },
      'Accept every valid',
    ],
  ])('%s', (_what, given, start = '?') => expect(fixFor(given).slice(0, start.length)).toBe(start));
});
