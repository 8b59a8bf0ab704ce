import { isRecord, parsedJson } from '../../common/json.ts';
import { errorName, route } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import { baseAddress, type Inputs, variableOf } from '../inputs.ts';
import type { CheckResult, Hint } from './result.ts';

/** What hints are made from. */
interface Symptoms {
  readonly inputs: Inputs;
  /** All of the run, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly checks: readonly CheckResult[];
}

/** The text of a hint if it applies. Its first sentence says what was seen, the others what to try. It may quote the target. */
type Row = (facts: Facts) => string | false | undefined;

const BANNERS = '/api/admin/banners';
const USERS = '/api/admin/user-admin/';
/** Characters of an address that is quoted. */
const MOST_QUOTED = 300;
/** Characters of a body or a field that are looked at. */
const LOOKED_AT = 8_192;

const keyOf = ({ request: { headers } }: Exchange): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
const bodyOf = ({ response: { json } }: Exchange): Readonly<Record<string, unknown>> => (isRecord(json) ? json : {});
const sentIn = ({ request: { body } }: Exchange): unknown => parsedJson(String(body ?? ''));
const fieldOf = ({ response: { headers } }: Exchange, name: string): string =>
  (headers[name] ?? '').slice(0, LOOKED_AT);
const startOf = ({ response }: Exchange): string => response.text.slice(0, LOOKED_AT);

const isUpdate = ({ request }: Exchange): boolean => request.operation === 'updateUser';
const isAccepted = ({ response: { status, json } }: Exchange): boolean => status === 200 && isRecord(json);
const isPage = (each: Exchange): boolean => fieldOf(each, 'content-type').startsWith('text/html');
const isErrorOfContract = (each: Exchange): boolean => bodyOf(each).name === (errorName(each.response.status) ?? NaN);

/** Whether every implementation accepts the body of an update, if the ids of the roles are right. */
function isPlainUpdate(exchange: Exchange, { roleIds = [] }: Inputs): boolean {
  const roles = roleIds.map((role) => JSON.stringify(role));
  const isPlain = ([member, value]: [string, unknown]): boolean => {
    if (member === 'rootRole') return roles.includes(JSON.stringify(value));
    return (member === 'name' || member === 'email') && typeof value === 'string' && value !== '';
  };
  const sent = Object.entries(Object(sentIn(exchange)) as object);
  return sent.length > 0 && sent.every(isPlain);
}

/** What requests that every implementation accepts got, if their key may send them. */
function factsOf({ inputs, exchanges }: Symptoms) {
  const { baseUrl, adminKey, restrictedKey, userId, otherUserId } = inputs;
  const paths = [userId, otherUserId].flatMap((id) => (id === undefined ? [] : [USERS + id]));
  const isPlain = (each: Exchange): boolean =>
    isUpdate(each) ? paths.includes(each.request.path) && isPlainUpdate(each, inputs) : each.request.path === BANNERS;
  const plain = exchanges.filter(isPlain);
  const sentWith = (key: string | undefined): readonly Exchange[] => plain.filter((each) => keyOf(each) === key);
  const admin = adminKey === undefined ? [] : sentWith(adminKey);
  const [first] = admin;
  const lost = exchanges.every(({ response }) => response.lost) ? exchanges.at(-1)?.response.lost : undefined;
  return {
    inputs,
    /** Why there was no response to any request. */
    lost,
    base: baseAddress(baseUrl),
    address: `${baseUrl.hostname}:${baseUrl.port || (baseUrl.protocol === 'https:' ? '443' : '80')}`,
    admin,
    updates: admin.filter(isUpdate),
    keyless: sentWith(undefined),
    bearer: adminKey === undefined ? [] : sentWith(`Bearer ${adminKey}`),
    restricted: restrictedKey === undefined ? [] : sentWith(restrictedKey),
    first,
    /** What the first request got, as the start of a sentence. */
    line: lineOf(first),
  };
}
type Facts = ReturnType<typeof factsOf>;

function lineOf(exchange: Exchange | undefined): string {
  if (!exchange) return '';
  const { request, response } = exchange;
  return `${route(request.operation).method.toUpperCase()} ${request.path} got ${response.status}`;
}

type Test = (exchange: Exchange) => boolean;

function all(exchanges: readonly Exchange[], is: Test): boolean {
  return exchanges.length > 0 && exchanges.every(is);
}

function got(...statuses: readonly number[]): Test {
  return ({ response: { status } }) => statuses.includes(status);
}

/** Whether no connection could be made, and the error says this. */
function isUnreachable({ lost }: Facts, said: RegExp): boolean {
  return lost?.kind === 'unreachable' && said.test(lost.detail);
}

function redirectText({ first, base, line }: Facts): string {
  const from = new URL(base + (first?.request.path ?? ''));
  const location = first ? fieldOf(first, 'location') : '';
  if (!URL.canParse(location, from.href))
    return `${line} with a redirect. The suite follows none: is the base URL right?`;
  const to = new URL(location, from);
  if (to.pathname === `${from.pathname}/`)
    return `${line} with a redirect to the same path with a trailing slash. The paths of the contract have none: serve the operation without it. Some routers and proxies redirect like that by default.`;
  const isSame = to.hostname === from.hostname && to.pathname === from.pathname;
  if (isSame && from.protocol === 'http:' && to.protocol === 'https:')
    return `${line} with a redirect to https. The suite follows no redirect: give ${to.origin}${base.slice(from.origin.length)} as base URL.`;
  // As it was sent: what was parsed may hold a key in a form in which nobody finds it.
  const where = location.length > MOST_QUOTED ? 'another address' : location;
  return `${line} with a redirect to ${where}. The suite follows no redirect. Is the API at that address, or does something in front of it want a login?`;
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

/** What to look at if no plain request was accepted: the first that applies is the only hint. */
const NOTHING_WORKS: Readonly<Record<string, Row>> = {
  proxy: (facts) =>
    isUnreachable(facts, /^the proxy/) &&
    `${(facts.lost?.detail ?? '').replace('the', 'The').replace(/[.:] .*$/s, '')}. HTTP_PROXY or HTTPS_PROXY names it. If your server is reached without a proxy, unset them, or name its host in NO_PROXY.`,

  'connection-refused': (facts) =>
    isUnreachable(facts, /ECONNREFUSED/) &&
    `Nothing listens on ${facts.address}. Is your server running, and is this its port? Inside a container, localhost is the container itself.`,

  'unknown-host': (facts) =>
    isUnreachable(facts, /ENOTFOUND|EAI_AGAIN/) &&
    `The host ${facts.inputs.baseUrl.hostname} is unknown here. Check the spelling and DNS.`,

  'tls-unexpected': (facts) =>
    isUnreachable(facts, /not speak TLS/) &&
    `${facts.address} does not speak TLS. Give ${facts.base.replace(/^https/, 'http')} as base URL.`,

  'tls-expected': ({ admin, lost, base, address }) => {
    const isSaid = all(admin, (each) => got(400)(each) && /https/i.test(startOf(each)));
    const isLikely = lost?.kind === 'closed' || lost?.kind === 'protocol';
    if (!base.startsWith('http:') || (!isSaid && !isLikely)) return undefined;
    return `${address} ${isSaid ? 'is' : 'looks like'} an https port, and the base URL begins with http. Give ${base.replace(/^http/, 'https')} as base URL, or another port.`;
  },

  certificate: (facts) =>
    isUnreachable(facts, /certificate|CERT|self.signed/i) &&
    `The certificate of ${facts.address} is not accepted (${facts.lost?.detail ?? ''}). If it is your own, give the file of its authority with --ca. If it is for another host, write the base URL as the certificate has it; if it has expired, renew it.`,

  silence: ({ lost, address }) =>
    lost?.kind === 'timeout' &&
    `${address} accepts connections and gives no response in time. A wrong port looks like that, and so does a slow server: for a slow one, raise --timeout.`,

  unreadable: ({ lost, address }) =>
    lost?.kind === 'limit' && `The suite cannot read what ${address} responds: ${lost.detail}.`,

  'no-connection': ({ lost, address }) =>
    lost &&
    `${address} does not respond (${lost.detail}). Are the host and the port right, or does a firewall block them?`,

  gateway: ({ admin, line }) =>
    all(admin, got(502, 503, 504)) &&
    `${line}, as did every other request. A proxy responds, and the service behind it does not: is it up, or still starting? --wait SECONDS waits for it.`,

  redirect: (facts) => all(facts.admin, got(301, 302, 303, 307, 308)) && redirectText(facts),

  'base-path': ({ admin, base }) => {
    const [suffix] = /\/api(?:\/admin(?:\/[\w-]{1,99})?)?$/.exec(base) ?? [];
    if (suffix === undefined || !all(admin, (each) => got(404)(each) || isPage(each))) return undefined;
    return `The base URL ends in ${suffix}, but every path already begins with /api/admin. Give ${base.slice(0, -suffix.length)} as base URL.`;
  },

  'web-page': ({ admin, line }) =>
    all(admin, (each) => isPage(each) && each.response.status < 300) &&
    `${line} with a web page: a login in front of the API, or a web application that serves it for every path. Is the API on another port, or below another path?`,

  'no-routes': ({ admin, line, base }) =>
    all(admin, (each) => got(404, 405, 501)(each) && (!isUpdate(each) || !isErrorOfContract(each))) &&
    `${line}, and every other path of the API does not exist either. Does your server have these routes yet? If so, is ${base} right? It is everything before /api/admin.`,

  'bearer-needed': ({ bearer }) =>
    bearer.some(isAccepted) &&
    'The admin key is refused as it is, and accepted after "Bearer ". The contract says that the header holds only the key. If the clients of your server send "Bearer ", set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY to "Bearer " and the key.',

  'key-spelling': ({ admin, inputs: { adminKey = '' } }) => {
    const [, problem] = SPELLINGS.find(([form]) => form.test(adminKey)) ?? [];
    if (problem === undefined || !all(admin, got(401))) return undefined;
    return `The admin key is refused with 401, and CONFORMANCE_ADMIN_KEY ${problem}.`;
  },

  'key-unknown': ({ admin, first, line }) => {
    if (!first || !all(admin, got(401))) return undefined;
    const [scheme] = /\b(?:Basic|Bearer|Digest|Negotiate|ApiKey)\b/i.exec(fieldOf(first, 'www-authenticate')) ?? [];
    const asks = scheme === undefined ? '' : `, and the response asks for ${scheme} (WWW-Authenticate)`;
    return `${line}, as did every request with the admin key${asks}. Is CONFORMANCE_ADMIN_KEY a key of this server, and still valid? A proxy in front of it that strips the Authorization header, or asks for a login of its own, looks the same.`;
  },
};

const isForbidden = got(403, 419);
const isOfCsrf: Test = (each) => /csrf|xsrf|cross[- ]site request forgery|authenticity.?token/i.test(startOf(each));
const hasRole: Test = (each) => Object.hasOwn(Object(sentIn(each)) as object, 'rootRole');

/** What to look at if something works: each that applies is a hint. */
const SOMETHING_WORKS: Readonly<Record<string, Row>> = {
  'admin-key-forbidden': ({ admin, updates, restricted, keyless }) => {
    const asked = updates.length > 0 ? updates : admin;
    const [first] = asked;
    if (!first || !all(asked, isForbidden)) return undefined;
    const seen = `${lineOf(first)} with the admin key`;
    if (restricted.some((each) => isUpdate(each) && isAccepted(each)))
      return `${seen}, and updates with the restricted key are accepted. CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY are swapped.`;
    const withoutKey = keyless.filter(({ request }) => request.operation === first.request.operation);
    if (!isOfCsrf(first) && !all(withoutKey, isForbidden))
      return `${seen}. Your server knows the key, and it may not update users: are CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY swapped?`;
    const why = isOfCsrf(first) ? 'the response speaks of CSRF' : 'requests without a key get the same';
    return `${seen}, and ${why}. Something refuses requests before the key is looked at: usually a protection against CSRF, which is a default of some frameworks (Spring Security, Django), or a firewall. Clients that send a key need no CSRF token: exempt these paths.`;
  },

  'user-not-found': ({ updates, inputs: { userId, otherUserId } }) => {
    const isGone: Test = (each) => got(404)(each) && isErrorOfContract(each);
    const updatesOf = (id = ''): Exchange[] => updates.filter(({ request }) => request.path === USERS + id);
    const id = [userId, otherUserId].find((each) => all(updatesOf(each), isGone));
    if (id === undefined) return undefined;
    const variable = variableOf(id === userId ? 'userId' : 'otherUserId');
    return `Your server says that there is no user ${id}. Set ${variable} to the id of a disposable user that exists.`;
  },

  'roles-refused': ({ updates, inputs }) => {
    const withRole = updates.filter(hasRole);
    const isRefused = all(withRole, got(400, 404, 422));
    if (!isRefused || !updates.some((each) => !hasRole(each) && isAccepted(each))) return undefined;
    return `Every update with a rootRole is refused with ${withRole[0]?.response.status ?? 0}, and updates without one are accepted. Your server may not know the roles ${JSON.stringify(inputs.roleIds)}: set CONFORMANCE_ROLE_IDS to JSON values that it accepts, such as 1,2 or '"Admin","Editor"'.`;
  },

  'restricted-key-unknown': ({ restricted }) =>
    all(restricted, got(401)) &&
    'The restricted key is refused with 401. Your server does not know it: set CONFORMANCE_RESTRICTED_KEY to a valid key that may not update users.',
};

/**
 * What looks wrong with the address, the keys or the ids, the likeliest first. They may quote the target, so they may hold a key.
 *
 * @returns none if no check failed or was inconclusive
 */
export function hintsFor(symptoms: Symptoms): Hint[] {
  const isFine = symptoms.checks.every(({ outcome }) => outcome === 'passed' || outcome === 'not-applicable');
  if (isFine || symptoms.exchanges.length === 0) return [];
  const facts = factsOf(symptoms);
  const applying = (rows: Readonly<Record<string, Row>>): Hint[] =>
    Object.entries(rows).flatMap(([id, row]) => {
      const text = row(facts);
      return text ? [{ id, text }] : [];
    });
  const [first] = facts.admin.some(isAccepted) ? [] : applying(NOTHING_WORKS);
  return first ? [first] : applying(SOMETHING_WORKS);
}
