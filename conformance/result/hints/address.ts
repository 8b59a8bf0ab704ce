import { documentedStatuses } from '../../../contract/document.ts';
import { counted } from '../../../common/text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { allAre, firstOf, gotLine, isErrorOfContract, rule, statusOf, type Facts, type HintRule } from './facts.ts';

/** What a target that cannot be reached looks like, by the message of the connection's error; the first that fits counts. */
const UNREACHABLE: readonly (readonly [id: string, message: RegExp, text: string])[] = [
  [
    'connection-refused',
    /ECONNREFUSED/,
    'Nothing listens on {where}. Is the target running, and is this its port? Inside a container, localhost is the container itself.',
  ],
  [
    'unknown-host',
    /ENOTFOUND|EAI_AGAIN/,
    'The host {hostname} is unknown here. Is it spelled right, and can this machine resolve it?',
  ],
  ['tls-unexpected', /does not speak TLS/, '{where} does not speak TLS. Write http://{host} in the base URL.'],
  [
    'http2-only',
    /HTTP\/2 only/,
    '{where} speaks HTTP/2 only, and the suite speaks HTTP/1.1. Enable HTTP/1.1 there, or judge the service behind it.',
  ],
  [
    'proxy',
    /the proxy refused/,
    'The proxy of HTTP_PROXY or HTTPS_PROXY makes no connection to {where}. If the target is reached without it, name its host in NO_PROXY.',
  ],
  [
    'certificate-host',
    /altnames?/i,
    'The certificate of the target is not for {hostname}. Write the host in the base URL as the certificate has it.',
  ],
  [
    'certificate-expired',
    /certificate (has expired|is not yet valid)/i,
    'The certificate of {hostname} has expired, or is not valid yet. Renew it, and compare the clocks of both machines.',
  ],
  [
    'certificate',
    /certificate|CERT|self.signed/i,
    'The certificate of {hostname} is not trusted here. If it is your own, give the file of its authority with --ca.',
  ],
  ['no-connection', /^/, 'No connection to {where} could be made. Is the address right, and does a firewall block it?'],
];

function unreachable([id, message, text]: (typeof UNREACHABLE)[number]): HintRule {
  return rule(
    id,
    (facts) => {
      const sample = allAre(facts, ({ transportError }) => transportError?.kind === 'unreachable');
      return sample && message.test(sample.transportError?.detail ?? '');
    },
    (_found, { inputs: { baseUrl } }) => {
      const { protocol, host, hostname, port } = baseUrl;
      const where = `${hostname}, port ${port || (protocol === 'https:' ? '443' : '80')}`;
      return text.replace('{where}', where).replace('{hostname}', hostname).replace('{host}', host);
    },
  );
}

/** What the parser says of a response that begins as HTTP, but cannot be read as HTTP/1.1. */
function framingFault({ transportError }: Exchange): string | undefined {
  if (transportError?.kind !== 'protocol') return undefined;
  const [, wrong] =
    /(?:HTTP\/1\.1 protocol \(|Parse Error: )(?!Expected HTTP)(.+?)\)?$/.exec(transportError.detail) ?? [];
  return wrong;
}

function isRefusedPlainHttp(exchange: Exchange): boolean {
  if (framingFault(exchange) !== undefined) return false;
  if (exchange.transportError) return ['closed', 'protocol'].includes(exchange.transportError.kind);
  return statusOf(exchange) === 400 && /https/i.test(exchange.response?.text.slice(0, 2_000) ?? '');
}

/** Fewer lost requests at the end of a run may be an accident. */
const LEAST_LOST = 3;

/** How the target stopped responding; `suspects` are the requests under way when the first one was lost. */
function endOf({ exchanges }: Facts): { responses: number; died: boolean; suspects: Exchange[] } | undefined {
  const sent = exchanges.filter(({ transportError }) => transportError?.kind !== 'aborted');
  const responses = sent.filter(({ response }) => response !== undefined).length;
  const lost = sent.slice(sent.findLastIndex(({ response }) => response !== undefined) + 1);
  const [first] = lost;
  const last = lost.at(-1)?.transportError?.kind;
  if (!first || responses === 0 || lost.length < LEAST_LOST) return undefined;
  if (last !== 'unreachable' && last !== 'timeout') return undefined;
  const suspects = lost.filter(({ startedAt }) => startedAt <= first.startedAt + first.duration);
  return { responses, died: last === 'unreachable', suspects };
}

