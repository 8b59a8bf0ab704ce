import { isRecord, parsedJson } from '../../common/json.ts';
import { errorName, errorStatuses } from '../../contract/document.ts';
import type { Aspect, Problem } from '../engine/outcome.ts';

/** A fix for each way to fail; `other` stands for those that are not listed. */
type Fixes = string | (Readonly<Partial<Record<Aspect, string>>> & { readonly other: string });

const ONLY_SENT =
  'Change only the members in the body. Usual cause: what is missing becomes null, empty or a default when the body is read ' +
  'into an object. Ask whether the body has the member.';
const AS_STORED =
  'Respond with the user as it is after the update: read it again, or build the response from what was stored.';
const GET_CHANGES_NOTHING = 'A GET request must change nothing: no counter, no time of last access, no clean-up.';
const OWN_ERRORS =
  'The framework writes this body. Give it one error handler that sends `id`, `name` and `message` as JSON, for your errors and for ' +
  'those of its router, body parser and validator.';
const TWO_BODIES =
  'The response has two bodies, one after the other: code after the refusal kept running. End the request there (`return`; in Gin, ' +
  '`c.Abort()`).';
const NAMES = errorStatuses.map((status) => `${status} \`${errorName(status) ?? ''}\``).join(', ');
const OF_TYPE = 'Refuse the body with 400: check the type of what was sent, before anything converts it.';
const OF_SAMPLE = 'Use the type that the sample of the contract has, or null, or leave the member out.';

/** What an unusual value may become. */
const faithful = (how: string): Fixes => ({
  other: `Store what was sent, or refuse it with 400. ${how}`,
  shown: AS_STORED,
  kept: ONLY_SENT,
});

