import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, type JsonObject } from '../../common/json.ts';
import { capitalized, filled, present } from '../../common/text.ts';
import { errorName, route } from '../../contract/document.ts';
import { type Exchange, sentIn } from '../facts/exchange.ts';
import { baseAddress, type Inputs, variableOf } from '../inputs.ts';
import type { CheckResult, Hint } from '../facts/result.ts';

/** What hints are made from. */
interface Symptoms {
  readonly inputs: Inputs;
  /** All of the run, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly checks: readonly CheckResult[];
}

/** A hint that applies, and what stands in the braces of its text besides what every text may have. */
type Applying = readonly [id: string, values?: Readonly<Record<string, string | number>>];

const BANNERS = '/api/admin/banners';
const USERS = '/api/admin/user-admin/';
/** Characters of an address that is quoted. */
const MOST_QUOTED = 300;
/** Characters of a body or a field that are looked at. */
const LOOKED_AT = 8_192;

const keyOf = ({ request: { headers } }: Exchange): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
const fieldOf = ({ response: { headers } }: Exchange, name: string): string =>
  (headers[name] ?? '').slice(0, LOOKED_AT);
const startOf = ({ response }: Exchange): string => response.text.slice(0, LOOKED_AT);

const isUpdate = ({ request }: Exchange): boolean => request.operation === 'updateUser';
const isAccepted = ({ response: { status, json } }: Exchange): boolean => status === 200 && isRecord(json);
const isPage = (each: Exchange): boolean => fieldOf(each, 'content-type').startsWith('text/html');
const isErrorOfContract = ({ response: { status, json } }: Exchange): boolean =>
  isRecord(json) && typeof json.name === 'string' && json.name === errorName(status);

/** Whether every implementation accepts the body of an update, if the ids of the roles are right. */
function isPlainUpdate({ request }: Exchange, { roleIds = [] }: Inputs): boolean {
  const roles = roleIds.map((role) => JSON.stringify(role));
  const isPlain = ([member, value]: [string, unknown]): boolean => {
    if (member === 'rootRole') return roles.includes(JSON.stringify(value));
    return (member === 'name' || member === 'email') && typeof value === 'string' && value !== '';
  };
  const sent = Object.entries(sentIn(request));
  return sent.length > 0 && sent.every(isPlain);
}

type Test = (exchange: Exchange) => boolean;

function all(exchanges: readonly Exchange[], is: Test): boolean {
  return exchanges.length > 0 && exchanges.every(is);
}

function got(...statuses: readonly number[]): Test {
  return ({ response: { status } }) => statuses.includes(status);
}

const isForbidden = got(403, 419);
const isOfCsrf: Test = (each) => /csrf|xsrf|cross[- ]site request forgery|authenticity.?token/i.test(startOf(each));

/** The requests that every implementation accepts if their key may send them. */
function plainRequests({ inputs, exchanges }: Symptoms) {
  const { baseUrl, adminKey, restrictedKey, userId, otherUserId } = inputs;
  const paths = [userId, otherUserId].flatMap((id) => (id === undefined ? [] : [USERS + id]));
  const isPlain = (each: Exchange): boolean =>
    isUpdate(each) ? paths.includes(each.request.path) && isPlainUpdate(each, inputs) : each.request.path === BANNERS;
  const plain = exchanges.filter(isPlain);
  const sentWith = (key: string | undefined): readonly Exchange[] => plain.filter((each) => keyOf(each) === key);
  const admin = sentWith(adminKey);
  return {
    inputs,
    /** Why there was no response to any request. */
    lost: exchanges.every(({ response }) => response.lost) ? exchanges.at(-1)?.response.lost : undefined,
    base: baseAddress(baseUrl),
    admin,
    updates: admin.filter(isUpdate),
    keyless: sentWith(undefined),
    bearer: sentWith(`Bearer ${adminKey ?? ''}`),
    restricted: restrictedKey === undefined ? [] : sentWith(restrictedKey),
  };
}
type Plain = ReturnType<typeof plainRequests>;

/** Forms of a text, by the id of the hint that each calls for. */
type Forms = Readonly<Record<string, RegExp>>;

const idFor = (forms: Forms, text: string): string | undefined =>
  Object.entries(forms).find(([, form]) => form.test(text))?.[0];

/** What is said of a target that cannot be reached. */
const UNREACHABLE: Forms = {
  proxy: /^the proxy/,
  'connection-refused': /ECONNREFUSED/,
  'unknown-host': /ENOTFOUND|EAI_AGAIN/,
  'tls-unexpected': /not speak TLS/,
  certificate: /certificate|CERT|self.signed/i,
};

/** There was no response to any request. */
function ofLost({ lost, base }: Plain): Applying | undefined {
  if (!lost) return undefined;
  const { kind, detail } = lost;
  if (kind === 'timeout') return ['silence'];
  if (kind === 'limit') return ['unreadable'];
  if (kind !== 'unreachable') return [base.startsWith('http:') ? 'tls-likely' : 'no-connection'];
  return [idFor(UNREACHABLE, detail) ?? 'no-connection'];
}

/** Every request with the admin key was redirected. */
function ofRedirect(first: Exchange, base: string): Applying {
  const from = new URL(base + first.request.path);
  const location = fieldOf(first, 'location');
  if (!URL.canParse(location, from.href)) return ['redirect-nowhere'];
  const to = new URL(location, from);
  if (to.pathname === `${from.pathname}/`) return ['redirect-to-slash'];
  const isSame = to.hostname === from.hostname && to.pathname === from.pathname;
  if (isSame && from.protocol === 'http:' && to.protocol === 'https:')
    return ['redirect-to-https', { there: to.origin + base.slice(from.origin.length) }];
  // As it was sent: what was parsed may hold a key in a form in which nobody finds it.
  return ['redirect', { location: location.length > MOST_QUOTED ? 'another address' : location }];
}

/** What is wrong with how a key is written, by its form. */
const SPELLINGS: Forms = {
  'key-placeholder':
    /^\$\{?\w{1,99}\}?$|^%\w{1,99}%$|^<.*>$|^\{\{.*\}\}$|^(?:your|my|the)[-_ ].*(?:key|token)|^(?:change[-_ ]?me|xxx+|\.\.\.|…|todo)$/i,
  'key-in-quotes': /^(["'`]).*\1$/,
  'key-with-line-break': /[\r\n]|\\n$/,
  'key-with-header-name': /^authorization *:/i,
  'key-behind-word': /^[A-Za-z][\w-]{0,30} +\S/,
};

/** Every request with the admin key got 401. */
function ofUnknownKey(first: Exchange, adminKey = ''): Applying {
  const spelling = idFor(SPELLINGS, adminKey);
  if (spelling !== undefined) return [spelling];
  const [scheme] = /\b(?:Basic|Bearer|Digest|Negotiate|ApiKey)\b/i.exec(fieldOf(first, 'www-authenticate')) ?? [];
  return scheme === undefined ? ['key-unknown'] : ['key-of-scheme', { scheme }];
}

/** Whether nothing is there: where the list of banners is not found either, no user is missing. */
function isWithoutRoutes(admin: readonly Exchange[]): boolean {
  const lists = admin.filter((each) => !isUpdate(each));
  const isNowhere = all(lists, got(404));
  const saysWhat = (each: Exchange): boolean => isUpdate(each) && isErrorOfContract(each) && !isNowhere;
  return admin.every((each) => got(404, 405, 501)(each) && !saysWhat(each));
}

/** There is no API at the base URL. */
function ofNoApi(admin: readonly Exchange[], base: string): Applying | undefined {
  const [suffix] = /\/api(?:\/admin(?:\/[\w-]{1,99})?)?$/.exec(base) ?? [];
  if (suffix !== undefined && admin.every((each) => got(404)(each) || isPage(each)))
    return ['base-path', { suffix, shorter: base.slice(0, -suffix.length) }];
  if (admin.every((each) => isPage(each) && each.response.status < 300)) return ['web-page'];
  return isWithoutRoutes(admin) ? ['no-routes'] : undefined;
}

/** Whether the admin key and no key get the same refusal, and not the one of the contract. */
function isRefusedLikeKeyless(admin: readonly Exchange[], keyless: readonly Exchange[]): boolean {
  const { status = 0 } = admin[0]?.response ?? {};
  const isOther = status >= 400 && status < 500 && ![401, 403, 404, 405].includes(status);
  return isOther && admin.every(got(status)) && all(keyless, got(status));
}

/** No request with the admin key was accepted. */
function ofRefused({ admin, keyless, bearer, base, inputs }: Plain): Applying | undefined {
  const [first] = admin;
  if (!first || admin.some(isAccepted)) return undefined;
  if (base.startsWith('http:') && admin.every((each) => got(400)(each) && /https/i.test(startOf(each))))
    return ['tls-expected'];
  if (admin.every(got(502, 503, 504))) return ['gateway'];
  if (admin.every(got(301, 302, 303, 307, 308))) return ofRedirect(first, base);
  const nowhere = ofNoApi(admin, base);
  if (nowhere) return nowhere;
  if (bearer.some(isAccepted)) return ['bearer-needed'];
  if (isRefusedLikeKeyless(admin, keyless)) return ['key-not-taken', { status: first.response.status }];
  return admin.every(got(401)) ? ofUnknownKey(first, inputs.adminKey) : undefined;
}

/** The admin key is not allowed to update users; or to read, if there was no update. */
function ofForbidden({ admin, updates, restricted, keyless }: Plain): Applying | undefined {
  const asked = updates.length > 0 ? updates : admin;
  const [first] = asked;
  if (!first || !asked.every(isForbidden)) return undefined;
  const seen = lineOf(first);
  if (restricted.some((each) => isUpdate(each) && isAccepted(each))) return ['keys-swapped', { seen }];
  if (isOfCsrf(first)) return ['csrf', { seen, why: 'the response speaks of CSRF' }];
  const withoutKey = keyless.filter(({ request }) => request.operation === first.request.operation);
  if (all(withoutKey, isForbidden)) return ['csrf', { seen, why: 'requests without a key get the same' }];
  return ['admin-key-forbidden', { seen }];
}

/** The server says that one of the users does not exist. */
function ofMissingUser({ updates, keyless, inputs: { userId, otherUserId } }: Plain): Applying | undefined {
  // Where nobody is asked for a key, it is the operation that does not exist.
  if (keyless.some((each) => isUpdate(each) && got(404)(each))) return undefined;
  const isGone: Test = (each) => got(404)(each) && isErrorOfContract(each);
  const updatesOf = (id = ''): Exchange[] => updates.filter(({ request }) => request.path === USERS + id);
  const id = [userId, otherUserId].find((each) => all(updatesOf(each), isGone));
  if (id === undefined) return undefined;
  return ['user-not-found', { id, variable: variableOf(id === userId ? 'userId' : 'otherUserId') }];
}

/** The first update with such a value, if updates are refused with one of these statuses if they have it, and only then. */
function refusedFor(
  { updates }: Plain,
  isSuch: (sent: JsonObject) => boolean,
  ...statuses: readonly number[]
): Exchange | undefined {
  const withValue = updates.filter(({ request }) => isSuch(sentIn(request)));
  const isOtherAccepted = updates.some((each) => !withValue.includes(each) && isAccepted(each));
  return isOtherAccepted && all(withValue, got(...statuses)) ? withValue[0] : undefined;
}

function ofRoles(plain: Plain): Applying | undefined {
  const { roleIds = [] } = plain.inputs;
  // The users' own roles, which restoring sends, may be others.
  const isDeclared = ({ rootRole }: JsonObject): boolean => roleIds.some((each) => isDeepStrictEqual(each, rootRole));
  const first = refusedFor(plain, isDeclared, 400, 404, 422);
  return first && ['roles-refused', { status: first.response.status, roles: JSON.stringify(roleIds) }];
}

function ofEmails(plain: Plain): Applying | undefined {
  const domain = plain.inputs.emailDomain;
  const isOfDomain = ({ email }: JsonObject): boolean => typeof email === 'string' && email.endsWith(`@${domain}`);
  const first = refusedFor(plain, isOfDomain, 400, 403, 422);
  return first && ['emails-refused', { status: first.response.status, domain }];
}

/** The server takes the key for the list, and for no update. */
function ofUnauthorizedUpdates({ admin, updates }: Plain): Applying | undefined {
  return all(updates, got(401)) && admin.some(isAccepted) ? ['updates-unauthorized'] : undefined;
}

/** The server does not know the restricted key. */
function ofRestricted({ restricted }: Plain): Applying | undefined {
  return all(restricted, got(401)) ? ['restricted-key-unknown'] : undefined;
}

/** What a request got, as the start of a sentence. */
function lineOf(exchange: Exchange | undefined): string {
  if (!exchange) return '';
  const { request, response } = exchange;
  return `${route(request.operation).method.toUpperCase()} ${request.path} got ${response.status}`;
}

/** What stands in the braces of any text. */
function valuesOf({ inputs: { baseUrl }, lost, base, admin }: Plain) {
  const { hostname: host, port, protocol } = baseUrl;
  const detail = lost?.detail ?? '';
  return {
    address: `${host}:${port || (protocol === 'https:' ? '443' : '80')}`,
    host,
    base,
    http: base.replace(/^https/, 'http'),
    https: base.replace(/^http:/, 'https:'),
    detail,
    Detail: capitalized(detail),
    seen: lineOf(admin[0]),
  };
}

/**
 * What looks wrong with the address, the keys or the ids, the likeliest first. Their texts may quote the target, so they may hold
 * a key.
 *
 * @returns none if no check failed or was inconclusive
 */
export async function hintsFor(symptoms: Symptoms): Promise<Hint[]> {
  if (symptoms.checks.every(({ outcome }) => outcome === 'passed' || outcome === 'not-applicable')) return [];
  const plain = plainRequests(symptoms);
  const first = ofLost(plain) ?? ofRefused(plain);
  const topics = [ofForbidden, ofUnauthorizedUpdates, ofMissingUser, ofRoles, ofEmails, ofRestricted];
  const others = topics.map((topic) => topic(plain));
  const applying = present(first ? [first] : others);
  if (applying.length === 0) return [];
  // The texts take time to read, and most runs need none.
  const { parse } = await import('yaml');
  const texts = parse(readFileSync(new URL('hints.yaml', import.meta.url), 'utf8')) as Record<string, string>;
  return applying.map(([id, own]) => ({ id, text: filled(texts[id] ?? '', { ...valuesOf(plain), ...own }) }));
}