/** The requests without a response at a target that responded to others sent after them. */
function hungOf({ exchanges }: Facts): readonly Exchange[] | undefined {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  const hung = exchanges.filter(
    ({ transportError, startedAt }) => transportError?.kind === 'timeout' && last && startedAt < last.startedAt,
  );
  return hung.length > 0 ? hung : undefined;
}

/** How many requests a sentence names. */
const MOST_NAMED = 3;

/** What the first of some requests are for, and how many there are. */
function purposesOf(exchanges: readonly Exchange[]): string {
  const purposes = [...new Set(exchanges.map(({ request }) => request.purpose))];
  const others = purposes.length - MOST_NAMED;
  return purposes.slice(0, MOST_NAMED).join('; ') + (others > 0 ? `; and ${others} more` : '');
}

const isNotFound = (exchange: Exchange): boolean => statusOf(exchange) === 404;

/** Whether a 404 cannot mean a missing user: the contract does not document it there, or the error is a different one. */
function isUnknownPath(exchange: Exchange): boolean {
  return !documentedStatuses(exchange.request.operation).includes(404) || !isErrorOfContract(exchange);
}

/** Whether the target has none of the paths of the contract. */
export function arePathsUnknown(facts: Facts): boolean {
  return allAre(facts, isNotFound) !== undefined && facts.refused.some(isUnknownPath);
}

/** The end of a base URL that every path of the contract already has. */
function suffixOf({ inputs: { baseUrl } }: Facts): string | undefined {
  return /\/api(\/admin(\/.*)?)?$/.exec(baseUrl.pathname.replace(/\/+$/, ''))?.[0];
}

function isHtml({ response }: Exchange): boolean {
  if (!response) return false;
  const type = response.headers['content-type'] ?? '';
  return /\bhtml\b/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(response.text.slice(0, 200));
}

const pageOf = (facts: Facts): Exchange | undefined => allAre(facts, (each) => isHtml(each) && statusOf(each) < 300);