/** What to change in a server that breaks a requirement. */
const OF_REQUIREMENTS: Readonly<Record<string, Fixes>> = {
  'bodies.json': 'Send one JSON value in UTF-8 with `Content-Type: application/json`, and nothing before or after it.',

  'update.success-is-200': 'Accept every valid update, and respond with 200 and the updated user.',
  'update.fields-optional':
    'Every member of the body is optional. Accept each by itself and all together, and validate only those that are there.',
  'update.sent-fields-change':
    'Store every member of the body for good before you respond. Look for a write that nobody waits for, a transaction that is ' +
    'rolled back, or a cache in front of what is stored.',
  'update.answer-shows-user': AS_STORED,
  'update.unsent-fields-keep': ONLY_SENT,
  'update.earlier-updates-keep':
    'Start each update from what is stored now, not from an older copy in a cache, a session or an object in memory.',
  'update.other-members-keep':
    'Write only `name`, `email` and `rootRole`. Set `createdAt` once, when the user is created.',
  'update.addressed-user-only':
    'Update only the user whose id is in the path. Look at the condition of the statement, and at objects that users share.',
  'update.id-matches-path': 'Respond with the user that the path names, and take no `id` from the body.',
  'update.empty-body-changes-nothing':
    'Accept `{}` with 200 and the user as it is, or refuse it with 400. Without a member there is nothing to write.',
  'update.values-faithful': faithful(
    'Usual causes: a column that is too short or not in full UTF-8 (utf8mb4), escaping before storing, a conversion to another type.',
  ),
  'update.empty-text': faithful('Usual cause: `if (name)` takes the empty text for a missing member.'),
  'update.email-faithful': faithful('Only the case of its letters may change.'),
  'update.json-faithful': faithful(
    'Read the body with a parser that follows RFC 8259, and store only what can be read again.',
  ),
  'update.unlisted-members':
    'Take only `name`, `email` and `rootRole` from the body, one by one (mass assignment). Ignore the rest, or refuse it with 400.',
  'update.unusual-members': faithful('Ignore members that you do not know, or refuse the body with 400.'),
  'update.repeatable': {
    other: 'An update with values that are stored already must leave the user as it is, and get 200 with the user.',
    accepted:
      'Accept values that the user has already. Your uniqueness check compares the user with itself: exclude the user that is updated.',
  },
  'update.concurrent-fields':
    'Both updates start from the same old copy. Write only the members that were sent, or lock the user from reading to writing ' +
    '(SELECT … FOR UPDATE, a version column with a retry).',
  'update.concurrent-users':
    'Keep the data of a request where no other request can reach it: no globals, no fields of shared objects, no shared transaction.',
  'update.concurrent-refusals':
    'Give each request a transaction of its own, validate before you write, and undo only what the refused request did.',
  'update.accept-forms':
    'Read `Accept` as a list of media types with weights (RFC 9110, 12.5.1), and respond with JSON if it is among them.',
  'update.refused-changes-nothing':
    'Check the key, the permission and the whole body before anything is written, and end there: code after a refusal must not run.',
  'side-effects.of-updates':
    'An update must change the user alone, and a refused one nothing. Look for triggers, cascades and counters.',
  'side-effects.of-reading': GET_CHANGES_NOTHING,

  'missing-user.not-found':
    'Look the user up first, and respond with 404 if there is none. If there is one, set CONFORMANCE_MISSING_USER_ID to an id that ' +
    'no user has.',
  'missing-user.not-created':
    'Update only a user that exists. An upsert (`save`, `INSERT … ON CONFLICT`) creates one; look at the number of updated rows.',
  'permission.refused':
    'Check the permission before you do anything else, and respond with 403 if the key lacks it, whatever the body. If the key may ' +
    'update users, set CONFORMANCE_RESTRICTED_KEY to one that may not.',
  'path-id.integer':
    'Take the whole segment of the path as the id, and refuse it unless it is an integer. Functions such as parseInt, and some ' +
    'databases, stop at the first letter.',
  'path-id.exact':
    'Compare the whole number: a conversion to 32 bits cuts it. Respond with 404 if no user has that id.',
  'path-id.no-server-error':
    'Check the characters and the range of the id before the database sees it, and respond with 404 or 400.',

  'request-body.required':
    'Refuse a request without a body. Some frameworks make an empty object of it: look at the raw body, or at its length.',
  'request-body.well-formed': 'Refuse a body that is not JSON with 400. Do not treat it as empty.',
  'request-body.strict-json':
    'The parser is lenient. Set it to its strict mode, or use one that accepts only JSON (RFC 8259) and rejects trailing data ' +
    '(Jackson: FAIL_ON_TRAILING_TOKENS; Go: `json.Unmarshal`, not a Decoder; Python, for `NaN`: `parse_constant`).',
  'request-body.utf-8':
    'Decode the body as strict UTF-8, and refuse it if that fails. Most decoders replace invalid bytes with U+FFFD ' +
    'unless they are told to fail (JavaScript: `new TextDecoder("utf-8", { fatal: true })`).',
  'request-body.media-type-forms':
    'Compare the media type without its parameters, and in any letter case (RFC 9110, 8.3.1).',
  'request-body.spelling':
    'Read the body with a JSON parser, not with a regular expression: white space and escapes change nothing.',
  'request-body.extreme-values': 'Bound the size and the depth of a body, and refuse a larger one with 400 or 413.',
  'request-body.object': 'Check that the body is an object before you read its members.',

  'auth.operations-exist':
    'Serve the operation under the method and path of the contract, below the base URL. Some servers and firewalls refuse PUT by ' +
    'default.',
  'auth.key-required':
    'Check the key before anything else, for every method, path and body, and respond with 401 if there is none.',
  'auth.key-valid':
    'Check the key before anything else, for every method, path and body, and respond with 401 unless it is one that you issued.',
  'auth.comes-first': 'Check the key before the body is read and the user is looked up.',
  'auth.existence-hidden':
    'Check the key first, and respond in the same way for every path. At present anyone can find out which users exist.',
  'auth.field-name-case':
    'Compare the names of header fields without regard to letter case (RFC 9110, 5.1): `authorization` is `Authorization`.',
  'auth.key-not-shown': 'Leave the key out of every response: whoever reads the response, or a log of it, has the key.',

  'user.object': 'Respond with the user itself, as an object with its `id`; without an envelope or a list around it.',
  'user.root-role':
    'Show a role as an integer or an object. If an update stored another type, refuse it there with 400.',
  'user.id': 'Send `id` with every user, as an integer and not as a string.',
  'user.username-unique': 'Two users have the same `username`. Give each its own, with a unique index.',
  'user.no-secrets': 'Leave the password of a user, and its hash and salt, out of every response.',

  'banners.success-is-200': 'Respond with 200 and the list, even if the list is empty.',
  'banners.shape': 'Respond with the object `{"banners": […]}`, not with the bare array or another name.',
  'banners.elements': 'List each banner as an object with its members, not as an id or a string.',
  'banners.stable':
    'List all configured banners every time. Look for a page limit, a random choice, or a cache that is filled late.',
  'banners.read-only': GET_CHANGES_NOTHING,
  'banners.all-configured':
    'List all configured banners, whatever their state. If the missing one is not configured, correct CONFORMANCE_BANNER_IDS.',
  'banner.id-unique': 'Give each banner an `id` of its own. A join may list one twice.',

  'errors.body':
    'Write the body of every error in one place, with `id`, `name` and `message`: also of those that the framework raises (its ' +
    'router, body parser and validator).',
  'errors.name': `Give each status its own name: ${NAMES}.`,
  'errors.message': 'Say in `message` what was wrong with the request.',
  'errors.no-internals': 'Log internal details; in the response, say what is wrong with the request.',
  'errors.id-per-instance': 'Make the `id` of an error random (a UUID): clocks and per-process counters repeat.',
};

