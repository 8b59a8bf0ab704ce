import { isDeepStrictEqual } from 'node:util';
import { responseSchemaOf, schema } from '../../contract/document.ts';
import { isRecord, parsedJson } from '../../common/json.ts';
import { CLIENT_ERRORS, type ControlShape, type Due } from '../http/due.ts';
import { LEAST_KEY, tellingKeys } from '../http/credentials.ts';
import {
  asksForAnotherTry,
  type Exchange,
  isAccepted,
  isSafe,
  membersSent,
  objectBody,
  overlap,
  sends,
  transportErrorText,
} from '../http/exchange.ts';
import { type InconclusiveReason, transportErrorReason } from './reasons.ts';
import { INPUT_HELP, isMissing, namedAs, WRITABLE, writableOf } from '../resources/inputs.ts';
import { pathId } from '../resources/requests.ts';
import type { Doubt, Notes } from './facts.ts';
import { bodyOf, shapeOf, statusOf, type View } from './recording/view.ts';

const { required: ERROR_MEMBERS = [] } = schema('errorSchema');

/** Whether a value is what the operation of a request responds with if it accepts it. */
function isSuccess(value: unknown, { request }: Exchange, { validators }: View): boolean {
  const shown = responseSchemaOf(request.operation);
  if (shown === undefined || !isRecord(value) || validators.bodies[shown](value).length > 0) return false;
  const id = pathId(request);
  // An error whose id is a number may have that of the path.
  if (ERROR_MEMBERS.every((member) => Object.hasOwn(value, member))) return false;
  return id === undefined || String(value.id) === id;
}

/** Whether an error response shows that its request was carried out all the same: a forgotten `return` after the refusal. */
export function isCarriedOut(exchange: Exchange, view: View): boolean {
  const { status = 0, json, text = '' } = exchange.response ?? {};
  if (status < 400) return false;
  // Else there may be two bodies, one after the other.
  const shown = json?.ok ? json.value : parsedJson(text.split(/(?<=\})\s*(?=\{)/, 2)[1] ?? '');
  return isSuccess(shown, exchange, view);
}

/** Whether a request got a 5xx status, or no response at all. */
function broke(exchange: Exchange): boolean {
  return exchange.transportError?.kind === 'closed' || statusOf(exchange) >= 500;
}

/** Whether a path has more behind the id of another one. */
function beginsWithIdOf(named: Exchange | undefined, { request }: Exchange): boolean {
  return pathId(request)?.replace(/\D.*/, '') === (named && pathId(named.request));
}

/**
 * The requests that fail only because of an earlier one, with that one: it was unusual or invalid and was not refused, and until a
 * good update of the same user comes through, whatever fails is its damage. So does a path that only begins with the id, if the
 * target takes such ones for it.
 */
