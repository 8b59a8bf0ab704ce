import { counted } from '../../../common/text.ts';
import { inWords, objectBody, type Exchange } from '../../http/exchange.ts';
import { namedId } from '../../resources/inputs.ts';
import { nameOf, NEVER_SHOWN, type Restoration } from '../../traffic/keeping/restoration.ts';
import * as see from './facts.ts';
import { gotLine, hasValidBody, isGood, variable, type Facts, type Symptoms } from './facts.ts';
import { statusOf } from '../../model/recording/view.ts';

export type { Hint } from './facts.ts';

/** What a hint is about; a hint that excludes something leaves no later one about it. */
type About =
  'trust' | 'users-left' | 'connection' | 'end' | 'front' | 'key' | 'permission' | 'update' | 'named-users' | 'roles';

interface Row {
  readonly id: string;
  readonly about: About;
  /** Its text; undefined if it does not apply. */
  readonly seen: (facts: Facts) => string | undefined;
  readonly excludes?: readonly About[];
  /** Whether what responds is not the API, if nothing works. */
  readonly isNotTheApi?: true;
}

type Seen = Row['seen'];
type More = Pick<Row, 'excludes' | 'isNotTheApi'>;
type Words = Readonly<Record<string, string | number | undefined>>;

/** What a text may name of the run and of what was found. */
function wordsOf(found: unknown, { inputs, base, timeout, restoration }: Facts): Words {
  const { hostname: host, host: address, port, protocol } = inputs.baseUrl;
  const { userId, otherUserId, missingUserId, roleIds } = inputs;
  const given = { userId, otherUserId, missingUserId, roleIds: JSON.stringify(roleIds) };
  const where = `${host}, port ${port || (protocol === 'https:' ? '443' : '80')}`;
  const journal = restoration?.journal;
  const again = journal === undefined ? '.' : `. To try again: admin-api-conformance restore ${journal}`;
  const secure = base.replace(/^http:/, 'https:');
  const own = { ...given, ADMIN, RESTRICTED, host, address, where, secure, timeout, again };
  if (typeof found !== 'object') return { ...own, found: found as string };
  return { ...own, ...(isExchange(found) ? exchangeWords(found, inputs) : (found as Words)) };
}

const isExchange = (found: unknown): found is Exchange => Object.hasOwn(Object(found) as object, 'request');

function exchangeWords(exchange: Exchange, inputs: Facts['inputs']): Words {
  const { subject, method, operation, credential } = exchange.request;
  const user = `user ${namedId(inputs, subject) ?? ''}`;
  return { got: gotLine(exchange), status: statusOf(exchange), user, method, operation, credential: credential.label };
}

/**
 * @param when gives what the text speaks of, or nothing
 * @param text with words of the run, and of what was found, in braces
 */
function hint<T>(
  when: (facts: Facts) => T | false | undefined,
  text: string | ((found: T, words: Words) => string),
): Seen {
  return (facts) => {
    const found = when(facts);
    if (found === undefined || found === false || found === '') return undefined;
    const words = wordsOf(found, facts);
    if (typeof text !== 'string') return text(found, words);
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole));
  };
}

/** Hints by their ids, which are about the same; unless more is said, the first one that applies excludes the others. */
function rows(about: About, more: More | undefined, hints: Readonly<Record<string, Seen>>): Row[] {
  return Object.entries(hints).map(([id, seen]) => ({ id, about, seen, ...(more ?? { excludes: [about] }) }));
}

const [ADMIN, RESTRICTED] = [variable('adminKey'), variable('restrictedKey')];
/** Whoever looks at this first need not look at the rest. */
const ALONE: More = { excludes: ['connection', 'end', 'front', 'key', 'permission', 'update', 'named-users', 'roles'] };
const FRONT: More = { ...ALONE, isNotTheApi: true };
const BESIDE: More = {};

/** A hint on a connection that cannot be made, by the message of its error. */
function connection(message: RegExp, text: string): Seen {
  return hint((facts) => message.test(see.connectionError(facts) ?? '\n'), text);
}

type Redirect = NonNullable<ReturnType<typeof see.redirectOf>>;

