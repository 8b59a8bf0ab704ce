import { errorName, type OperationId } from '../../contract/document.ts';
import { isAccepted, objectBody, sentBody, type Exchange, type RequestSpec } from '../http/exchange.ts';
import { baseAddress, INPUT_HELP, type InputName, type Inputs } from '../target/inputs.ts';
import type { RequestBuilder } from '../target/requests.ts';

/**
 * What looks wrong with how the target was named, what stands between it and the suite, or why it cannot be judged. It is a guess, and
 * no verdict.
 */
export interface Hint {
  /** A stable name. */
  readonly id: string;
  /** What was seen, what it looks like, and what to try. */
  readonly text: string;
}

/** What the hints are made of. */
export interface Symptoms {
  readonly inputs: Inputs;
  /** Every exchange of the run, in the order of completion. */
  readonly exchanges: readonly Exchange[];
  /** The request with `Bearer ` before the key, if it was sent. */
  readonly bearer?: Exchange | undefined;
  /** ms; for one request. */
  readonly timeout: number;
}

const BEARER = 'Bearer ';
const variable = (name: InputName): string => INPUT_HELP[name].variable;

/** Whether an exchange carried the admin key where and as the contract says. */
function isPlainAdmin({ request: { credential } }: Exchange): boolean {
  return credential.role === 'admin' && credential.fieldName === undefined;
}

/** An answer as from the operation itself: accepted, with a JSON object. */
function isGood(exchange: Exchange): boolean {
  return isAccepted(exchange) && objectBody(exchange) !== undefined;
}

/**
 * The one request that is sent besides, where the admin key was refused with 401 wherever it was used: what was refused first, with
 * `Bearer ` before the key. It changes nothing.
 *
 * @param operations that the run addresses
 * @returns undefined if there is no key, or one with a scheme already
 */
export function bearerProbe(requests: RequestBuilder, operations: ReadonlySet<OperationId>): RequestSpec | undefined {
  const { adminKey, userId } = requests.inputs;
  if (adminKey === undefined || adminKey.includes(' ')) return undefined;
  const credential = {
    label: 'the admin key behind "Bearer"',
    shell: `${BEARER}$${variable('adminKey')}`,
    header: BEARER + adminKey,
  };
  const purpose = 'Finding out whether the key needs "Bearer" before it';
  if (operations.has('listBanners')) return requests.listBanners(credential, purpose);
  if (userId === undefined) return undefined;
  return requests.update({ subject: 'user', purpose, body: '{}', meantBody: 'valid', credential });
}

/** Whether the admin key was used, and refused with 401 each time. */
export function isKeyRefused(exchanges: readonly Exchange[]): boolean {
  const answered = exchanges.filter((exchange) => isPlainAdmin(exchange) && exchange.response);
  return answered.length > 0 && answered.every(({ response }) => response?.status === 401);
}

interface Seen extends Symptoms {
  /** What was sent with the admin key to operations that never gave a good answer. */
  readonly refused: readonly Exchange[];
  /** Whether no operation gave a good answer. */
  readonly nothingWorks: boolean;
}

type Rule = (seen: Seen) => Hint | undefined;

function hint(id: string, ...sentences: readonly string[]): Hint {
  return { id, text: sentences.join(' ') };
}

function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** All refused requests, if all of them are so; they show something about the target as a whole only then. */
function allAre({ refused, nothingWorks }: Seen, is: (exchange: Exchange) => boolean): Exchange | undefined {
  return nothingWorks && refused.every(is) ? refused[0] : undefined;
}

function requestLine({ request: { method, path } }: Exchange): string {
  return `${method} ${path}`;
}

function isErrorOfContract(exchange: Exchange): boolean {
  const expected = errorName(statusOf(exchange));
  return expected !== undefined && objectBody(exchange)?.name === expected;
}

function isNotFound(exchange: Exchange): boolean {
  return statusOf(exchange) === 404;
}