export function damageIn(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, Exchange> {
  const found = new Map<Exchange, Exchange>();
  const sporadic = sporadicIn(exchanges);
  for (const subject of WRITABLE) {
    let by: Exchange | undefined;
    let before: Exchange | undefined;
    const named = exchanges.find(({ request }) => request.subject === subject);
    const isTakenFor = (each: Exchange): boolean => isAccepted(each) && each.request.meant.id === 'invalid';
    const takesLonger = exchanges.some((each) => isTakenFor(each) && beginsWithIdOf(named, each));
    for (const each of exchanges) {
      const { request } = each;
      if (request.credential.role !== 'admin') continue;
      if (request.subject !== subject) {
        if (by && takesLonger && broke(each) && beginsWithIdOf(named, each)) found.set(each, by);
        continue;
      }
      if (request.due.role === 'unusual' || (request.meant.body === 'invalid' && (isAccepted(each) || broke(each)))) {
        if (by && before && broke(before) && broke(each)) found.set(each, by);
        by = each;
      } else if (by && broke(each) && (request.due.class === 'accept' || request.due.role === 'reading')) {
        // What was accepted and left something broken leaves it so.
        if (!isAccepted(by) || !sporadic.has(each)) found.set(each, by);
      } else if (isAccepted(each) && shapeOf(each) !== '') by = undefined;
      before = each;
    }
  }
  return found;
}

/**
 * The requests that were sent once more at once, and accepted then; but for those that asked for it, or got no response. A request
 * that reads is sent several times: its key may be refused once.
 */
function sporadicIn(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const last = new Map<string, Exchange>();
  const found = new Set<Exchange>();
  for (const each of exchanges) {
    const before = last.get(each.request.subject);
    last.set(each.request.subject, each);
    const isRefused =
      before && !isAccepted(before) && before.response !== undefined && !asksForAnotherTry(statusOf(before));
    if (isRefused && isAccepted(each) && isDeepStrictEqual(before.request, each.request)) found.add(before);
  }
  const readings = exchanges.filter(
    ({ request }) => isSafe(request) && request.due.class === 'accept' && request.due.role !== 'respelled',
  );
  const read = new Set(readings.filter(isAccepted).map(({ request }) => request.path));
  for (const each of readings) if (statusOf(each) === 401 && read.has(each.request.path)) found.add(each);
  return found;
}

/** Tells whether the target accepted a request without the defect in the run. */
export function controlsOf({ exchanges }: View): (control: ControlShape) => boolean {
  const accepted = new Set(
    exchanges
      .filter((exchange) => {
        const { credential, meant, subject } = exchange.request;
        const { resource } = namedAs(subject) ?? {};
        const isFirst = resource === undefined || writableOf(resource)[0] === subject;
        const plain = meant.id === 'valid' && meant.body === 'valid' && isFirst;
        return plain && credential.role === 'admin' && isAccepted(exchange);
      })
      .map((exchange) => `${exchange.request.operation} ${membersSent(exchange)}`),
  );
  return ({ operation, members }) => accepted.has(`${operation} ${[...members].sort().join()}`);
}

/** What is wrong with the outcome of a request, in words. */
function wordsOf(exchange: Exchange, { statuses }: Due): { expected: unknown; message: string } {
  const { purpose } = exchange.request;
  const isAny4xx = CLIENT_ERRORS.every((each) => statuses.includes(each));
  const words = [...statuses.filter((each) => !isAny4xx || each < 400), ...(isAny4xx ? ['4xx'] : [])].join(' or ');
  const expected = statuses.length === 1 ? statuses[0] : words;
  if (exchange.transportError)
    return { expected: 'a response', message: `${purpose}: ${transportErrorText(exchange.transportError)}.` };
  const status = statusOf(exchange);
  const asError = status === 200 && !isAccepted(exchange) ? ' with an error as body' : '';
  const said = objectBody(exchange)?.message;
  const why = statuses.includes(200) && typeof said === 'string' ? ` ("${said}")` : '';
  const { subject } = exchange.request;
  const named = isAccepted(exchange) && isMissing(subject) ? namedAs(subject) : undefined;
  const doubtful = named ? ` Or is there a ${named.resource} with the id ${INPUT_HELP[named.input].variable}?` : '';
  return { expected, message: `${purpose}: the response is ${status}${asError}${why}, expected ${words}.${doubtful}` };
}

function modeOf(due: Due, exchange: Exchange): string {
  if (exchange.transportError) return 'no-response';
  if (due.class === 'refuse') return isAccepted(exchange) ? 'accepted' : 'wrong-status';
  if (due.class === 'either') return 'wrong-status';
  if (due.role === 'repetition') return 'refused';
  if (due.role === 'respelled') return 'not-found';
  const status = statusOf(exchange);
  if (status < 300) return 'wrong-success-status';
  if (status < 400) return 'redirected';
  return status < 500 ? 'refused' : 'server-error';
}

/** Judges that an operation exists: a 404 without a key cannot mean that the operator named no user, since 401 comes first. */
function judgeExistence(x: Exchange, check: string, { exchanges, blocked }: View, notes: Notes): void {
  const { operation } = x.request;
  const obstacle = blocked[operation];
  const status = statusOf(x);
  const works = exchanges.some((each) => each.request.operation === operation && isAccepted(each));
  if (!obstacle && (status !== 404 || works)) {
    if (isAccepted(x))
      notes.doubtful([check], {
        reason: 'precondition-failed',
        detail: 'the operation needs no key',
        exchanges: [x],
      });
    else notes.holds([check], x);
    return;
  }
  const wasNotFound = !obstacle || obstacle.exchange?.response?.status === 404;
  const reached = exchanges.find((each) => each.request.operation !== operation && isAccepted(each));
  if (!wasNotFound || status !== 404 || !reached) {
    if (obstacle) notes.doubtful([check], { ...obstacle, exchanges: obstacle.exchange ? [obstacle.exchange] : [] });
    return;
  }
  const message = `${reached.request.purpose} is accepted, but the response to ${operation} is 404 even without a key.`;
  notes.deviates({
    kind: 'no-operation',
    x,
    requirements: ['auth.operations-exist'],
    checks: [check],
    mode: 'unknown-path',
    expected: 401,
    actual: status,
    message,
  });
}

/** Judges that no response repeats a valid key. */
function judgeKeysShown({ exchanges, inputs }: View, notes: Notes): void {
  const check = 'auth-key-not-shown';
  if (tellingKeys(inputs).length === 0) {
    notes.absent(check, `a key of fewer than ${LEAST_KEY} characters may occur by chance`);
    return;
  }
  for (const x of exchanges) {
    const { query, label } = x.request.credential;
    // A redirect to the same path with a slash, as Django's, repeats the query.
    if (!x.response || !x.key || (query !== undefined && Math.trunc(statusOf(x) / 100) === 3)) continue;
    if (x.key === 'carried') notes.holds([check], x);
    else {
      const message = `The response to a request with ${label} repeats a valid key.`;
      notes.deviates({
        kind: 'response',
        x,
        requirements: ['auth.key-not-shown'],
        checks: [check],
        mode: 'key-shown',
        expected: 'no key',
        actual: 'a valid key',
        message,
      });
    }
  }
}

/** What a run tells of requests other than the one that is judged. */
interface Circumstances {
  readonly view: View;
  readonly notes: Notes;
  readonly damage: ReadonlyMap<Exchange, Exchange>;
  readonly sporadic: ReadonlySet<Exchange>;
  readonly isControlAccepted: (control: ControlShape) => boolean;
  readonly respondsAtAll: boolean;
  /** Whether the restricted key is known to be one. */
  readonly knowsRestricted: boolean;
  readonly takesRoles: boolean;
  readonly takesOther: boolean;
  /** The paths that were reported missing so far. */
  readonly missing: Set<string>;
}

function circumstancesOf(view: View, notes: Notes, damage: Circumstances['damage']): Circumstances {
  const { exchanges } = view;
  const taken = exchanges.filter((each) => isAccepted(each) && each.request.due.class !== 'refuse');
  return {
    ...{ view, notes, damage, sporadic: sporadicIn(exchanges) },
    ...{ isControlAccepted: controlsOf(view), missing: new Set() },
    respondsAtAll: exchanges.some(({ response }) => response),
    knowsRestricted: exchanges.some(
      (each) => each.request.credential.role === 'restricted' && (isAccepted(each) || statusOf(each) === 403),
    ),
    takesRoles: taken.some(sendsRole),
    takesOther: taken.some(({ request }) => request.subject === 'other-user'),
  };
}

const sendsRole = (x: Exchange): boolean => shapeOf(x).includes('rootRole');

type Blame = Pick<Due, 'requirements' | 'checks'>;

function noteOutcome({ notes, view }: Circumstances, x: Exchange, blame: Blame = x.request.due): void {
  const { due, subject } = x.request;
  const accepted = due.class === 'refuse' && isAccepted(x) ? 'accepted' : statusOf(x);
  notes.deviates({
    ...{ kind: 'outcome', x, subject, level: due.level, mode: modeOf(due, x), ...wordsOf(x, due) },
    ...{ requirements: blame.requirements, checks: blame.checks },
    actual: x.transportError ? 'no response' : accepted,
    isBeside: isBeside(x, view.exchanges),
  });
}

/** Notes that a request failed which was accepted when it was sent again: the target does not treat valid requests alike. */
function noteSporadic({ notes, view: { exchanges } }: Circumstances, x: Exchange): void {
  const { operation, subject } = x.request;
  const { due } = (
    exchanges.find(({ request: { due, ...other } }) => other.operation === operation && due.class === 'accept') ?? x
  ).request;
  const { expected, message } = wordsOf(x, due);
  notes.deviates({
    ...{ kind: 'sporadic', x, subject, level: due.level, mode: modeOf(due, x), expected, actual: statusOf(x) },
    ...{ requirements: due.requirements, checks: due.checks.slice(0, 1), isBeside: isBeside(x, exchanges) },
    message: `${message} The same request, sent again, is accepted.`,
  });
}

const isBeside = (x: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchanges.some((each) => each !== x && overlap(each, x));

function doubt(
  { notes }: Circumstances,
  x: Exchange,
  reason: InconclusiveReason,
  detail: string,
  options: Pick<Doubt, 'isWeak'> = {},
): void {
  notes.doubtful(x.request.due.checks, { reason, detail, exchanges: [x], ...options });
}

/** A request without a response. That of a target which responds to others is judged if the connection was closed. */
function judgeNoResponse(given: Circumstances, x: Exchange, { kind, detail }: NonNullable<Exchange['transportError']>) {
  if (kind === 'closed' && given.respondsAtAll) noteOutcome(given, x);
  else doubt(given, x, transportErrorReason(kind), transportErrorText({ kind, detail }));
}

/** Why a refusal says nothing of the target. */
function refusalDoubt(given: Circumstances, { request: { due } }: Exchange): string | undefined {
  const refused = (due.controls ?? []).find((control) => !given.isControlAccepted(control));
  if (!refused) return undefined;
  const what = refused.members.length > 0 ? `an update with ${refused.members.join(' and ')}` : 'the same request';
  return `the target did not accept ${what} with the admin key in this run, so a refusal proves nothing`;
}

/** Judges a request that must be refused. */
function judgeRefusal(given: Circumstances, x: Exchange): void {
  const { view, notes, missing, knowsRestricted } = given;
  const { due, operation, subject, credential, path } = x.request;
  const status = statusOf(x);
  const once = missing.has(path) ? due.onceMissing : undefined;
  if (isAccepted(x)) {
    noteOutcome(given, x, once);
    return;
  }
  if (status === 404) missing.add(path);
  const obstacle = view.blocked[operation];
  const reason = refusalDoubt(given, x);
  if (obstacle) notes.doubtful(due.checks, { ...obstacle, exchanges: obstacle.exchange ? [obstacle.exchange] : [] });
  else if (reason !== undefined) doubt(given, x, 'control-refused', reason);
  else if (subject === 'invalid-id' && given.damage.has(x))
    doubt(given, x, 'precondition-failed', 'an earlier request broke the user that this path is taken for');
  else if (x.transportError) judgeNoResponse(given, x, x.transportError);
  else if (due.statuses.includes(status)) notes.holds(due.checks, x);
  else if (credential.role === 'restricted' && status === 401 && !knowsRestricted) {
    const detail = 'the response to the restricted key was 401 for every operation; check CONFORMANCE_RESTRICTED_KEY';
    doubt(given, x, 'control-refused', detail);
  } else noteOutcome(given, x, once);
}

/** What a refusal contradicts: one of the body also says something of its members, unless others with the same were accepted. */
function blameOf(x: Exchange, { exchanges }: View): Blame {
  const { due } = x.request;
  const { requirements, checks } = due;
  if (due.role === 'concurrent') return besideOther(x, exchanges)?.request.due ?? due;
  const isOfBody = due.class === 'accept' && !isSafe(x.request) && due.role === undefined;
  if (!isOfBody || ![400, 422].includes(statusOf(x))) return due;
  const accepted = exchanges.filter(isAccepted);
  if (accepted.some((each) => shapeOf(each) === shapeOf(x))) return due;
  const optional = 'update.fields-optional';
  const isMoreAccepted = accepted.some((each) => Object.keys(bodyOf(x)).every((member) => sends(each, member)));
  return { checks, requirements: isMoreAccepted ? [optional, ...requirements] : [...requirements, optional] };
}

/** What was sent to another resource beside a concurrent request, if others of its own are accepted where that is not. */
function besideOther(x: Exchange, exchanges: readonly Exchange[]): Exchange | undefined {
  const { subject } = x.request;
  const all = exchanges.filter(({ request }) => request.due.role === 'concurrent');
  const ofOther = (each: Exchange): Exchange | undefined =>
    all.find((other) => other.request.subject !== each.request.subject && overlap(other, each));
  const isFineWithout = all.some((each) => each.request.subject === subject && isAccepted(each) && !ofOther(each));
  return isFineWithout ? ofOther(x) : undefined;
}

const sameOperation = (one: Exchange, other: Exchange): boolean => one.request.operation === other.request.operation;

/** Judges a request that must be accepted, or may be. */
function judgeAcceptance(given: Circumstances, x: Exchange): void {
  const { view, notes, damage, takesRoles, takesOther } = given;
  const { request, transportError } = x;
  const { due, operation, subject } = request;
  const status = statusOf(x);
  if (due.statuses.includes(status) && (status !== 200 || isAccepted(x) || isSafe(request))) {
    // What was stored tells whether an accepted one is right.
    if (status !== 200 || (due.role !== 'unusual' && due.role !== 'unlisted')) notes.holds(due.checks, x);
  } else if (damage.has(x))
    doubt(given, x, 'precondition-failed', 'the request before it had failed as well', { isWeak: true });
  else if (given.sporadic.has(x)) noteSporadic(given, x);
  else if (request.phase === 'restore' && transportError)
    doubt(given, x, 'target-unreachable', `the users could not be restored: ${transportErrorText(transportError)}`);
  else if (transportError) judgeNoResponse(given, x, transportError);
  else if (request.phase === 'restore' && asksForAnotherTry(status))
    doubt(given, x, 'throttled', 'the target kept asking for a pause while the users were restored');
  else if (view.blocked[operation] && [401, 403, 404].includes(status)) return;
  else if (status === 404 && notes.deviations.some((d) => d.kind === 'no-operation' && sameOperation(d.x, x))) return;
  else if (due.role === 'respelled' && status !== 401)
    doubt(given, x, 'precondition-failed', 'the response was neither 200 nor 401');
  else if (sendsRole(x) && !takesRoles) {
    const detail = 'no update with a role was accepted; does the target accept the values of CONFORMANCE_ROLE_IDS?';
    doubt(given, x, 'control-refused', detail);
  } else if (subject !== 'other-user' || takesOther) noteOutcome(given, x, blameOf(x, view));
}

/** Judges every request by what it is due. */
export function judgeOutcomes(view: View, notes: Notes, damage: ReadonlyMap<Exchange, Exchange>): void {
  const given = circumstancesOf(view, notes, damage);
  judgeKeysShown(view, notes);
  for (const x of view.exchanges)
    if (x.request.due.exists !== undefined) judgeExistence(x, x.request.due.exists, view, notes);
  for (const x of view.exchanges) {
    const { due } = x.request;
    if (due.class === 'refuse') judgeRefusal(given, x);
    else if (due.class !== 'unspecified') judgeAcceptance(given, x);
  }
}
