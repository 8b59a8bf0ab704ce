import { responseSchemaOf } from '../../contract/document.ts';
import { isRecord, parsedJson } from '../../common/json.ts';
import type { ControlShape, Due } from '../http/due.ts';
import { LEAST_KEY, tellingKeys } from '../http/credentials.ts';
import { type Exchange, isAccepted, membersSent, objectBody, transportErrorText } from '../http/exchange.ts';
import { CLIENT_ERRORS } from '../judging/negative-check.ts';
import { transportErrorReason } from '../judging/reasons.ts';
import { pathId } from '../target/requests.ts';
import { NAMED_USERS } from '../target/user.ts';
import type { Notes } from './facts.ts';
import { shapeOf, statusOf, type View } from './record.ts';

/** Whether a value is what the operation of a request responds with if it accepts it. */
function isSuccess(value: unknown, { request }: Exchange, { validators }: View): boolean {
  const schema = responseSchemaOf(request.operation);
  if (schema === undefined || !isRecord(value) || validators.bodies[schema](value).length > 0) return false;
  const id = pathId(request);
  return validators.bodies.errorSchema(value).length > 0 && (id === undefined || String(value.id) === id);
}

/** Whether an error response shows that its request was carried out all the same: a forgotten `return` after the refusal. */
export function isCarriedOut(exchange: Exchange, view: View): boolean {
  const { status = 0, json, text = '' } = exchange.response ?? {};
  if (status < 400) return false;
  if (!json?.ok) {
    const end = /\}\s*(?=\{)/.exec(text);
    const at = end ? end.index + end[0].length : 0;
    const [first, second] = [text.slice(0, at), text.slice(at)].map(parsedJson);
    return at > 0 && isRecord(first) && isSuccess(second, exchange, view);
  }
  return isSuccess(json.value, exchange, view);
}

/** Whether a request got a 5xx status, or no response at all. */
function broke(exchange: Exchange): boolean {
  return exchange.transportError?.kind === 'closed' || statusOf(exchange) >= 500;
}

/**
 * The requests that fail only because of an earlier one, with that one: it was unusual or invalid and was not refused, and until a
 * good update of the same user comes through, whatever fails is its damage.
 */