/** The end of a base URL that is a part of every path already. */
function suffixOf({ baseUrl }: Inputs): string | undefined {
  return /\/api(\/admin(\/.*)?)?$/.exec(baseUrl.pathname.replace(/\/+$/, ''))?.[0];
}

/** A missing user is answered 404 too, with the error of the contract; for the list there is no such answer. */
function arePathsUnknown(seen: Seen): boolean {
  const unlikeUser = (exchange: Exchange): boolean =>
    exchange.request.operation === 'listBanners' || !isErrorOfContract(exchange);
  return allAre(seen, isNotFound) !== undefined && seen.refused.some(unlikeUser);
}

const baseUrlSuffix: Rule = (seen) => {
  const base = baseAddress(seen.inputs.baseUrl);
  const suffix = suffixOf(seen.inputs);
  const sample = allAre(seen, (exchange) => isNotFound(exchange) || isHtml(exchange));
  if (suffix === undefined || !sample) return undefined;
  return hint(
    'base-url-suffix',
    `The base URL ends in ${suffix}, and each path begins with /api/admin besides: ${sample.request.method} ${new URL(base + sample.request.path).pathname} was answered ${statusOf(sample)}.`,
    `It looks as if the base URL should be ${base.slice(0, -suffix.length)}.`,
  );
};

const nothingThere: Rule = (seen) => {
  const [sample] = seen.refused;
  if (!sample || !arePathsUnknown(seen) || suffixOf(seen.inputs) !== undefined) return undefined;
  return hint(
    'nothing-there',
    `${requestLine(sample)} was answered 404, and so was every other path.`,
    'It looks as if the API is at another address: the base URL is what comes before /api/admin, with its path if there is one.',
  );
};

function isHtml({ response }: Exchange): boolean {
  if (!response) return false;
  const type = response.headers['content-type'] ?? '';
  return /\bhtml\b/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(response.text.slice(0, 200));
}

