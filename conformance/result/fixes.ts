import { type Exchange, objectBody, sentBody } from '../http/exchange.ts';
import type { Check } from '../model/check.ts';
import { wrongTypes } from '../model/causes.ts';
import type { Deviation } from '../model/facts.ts';
import { type Defect, defectsOf, statusOf } from '../model/recording/view.ts';

const STRAIGHT = 'Parsers and validators that convert types let it pass; check the type of what was sent.';

/** What is wrong with a body that can be read, by its type or by that of a member. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ null: '`null`', number: 'a number', boolean: 'a boolean', array: 'an array', object: 'an object' },
  string: 'a text',
};

/** How to refuse a body in which something is missing or cannot be read. */
const BODIES: Readonly<Record<string, string>> = {
  absent:
    'Refuse a request without a body. Some frameworks hand over an empty object then: look at the body as it came, or at its length.',
  bytes:
    'Decode the body as strict UTF-8, and refuse it if that fails. Most decoders put U+FFFD in the place of what they cannot read, unless they are told to fail.',
  unreadable: 'Refuse a body that is not JSON with 400. Do not take it for an empty one.',
};

/** How to refuse an accepted body. */
function ofBody(x: Exchange): string | undefined {
  const [type = ''] = wrongTypes(x);
  const what = TYPES[type];
  if (what === undefined) return BODIES[type];
  if (sentBody(x.request) === undefined)
    return `Refuse ${what} as body: only an object is one. Ask before its members are read.`;
  if (type === 'boolean')
    return 'Refuse a boolean here: check the type of what was sent. Validators that convert types let it pass, and in Python `True` is an `int`.';
  return type === 'null'
    ? 'Refuse `null`, which is another thing than a member that was left out. Validators let both pass where a member is optional.'
    : `Refuse ${what} here. ${STRAIGHT}`;
}

const STRICT_JSON =
  'The parser is lenient. Set it to its strict mode, or use one that takes JSON alone (RFC 8259) and refuses what follows the value.';

const NOT_A_NUMBER =
  'The parser takes `NaN`, which JSON does not have. Set it to its strict mode, or make it fail there, as by `parse_constant` in Python.';

const DATE_TIME =
  'Write it as RFC 3339 says, such as `2026-01-31T09:00:00Z`. Serializers of dates often have another form by default.';

/** How to refuse a request, by its defect. */
const DEFECTS: Readonly<Record<Exclude<Defect, 'body'>, string>> = {
  key: 'Check the key before anything else, for every method and every path, and respond with 401 unless the whole header is a key that you issued.',
  permission: 'Ask whether the key has the permission before anything is done, and respond with 403 if it has not.',
  id: 'Take the whole segment of the path as the id, and refuse it unless it is an integer. Functions such as parseInt, and databases, stop at the first letter.',
  missing: 'Look the user up first, and respond with 404 if there is none. An update must not create one.',
};

/** What a status comes from that is not the one that is due. */
function ofWrongStatus(due: number, actual: number): string {
  if (actual >= 500)
    return 'The code fails at this request, and the framework makes a 5xx status of it. Catch this case.';
  if (due === 401 && actual === 403)
    return 'Without a valid key the status is 401, also where the framework has no way to log in; keep 403 for valid keys without the permission.';
  if (due === 401) return 'Check the key before the body is read and the user is looked up.';
  if (actual === 401)
    return 'The key is valid. Look for what makes 401 of other refusals, such as a page of errors that needs a key itself.';
  if (actual === 422) return 'The validator of the framework has this status by default. Set another one.';
  return 'The request was refused, but not with the status of the contract.';
}

const BYTES_FAIL =
  'The body is not UTF-8, and the code fails when it decodes or shows it. Check the bytes before anything is stored, or catch the error.';

/** How to refuse a body that is no object, or not UTF-8, where the code fails at it. */
function ofFailedBody({ x, requirements }: Deviation): string | undefined {
  if (statusOf(x) < 500) return undefined;
  if (x.request.charset !== undefined) return BYTES_FAIL;
  return requirements[0] === 'request-body.object' ? ofBody(x) : undefined;
}

/** Members of the contract begin with a small letter. */
const isOtherCase = (name: string): boolean => /^[A-Z]/.test(name);

const PATH_ID =
  'The message speaks of the id in the path. A path has only text: make an integer of its digits before the id is validated.';

/**
 * Whether a response that refuses a valid request says that it is for the path id, and for nothing in the body. Where nothing is
 * found, a message about the path means the whole of it.
 */
function isForPathId(x: Exchange): boolean {
  const said = objectBody(x)?.message;
  const members = Object.keys(sentBody(x.request) ?? {});
  return (
    typeof said === 'string' &&
    x.request.subject !== 'none' &&
    statusOf(x) !== 404 &&
    /\b(path|param(eter)?s?|id|numeric string)\b/i.test(said) &&
    !/\bbody\b/i.test(said) &&
    !members.some((member) => said.toLowerCase().includes(member.toLowerCase()))
  );
}

const SPORADIC =
  'The same request succeeds if it is sent again. Look for what one request leaves to the next: a lost connection, an open transaction, an error that is ignored, a write that nobody waits for.';

/** What to do about the ways to fail that tell their cause; undefined where the check has to say it. */
function ofCause(deviation: Deviation): string | undefined {
  const { kind, mode, x, requirements, old } = deviation;
  const { due } = x.request;
  if (kind === 'sporadic') return SPORADIC;
  const defects = defectsOf(x.request);
  const defect = defects.includes('id') ? 'id' : defects[0];
  if (mode === 'damaged')
    return 'After the request, valid requests to the user fail. Store only what can be read again, or refuse it with 400.';
  if (mode === 'other-member-changed' && Object.keys(sentBody(x.request) ?? {}).some(isOtherCase))
    return 'Compare the names of members letter by letter: the parser, or what reads the object, takes `NAME` for `name`.';
  if (kind === 'member' && typeof old === 'string' && old.includes('date-time')) return DATE_TIME;
  if (mode === 'refused' && due.class === 'accept' && isForPathId(x)) return PATH_ID;
  if (mode === 'refused' && due.class === 'accept' && statusOf(x) === 415)
    return `Accept \`Content-Type: ${x.request.headers['Content-Type'] ?? ''}\`: compare the media type without its parameters, and in any letter case (RFC 9110).`;
  if (due.class !== 'refuse' || defect === undefined) return undefined;
  if (mode === 'wrong-status')
    return `${ofFailedBody(deviation) ?? ofWrongStatus(due.statuses[0] ?? 0, statusOf(x))} Respond with ${due.statuses.length > 3 ? 'a 4xx status' : due.statuses.join(' or ')}.`;
  if (mode !== 'accepted') return undefined;
  if (defect !== 'body') return DEFECTS[defect];
  if (requirements[0] !== 'request-body.strict-json') return ofBody(x);
  return /\bNaN\b/.test(x.request.body ?? '') ? NOT_A_NUMBER : STRICT_JSON;
}

/** What to do about a deviation, as one or two sentences. */
export function fixOf(deviation: Deviation, check: Check | undefined): string {
  return ofCause(deviation) ?? check?.failureModes[deviation.mode] ?? '';
}