export function damageIn(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, Exchange> {
  const found = new Map<Exchange, Exchange>();
  for (const subject of NAMED_USERS) {
    let by: Exchange | undefined;
    let brokeBefore = false;
    for (const each of exchanges) {
      const { request } = each;
      if (request.credential.role !== 'admin' || request.subject !== subject) continue;
      if (request.meant.id !== 'valid') {
        // A target may not survive the path of this one.
        if (each.transportError) by = undefined;
        continue;
      }
      const isEmpty = shapeOf(each) === '';
      if (request.due.role === 'unusual' || (request.meant.body === 'invalid' && (isAccepted(each) || broke(each)))) {
        if (broke(each) && brokeBefore && by) found.set(each, by);
        by = each;
      } else if (by && broke(each) && (isEmpty || request.meant.body === 'valid' || request.due.role === 'reading'))
        found.set(each, by);
      else if (!isEmpty && (isAccepted(each) || request.meant.body !== 'valid')) by = undefined;
      brokeBefore = broke(each);
    }
  }
  return found;
}

/** Tells whether the target accepted a request without the defect in the run. */
export function controlsOf({ exchanges }: View): (control: ControlShape) => boolean {
  const accepted = new Set(
    exchanges
      .filter((exchange) => {
        const { credential, meant, subject } = exchange.request;
        const plain = meant.id === 'valid' && meant.body === 'valid' && (subject === 'user' || subject === 'none');
        return plain && credential.role === 'admin' && isAccepted(exchange);
      })
      .map((exchange) => `${exchange.request.operation} ${membersSent(exchange)}`),
  );
  return ({ operation, members }) => accepted.has(`${operation} ${[...members].sort().join()}`);
}

/** What is wrong with the outcome of a request, in words. */
function wordsOf(exchange: Exchange, { statuses }: Due): { expected: unknown; message: string } {
  const { purpose } = exchange.request;
  const words = statuses === CLIENT_ERRORS || statuses.length > 50 ? '4xx' : statuses.join(' or ');
  const expected = statuses.length === 1 ? statuses[0] : words;
  if (exchange.transportError)
    return { expected: 'a response', message: `${purpose}: ${transportErrorText(exchange.transportError)}.` };
  const status = statusOf(exchange);
  const asError = status === 200 && !isAccepted(exchange) ? ' with an error as body' : '';
  const said = objectBody(exchange)?.message;
  const why = statuses.includes(200) && typeof said === 'string' ? ` ("${said}")` : '';
  return { expected, message: `${purpose}: the response is ${status}${asError}${why}, expected ${words}.` };
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
  const reached = exchanges.find(
    (each) => each.request.operation !== operation && each.request.due.class === 'accept' && isAccepted(each),
  );
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

/** Judges every request by what it is due. */
export function judgeOutcomes(view: View, notes: Notes, damage: ReadonlyMap<Exchange, Exchange>): void {
  const { exchanges, blocked } = view;
  const isControlAccepted = controlsOf(view);
  const respondsAtAll = exchanges.some(({ response }) => response);
  const knowsRestricted = exchanges.some(
    (each) => each.request.credential.role === 'restricted' && (isAccepted(each) || statusOf(each) === 403),
  );
  const takes = (is: (exchange: Exchange) => boolean): boolean =>
    exchanges.some((each) => each.request.due.class === 'accept' && isAccepted(each) && is(each));
  const takesRoles = exchanges.some(
    (each) => isAccepted(each) && each.request.due.class !== 'refuse' && /rootRole/.test(shapeOf(each)),
  );
  const takesOther = exchanges.some(
    (each) => isAccepted(each) && each.request.due.class !== 'refuse' && each.request.subject === 'other-user',
  );
  const missing = new Set<string>();
  judgeKeysShown(view, notes);
  for (const x of exchanges) {
    const { request, transportError } = x;
    const { due, operation, subject } = request;
    if (due.exists !== undefined) judgeExistence(x, due.exists, view, notes);
    if (due.class === 'unspecified') continue;
    const status = statusOf(x);
    const obstacle = blocked[operation];
    const words = wordsOf(x, due);
    const actual = transportError ? 'no response' : due.class === 'refuse' && isAccepted(x) ? 'accepted' : status;
    const deviates = (requirements = due.requirements, checks = due.checks): void => {
      notes.deviates({
        ...{ kind: 'outcome', x, requirements, checks, level: due.level, mode: modeOf(due, x), subject },
        ...{ message: words.message, expected: words.expected, actual },
      });
    };
    const doubts = (reason: 'control-refused' | 'precondition-failed', detail: string): void => {
      notes.doubtful(due.checks, { reason, detail, exchanges: [x] });
    };
    const unknown = (): void => {
      if (!transportError) return;
      const detail = transportErrorText(transportError);
      notes.doubtful(due.checks, { reason: transportErrorReason(transportError.kind), detail, exchanges: [x] });
    };
    if (due.class === 'refuse') {
      const isMissing = request.subject === 'missing-user' && request.credential.role === 'admin';
      const once = missing.has(request.path) ? due.onceMissing : undefined;
      if (isAccepted(x)) {
        deviates(once?.requirements, once?.checks);
        continue;
      }
      if (isMissing && status === 404) missing.add(request.path);
      if (obstacle) {
        notes.doubtful(due.checks, { ...obstacle, exchanges: obstacle.exchange ? [obstacle.exchange] : [] });
        continue;
      }
      const refusedControl = (due.controls ?? []).find((control) => !isControlAccepted(control));
      if (refusedControl) {
        const what =
          refusedControl.members.length > 0
            ? `an update with ${refusedControl.members.join(' and ')}`
            : 'the same request';
        doubts(
          'control-refused',
          `the target did not accept ${what} with the admin key in this run, so a refusal proves nothing`,
        );
        continue;
      }
      if (transportError) {
        if (transportError.kind === 'closed' && respondsAtAll) deviates();
        else unknown();
      } else if (due.statuses.includes(status)) notes.holds(due.checks, x);
      else if (request.credential.role === 'restricted' && status === 401 && !knowsRestricted)
        doubts(
          'control-refused',
          'the response to the restricted key was 401 for every operation; check CONFORMANCE_RESTRICTED_KEY',
        );
      else deviates(once?.requirements, once?.checks);
      continue;
    }
    const isRight = due.statuses.includes(status) && (status !== 200 || isAccepted(x) || operation !== 'updateUser');
    if (isRight) {
      // What was stored tells whether an accepted one is right.
      if (status !== 200 || (due.role !== 'unusual' && due.role !== 'unlisted')) notes.holds(due.checks, x);
      continue;
    }
    if (damage.has(x)) {
      if (due.role === 'unusual') doubts('precondition-failed', 'the request before it had failed as well');
      continue;
    }
    if (transportError) {
      if (transportError.kind === 'closed' && respondsAtAll) deviates();
      else unknown();
      continue;
    }
    if (obstacle && [401, 403, 404].includes(status)) continue;
    if (due.role === 'respelled' && status !== 401) {
      doubts('precondition-failed', 'the response was neither 200 nor 401');
      continue;
    }
    if (/rootRole/.test(shapeOf(x)) && !takesRoles) {
      doubts(
        'control-refused',
        'no update with a role was accepted; does the target accept the values of CONFORMANCE_ROLE_IDS?',
      );
      continue;
    }
    if (subject === 'other-user' && !takesOther) continue;
    // Only a refusal of the body says something of its members.
    const ofBody =
      due.class === 'accept' && operation === 'updateUser' && due.role === undefined && [400, 422].includes(status);
    const isMoreAccepted = ofBody && takes((each) => each.request.operation === operation && moreThan(x, each));
    const both = isMoreAccepted
      ? ['update.fields-optional', ...due.requirements]
      : [...due.requirements, 'update.fields-optional'];
    deviates(ofBody ? both : due.requirements);
  }
}

/** Whether a request sends all that another one does, and more. */
function moreThan(one: Exchange, other: Exchange): boolean {
  const [few, many] = [shapeOf(one).split(','), shapeOf(other).split(',')];
  return few.length < many.length && few.every((member) => many.includes(member));
}