const LOGIN = /\b(log|sign)[ _-]?(in|on)\b|type\s*=\s*["']?password|\bsso\b|\/auth(entication|orize)?\b/i;

const htmlPage: Rule = (seen) => {
  const sample = allAre(seen, (exchange) => isHtml(exchange) && statusOf(exchange) < 300);
  if (!sample) return undefined;
  const login = LOGIN.test(sample.response?.text.slice(0, 20_000) ?? '');
  return hint(
    login ? 'login-page' : 'html-page',
    `${requestLine(sample)} was answered ${statusOf(sample)} with an HTML page.`,
    login
      ? 'It looks like a login page: something in front of the API (a proxy with single sign-on) wants a session, and the key does not reach the API.'
      : 'It looks like a web application that answers every path with its page: the API may be at another port or below another path.',
  );
};

function isRedirect(exchange: Exchange): boolean {
  return [301, 302, 303, 307, 308].includes(statusOf(exchange));
}

/** Where a redirect leads. */
function locationOf({ request, response }: Exchange, { inputs }: Seen): URL | undefined {
  const text = response?.headers.location;
  const base = baseAddress(inputs.baseUrl) + request.path;
  return text !== undefined && URL.canParse(text, base) ? new URL(text, base) : undefined;
}

const redirect: Rule = (seen) => {
  const sample = seen.refused.find(isRedirect);
  const to = sample && locationOf(sample, seen);
  if (!to) return undefined;
  const from = new URL(baseAddress(seen.inputs.baseUrl) + sample.request.path);
  const said = `${requestLine(sample)} was answered ${statusOf(sample)} with a redirect`;
  const samePath = to.pathname === from.pathname;
  if (from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname && samePath) {
    const base = to.origin + baseAddress(seen.inputs.baseUrl).slice(from.origin.length);
    return hint('redirect-https', `${said} to https.`, `Redirects are not followed: give ${base} as base URL.`);
  }
  if (to.origin === from.origin && to.pathname === `${from.pathname}/`) {
    return hint(
      'redirect-slash',
      `${said} to the same path with a slash behind it.`,
      'The paths of the contract have no slash at their end. It looks like a default of the router or of a proxy: let the operation answer without the slash.',
    );
  }
  if (LOGIN.test(to.hostname + to.pathname)) {
    return hint(
      'redirect-login',
      `${said} to ${to.origin}${to.pathname}.`,
      'It looks like a login: something in front of the API wants a session, and the key does not reach the API.',
    );
  }
  if (to.pathname.endsWith(sample.request.path)) {
    const base = to.origin + to.pathname.slice(0, -sample.request.path.length);
    return hint(
      'redirect-elsewhere',
      `${said} to ${to.origin}.`,
      `Redirects are not followed: is ${base} the base URL?`,
    );
  }
  return hint(
    'redirect-elsewhere',
    `${said} to ${to.origin}${to.pathname}.`,
    'Redirects are not followed; it looks as if the API is at another address.',
  );
};

const unreachable: Rule = (seen) => {
  const sample = allAre(seen, ({ transportError }) => transportError?.kind === 'unreachable');
  const detail = sample?.transportError?.detail;
  if (detail === undefined) return undefined;
  const { protocol, hostname, port, host } = seen.inputs.baseUrl;
  const where = `${hostname}, port ${port || (protocol === 'https:' ? '443' : '80')}`;
  if (detail.includes('ECONNREFUSED')) {
    return hint(
      'connection-refused',
      `Nothing listens on ${where}.`,
      'Is the target started, and is this its port? Within a container, localhost is the container itself.',
    );
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(detail)) {
    return hint(
      'unknown-host',
      `The host ${hostname} is not known here.`,
      'Is it spelled right, and can this machine resolve it?',
    );
  }
  if (detail.includes('does not speak TLS')) {
    return hint('tls-unexpected', `${where} does not speak TLS.`, `Write http://${host} in the base URL.`);
  }
  if (/certificate|CERT|self.signed|altname/i.test(detail)) {
    return hint(
      'certificate',
      `The certificate of ${hostname} is not trusted here.`,
      'If it is your own, name the file of its authority in NODE_EXTRA_CA_CERTS.',
    );
  }
  return hint(
    'no-connection',
    `No connection to ${where} could be made.`,
    'Is the address right, and is a firewall between?',
  );
};

const plainToTls: Rule = (seen) => {
  const overTls = (exchange: Exchange): boolean =>
    exchange.transportError?.kind === 'closed' ||
    exchange.transportError?.kind === 'protocol' ||
    (statusOf(exchange) === 400 && /https/i.test(exchange.response?.text.slice(0, 2_000) ?? ''));
  if (seen.inputs.baseUrl.protocol !== 'http:' || !allAre(seen, overTls)) return undefined;
  const base = baseAddress(seen.inputs.baseUrl).replace(/^http:/, 'https:');
  return hint(
    'tls-expected',
    'The target gave no answer to plain HTTP that could be read.',
    `It may speak TLS there, or another protocol than HTTP: try ${base}.`,
  );
};

const silence: Rule = (seen) =>
  allAre(seen, ({ transportError }) => transportError?.kind === 'timeout')
    ? hint(
        'silence',
        `The target gave no complete answer within ${seen.timeout} ms.`,
        'A wrong port or a firewall looks the same as a slow target; for a slow one raise --timeout.',
      )
    : undefined;

/** So many requests without an answer at the end of a run are no accident. */
const LEAST_UNANSWERED = 3;

const stoppedAnswering: Rule = ({ exchanges }) => {
  const sent = exchanges.filter(({ transportError }) => transportError?.kind !== 'aborted');
  const unanswered = sent.slice(sent.findLastIndex(({ response }) => response !== undefined) + 1);
  const [first] = unanswered;
  const last = unanswered.at(-1)?.transportError?.kind;
  const answers = sent.filter(({ response }) => response !== undefined).length;
  if (!first || answers === 0 || unanswered.length < LEAST_UNANSWERED) return undefined;
  if (last !== 'unreachable' && last !== 'timeout') return undefined;
  const suspects = unanswered.filter(({ startedAt }) => startedAt <= first.startedAt + first.duration);
  const died = last === 'unreachable';
  return hint(
    'stopped-answering',
    `The target answered ${answers} ${answers === 1 ? 'request' : 'requests'}, and then ${died ? 'no connection could be made any more' : 'gave no more answers'}.`,
    `It looks as if it ${died ? 'died, or was stopped,' : 'hangs'} ${suspects.length === 1 ? 'at this request' : 'at one of these requests'}: ${[...new Set(suspects.map(({ request }) => request.purpose))].join('; ')}.`,
    `Look into its log${suspects.length === 1 ? '' : ', or run with --concurrency 1 to tell them apart'}.`,
  );
};

const gateway: Rule = (seen) => {
  const sample = allAre(seen, (exchange) => [502, 503, 504].includes(statusOf(exchange)));
  return sample
    ? hint(
        'gateway',
        `${requestLine(sample)} was answered ${statusOf(sample)}.`,
        'It looks like a proxy that does not reach the service behind it: is the service up, and is the base URL the right one?',
      )
    : undefined;
};

const PLACEHOLDER =
  /^\$\{?\w+\}?$|^%\w+%$|^<.*>$|^\{\{.*\}\}$|^(your|my|the)[-_ ].*(key|token)|^(change[-_ ]?me|xxx+|\.\.\.|…|todo)$/i;

function keyMisspelling(key: string): { id: string; text: string } | undefined {
  if (PLACEHOLDER.test(key)) {
    return {
      id: 'key-placeholder',
      text: 'looks like a placeholder: was the variable filled in? In single quotes a shell leaves it as it is',
    };
  }
  if (/^(["'`]).*\1$/.test(key))
    return { id: 'key-quoted', text: 'stands in quotes, and they were sent as a part of it: leave them out' };
  if (/^authorization\s*:/i.test(key))
    return { id: 'key-with-field-name', text: 'begins with the name of the header: give the value alone' };
  return undefined;
}

const keySpelling: Rule = ({ exchanges, inputs }) => {
  if (!isKeyRefused(exchanges) || inputs.adminKey === undefined) return undefined;
  const problem = keyMisspelling(inputs.adminKey);
  return (
    problem && hint(problem.id, `The admin key was refused with 401, and ${variable('adminKey')} ${problem.text}.`)
  );
};

const bearerNeeded: Rule = ({ bearer }) =>
  bearer && isGood(bearer)
    ? hint(
        'bearer-needed',
        'The admin key was refused with 401 as it is; one more request, with "Bearer " before it, was accepted.',
        `The contract says that the header holds the key alone. If the clients of this target send "Bearer ", set ${variable('adminKey')} and ${variable('restrictedKey')} to "Bearer " and the key, and run again.`,
      )
    : undefined;

function schemesAsked({ response }: Exchange): string[] {
  const text = response?.headers['www-authenticate'] ?? '';
  return [...text.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s|,|$)(?!\s*=)/g)].map(([, scheme = '']) => scheme);
}

const schemeAsked: Rule = (seen) => {
  const { exchanges, inputs, bearer } = seen;
  if (!isKeyRefused(exchanges) || inputs.adminKey === undefined || (bearer && isGood(bearer))) return undefined;
  const schemes = [...new Set(seen.refused.flatMap(schemesAsked))].slice(0, 3);
  const given = /^([A-Za-z][\w-]*) +\S/.exec(inputs.adminKey)?.[1];
  if (given !== undefined) {
    return hint(
      'key-with-scheme',
      'The admin key was refused with 401, and it is given with a word before it.',
      `The header is sent just so. If the target takes the key alone, as the contract says, leave the word out of ${variable('adminKey')}.`,
    );
  }
  return schemes.length === 0
    ? undefined
    : hint(
        'scheme-asked',
        `The admin key was refused with 401, and the answer asks for the scheme ${schemes.join(' or ')} (WWW-Authenticate).`,
        `The contract says that the header holds the key alone. If the target wants a scheme, put it into ${variable('adminKey')}, before the key.`,
      );
};

const HEADER_NAMES = /\b(x-[a-z-]*(?:key|token|auth[a-z]*)|api[-_]key|apikey)\b/i;

const otherHeader: Rule = ({ exchanges, refused, nothingWorks }) => {
  if (!isKeyRefused(exchanges) || !nothingWorks) return undefined;
  const elsewhere = exchanges.find((exchange) => {
    const { otherHeaders, query } = exchange.request.credential;
    return (otherHeaders !== undefined || query !== undefined) && isGood(exchange);
  });
  if (elsewhere) {
    return hint(
      'key-taken-elsewhere',
      `The admin key was refused with 401 in the Authorization header; with ${elsewhere.request.credential.label} the request was accepted.`,
      'It looks as if the target reads the key from there. The contract says: from the Authorization header, and from nowhere else.',
    );
  }
  for (const { response } of refused) {
    const [, name] =
      HEADER_NAMES.exec(`${response?.headers['www-authenticate'] ?? ''} ${response?.text.slice(0, 2_000) ?? ''}`) ?? [];
    if (name !== undefined) {
      return hint(
        'other-header-named',
        `The admin key was refused with 401, and the answer names ${name}.`,
        'It looks as if the target expects the key in another header than Authorization, where the contract has it.',
      );
    }
  }
  return undefined;
};

const forbidden: Rule = ({ refused }) => {
  const [sample] = refused;
  if (!sample || !refused.every((exchange) => statusOf(exchange) === 403)) return undefined;
  return hint(
    'admin-key-forbidden',
    `${requestLine(sample)} with the admin key was answered 403: the key is known, but may not do this.`,
    `Are ${variable('adminKey')} and ${variable('restrictedKey')} exchanged? A firewall or a proxy may answer 403 too.`,
  );
};

/** The answers to updates of a subject with a key, in the order of completion. */
function updatesOf({ exchanges }: Seen, subject: RequestSpec['subject'], role: 'admin' | 'restricted'): Exchange[] {
  return exchanges.filter(
    ({ request, response }) =>
      response !== undefined &&
      request.operation === 'updateUser' &&
      request.subject === subject &&
      request.credential.role === role &&
      request.meant.id === 'valid',
  );
}

function userNotFound(subject: 'user' | 'other-user', input: 'userId' | 'otherUserId'): Rule {
  return (seen) => {
    const updates = updatesOf(seen, subject, 'admin').filter(({ request }) => request.meant.body === 'valid');
    const none = updates.length > 0 && updates.every((each) => isNotFound(each) && isErrorOfContract(each));
    if (!none || arePathsUnknown(seen)) return undefined;
    return hint(
      subject === 'user' ? 'user-not-found' : 'other-user-not-found',
      `The target says that there is no user ${seen.inputs[input] ?? ''}.`,
      `Set ${variable(input)} to the id of a user that exists and may be changed.`,
      ...(subject === 'user'
        ? ['If the target has no update of users yet, --only banners judges the other operation.']
        : []),
    );
  };
}

const missingUserExists: Rule = (seen) => {
  const { missingUserId } = seen.inputs;
  const found = updatesOf(seen, 'missing-user', 'admin').find(
    (exchange) => isGood(exchange) && String(objectBody(exchange)?.id) === missingUserId,
  );
  return found
    ? hint(
        'missing-user-exists',
        `An update of the user ${missingUserId ?? ''}, who should be missing, was answered ${statusOf(found)} with this user.`,
        `It looks as if the user exists: set ${variable('missingUserId')} to an id that no user has. (A target that creates users on update breaks the contract.)`,
      )
    : undefined;
};

const rolesRefused: Rule = (seen) => {
  const updates = updatesOf(seen, 'user', 'admin').filter(({ request }) => request.meant.body === 'valid');
  const sends = ({ request: { body = '' } }: Exchange, member: string): boolean => body.includes(`"${member}"`);
  const withRole = updates.filter((each) => sends(each, 'rootRole'));
  const withoutRole = updates.filter((each) => sends(each, 'name') && !sends(each, 'rootRole'));
  const [first] = withRole;
  const refused = withRole.every((each) => [400, 404, 422].includes(statusOf(each)));
  if (!first || !refused || !withoutRole.some(isGood)) return undefined;
  return hint(
    'roles-refused',
    `Every update with a rootRole was refused with ${statusOf(first)}, while updates without one are accepted.`,
    `It looks as if the target does not know the roles ${JSON.stringify(seen.inputs.roleIds)}: set ${variable('roleIds')} to JSON values that it takes, such as 1,2 or '"Admin","Editor"'.`,
  );
};

const restrictedKey: Rule = (seen) => {
  const updates = updatesOf(seen, 'user', 'restricted');
  if (updates.length === 0 || seen.nothingWorks) return undefined;
  if (updates.every((each) => statusOf(each) === 401)) {
    return hint(
      'restricted-key-refused',
      'The restricted key was refused with 401: the target does not know it.',
      `Set ${variable('restrictedKey')} to a valid key that may not update users.`,
    );
  }
  const valid = updates.filter(({ request }) => request.meant.body === 'valid');
  return valid.length > 0 && valid.every(isGood)
    ? hint(
        'restricted-key-permitted',
        'Every valid update with the restricted key was accepted.',
        `Either the target does not look at permissions, or the key has this one: set ${variable('restrictedKey')} to a key that may not update users.`,
      )
    : undefined;
};

/** So many answers without a member that was not sent are a habit. */
const LEAST_HIDDEN = 3;

/** A target that forgets what is not sent shows the same as one that keeps it to itself. */
const shownWhereSentOnly: Rule = (seen) => {
  const accepted = updatesOf(seen, 'user', 'admin').filter(isGood);
  const hidden = ['name', 'email'].filter((member) => {
    const shows = (exchange: Exchange): boolean => Object.hasOwn(objectBody(exchange) ?? {}, member);
    const sends = ({ request }: Exchange): boolean => Object.hasOwn(sentBody(request) ?? {}, member);
    const others = accepted.filter((exchange) => !sends(exchange));
    return accepted.some(shows) && others.length >= LEAST_HIDDEN && !others.some(shows);
  });
  return hidden.length === 0
    ? undefined
    : hint(
        'shown-where-sent-only',
        `The target shows ${hidden.join(' and ')} only in answers to updates that send ${hidden.length === 1 ? 'it' : 'them'}.`,
        'So it cannot be seen whether an update keeps what it does not send: a target that loses it would look the same.',
        'Look into the store after an update of the name alone; or let each answer show the whole user, and run again.',
      );
};

/** The likeliest first. */
const RULES: readonly Rule[] = [
  unreachable,
  plainToTls,
  silence,
  stoppedAnswering,
  gateway,
  redirect,
  baseUrlSuffix,
  nothingThere,
  htmlPage,
  bearerNeeded,
  keySpelling,
  otherHeader,
  schemeAsked,
  forbidden,
  userNotFound('user', 'userId'),
  userNotFound('other-user', 'otherUserId'),
  missingUserExists,
  rolesRefused,
  restrictedKey,
  shownWhereSentOnly,
];

/**
 * What looks wrong with the address, the keys or the ids, from the first answers of a target. A hint accuses nobody, and the verdict
 * does not depend on it. The texts may quote the target: they are not free of keys.
 *
 * @returns the likeliest first; none where all looks well
 */
export function diagnose(symptoms: Symptoms): Hint[] {
  const withKey = symptoms.exchanges.filter(
    (exchange) =>
      isPlainAdmin(exchange) && exchange.request.meant.id === 'valid' && exchange.transportError?.kind !== 'aborted',
  );
  const working = new Set(withKey.filter(isGood).map(({ request }) => request.operation));
  const refused = withKey.filter(
    ({ request }) =>
      !working.has(request.operation) && request.subject !== 'missing-user' && request.meant.body !== 'invalid',
  );
  const seen: Seen = { ...symptoms, refused, nothingWorks: refused.length > 0 && working.size === 0 };
  return RULES.flatMap((rule) => rule(seen) ?? []);
}