/** A hint on a redirect, whose text follows what was sent and its status. */
function redirect(when: (found: Redirect) => boolean, text: string | ((found: Redirect) => string)): Seen {
  const seen = (facts: Facts): Redirect | undefined => [see.redirectOf(facts)].find((found) => found && when(found));
  return hint(seen, (found) => `${found.line} ${typeof text === 'string' ? text : text(found)}`);
}

/** A hint on an admin key that was refused with 401 each time, by how it looks. */
function misspelled(pattern: RegExp, problem: string): Seen {
  return hint(
    ({ keyRefused, inputs }) => keyRefused && pattern.test(inputs.adminKey ?? ''),
    `The admin key was refused with 401, and {ADMIN} ${problem}.`,
  );
}

type Left = Restoration['users'][number]['members'][number];

/** The members that were not restored, with their users; none unless all of them are such. */
function leftOf({ restoration }: Facts, such: (member: Left) => boolean = () => true): string | undefined {
  const left = (restoration?.users ?? []).map((user) => {
    return { ...user, members: user.members.filter(({ outcome }) => outcome !== 'restored' && outcome !== 'sent') };
  });
  if (!left.every(({ members }) => members.every(such))) return undefined;
  const named = left.filter(({ members }) => members.length > 0);
  return named.map((each) => `${each.members.map(({ member }) => member).join(', ')} of ${nameOf(each)}`).join('; ');
}

/** The first refused request, if all of them got this status. */
function refusedWith(status: number, { refused }: Facts, subject?: string) {
  const [first] = refused;
  return (
    refused.every((each) => statusOf(each) === status && (subject === undefined || each.request.subject === subject)) &&
    first
  );
}