const DATE_TIME =
  'Write it as RFC 3339 says, with an offset: `2026-01-31T09:00:00Z`. Local times have none (Python: `datetime.now(timezone.utc)`), ' +
  'and some serializers write numbers (Jackson: switch WRITE_DATES_AS_TIMESTAMPS off).';

/** What to change for a requirement that is not listed. It is about a member, and its id ends in the name of the member. */
function ofMember(requirement: string): string {
  if (requirement.endsWith('-at')) return DATE_TIME;
  if (requirement.startsWith('request-body.')) return OF_TYPE;
  if (requirement.startsWith('banner.')) return OF_SAMPLE;
  return 'Send the member with the type that the contract gives it, or leave it out if it is not required.';
}

const SPORADIC =
  "Look at your server's log for these requests. Usual causes: a locked database, a deadlock, a lost connection, an open transaction, " +
  'or two processes that differ.';
const COLLISION = 'Two updates collide. Wait for the lock or retry the transaction; otherwise respond with 409 or 503.';
const CLOSED =
  'The connection was closed without a response. Look at the log for a crash, or for a limit of the HTTP server.';
const TAKEN = /\b(?:unique|duplicate|already (?:exists|in use|taken|used)|not available)\b/i;
const UNIQUE =
  'The response says that a value is taken, and the suite sends new ones. Does your uniqueness check compare the user with itself, or ' +
  'does a name have to be unique?';
const PATH_ID =
  'The message speaks of the id in the path. Path parameters are strings: parse the id as an integer before you validate it.';

/** The wrong status that a request got, or 0 if there was no response; undefined for any other problem. */
function wrongStatus({ title, actual }: Problem): number | undefined {
  if (!title.includes(`got ${actual}`)) return undefined;
  return /^\d{3}$/.test(actual) ? Number(actual) : 0;
}

/**
 * Whether a response refuses a valid request for the id in its path, and not for its body. The message of a 404 may speak of the
 * whole path.
 */
function isForPathId(status: number, { exchanges }: Problem): boolean {
  const { request, response } = exchanges.at(-1) ?? {};
  const message = isRecord(response?.json) ? String(response.json.message).toLowerCase() : '';
  const body = parsedJson(String(request?.body ?? ''));
  const isOfBody = ['body', ...Object.keys(isRecord(body) ? body : {})].some((word) =>
    message.includes(word.toLowerCase()),
  );
  return status !== 404 && !isOfBody && /\b(path|param(eter)?s?|id|numeric string)\b/.test(message);
}

/** What to change if a request that should be accepted was refused; undefined if the fix of the requirement says it. */
function ofRefusal(status: number, problem: Problem): string | undefined {
  const { requirement, expected, exchanges } = problem;
  const headers = exchanges.at(-1)?.request.headers ?? {};
  if (status === 415)
    return `Accept \`Content-Type: ${headers['Content-Type'] ?? ''}\`: compare the media type without its parameters, and in any letter case (RFC 9110).`;
  if (status === 406)
    return `Accept \`Accept: ${headers.Accept ?? ''}\`: JSON is among what it lists (RFC 9110, 12.5.1).`;
  if (expected !== '200') return `Store what was sent, or refuse it with 400 and not with ${status}.`;
  if (isForPathId(status, problem)) return PATH_ID;
  if (status === 401 || status === 403)
    return `The admin key may do everything. Find what turns this request into a ${status}.`;
  if (status === 405 || status === 501)
    return 'Route PUT to the update. Some servers and firewalls refuse PUT by default.';
  if (TAKEN.test(exchanges.at(-1)?.response.text.slice(0, 8_192) ?? '')) return UNIQUE;
  if (status === 404 && requirement.startsWith('update.'))
    return 'The user exists. Compare its id as a number: in a path it is text.';
  return undefined;
}

