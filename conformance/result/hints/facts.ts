import { documentedStatuses, errorName } from '../../../contract/document.ts';
import {
  inWords,
  isAccepted,
  isSafe,
  membersSent,
  objectBody,
  sends,
  sentIn,
  type Exchange,
  type RequestSpec,
  STILL_RESPONDS,
} from '../../http/exchange.ts';
import {
  baseAddress,
  INPUT_HELP,
  type InputName,
  type Inputs,
  isMissing,
  namedId,
  WRITABLE,
} from '../../resources/inputs.ts';
import { isPage } from '../../traffic/blocked.ts';
import { carriesAdminKey, isKeyRefused } from '../../traffic/bearer-probe.ts';
import type { Restoration } from '../../traffic/keeping/restoration.ts';
import { resourceOf, updatedResource } from '../../resources/index.ts';
import { statusOf } from '../../model/recording/view.ts';

/** A guess: what looks wrong with the address, the keys or the ids, or why the target cannot be judged. It is not a verdict. */
export interface Hint {
  /** A stable name. */
  readonly id: string;
  /** What was seen, what it looks like, and what to try. */
  readonly text: string;
}

/** What hints are made from. */
export interface Symptoms {
  readonly inputs: Inputs;
  /** Every exchange of the run, in the order of completion. */
  readonly exchanges: readonly Exchange[];
  /** The request with `Bearer ` before the key, if it was sent. */
  readonly bearer?: Exchange | undefined;
  /** ms; for one request. */
  readonly timeout: number;
  /** Whether every certificate was trusted. */
  readonly insecure?: boolean;
  /** What came of restoring the users. */
  readonly restoration?: Restoration;
  /** How another run disturbed this one, if it did. */
  readonly disturbed?: string | undefined;
}

/** The symptoms, with what follows from them. */
export type Facts = ReturnType<typeof factsOf>;

/** Derives what all hints need. */
export function factsOf(symptoms: Symptoms) {
  const { exchanges, inputs } = symptoms;
  const withKey = exchanges.filter(
    (exchange) =>
      carriesAdminKey(exchange) && exchange.request.meant.id === 'valid' && exchange.transportError?.kind !== 'aborted',
  );
  const working = new Set(withKey.filter(isGood).map(({ request }) => request.operation));
  // Valid requests with the admin key to operations that never gave a good response.
  const refused = withKey.filter(
    ({ request }) => !working.has(request.operation) && !isMissing(request.subject) && request.meant.body !== 'invalid',
  );
  return {
    ...symptoms,
    refused,
    // Valid requests to the user with the admin key, and those that were accepted, that got a response.
    updates: validTo(symptoms, 'user', 'admin'),
    // Whether no operation gave a good response.
    nothingWorks: refused.length > 0 && working.size === 0,
    // Whether every request with the admin key got 401.
    keyRefused: isKeyRefused(exchanges),
    base: baseAddress(inputs.baseUrl),
  };
}

/** The environment variable of an input. */
export const variable = (name: InputName): string => INPUT_HELP[name].variable;

/** Whether a response looks like one of the operation itself: accepted, with a JSON object. */
export function isGood(exchange: Exchange): boolean {
  return isAccepted(exchange) && objectBody(exchange) !== undefined;
}

/** Whether the body is the error that the contract gives to the status. */
function isErrorOfContract(exchange: Exchange): boolean {
  const expected = errorName(statusOf(exchange));
  return expected !== undefined && objectBody(exchange)?.name === expected;
}

/** The first refused request, if nothing works and all refused requests are so: only then they tell about the whole target. */
export function allAre({ refused, nothingWorks }: Facts, is: (exchange: Exchange) => boolean): Exchange | undefined {
  return nothingWorks && refused.every(is) ? refused[0] : undefined;
}

/** Whether a response is a page for people where the contract has JSON. */
export function isServedPage(exchange: Exchange): boolean {
  return isPage(exchange) && statusOf(exchange) < 300;
}

/** Whether a response is a refusal that says nothing in JSON, as of a server that does not know the path or the method. */
export function isUnknownThere(exchange: Exchange): boolean {
  return [403, 404, 405, 501].includes(statusOf(exchange)) && objectBody(exchange) === undefined;
}