const LOGIN = /\b(log|sign)[ _-]?(in|on)\b|type\s*=\s*["']?password|\bsso\b|\/auth(entication|orize)?\b/i;

/** `path` is that of the request below the base URL; `line` says what was requested, as the start of a sentence. */
interface Redirect {
  readonly path: string;
  readonly line: string;
  readonly from: URL;
  readonly to: URL;
}

function redirectOf({ refused, base }: Facts): Redirect | undefined {
  const sample = refused.find((exchange) => [301, 302, 303, 307, 308].includes(statusOf(exchange)));
  const location = sample?.response?.headers.location;
  if (!sample || location === undefined) return undefined;
  const { path } = sample.request;
  if (!URL.canParse(location, base + path)) return undefined;
  const line = `${gotLine(sample)} with a redirect`;
  return { path, line, from: new URL(base + path), to: new URL(location, base + path) };
}

function redirect(
  id: string,
  is: (redirect: Redirect) => boolean,
  text: (redirect: Redirect, facts: Facts) => string,
): HintRule {
  return rule(id, (facts) => [redirectOf(facts)].find((found) => found && is(found)), text);
}

/** Whether only the scheme differs: https instead of http. */
function isToHttps({ from, to }: Redirect): boolean {
  const samePlace = to.hostname === from.hostname && to.pathname === from.pathname;
  return from.protocol === 'http:' && to.protocol === 'https:' && samePlace;
}

/** Hints on the address of the target, and on what is there. */
export const addressHints: readonly HintRule[] = [
  rule(
    'insecure',
    ({ insecure }) => insecure === true,
    () =>
      'No certificate was verified (--insecure): anybody between here and the target could read the keys and change the responses. Use --ca instead, and change keys that matter.',
  ),
  firstOf(...UNREACHABLE.map(unreachable)),
  rule(
    'tls-expected',
    (facts) => facts.inputs.baseUrl.protocol === 'http:' && allAre(facts, isRefusedPlainHttp),
    (_sample, { base }) =>
      `The target gave no readable response to plain HTTP. It may speak TLS there, or another protocol than HTTP: try ${base.replace(/^http:/, 'https:')}.`,
  ),
  rule(
    'not-http-1.1',
    ({ exchanges }) => {
      const [first, ...others] = exchanges.map(framingFault);
      return others.every((each) => each !== undefined) && first;
    },
    (wrong) =>
      `The responses begin as HTTP, but break HTTP/1.1 (RFC 9112), so that clients refuse them: ${wrong}. Is the header written by hand, or twice, such as by the server and a proxy?`,
  ),
  rule(
    'silence',
    (facts) => allAre(facts, ({ transportError }) => transportError?.kind === 'timeout'),
    (_sample, { timeout }) =>
      `The target gave no complete response within ${timeout} ms. A wrong port or a firewall looks the same as a slow target; for a slow one raise --timeout.`,
  ),
  rule('stopped-answering', endOf, ({ responses, died, suspects }) => {
    const one = suspects.length === 1;
    const end = died
      ? 'it was no longer reachable. It looks as if it died, or was stopped,'
      : 'it responded no more. It looks as if it hangs';
    return `The target responded to ${counted(responses, 'request')}, then ${end} ${one ? 'at this request' : 'at one of these requests'}: ${purposesOf(suspects)}. Look at its log${one ? '' : ', or run with --concurrency 1 to tell them apart'}.`;
  }),
  rule(
    'hangs',
    (facts) => !endOf(facts) && hungOf(facts),
    (hung) =>
      `The target gave no response to ${counted(hung.length, 'request')}, but to others that were sent later: ${purposesOf(hung)}. Does each way through its code end in a response? An exception in an asynchronous handler may end in none. For a slow target raise --timeout.`,
  ),
  rule(
    'gateway',
    (facts) => allAre(facts, (exchange) => [502, 503, 504].includes(statusOf(exchange))),
    (sample) =>
      `${gotLine(sample)}. It looks like a proxy that does not reach the service behind it: is the service up, and is the base URL right?`,
  ),
  firstOf(
    redirect(
      'redirect-https',
      isToHttps,
      ({ line, from, to }, { base }) =>
        `${line} to https. The suite follows no redirects: give ${to.origin + base.slice(from.origin.length)} as base URL.`,
    ),
    redirect(
      'redirect-loop',
      ({ from, to }) => to.origin === from.origin && to.pathname === from.pathname,
      ({ line }) =>
        `${line} to the same address, which no client gets past. It looks as if a server behind a proxy takes each request for plain HTTP, or for another host: make the proxy pass X-Forwarded-Proto and Host on, and the server trust them.`,
    ),
    redirect(
      'redirect-slash',
      ({ from, to }) => to.origin === from.origin && to.pathname === `${from.pathname}/`,
      ({ line }) =>
        `${line} to the same path with a slash at its end. The paths of the contract have none. It looks like a default of the router or of a proxy: serve the operation without the slash.`,
    ),
    redirect(
      'redirect-login',
      ({ to }) => LOGIN.test(to.hostname + to.pathname),
      ({ line, to }) =>
        `${line} to ${to.origin}${to.pathname}. It looks like a login: something in front of the API wants a session, and the key does not reach the API.`,
    ),
    redirect(
      'redirect-elsewhere',
      ({ path, to }) => to.pathname.endsWith(path),
      ({ path, line, to }) =>
        `${line} to ${to.origin}. The suite follows no redirects: is ${to.origin + to.pathname.slice(0, -path.length)} the base URL?`,
    ),
    redirect(
      'redirect-elsewhere',
      () => true,
      ({ line, to }) =>
        `${line} to ${to.origin}${to.pathname}. The suite follows no redirects; it looks as if the API is at another address.`,
    ),
  ),
  rule(
    'base-url-suffix',
    (facts) => suffixOf(facts) !== undefined && allAre(facts, (each) => isNotFound(each) || isHtml(each)),
    (sample, facts) => {
      const { method, path } = sample.request;
      const suffix = suffixOf(facts) ?? '';
      return `The base URL ends in ${suffix}, but every path already begins with /api/admin: ${method} ${new URL(facts.base + path).pathname} got ${statusOf(sample)}. It looks as if the base URL should be ${facts.base.slice(0, -suffix.length)}.`;
    },
  ),
  rule(
    'nothing-there',
    (facts) => arePathsUnknown(facts) && suffixOf(facts) === undefined && facts.refused[0],
    (sample) =>
      `${gotLine(sample)}, and so did every other path. It looks as if the API is at another address: the base URL is everything before /api/admin, including a path if there is one.`,
  ),
  firstOf(
    rule(
      'login-page',
      (facts) => [pageOf(facts)].find((page) => LOGIN.test(page?.response?.text.slice(0, 20_000) ?? '')),
      (page) =>
        `${gotLine(page)} with an HTML page. It looks like a login page: something in front of the API (a proxy with single sign-on) wants a session, and the key does not reach the API.`,
    ),
    rule(
      'html-page',
      pageOf,
      (page) =>
        `${gotLine(page)} with an HTML page. It looks like a web application that serves its page for every path: the API may be on another port or below another path.`,
    ),
  ),
];