/** What to change if a request that should be accepted got another status. */
function ofWrongStatus(status: number, problem: Problem): string | undefined {
  const { requirement, expected } = problem;
  if (requirement.startsWith('update.concurrent-')) return COLLISION;
  if (status === 0) return CLOSED;
  if (status === 304)
    return 'Respond with 304 only to a request with `If-None-Match` or `If-Modified-Since`; otherwise respond with 200 and the whole body.';
  if (status < 300) return `Respond with 200 and the whole body, not with ${status}.`;
  if (status < 400)
    return 'Respond under the path of the contract, without a redirect to another path, to HTTPS or to a login page.';
  if (status < 500) return ofRefusal(status, problem);
  if (requirement === 'update.empty-body-changes-nothing')
    return 'Your code fails without a member to write, often at `UPDATE … SET` without columns. Respond with 200 and the user, or with 400.';
  if (expected === '200')
    return 'Your code fails at a valid request. Look at the log of your server, and respond with 200.';
  if (/^update\.un(listed|usual)-members$/.test(requirement))
    return 'Your code fails here, often at a member that its decoder does not know (Jackson: FAIL_ON_UNKNOWN_PROPERTIES). Ignore such members, or respond with 400.';
  return 'Your code fails here (look at the log: an encoding error, a unique index). Catch the error, and respond with 400.';
}

/** What to change if a request that must be refused got another status; undefined if it was accepted. */
function ofWrongRefusal(status: number, { expected }: Problem): string | undefined {
  const instead = `Respond with ${expected}.`;
  if (status === 0) return `${CLOSED} ${instead}`;
  if (status < 300) return undefined;
  if (status < 400) return `Do not redirect a refused request, not even to a login page. ${instead}`;
  if (status >= 500)
    return `Your code raises an error here, and the framework turns it into a ${status}. Catch the error. ${instead}`;
  if (expected === '401' && status === 403)
    return `Without a valid key the status is 401, even if the framework knows no way to log in. Keep 403 for valid keys without the permission. ${instead}`;
  if (expected === '401') return `Check the key before the body is read and the user is looked up. ${instead}`;
  if (status === 401)
    return `The key is valid. Find what turns other refusals into 401, such as an error page that itself needs a key. ${instead}`;
  if (status === 422) return `422 is the default of the framework's validator. ${instead}`;
  return `The request was refused, but not with the status of the contract. ${instead}`;
}

/** How to refuse a body that was accepted, by the type of its wrong value. */
const OF_TYPES: Readonly<Record<string, string>> = {
  null:
    'Refuse `null`: it is not a missing member. Many validators let both pass if a member is optional, and many decoders give both ' +
    'the same value (Go: decode into a map).',
  boolean:
    'Refuse a boolean here: check the type of what was sent. Validators that coerce types let it pass, and in Python `True` is an `int`.',
  number:
    'Refuse a number here. Decoders and validators that coerce types make it a string (Ajv, Fastify: switch `coerceTypes` off); ' +
    'check the type of what was sent.',
  array:
    'Refuse an array here. Some decoders and validators unwrap a single element (Ajv, Fastify: `coerceTypes`); check the type of what was ' +
    'sent.',
};

/** How to refuse a body that was accepted although a member has a wrong type; undefined if the fix of the requirement says it. */
function ofAcceptedBody({ requirement, exchanges }: Problem): string | undefined {
  const [, kebab = ''] = /^request-body\.(.+)-type$/.exec(requirement) ?? [];
  const member = kebab.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  const body = parsedJson(String(exchanges.at(-1)?.request.body ?? ''));
  const value = isRecord(body) ? body[member] : undefined;
  return OF_TYPES[value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value];
}

/** What to change if an error is not in JSON: the framework wrote it, or another body follows it. */
function ofForeignError({ requirement, exchanges }: Problem): string | undefined {
  const { status = 0, text = '' } = exchanges.at(-1)?.response ?? {};
  if (requirement !== 'bodies.json' || status < 400) return undefined;
  return /^\{[^{}]*\}\s*\{/.test(text) ? TWO_BODIES : OWN_ERRORS;
}

/**
 * What to change in a server for a problem, in one or two plain sentences. What the status tells comes first, then the fix of the
 * check (`problem.fix`), then the fix of the requirement.
 */
export function fixOf(problem: Problem): string {
  const { requirement, aspect, expected, fix, seen } = problem;
  if (seen?.what === 'requests') return SPORADIC;
  const status = wrongStatus(problem);
  const ofStatus = expected.startsWith('200') ? ofWrongStatus : ofWrongRefusal;
  const own = status === undefined ? ofForeignError(problem) : ofStatus(status, problem);
  const fixes = OF_REQUIREMENTS[requirement] ?? ofMember(requirement);
  const usual = typeof fixes === 'string' ? fixes : (fixes[aspect] ?? fixes.other);
  return own ?? fix ?? ofAcceptedBody(problem) ?? usual;
}
