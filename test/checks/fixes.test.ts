import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { objectOf, parsedJson } from '../../common/json.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Exchange } from '../../conformance/facts/exchange.ts';
import type { Fault, Problem } from '../../conformance/facts/fault.ts';
import { fixOf, usualFix } from '../../conformance/result/fixes.ts';
import { requirements } from '../../contract/document.ts';
import { read, ROOT } from '../support/repository.ts';
import { filesBelow } from '../support/folder.ts';

type Texts = Readonly<Record<string, string>>;
const texts = parse(read('conformance/result/fixes.yaml')) as {
  readonly requirements: Readonly<Record<string, string | Texts>>;
  readonly statuses: Readonly<Record<string, Texts>>;
  readonly responses: Texts;
  readonly types: Texts;
};
/** The texts for a requirement, by way. */
function textsOf(requirement: string): Texts {
  const fixes = texts.requirements[requirement] ?? {};
  return typeof fixes === 'string' ? { other: fixes } : fixes;
}

const ways = Object.keys(texts.requirements).flatMap((requirement) =>
  Object.entries(textsOf(requirement)).map(([way, text]) => ({ requirement, way, text })),
);
/** A few plain sentences in one paragraph. */
const PARAGRAPH = /^[A-Z0-9][^\n]{20,400}[.)?]$/;