/** Every hint, the likeliest first: what to look at first. */
const HINTS: readonly Row[] = [
  ...rows('users-left', undefined, {
    erased: hint(
      see.erased,
      'Lost: {found}. The target erases what an update does not send, and so it did at the first update of this run, {}, before any response had shown these values. Enter them again by hand; nobody else knows them.',
    ),
    'members-left': hint(
      (facts) => leftOf(facts, ({ outcome }) => outcome === 'remains'),
      'The users have members now that no update can remove: {found}. The target stores every member that a body has. Remove them by hand, and take only what the contract lists from a body.',
    ),
    'never-shown': hint(
      (facts) => see.wasChanged(facts) && leftOf(facts, ({ detail }) => detail === NEVER_SHOWN),
      'Not restored: {found}. The target did not show these values before the first update, so nothing can restore them. Look whether they are right, and if not, enter them again by hand.',
    ),
    'not-restored': hint((facts) => see.wasChanged(facts) && leftOf(facts), 'Not restored: {found}{again}'),
  }),
  ...rows('named-users', BESIDE, {
    'another-run': hint(
      ({ disturbed }) => disturbed,
      'During this run {found}. Judge again when nothing interrupts the target, and no other run uses these users.',
    ),
  }),
  ...rows('trust', undefined, {
    insecure: hint(
      ({ insecure }) => insecure === true,
      'No certificate was verified (--insecure): anybody between here and the target could read the keys and change the responses. Use --ca instead, and change keys that matter.',
    ),
  }),
  ...rows('connection', ALONE, {
    'own-limits': connection(
      /^this machine/,
      'This is a limit of the machine that runs the suite, not of the target. Raise it.',
    ),
    'connection-refused': connection(
      /ECONNREFUSED/,
      'Nothing listens on {where}. Is the target running, and is this its port? Inside a container, localhost is the container itself.',
    ),
    'unknown-host': connection(
      /ENOTFOUND|EAI_AGAIN/,
      'The host {host} is unknown here. Is it spelled right, and can this machine resolve it?',
    ),
    'tls-unexpected': connection(
      /does not speak TLS/,
      '{where} does not speak TLS. Write http://{address} in the base URL.',
    ),
    'http2-only': connection(
      /HTTP\/2 only/,
      '{where} speaks HTTP/2 only, and the suite speaks HTTP/1.1. Enable HTTP/1.1 there, or judge the service behind it.',
    ),
    proxy: connection(
      /the proxy refused/,
      'The proxy of HTTP_PROXY or HTTPS_PROXY makes no connection to {where}. If the target is reached without it, name its host in NO_PROXY.',
    ),
    'certificate-host': connection(
      /altnames?/i,
      'The certificate of the target is not for {host}. Write the host in the base URL as the certificate has it.',
    ),
    'certificate-expired': connection(
      /certificate (has expired|is not yet valid)/i,
      'The certificate of {host} has expired, or is not valid yet. Renew it, and compare the clocks of both machines.',
    ),
    certificate: connection(
      /certificate|CERT|self.signed/i,
      'The certificate of {host} is not trusted here. If it is your own, give the file of its authority with --ca.',
    ),
    'no-connection': connection(
      /^(?!\n)/,
      'No connection to {where} could be made. Is the address right, and does a firewall block it?',
    ),
    'tls-expected': hint(
      (facts) => facts.inputs.baseUrl.protocol === 'http:' && see.allAre(facts, see.isRefusedPlainHttp),
      'The target gave no readable response to plain HTTP. It may speak TLS there, or another protocol than HTTP: try {secure}.',
    ),
    'not-http-1.1': hint(
      ({ exchanges }) =>
        exchanges.every((each) => see.framingFault(each) !== undefined) &&
        exchanges[0] &&
        see.framingFault(exchanges[0]),
      'The responses begin as HTTP, but break HTTP/1.1 (RFC 9112), so that clients refuse them: {found}. Is the header written by hand, or twice, such as by the server and a proxy?',
    ),
    silence: hint(
      (facts) => see.allAre(facts, ({ transportError }) => transportError?.kind === 'timeout'),
      'The target gave no complete response within {timeout} ms. A wrong port or a firewall looks the same as a slow target; for a slow one raise --timeout.',
    ),
  }),
  ...rows('end', undefined, {
    'stopped-answering': hint(see.endOf, ({ responses, suspects, status, died }) => {
      const one = suspects.length === 1;
      const end = status
        ? `everything got ${status}. It looks as if it died, was stopped, or is overloaded behind what responds so,`
        : died
          ? 'it was no longer reachable. It looks as if it died, or was stopped,'
          : 'it responded no more. It looks as if it hangs';
      return `The target responded to ${counted(responses, 'request')}, then ${end} ${one ? 'at this request' : 'at one of these requests'}: ${see.purposesOf(suspects)}. Look at its log${one ? '' : ', or run with --concurrency 1 to tell them apart'}.`;
    }),
    hangs: hint(
      (facts) => see.hungOf(facts).length > 0 && see.hungOf(facts),
      (hung) =>
        `The target gave no response to ${counted(hung.length, 'request')}, but to others that were sent later: ${see.purposesOf(hung)}. Does each way through its code end in a response? An exception in an asynchronous handler may end in none. For a slow target raise --timeout.`,
    ),
  }),
  ...rows('front', ALONE, {
    'redirect-slash': redirect(
      ({ from, to, isOwn }) => isOwn && to.pathname === `${from.pathname}/`,
      'to the same path with a slash at its end. The paths of the contract have none. It looks like a default of the router or of a proxy: serve the operation without the slash.',
    ),
  }),
  ...rows('front', FRONT, {
    gateway: hint(
      (facts) => see.allAre(facts, see.isAwayInFront),
      '{got}. It looks like a proxy that does not reach the service behind it: is the service up, and is the base URL right?',
    ),
    'redirect-https': redirect(
      ({ from, to }) =>
        from.protocol === 'http:' &&
        to.protocol === 'https:' &&
        to.hostname === from.hostname &&
        to.pathname === from.pathname,
      ({ from, to, base }) =>
        `to https. The suite follows no redirects: give ${to.origin + base.slice(from.origin.length)} as base URL.`,
    ),
    'redirect-loop': redirect(
      ({ from, to, isOwn }) => isOwn && to.pathname === from.pathname,
      'to the same address, which no client gets past. It looks as if a server behind a proxy takes each request for plain HTTP, or for another host: make the proxy pass X-Forwarded-Proto and Host on, and the server trust them.',
    ),
    'redirect-login': redirect(
      ({ to }) => see.LOGIN.test(to.hostname + to.pathname),
      ({ there }) =>
        `to ${there}. It looks like a login: something in front of the API wants a session, and the key does not reach the API.`,
    ),
    'redirect-elsewhere': redirect(
      () => true,
      ({ there, path }) =>
        there.endsWith(path)
          ? `to ${there}. The suite follows no redirects: is ${there.slice(0, -path.length)} the base URL?`
          : `to ${there}. The suite follows no redirects; it looks as if the API is at another address.`,
    ),
    'base-url-suffix': hint(
      see.suffixOf,
      'The base URL ends in {suffix}, but every path already begins with /api/admin: {line}. It looks as if the base URL should be {right}.',
    ),
    'nothing-there': hint(
      (facts) => see.arePathsUnknown(facts) && facts.refused[0],
      '{got}, and so did every other path. It looks as if the API is at another address: the base URL is everything before /api/admin, including a path if there is one.',
    ),
    'login-page': hint((facts) => {
      const page = see.allAre(facts, see.isServedPage);
      return page && see.LOGIN.test(see.bodyStart(page)) && page;
    }, `{got} with an HTML page. It looks like a login page: something in front of the API (a proxy with single sign-on) wants a session, and the key does not reach the API.`),
    'html-page': hint(
      (facts) =>
        see.allAre(facts, (each) => see.isServedPage(each) || see.isUnknownThere(each)) &&
        facts.refused.find(see.isServedPage),
      '{got} with an HTML page. It looks like a web application that serves its page for every path: the API may be on another port or below another path.',
    ),
    'basic-in-front': hint(
      (facts) =>
        facts.keyRefused &&
        see.schemesAsked(facts).includes('Basic') &&
        facts.exchanges.every((each) => objectBody(each) === undefined) &&
        facts.refused[0],
      '{got}, and every response asks for a user name and a password (Basic), without the error of the contract. It looks like a gate in front of the API, and the header Authorization cannot hold both its password and the key. Judge the API behind the gate, or let these paths through.',
    ),
    'another-server': hint(
      (facts) =>
        see.allAre(facts, see.isUnknownThere) !== undefined &&
        facts.refused.some((each) => [404, 405, 501].includes(statusOf(each))) &&
        facts.refused,
      (refused) =>
        `${[...new Set(refused.map(gotLine))].slice(0, 2).join(', ')}, and no response is JSON. It looks like a server of files, or another one that is not this API: are host and port right?`,
    ),
  }),
  ...rows(
    'update',
    { excludes: ['key', 'permission', 'named-users', 'roles'] },
    {
      'method-refused': hint(
        ({ updates }) => updates.every((each) => [405, 501].includes(statusOf(each))) && updates[0],
        '{got}: the target, or a proxy in front of it, does not offer {method} at this path. Route it to the update; some servers refuse {method} and DELETE by default (WebDAV modules, firewalls).',
      ),
    },
  ),
  ...rows('key', undefined, {
    'bearer-needed': hint(
      ({ bearer }) => bearer !== undefined && isGood(bearer),
      'The admin key was refused as it is; one extra request, with "Bearer " before the key, was accepted. The contract says that the header holds only the key. If the clients of this target send "Bearer ", set {ADMIN} and {RESTRICTED} to "Bearer " and the key, and run again.',
    ),
    'key-placeholder': misspelled(
      /^\$\{?\w+\}?$|^%\w+%$|^<.*>$|^\{\{.*\}\}$|^(your|my|the)[-_ ].*(key|token)|^(change[-_ ]?me|xxx+|\.\.\.|…|todo)$/i,
      'looks like a placeholder: was the variable set? A shell does not expand it in single quotes',
    ),
    'key-quoted': misspelled(/^(["'`]).*\1$/, 'is in quotes, which were sent as part of it: remove them'),
    'key-with-field-name': misspelled(/^authorization\s*:/i, 'begins with the name of the header: give only the value'),
    'key-taken-elsewhere': hint(
      (facts) =>
        facts.keyRefused &&
        facts.nothingWorks &&
        facts.exchanges.find(
          (each) =>
            (each.request.credential.otherHeaders ?? each.request.credential.query) !== undefined && isGood(each),
        ),
      'The admin key was refused with 401 in the Authorization header; with {credential} the request was accepted. It looks as if the target reads the key from there. The contract says: from the Authorization header, and from nowhere else.',
    ),
    'other-header-named': hint(
      (facts) => facts.keyRefused && facts.nothingWorks && see.headerNamed(facts),
      'The admin key was refused with 401, and the response names {found}. It looks as if the target expects the key in another header; the contract says Authorization.',
    ),
    'key-with-scheme': misspelled(
      /^[A-Za-z][\w-]* +\S/,
      'begins with another word. The header is sent exactly like that. If the target expects only the key, as the contract says, remove the word',
    ),
    'scheme-asked': hint(
      (facts) => facts.keyRefused && see.schemesAsked(facts).slice(0, 3).join(' or '),
      'The admin key was refused with 401, and the response asks for the scheme {found} (WWW-Authenticate). The contract says that the header holds only the key. If the target wants a scheme, put it before the key in {ADMIN}.',
    ),
    'key-unknown': hint(
      ({ keyRefused, refused }) => keyRefused && refused[0],
      '{got}, as did every request with the admin key: the target does not know it. Is {ADMIN} a key of this target, and is it still valid?',
    ),
    'csrf-token-asked': hint(
      ({ refused }) => refused.find(see.asksForCsrfToken),
      '{got}, and the response speaks of a CSRF token. It looks like a protection of forms and cookies, a default of the framework: a client that sends a key in the Authorization header has no such token. Exempt these paths from it.',
    ),
    'refused-before-key': hint((facts) => {
      const found = refusedWith(403, facts);
      const keyless = see
        .keylessResponses(facts)
        .filter(({ request }) => found && request.operation === found.request.operation);
      return keyless.length > 0 && keyless.every((each) => statusOf(each) === 403) && found;
    }, `{got} with the admin key, and 403 without a key as well: something refuses before the key is looked at. It may be a protection against CSRF, a default of some frameworks that an API with keys does not need, a firewall or a proxy.`),
    'admin-key-forbidden': hint(
      (facts) => refusedWith(403, facts),
      '{got} with the admin key: the target knows the key, but does not permit this. Are {ADMIN} and {RESTRICTED} swapped? A firewall or a proxy may also respond with 403.',
    ),
  }),
  ...rows(
    'update',
    { excludes: ['update', 'permission', 'named-users', 'roles'] },
    {
      'stores-nothing': hint(
        see.fixedName,
        'Updates are accepted, and every response shows the name {found}, whatever was sent. It looks like a mock that responds with an example and stores nothing. Judge a server that stores users.',
      ),
    },
  ),
  ...rows('permission', undefined, {
    'no-authentication': hint(
      see.needsNoKey,
      '{got} without a key: the target seems to check no key at all. Is the authentication switched off there, such as in a development mode?',
    ),
    'one-status': hint(
      see.oneStatusOf,
      'Every request that must be refused gets {found}, whatever is wrong with it. It looks as if one handler turns each error into {found}, or as if the page that shows errors is itself protected (in Spring Boot: permit the dispatcher type ERROR, or the path /error).',
    ),
  }),
  ...rows('named-users', BESIDE, {
    'user-not-found': hint(
      (facts) => see.notFound(facts, 'user'),
      `The target says that there is no user {userId}. Set ${variable('userId')} to the id of a user that exists and may be changed. If the target does not implement {operation} yet, use --only to select other operations.`,
    ),
    'other-user-not-found': hint(
      (facts) => see.notFound(facts, 'other-user'),
      `The target says that there is no user {otherUserId}. Set ${variable('otherUserId')} to the id of a user that exists and may be changed.`,
    ),
    'update-not-found': hint(
      (facts) => !facts.nothingWorks && !see.notFound(facts, 'user') && refusedWith(404, facts, 'user'),
      `{got}, but not with the error of the contract for a missing user. Is this path served, and is ${variable('userId')} the id of a user that exists?`,
    ),
    'missing-user-exists': hint(
      (facts) =>
        see
          .requestsTo(facts, 'missing-user', 'admin')
          .find((each) => isGood(each) && String(objectBody(each)?.id) === facts.inputs.missingUserId),
      `A request for the user {missingUserId}, who should be missing, got {status} with this user. It looks as if the user exists: set ${variable('missingUserId')} to an id that no user has. (A target that creates users on update breaks the contract.)`,
    ),
  }),
  ...rows('roles', undefined, {
    'roles-refused': hint(
      see.refusedRole,
      `Every update with a rootRole was refused with {status}, while updates without one are accepted. It looks as if the target does not know the roles {roleIds}: set ${variable('roleIds')} to JSON values that it accepts, such as 1,2 or '"Admin","Editor"'.`,
    ),
  }),
  ...rows('permission', undefined, {
    'restricted-key-refused': hint((facts) => {
      const updates = see.restrictedUpdates(facts);
      return (
        updates.length > 0 &&
        updates.every((each) => statusOf(each) === 401) &&
        !see.isRestrictedKeyKnown(facts) &&
        !see.isAdminKeyRefusedToo(facts)
      );
    }, `The restricted key was refused with 401: the target does not know it. Set {RESTRICTED} to a valid key that may not update users.`),
    'restricted-key-permitted': hint((facts) => {
      const valid = see.restrictedUpdates(facts).filter(hasValidBody);
      return valid.length > 0 && valid.every(isGood);
    }, `Every valid update with the restricted key was accepted. Either the target does not check permissions, or the key has this permission: set {RESTRICTED} to a key that may not update users.`),
  }),
  ...rows('named-users', BESIDE, {
    'shown-where-sent-only': hint(
      (facts) => see.hiddenMembers(facts).length > 0 && see.hiddenMembers(facts),
      (hidden) =>
        `The target shows ${hidden.join(' and ')} only in responses to updates that send ${hidden.length === 1 ? 'it' : 'them'}. So nobody can see whether an update keeps what it does not send: a target that loses it would look the same. Look at the stored user after an update of the name alone, or show the whole user in each response and run again.`,
    ),
    'user-in-turn': hint(
      (facts) => see.refusedInTurn(facts, (each) => statusOf(each) === 404),
      'A valid update of {user} got 404, though others of the same members got 200 before and after it. It looks as if requests read the users while another one writes them, or as if several processes serve the target, each with users of its own. Run again with --concurrency 1: what fails only without it comes from concurrent requests.',
    ),
  }),
  ...rows('end', undefined, {
    'body-left-unread': hint(
      (facts) =>
        see.refusedInTurn(
          facts,
          (each) => [400, 405, 414, 501, 505].includes(statusOf(each)) && objectBody(each) === undefined,
        ),
      'A valid request got {status}, though others of the same members got 200 before and after it. It looks as if the target reads the body that a refused request left unread in the connection as the next request. Read or discard the body of each request before responding, or close the connection.',
    ),
    'user-locked': hint(
      see.contended,
      (locked, { user, status }) =>
        `A request to ${user} got ${status} among concurrent ones, and another status by itself; that one is judged. ${
          statusOf(locked) >= 500
            ? 'It looks as if the target fails now and then, or where several requests come at once; its log may say why.'
            : `It looks as if the target refuses what comes while it changes the user. The contract lists no ${status}: let such a request wait.`
        }`,
    ),
  }),
  ...rows('named-users', BESIDE, {
    'values-in-turn': hint(
      see.valuesInTurn,
      ({ member, values: [one, other] }) =>
        `Without any update in between, the target shows ${inWords(one)} as ${member}, then ${inWords(other)}, then the first one again. It looks as if several processes serve it, each with users of its own, or as if some responses come from a cache. Keep the users in one place, and run again.`,
    ),
  }),
  ...rows('users-left', undefined, {
    'maybe-not-restored': hint(
      (facts) => see.mayHaveChanged(facts) && leftOf(facts),
      'No value of this run was seen, but it is not known whether these are as before: {found}{again}',
    ),
  }),
];

/**
 * What looks wrong with the address, the keys or the ids. The texts may quote the target, so they may contain keys. A hint is a
 * guess; only that something else than the API responds at all (a gateway, a login, a server of files) keeps a run from a verdict.
 *
 * @returns the hints, the likeliest first, and whether what responds is not the API
 */
export function diagnose(symptoms: Symptoms) {
  const facts = see.factsOf(symptoms);
  const excluded = new Set<string>();
  const hints: see.Hint[] = [];
  let isAnother = false;
  for (const { id, about, seen, excludes = [], isNotTheApi } of HINTS) {
    if (excluded.has(about)) continue;
    const text = seen(facts);
    if (text === undefined) continue;
    hints.push({ id, text });
    for (const each of excludes) excluded.add(each);
    isAnother ||= isNotTheApi === true && facts.nothingWorks;
  }
  return { hints, isAnother };
}