/** Method, path and status of an exchange, as the start of a sentence. */
export function gotLine(exchange: Exchange): string {
  const { method, path } = exchange.request;
  return `${method} ${path} got ${statusOf(exchange)}`;
}

/** The start of a body, in which something is looked for. */
export function bodyStart({ response }: Exchange): string {
  return response?.text.slice(0, 20_000) ?? '';
}

/** What the message of the connection's error is, where no connection could be made at all. */
export function connectionError(facts: Facts): string | undefined {
  return allAre(facts, ({ transportError }) => transportError?.kind === 'unreachable')?.transportError?.detail;
}

/** What the parser says of a response that begins as HTTP, but cannot be read as HTTP/1.1. */
export function framingFault({ transportError }: Exchange): string | undefined {
  if (transportError?.kind !== 'protocol') return undefined;
  const fault = /(?:HTTP\/1\.1 protocol \(|Parse Error: )(?!Expected HTTP)(.+?)\)?$/;
  return fault.exec(transportError.detail)?.[1];
}

/** Whether this may be what a port that expects TLS does with plain HTTP. */
export function isRefusedPlainHttp(exchange: Exchange): boolean {
  if (framingFault(exchange) !== undefined) return false;
  if (exchange.transportError) return ['closed', 'protocol'].includes(exchange.transportError.kind);
  return statusOf(exchange) === 400 && /https/i.test(bodyStart(exchange));
}

/** How many requests a sentence names. */
const MOST_NAMED = 3;

/** What the first of some requests are for, and how many there are. */
export function purposesOf(exchanges: readonly Exchange[]): string {
  const purposes = [...new Set(exchanges.map(({ request }) => request.purpose))];
  const others = purposes.length - MOST_NAMED;
  return purposes.slice(0, MOST_NAMED).join('; ') + (others > 0 ? `; and ${others} more` : '');
}

/** Whether something in front of the target responds that does not reach it. */
export function isAwayInFront(exchange: Exchange): boolean {
  return [502, 503, 504].includes(statusOf(exchange));
}

/** Fewer lost requests at the end of a run may be an accident. */
const LEAST_LOST = 3;

/** How the target stopped to respond, and the requests that were under way when the first one was lost. */
export function endOf({ exchanges }: Facts) {
  const isServed = (each: Exchange): boolean => each.response !== undefined && !isAwayInFront(each);
  const sent = exchanges.filter(
    ({ transportError, request }) => transportError?.kind !== 'aborted' && request.purpose !== STILL_RESPONDS,
  );
  const responses = sent.filter(isServed).length;
  const lost = sent.slice(sent.findLastIndex(isServed) + 1);
  const [first] = lost;
  const kind = lost.at(-1)?.transportError?.kind;
  if (!first || responses === 0 || lost.length < LEAST_LOST) return undefined;
  if (kind !== 'unreachable' && kind !== 'timeout' && !first.response) return undefined;
  const suspects = lost.filter(({ startedAt }) => startedAt <= first.startedAt + first.duration);
  return { responses, suspects, status: first.response?.status, died: kind === 'unreachable' };
}

/** The requests without a response at a target that responded to others sent after them. */
export function hungOf({ exchanges }: Facts): readonly Exchange[] {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  return exchanges.filter(
    ({ transportError, startedAt }) => transportError?.kind === 'timeout' && last && startedAt < last.startedAt,
  );
}

/** Whether the target has none of the paths of the contract: 404 cannot mean a missing user there, or is another error. */
export function arePathsUnknown(facts: Facts): boolean {
  const isUnknown = (exchange: Exchange): boolean =>
    !documentedStatuses(exchange.request.operation).includes(404) || !isErrorOfContract(exchange);
  return allAre(facts, (each) => statusOf(each) === 404) !== undefined && facts.refused.some(isUnknown);
}

/** The end of a base URL that every path of the contract already has, where no path is known. */
export function suffixOf(facts: Facts) {
  const suffix = /\/api(\/admin(\/.*)?)?$/.exec(facts.base)?.[0];
  const lost = allAre(facts, (each) => statusOf(each) === 404 || isPage(each));
  if (suffix === undefined || !lost) return undefined;
  const { method, path } = lost.request;
  const line = `${method} ${new URL(facts.base + path).pathname} got ${statusOf(lost)}`;
  return { suffix, line, right: facts.base.slice(0, -suffix.length) };
}

