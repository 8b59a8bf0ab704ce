import { isRecord, parsedJson } from '../../common/json.ts';
import { errorName, route } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Inputs } from '../inputs.ts';
import type { CheckResult } from './result.ts';

/** A guess at what looks wrong with the address, the keys or the ids. It never changes the verdict. */
export interface Hint {
  /** A stable name. */
  readonly id: string;
  /** Its first sentence says what was seen, the others what it looks like and what to try. It may quote the target. */
  readonly text: string;
}

/** What hints are made from. */
export interface Symptoms {
  readonly inputs: Inputs;
  /** All of the run, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly checks: readonly CheckResult[];
}

const BANNERS = '/api/admin/banners';
const USERS = '/api/admin/user-admin/';
/** A value at which nothing is odd. */
const PLAIN_TEXT = /^[\w@.+-][\w@.+ -]{0,99}$/;
/** Characters of a body that are looked at. */
const LOOKED_AT = 8_192;

const keyOf = ({ request: { headers } }: Exchange): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
const bodyOf = ({ response: { json } }: Exchange): Readonly<Record<string, unknown>> => (isRecord(json) ? json : {});
const sentIn = ({ request: { body } }: Exchange): unknown => parsedJson(String(body ?? ''));
const isAccepted = ({ response: { status, json } }: Exchange): boolean => status === 200 && isRecord(json);
const hasStatus = (...statuses: readonly number[]) => {
  return ({ response: { status } }: Exchange): boolean => statuses.includes(status);
};
const isUpdate = ({ request }: Exchange): boolean => request.operation === 'updateUser';
const isErrorOfContract = (exchange: Exchange): boolean =>
  bodyOf(exchange).name === (errorName(exchange.response.status) ?? NaN);
const isPage = ({ response }: Exchange): boolean => (response.headers['content-type'] ?? '').startsWith('text/html');
const start = ({ response }: Exchange): string => response.text.slice(0, LOOKED_AT);

/** Whether a body is one that every implementation accepts, if the ids of the roles are right. */
function isPlainUpdate(exchange: Exchange, { roleIds = [] }: Inputs): boolean {
  const sent = sentIn(exchange);
  if (!isRecord(sent) || Object.keys(sent).length === 0) return false;
  const roles = roleIds.map((role) => JSON.stringify(role));
  return Object.entries(sent).every(([member, value]) => {
    if (member === 'rootRole') return roles.includes(JSON.stringify(value));
    return (member === 'name' || member === 'email') && typeof value === 'string' && PLAIN_TEXT.test(value);
  });
}

/** Whether a request, whatever its key, is one that every implementation accepts if the key may send it. */
function isPlain(exchange: Exchange, inputs: Inputs): boolean {
  const { path } = exchange.request;
  if (!isUpdate(exchange)) return path === BANNERS;
  const ids = [inputs.userId, inputs.otherUserId, inputs.missingUserId];
  return ids.some((id) => id !== undefined && path === USERS + id) && isPlainUpdate(exchange, inputs);
}

/** The symptoms, with what follows from them. */
function factsOf({ inputs, exchanges }: Symptoms) {
  const plain = exchanges.filter((each) => isPlain(each, inputs));
  const sentWith = (key: string | undefined): Exchange[] => plain.filter((each) => keyOf(each) === key);
  const toMissing = (each: Exchange): boolean => each.request.path === USERS + (inputs.missingUserId ?? '');
  const admin = inputs.adminKey === undefined ? [] : sentWith(inputs.adminKey);
  const refused = admin.filter((each) => !toMissing(each));
  const base = inputs.baseUrl.href.endsWith('/') ? inputs.baseUrl.href.slice(0, -1) : inputs.baseUrl.href;
  return {
    inputs,
    exchanges,
    base,
    host: inputs.baseUrl.hostname,
    address: `${inputs.baseUrl.hostname}:${inputs.baseUrl.port || (inputs.baseUrl.protocol === 'https:' ? '443' : '80')}`,
    /** Plain requests to what exists, with the admin key. */
    plain: refused,
    updates: refused.filter(isUpdate),
    /** Plain requests to the user that should be missing, with the admin key. */
    toMissing: admin.filter(toMissing),
    keyless: sentWith(undefined),
    withBearer: inputs.adminKey === undefined ? [] : sentWith(`Bearer ${inputs.adminKey}`),
    restricted: inputs.restrictedKey === undefined ? [] : sentWith(inputs.restrictedKey),
    first: refused[0],
  };
}
type Facts = ReturnType<typeof factsOf>;

/** The text of a hint; undefined if it does not apply. */
type Row = readonly [id: string, text: (facts: Facts) => string | undefined];

function all(exchanges: readonly Exchange[], is: (exchange: Exchange) => boolean): boolean {
  return exchanges.length > 0 && exchanges.every(is);
}

/** Method, path and status, as the start of a sentence. */
function gotLine({ request, response }: Exchange): string {
  return `${route(request.operation).method.toUpperCase()} ${request.path} got ${response.status}`;
}

/** Why there was no response, if there was none to any request for that kind of reason. */
function lostAs({ exchanges }: Facts, ...kinds: readonly string[]): string | undefined {
  const isSuch = ({ response: { lost } }: Exchange): boolean => lost !== undefined && kinds.includes(lost.kind);
  return all(exchanges, isSuch) ? exchanges.at(-1)?.response.lost?.detail : undefined;
}

/** A hint on a connection that cannot be made, by what is said of it. */
function connection(id: string, said: RegExp, text: (facts: Facts, detail: string) => string): Row {
  return [
    id,
    (facts) => {
      const detail = lostAs(facts, 'unreachable');
      return detail !== undefined && said.test(detail) ? text(facts, detail) : undefined;
    },
  ];
}

/** A hint for when every plain request with the admin key got such a response; the line says what the first one got. */
function everywhere(id: string, is: (each: Exchange) => boolean, text: (line: string, facts: Facts) => string): Row {
  return [id, (facts) => (facts.first && all(facts.plain, is) ? text(gotLine(facts.first), facts) : undefined)];
}

/** The same for a key that every request refused with 401. */
function keyRefused(id: string, text: (line: string, facts: Facts) => string | undefined): Row {
  return [
    id,
    (facts) => (facts.first && all(facts.plain, hasStatus(401)) ? text(gotLine(facts.first), facts) : undefined),
  ];
}

function certificateText({ host, inputs }: Facts, detail: string): string {
  if (/altnames?/i.test(detail))
    return `The certificate of ${inputs.baseUrl.host} is not for ${host}. Write the host in the base URL as the certificate has it.`;
  if (/has expired|not yet valid/i.test(detail))
    return `The certificate of ${host} has expired, or is not valid yet. Renew it, and compare the clocks of both machines.`;
  return `The certificate of ${host} is not trusted here. If it is your own, give the file of its authority with --ca.`;
}

/** What speaks of a login, in an address or a page. */
const LOGIN = /\b(log|sign)[ _-]?(in|on)\b|type=["']?password|\bsso\b|\/auth(entication|orize)?\b/i;

function redirectText(line: string, { first, base }: Facts): string {
  const from = new URL(base + (first?.request.path ?? ''));
  const location = first?.response.headers.location ?? '';
  if (!URL.canParse(location, from.href))
    return `${line} with a redirect. The suite follows none: is the base URL right?`;
  const to = new URL(location, from);
  const isSamePath = to.pathname === from.pathname;
  if (to.pathname === `${from.pathname}/`)
    return `${line} with a redirect to the same path with a trailing slash. The paths of the contract have none: serve the operation without it. Some routers and proxies redirect like that by default.`;
  if (isSamePath && from.protocol === 'http:' && to.protocol === 'https:')
    return `${line} with a redirect to https. The suite follows no redirect: give ${to.origin}${base.slice(from.origin.length)} as base URL.`;
  if (LOGIN.test(to.hostname + to.pathname))
    return `${line} with a redirect to ${to.origin}${to.pathname}. That looks like a login: something in front of the API wants a session, and the key does not reach the API.`;
  return `${line} with a redirect to ${to.origin}${to.pathname}. The suite follows no redirect: is the API at that address?`;
}

/** The end of a base URL that every path of the contract already has. */
function baseSuffix({ base, plain, first }: Facts): string | undefined {
  const suffix = /\/api(?:\/admin(?:\/[\w-]{1,99})?)?$/.exec(base)?.[0];
  const isLost = all(plain, (each) => each.response.status === 404 || isPage(each));
  if (suffix === undefined || !isLost || !first) return undefined;
  return `The base URL ends in ${suffix}, but every path already begins with /api/admin. Give ${base.slice(0, -suffix.length)} as base URL.`;
}

/** What is wrong with how a key is written, by its form. */
const SPELLINGS: readonly (readonly [form: RegExp, problem: string])[] = [
  [
    /^\$\{?\w{1,99}\}?$|^%\w{1,99}%$|^<.*>$|^\{\{.*\}\}$|^(?:your|my|the)[-_ ].*(?:key|token)|^(?:change[-_ ]?me|xxx+|\.\.\.|…|todo)$/i,
    'looks like a placeholder. Was the variable set? A shell does not expand it in single quotes',
  ],
  [/^(["'`]).*\1$/, 'is in quotes. They are sent as part of it: remove them'],
  [/[\r\n]|\\n$/, 'ends in a line break. Files that hold a key often do: remove it'],
  [/^authorization *:/i, 'begins with the name of the header. Give only the value'],
  [
    /^[A-Za-z][\w-]{0,30} +\S/,
    'begins with another word, and is sent like that. If your server expects only the key, as the contract says, remove the word',
  ],
];

function schemesAsked({ plain }: Facts): string {
  const known = ['Basic', 'Bearer', 'Digest', 'Negotiate', 'ApiKey'];
  const asked = plain.map(({ response }) => (response.headers['www-authenticate'] ?? '').slice(0, LOOKED_AT));
  const isAsked = (scheme: string): boolean =>
    asked.some((text) => new RegExp(`(?:^|,) *${scheme}(?:[ ,]|$)`, 'i').test(text));
  return known.filter(isAsked).join(' or ');
}

/** Whether a request with a key was refused in the very words in which one without a key is. */
function isAsWithoutKey({ first, keyless }: Facts): boolean {
  const said = first && bodyOf(first).message;
  return said !== undefined && keyless.some((each) => hasStatus(401)(each) && bodyOf(each).message === said);
}

const CSRF = /csrf|xsrf|cross[- ]site request forgery|authenticity.?token/i;

/** What to look at if no plain request was accepted: the first that applies is the only hint. */
const NOTHING_WORKS: readonly Row[] = [
  connection(
    'proxy',
    /^the proxy/,
    (_facts, detail) =>
      `${detail.replace('the', 'The').replace(/[.:] .*$/s, '')}. HTTP_PROXY or HTTPS_PROXY names it. If your server is reached without a proxy, unset them, or name its host in NO_PROXY.`,
  ),
  connection(
    'connection-refused',
    /ECONNREFUSED/,
    ({ address }) =>
      `Nothing listens on ${address}. Is your server running, and is this its port? Inside a container, localhost is the container itself.`,
  ),
  connection(
    'unknown-host',
    /ENOTFOUND|EAI_AGAIN/,
    ({ host }) => `The host ${host} is unknown here. Check the spelling and DNS.`,
  ),
  connection(
    'tls-unexpected',
    /not speak TLS/,
    ({ address, base }) => `${address} does not speak TLS. Give ${base.replace(/^https/, 'http')} as base URL.`,
  ),
  [
    'tls-expected',
    (facts) => {
      const { address, base, plain, inputs } = facts;
      const isToldIn400 = (each: Exchange): boolean => hasStatus(400)(each) && /https/i.test(start(each));
      const isTls = lostAs(facts, 'unreachable')?.includes('speaks TLS') === true || all(plain, isToldIn400);
      if (!isTls || inputs.baseUrl.protocol !== 'http:') return undefined;
      return `${address} speaks TLS, and the base URL begins with http. Give ${base.replace(/^http/, 'https')} as base URL.`;
    },
  ],
  connection('certificate', /certificate|CERT|self.signed/i, certificateText),
  [
    'no-connection',
    (facts) => {
      const foreign = lostAs(facts, 'protocol');
      if (foreign !== undefined)
        return `${facts.address} does not speak HTTP/1.1 (${foreign}). Is this the right port?`;
      const detail = lostAs(facts, 'unreachable', 'protocol', 'closed', 'limit');
      return detail === undefined
        ? undefined
        : `${facts.address} does not respond (${detail}). Is the address right (http or https, host, port), or does a firewall block it?`;
    },
  ],
  [
    'silence',
    (facts) =>
      lostAs(facts, 'timeout') === undefined
        ? undefined
        : `${facts.address} accepts connections and gives no response in time. A wrong port looks like that, and so does a slow server: for a slow one, raise --timeout.`,
  ],
  everywhere(
    'gateway',
    hasStatus(502, 503, 504),
    (line) =>
      `${line}, as did every other request. A proxy responds, and the service behind it does not: is it up, or still starting? --wait SECONDS waits for it.`,
  ),
  everywhere('redirect', hasStatus(301, 302, 303, 307, 308), redirectText),
  ['base-path', baseSuffix],
  everywhere(
    'web-page',
    (each) => isPage(each) && each.response.status < 300,
    (line, { first }) =>
      first && LOGIN.test(start(first))
        ? `${line} with a login page. Something in front of the API wants a session, and the key does not reach the API.`
        : `${line} with a web page. A web application serves it for every path: is the API on another port, or below another path?`,
  ),
  everywhere(
    'no-routes',
    (each) => hasStatus(404, 405, 501)(each) && (!isUpdate(each) || !isErrorOfContract(each)),
    (line, { base }) =>
      `${line}, and every other path of the API does not exist either. Does your server have these routes yet? If so, is ${base} right? It is everything before /api/admin.`,
  ),
  [
    'bearer-needed',
    ({ withBearer }) =>
      withBearer.some(isAccepted)
        ? 'The admin key is refused as it is, and accepted after "Bearer ". The contract says that the header holds only the key. If the clients of your server send "Bearer ", set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY to "Bearer " and the key.'
        : undefined,
  ],
  keyRefused('key-spelling', (_line, { inputs }) => {
    const problem = SPELLINGS.find(([form]) => form.test(inputs.adminKey ?? ''))?.[1];
    return problem && `The admin key is refused with 401, and CONFORMANCE_ADMIN_KEY ${problem}.`;
  }),
  keyRefused('scheme-asked', (line, facts) => {
    const schemes = schemesAsked(facts);
    return schemes === ''
      ? undefined
      : `${line}, and the response asks for ${schemes} (WWW-Authenticate). The contract says that the header holds only the key. A gateway may be asking: exempt these paths there.`;
  }),
  keyRefused('key-not-passed-on', (line, facts) =>
    isAsWithoutKey(facts)
      ? `${line} with the admin key, in the same words as without a key. Either your server does not know the key, or a proxy in front of it strips the Authorization header.`
      : undefined,
  ),
  keyRefused(
    'key-unknown',
    (line) =>
      `${line}, as did every request with the admin key. Your server does not know it: is CONFORMANCE_ADMIN_KEY a key of this server, and still valid?`,
  ),
  everywhere('refused-before-key', hasStatus(403, 419), (line, facts) => {
    if (facts.first && CSRF.test(start(facts.first)))
      return `${line}, and the response speaks of a CSRF token. That protects forms and cookies, and is a default of some frameworks. Clients with a key have no such token: exempt these paths.`;
    return facts.keyless.some(hasStatus(403))
      ? `${line} with the admin key, and 403 without a key as well. Something refuses before the key is looked at: a protection against CSRF, a firewall or a proxy.`
      : swappedText(line, facts);
  }),
];

function swappedText(line: string, { restricted }: Facts): string {
  return restricted.filter(isUpdate).some(isAccepted)
    ? `${line} with the admin key, and updates with the restricted key are accepted. CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY are swapped.`
    : `${line} with the admin key. Your server knows the key, and it may not update users: are CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY swapped?`;
}

/** The refused updates, if all of them to a user were refused. */
function refusedUpdates({ updates }: Facts): readonly Exchange[] {
  return updates.some(isAccepted) ? [] : updates;
}

function notFoundText({ updates, inputs }: Facts): string | undefined {
  const named = [
    { id: inputs.userId, variable: 'CONFORMANCE_USER_ID' },
    { id: inputs.otherUserId, variable: 'CONFORMANCE_OTHER_USER_ID' },
  ];
  const isGone = (id: string): boolean =>
    all(
      updates.filter(({ request }) => request.path === USERS + id),
      (each) => hasStatus(404)(each) && isErrorOfContract(each),
    );
  const missing = named.find(({ id }) => id !== undefined && isGone(id));
  return (
    missing &&
    `Your server says that there is no user ${missing.id ?? ''}. Set ${missing.variable} to the id of a disposable user that exists.`
  );
}

function rolesText({ updates, inputs }: Facts): string | undefined {
  const sendsRole = (each: Exchange): boolean => Object.hasOwn(Object(sentIn(each)) as object, 'rootRole');
  const [withRole, without] = [updates.filter(sendsRole), updates.filter((each) => !sendsRole(each))];
  if (!all(withRole, hasStatus(400, 404, 422)) || !without.some(isAccepted)) return undefined;
  return `Every update with a rootRole is refused with ${withRole[0]?.response.status ?? 0}, and updates without one are accepted. Your server may not know the roles ${JSON.stringify(inputs.roleIds)}: set CONFORMANCE_ROLE_IDS to JSON values that it accepts, such as 1,2 or '"Admin","Editor"'.`;
}

/** Whether a response says that a plain update was refused for the id in its path. */
function isForPathId(each: Exchange): boolean {
  const said = bodyOf(each).message;
  const members = Object.keys(Object(sentIn(each)) as object);
  return (
    typeof said === 'string' &&
    hasStatus(400, 422)(each) &&
    /\b(?:path|param(?:eter)?s?|id|numeric string)\b/i.test(said.slice(0, LOOKED_AT)) &&
    !/\bbody\b/i.test(said.slice(0, LOOKED_AT)) &&
    !members.some((member) => said.toLowerCase().includes(member.toLowerCase()))
  );
}

/** Updates with which a run begins, each with values that nobody has. */
const FIRST_UPDATES = 15;
const TAKEN = /\b(?:unique|duplicate|already (?:exists|in use|taken|used)|not available)\b/i;

/** What to look at where something works: each that applies is a hint. */
const SOMETHING_WORKS: readonly Row[] = [
  [
    'admin-key-forbidden',
    (facts) => {
      const [first] = refusedUpdates(facts);
      return first && all(facts.updates, hasStatus(403)) ? swappedText(gotLine(first), facts) : undefined;
    },
  ],
  [
    'update-not-routed',
    (facts) => {
      const [first] = refusedUpdates(facts);
      const isNoRoute = (each: Exchange): boolean => hasStatus(404, 405, 501)(each) && !isErrorOfContract(each);
      return first && all(facts.updates, isNoRoute)
        ? `${gotLine(first)}, and other paths of the API exist. Route PUT to the update: some servers and firewalls refuse PUT by default.`
        : undefined;
    },
  ],
  ['user-not-found', notFoundText],
  [
    'missing-user-exists',
    ({ toMissing, inputs }) =>
      toMissing.some((each) => isAccepted(each) && String(bodyOf(each).id) === inputs.missingUserId)
        ? `A user with the id ${inputs.missingUserId ?? ''} exists, and should not. Set CONFORMANCE_MISSING_USER_ID to an id that no user has. A server that creates users on update breaks the contract.`
        : undefined,
  ],
  ['roles-refused', rolesText],
  [
    'path-id-is-text',
    (facts) =>
      refusedUpdates(facts).some(isForPathId)
        ? 'Valid updates are refused, and the message speaks of the id in the path. Path parameters are strings: parse the id as an integer before you validate it.'
        : undefined,
  ],
  [
    'value-taken',
    ({ updates }) => {
      const isTaken = (each: Exchange): boolean => hasStatus(400, 409, 422, 500)(each) && TAKEN.test(start(each));
      // Later ones send values of another user, too.
      const found = updates.slice(0, FIRST_UPDATES).find(isTaken);
      return (
        found &&
        `${gotLine(found)}, and the response says that a value is taken. The suite sends new values: does your uniqueness check compare the user with itself, or does a name have to be unique?`
      );
    },
  ],
  [
    'restricted-key-unknown',
    ({ restricted }) =>
      all(restricted, hasStatus(401))
        ? 'The restricted key is refused with 401. Your server does not know it: set CONFORMANCE_RESTRICTED_KEY to a valid key that may not update users.'
        : undefined,
  ],
  [
    'restricted-key-permitted',
    ({ restricted, keyless, updates }) =>
      updates.some(isAccepted) &&
      all(restricted.filter(isUpdate), isAccepted) &&
      !keyless.filter(isUpdate).some(isAccepted)
        ? 'Every valid update with the restricted key is accepted. Either your server checks no permissions, or the key has this one: set CONFORMANCE_RESTRICTED_KEY to a key that may not update users.'
        : undefined,
  ],
];

/** The ids of all hints. */
export const HINT_IDS: readonly string[] = [...NOTHING_WORKS, ...SOMETHING_WORKS].map(([id]) => id);

/**
 * What looks wrong with the address, the keys or the ids, the likeliest first. They may quote the target, so they may hold a key.
 *
 * @returns none if no check failed or was inconclusive
 */
export function hintsFor(symptoms: Symptoms): Hint[] {
  const isFine = symptoms.checks.every(({ outcome }) => outcome === 'passed' || outcome === 'not-applicable');
  if (isFine) return [];
  const facts = factsOf(symptoms);
  const applying = (rows: readonly Row[]): Hint[] =>
    rows.flatMap(([id, textOf]) => {
      const text = textOf(facts);
      return text === undefined ? [] : [{ id, text }];
    });
  const [first] = facts.plain.some(isAccepted) ? [] : applying(NOTHING_WORKS);
  return first ? [first] : applying(SOMETHING_WORKS);
}