describe('the texts of fixes', () => {
  test('are a paragraph each', () => {
    const ofChecks = checks.flatMap(({ fix }) => fix ?? []);
    const others = [...Object.values(texts.statuses), texts.responses, texts.types];
    const all = [...ways.map(({ text }) => text), ...others.flatMap((each) => Object.values(each))];
    for (const text of [...all, ...ofChecks]) {
      expect(text).toMatch(PARAGRAPH);
      expect(text.split(/\. /).length, text).toBeLessThanOrEqual(4);
    }
  });

  test('cover every requirement', () => {
    for (const { id } of requirements) {
      const own = checks.filter(({ requirement }) => requirement === id);
      const ownWays = Object.keys(textsOf(id));
      const isOfChecks = own.length > 0 && own.every((each) => each.fix !== undefined || ownWays.includes(each.id));
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
  });
});

interface Given extends Partial<Omit<Problem, 'exchanges' | 'fault'>> {
  /** The statuses that are right; default 200. */
  readonly due?: readonly number[];
  /** The status; 0 if there was no response. */
  readonly got?: number;
  /** Another fault than a wrong status. */
  readonly fault?: Fault;
  readonly sent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the response. */
  readonly text?: string;
}

/** The fix for a problem: by default, for a valid update that got this status. */
function fixFor({ due = [200], got = 0, fault, sent, headers = {}, text = '', ...more }: Given): string {
  const json: unknown = text.startsWith('{') ? { message: text, ...objectOf(parsedJson(text)) } : undefined;
  const lost = { kind: 'closed', detail: 'the connection was closed' } as const;
  const exchange: Exchange = {
    request: { operation: 'updateUser', path: '/api/admin/user-admin/1', headers, body: sent },
    response: { status: got, headers: {}, text, json, ...(got === 0 && { lost }) },
    ...{ startedMs: 0, durationMs: 1 },
  };
  const { request, response } = exchange;
  const { text: fix } = fixOf({
    ...{ check: 'a-check', requirement: 'update.success-is-200', aspect: 'other', exchanges: [exchange] },
    fault: fault ?? { kind: 'status', request, due, came: got, lost: response.lost },
    ...more,
  });
  return fix;
}

/** A fault that is no wrong status. */
const FAULT: Given = { fault: { kind: 'special', says: 'A fault', due: 'this', came: 'that' } };

/** A requirement for each kind of request, and what its requests must get. */
const KINDS: Readonly<Record<string, Given>> = {
  valid: { requirement: 'update.success-is-200', due: [200] },
  unusual: { requirement: 'update.values-faithful', due: [200, 400] },
  refused: { requirement: 'request-body.object', due: [400] },
  'without-key': { requirement: 'auth.key-required', due: [401] },
};
const STATUSES: Readonly<Record<string, number | undefined>> = { '2xx': 204, '3xx': 302, '4xx': 409, '5xx': 500 };

describe('a wrong status has the fix of', () => {
  const cases = Object.entries(texts.statuses).flatMap(([kind, fixes]) =>
    Object.entries(fixes).map(([way, text]) => [`${kind} ${way}`, { kind, way, text }] as const),
  );

  test.each(cases)('%s', (_name, { kind, way, text }) => {
    const headers = { Accept: '*/*', 'Content-Type': 'application/json' };
    const got = STATUSES[way] ?? (way === 'none' ? 0 : Number(way));
    const given = { ...KINDS[kind], got, headers };
    const values: Readonly<Record<string, unknown>> = { ...headers, status: got, expected: given.due?.join(' or ') };
    const filled = text.replaceAll(/\{([\w-]+)\}/g, (_all, name: string) => String(values[name]));
    // Where code fails at what it has to refuse, what to check comes first.
    const first = way === '5xx' && (kind === 'refused' || kind === 'without-key') ? 'Of the check. ' : '';
    expect(fixFor({ ...given, fix: 'Of the check.' })).toBe(first + filled);
  });
});

describe('the fix is that of', () => {
  const { responses, types } = texts;
  const own = { fix: 'Of the check.' };
  const seen = { times: 3, of: 160, what: 'requests' } as const;
  const noJson = (status: number): Given => {
    return { requirement: 'bodies.json', got: status, fault: { kind: 'response', rule: 'not-json', status } };
  };
  const twice = '{"name":"NoKey"}{"banners":[]}';
  const request = { operation: 'updateUser', path: '/', headers: {} } as const;
  const races: Fault = { kind: 'status', request, when: 'concurrently', due: [200, 409, 503], came: 500 };
  const halfStored: Fault = {
    kind: 'member',
    change: 'changed-by-refused',
    ...{ request, user: '1', member: 'name', due: 'old', came: 'new' },
  };
  const afterRefusal: Fault = { kind: 'status', request, when: 'after-refusal', due: [200], came: 400 };
  const late: Fault = { ...halfStored, change: 'shown-late' };
  const cut: Given = { requirement: 'bodies.json', got: 200, fault: { kind: 'response', rule: 'cut', status: 200 } };
  const noToken: Given = { requirement: 'auth.key-valid', due: [401], got: 200 };
  const ofType = (member: string, value: string): Given => {
    const requirement = `request-body.${member === 'rootRole' ? 'root-role' : member}-type`;
    return { requirement, about: member, due: [400], got: 200, sent: `{"${member}":${value}}` };
  };

  test.each<[string, Given, string | undefined]>([
    ['the log', { got: 500, seen, ...own }, responses.intermittent],
    ['the framework', noJson(404), responses['framework-error']],
    ['a second body', { ...noJson(401), text: twice }, responses['two-bodies']],
    ['a body that is cut', cut, responses.cut],
    ['a value that shows late', { requirement: 'update.sent-fields-change', fault: late, got: 200 }, responses.late],
    ['what a refusal left', { fault: afterRefusal, got: 400, ...own }, responses['after-refusal']],
    ['a collision', { requirement: 'update.concurrent-fields', fault: races, got: 500 }, responses.collision],
    [
      'the path',
      { got: 400, sent: '{"name":""}', text: '{"message":"id is no number"}' },
      responses['path-id-as-text'],
    ],
    ['a value that is taken', { got: 409, text: 'duplicate key' }, responses.taken],
    [
      'an error with 200',
      { ...ofType('name', '5'), text: '{"id":"x","name":"ValidationError","message":"no text"}' },
      responses['error-with-200'],
    ],
    ['null', ofType('name', 'null'), types.null],
    ['a boolean', ofType('rootRole', 'true'), types.boolean],
    ['a number', ofType('email', '5'), types.number],
    ['what counts as false', ofType('email', '0'), types.falsy],
    [
      'a refusal that changed a user, not its type',
      { ...ofType('email', '5'), fault: halfStored, requirement: 'update.refused-changes-nothing', got: 400 },
      usualFix('update.refused-changes-nothing'),
    ],
    ['an array', ofType('email', '["x"]'), types.array],
    ['a boolean that is shown as a number', { ...FAULT, requirement: 'banner.enabled' }, 'Send `true` or `false`'],
    ['a member', ofType('name', '{}'), usualFix('request-body.name-type')],
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

test('no id of a check is put together: each stands in the sources as it is', () => {
  const folder = 'conformance/checks';
  const sources = filesBelow(`${ROOT}/${folder}`).map((file) => read(`${folder}/${file}`));
  const isWritten = ({ id }: { readonly id: string }): boolean => sources.some((each) => each.includes(`'${id}'`));
  expect(checks.filter((each) => !isWritten(each)).map(({ id }) => id)).toEqual([]);
});