/** What speaks of a login, in an address or a page. */
export const LOGIN = /\b(log|sign)[ _-]?(in|on)\b|type\s*=\s*["']?password|\bsso\b|\/auth(entication|orize)?\b/i;

/** The first redirect of a refused request: from where, and to where. */
export function redirectOf({ refused, base }: Facts) {
  const sample = refused.find((exchange) => [301, 302, 303, 307, 308].includes(statusOf(exchange)));
  const location = sample?.response?.headers.location;
  if (!sample || location === undefined || !URL.canParse(location, base + sample.request.path)) return undefined;
  const { path } = sample.request;
  const [from, to] = [new URL(base + path), new URL(location, base + path)];
  // Only an address of the web has an origin.
  const there = (to.origin === 'null' ? to.protocol : to.origin) + to.pathname;
  return { from, to, there, base, path, line: `${gotLine(sample)} with a redirect`, isOwn: to.origin === from.origin };
}

/** The authentication schemes that responses ask for. */
export function schemesAsked({ refused }: Facts): string[] {
  const fields = refused.map(({ response }) => response?.headers['www-authenticate'] ?? '');
  const named = fields.flatMap((text) => [...text.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s|,|$)(?!\s*=)/g)]);
  return [...new Set(named.map(([, scheme = '']) => scheme))];
}

/** A header that a response names in which a key may be expected. */
export function headerNamed({ refused }: Facts): string | undefined {
  const texts = refused.map((each) => `${each.response?.headers['www-authenticate'] ?? ''} ${bodyStart(each)}`);
  return texts.flatMap((text) => /\b(x-[a-z-]*(?:key|token|auth[a-z]*)|api[-_]key|apikey)\b/i.exec(text)?.[1] ?? [])[0];
}

/** What the pages and errors of CSRF protection say: Django, Phoenix, csurf; Laravel has a status of its own, Rails a page. */
const CSRF = /csrf|xsrf|cross[- ]site request forgery|authenticity.?token|The change you wanted was rejected/i;

/** Whether a request was refused because it has no token against cross-site request forgery. */
export function asksForCsrfToken(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status === 419 || ([400, 403, 422].includes(status) && CSRF.test(bodyStart(exchange)));
}

/** The responses to requests without a key. */
export function keylessResponses({ exchanges }: Facts): Exchange[] {
  return exchanges.filter(({ request: { credential }, response }) => {
    const { role, header, otherHeaders, query } = credential;
    return response !== undefined && [role, header, otherHeaders, query].every((each) => each === undefined);
  });
}

/** Whether nobody needs a key: every valid request without one was accepted. */
export function needsNoKey(facts: Facts): Exchange | undefined {
  const valid = keylessResponses(facts).filter(({ request: { meant, subject } }) => {
    return meant.body !== 'invalid' && meant.id === 'valid' && !isMissing(subject);
  });
  return valid.every(isGood) && facts.exchanges.every((each) => statusOf(each) !== 401) ? valid[0] : undefined;
}

/** The requests to a subject with a key that got a response, in the order of completion. */
export function requestsTo(
  { exchanges }: Pick<Symptoms, 'exchanges'>,
  subject: RequestSpec['subject'],
  role: 'admin' | 'restricted',
): Exchange[] {
  return exchanges.filter(
    ({ request, response }) =>
      response !== undefined &&
      request.subject === subject &&
      request.credential.role === role &&
      request.meant.id === 'valid',
  );
}

/** Of these requests, those whose body the target must take. */
function validTo(...of: Parameters<typeof requestsTo>): Exchange[] {
  return requestsTo(...of).filter(hasValidBody);
}

export const hasValidBody = ({ request }: Exchange): boolean => request.meant.body === 'valid';
const shows = (exchange: Exchange, member: string): boolean => Object.hasOwn(objectBody(exchange) ?? {}, member);

/** The first valid request with the admin key to a user whom the target says it does not have. */
export function notFound(facts: Facts, subject: 'user' | 'other-user'): Exchange | undefined {
  const requests = validTo(facts, subject, 'admin');
  const none = requests.every((each) => statusOf(each) === 404 && isErrorOfContract(each));
  return none && !arePathsUnknown(facts) ? requests[0] : undefined;
}

/** What was sent to change the user with the restricted key, where the admin key works. */
export function restrictedUpdates(facts: Facts): Exchange[] {
  if (facts.nothingWorks) return [];
  return requestsTo(facts, 'user', 'restricted').filter(({ request }) => !isSafe(request));
}

/** Whether the target accepts the restricted key for an operation that it does not open to everybody. */
export function isRestrictedKeyKnown({ exchanges }: Facts): boolean {
  const accepted = exchanges.filter(isGood);
  const opened = new Set(
    accepted.filter(({ request }) => request.credential.role === undefined).map(({ request }) => request.operation),
  );
  return accepted.some(({ request }) => request.credential.role === 'restricted' && !opened.has(request.operation));
}

/** Whether the admin key, too, was refused with 401 after it was accepted: then the target refuses every key, for some other reason. */
export function isAdminKeyRefusedToo({ exchanges }: Facts): boolean {
  const own = exchanges.filter((each) => carriesAdminKey(each) && each.request.meant.id === 'valid');
  const first = own.findIndex(isGood);
  return first !== -1 && own.slice(first).some((each) => statusOf(each) === 401);
}

/** The one status of everything that must be refused for different reasons (403, 400, 404), where valid updates are accepted. */
export function oneStatusOf(facts: Facts): number | undefined {
  const updates = requestsTo(facts, 'user', 'admin');
  if (!facts.updates.some(isGood)) return undefined;
  const kinds = [
    restrictedUpdates(facts).filter(hasValidBody),
    updates.filter(({ request }) => request.meant.body === 'invalid'),
    validTo(facts, 'missing-user', 'admin'),
  ].filter(({ length }) => length > 0);
  const statuses = new Set(kinds.flat().map(statusOf));
  const [status = 0] = statuses;
  return kinds.length > 1 && statuses.size === 1 && status >= 400 ? status : undefined;
}

/** Fewer responses may be an accident. */
const LEAST_SEEN = 3;

/** The members that the target shows only where they are sent. One that forgets what is not sent looks the same, unless it shows the rest. */
export function hiddenMembers(facts: Facts): string[] {
  const accepted = requestsTo(facts, 'user', 'admin').filter(isGood);
  return ['name', 'email'].filter((member) => {
    const others = accepted.filter((each) => !sends(each, member));
    const isShown = (each: Exchange): boolean => shows(each, member);
    const isLost = (each: Exchange): boolean => updatedResource.seen(each, member, accepted).kind === 'removed';
    const isHidden = others.length >= LEAST_SEEN && !others.some((each) => isShown(each) || isLost(each));
    return isHidden && accepted.some(isShown);
  });
}

/** The one name that a target shows, whatever it was sent. */
export function fixedName(facts: Facts): string | undefined {
  const accepted = requestsTo(facts, 'user', 'admin').filter((each) => isGood(each) && shows(each, 'name'));
  const sent = new Set<unknown>(accepted.filter((each) => sends(each, 'name')).map((each) => sentIn(each, 'name')));
  const shown = new Set(accepted.map((each) => objectBody(each)?.name));
  const [name] = shown;
  return sent.size >= LEAST_SEEN && shown.size === 1 ? inWords(name) : undefined;
}

/** Whether a user was seen to change. */
export function wasChanged({ exchanges }: Facts): boolean {
  return WRITABLE.some((user) => {
    const own = exchanges.filter((each) => each.request.subject === user && isGood(each));
    const values = (member: string): unknown[] => own.flatMap((each) => objectBody(each)?.[member] ?? []);
    return ['name', 'email'].some((member) => new Set(values(member)).size > 1);
  });
}

/** The members that the first update erased without sending them, with their users: others were seen to do so later. */
export function erased(facts: Facts): string {
  const lost = WRITABLE.map((user) => {
    const accepted = requestsTo(facts, user, 'admin').filter(isGood);
    const [first] = accepted;
    const isSet = (each: Exchange, member: string): boolean => (objectBody(each)?.[member] ?? undefined) !== undefined;
    const isGone = (each: Exchange, member: string): boolean =>
      !sends(each, member) &&
      (updatedResource.seen(each, member, accepted).kind === 'removed' || objectBody(each)?.[member] === null);
    const members = resourceOf(user).updatable.filter((member) => {
      const later = accepted.slice(accepted.findIndex((each) => isSet(each, member)));
      return first && !sends(first, member) && !isSet(first, member) && later.some((each) => isGone(each, member));
    });
    return { user, members };
  });
  const named = lost.filter(({ members }) => members.length > 0);
  return named
    .map(({ user, members }) => `${members.join(', ')} of user ${namedId(facts.inputs, user) ?? ''}`)
    .join('; ');
}

/** Whether any request that writes may have changed something: it was accepted, or it is not known what became of it. */
export function mayHaveChanged({ exchanges }: Facts): boolean {
  return exchanges.some((each) => !isSafe(each.request) && (isGood(each) || each.transportError !== undefined));
}

/**
 * Two values of a member of the user that are shown in turn, though no request sends either any more. What was neither sent like
 * that nor there from the start was made from something else, and may be made again.
 */
export function valuesInTurn({
  exchanges,
}: Facts): { readonly member: string; readonly values: readonly string[] } | undefined {
  const own = exchanges.filter(({ request }) => request.subject === 'user').sort((a, b) => a.startedAt - b.startedAt);
  for (const member of ['name', 'email']) {
    const first = own.find((exchange) => isGood(exchange) && shows(exchange, member));
    const sentUntil = new Map<unknown, number>([
      [first && objectBody(first)?.[member], -Infinity],
      ...own.map((each) => [sentIn(each, member), each.startedAt + each.duration] as const),
    ]);
    const shown = own.flatMap((exchange) => {
      const value = isGood(exchange) ? objectBody(exchange)?.[member] : undefined;
      return typeof value === 'string' && exchange.startedAt >= (sentUntil.get(value) ?? Infinity) ? [value] : [];
    });
    const turns = shown.filter((value, index) => value !== shown[index - 1]);
    const last = new Map(turns.map((value, index) => [value, index]));
    for (const [index, value] of turns.entries()) {
      if (last.get(value) === index) continue;
      const again = turns.indexOf(value, index + 1);
      const other = turns.slice(index + 1, again).find((each) => (last.get(each) ?? 0) > again);
      if (other !== undefined) return { member, values: [value, other] };
    }
  }
  return undefined;
}

/** A valid request that gets such a response, between two of the same members that are accepted. */
export function refusedInTurn(facts: Facts, isSuch: (exchange: Exchange) => boolean): Exchange | undefined {
  return (['user', 'other-user', 'none'] as const)
    .map((subject) => validTo(facts, subject, 'admin'))
    .flatMap((requests) =>
      requests.filter((each, index) => {
        const isAlike = (other: Exchange): boolean => isGood(other) && membersSent(other) === membersSent(each);
        return isSuch(each) && requests.slice(0, index).some(isAlike) && requests.slice(index + 1).some(isAlike);
      }),
    )[0];
}

/** The first update with a role, if all of them are refused while updates of the name alone are accepted. */
export function refusedRole(facts: Facts): Exchange | undefined {
  const withRole = facts.updates.filter((each) => sends(each, 'rootRole'));
  const isRefused = withRole.every((each) => [400, 404, 422].includes(statusOf(each)));
  const nameWorks = facts.updates.some((each) => sends(each, 'name') && !sends(each, 'rootRole') && isGood(each));
  return isRefused && nameWorks ? withRole[0] : undefined;
}

/** The first request that got a status that the contract does not list, and a listed one when it was sent again. */
export function contended({ exchanges }: Facts): Exchange | undefined {
  const isListed = (each: Exchange): boolean => documentedStatuses(each.request.operation).includes(statusOf(each));
  return exchanges.find((each, index) => {
    const { purpose, body, path, subject } = each.request;
    if (!each.response || isListed(each) || !(WRITABLE as readonly string[]).includes(subject)) return false;
    const isAgain = ({ request }: Exchange): boolean =>
      request.purpose === purpose && request.body === body && request.path === path;
    return exchanges.slice(index).some((later) => isListed(later) && isAgain(later));
  });
}
