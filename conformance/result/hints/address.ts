import { documentedStatuses } from '../../../contract/document.ts';
import { counted } from '../../../common/text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { allAre, firstOf, gotLine, isErrorOfContract, statusOf, type Facts, type HintTexts } from './facts.ts';

/** What a target that cannot be reached looks like, by the message of the connection's error. */
function unreachable(facts: Facts): HintTexts {
  const sample = allAre(facts, ({ transportError }) => transportError?.kind === 'unreachable');
  if (!sample) return {};
  const says = (message: RegExp): boolean => message.test(sample.transportError?.detail ?? '');
  const { protocol, host, hostname, port } = facts.inputs.baseUrl;
  const where = `${hostname}, port ${port || (protocol === 'https:' ? '443' : '80')}`;
  return firstOf({
    'own-limits':
      says(/^this machine/) && 'This is a limit of the machine that runs the suite, not of the target. Raise it.',
    'connection-refused':
      says(/ECONNREFUSED/) &&
      `Nothing listens on ${where}. Is the target running, and is this its port? Inside a container, localhost is the container itself.`,
    'unknown-host':
      says(/ENOTFOUND|EAI_AGAIN/) &&
      `The host ${hostname} is unknown here. Is it spelled right, and can this machine resolve it?`,
    'tls-unexpected':
      says(/does not speak TLS/) && `${where} does not speak TLS. Write http://${host} in the base URL.`,
    'http2-only':
      says(/HTTP\/2 only/) &&
      `${where} speaks HTTP/2 only, and the suite speaks HTTP/1.1. Enable HTTP/1.1 there, or judge the service behind it.`,
    proxy:
      says(/the proxy refused/) &&
      `The proxy of HTTP_PROXY or HTTPS_PROXY makes no connection to ${where}. If the target is reached without it, name its host in NO_PROXY.`,
    'certificate-host':
      says(/altnames?/i) &&
      `The certificate of the target is not for ${hostname}. Write the host in the base URL as the certificate has it.`,
    'certificate-expired':
      says(/certificate (has expired|is not yet valid)/i) &&
      `The certificate of ${hostname} has expired, or is not valid yet. Renew it, and compare the clocks of both machines.`,
    certificate:
      says(/certificate|CERT|self.signed/i) &&
      `The certificate of ${hostname} is not trusted here. If it is your own, give the file of its authority with --ca.`,
    'no-connection': `No connection to ${where} could be made. Is the address right, and does a firewall block it?`,
  });
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

/** How many requests a sentence names. */
const MOST_NAMED = 3;

/** What the first of some requests are for, and how many there are. */
function purposesOf(exchanges: readonly Exchange[]): string {
  const purposes = [...new Set(exchanges.map(({ request }) => request.purpose))];
  const others = purposes.length - MOST_NAMED;
  return purposes.slice(0, MOST_NAMED).join('; ') + (others > 0 ? `; and ${others} more` : '');
}

/** Fewer lost requests at the end of a run may be an accident. */
const LEAST_LOST = 3;

/** How the target stopped responding, and at which of the requests that were under way when the first one was lost. */
function endOf({ exchanges }: Facts): string | undefined {
  const sent = exchanges.filter(({ transportError }) => transportError?.kind !== 'aborted');
  const responses = sent.filter(({ response }) => response !== undefined).length;
  const lost = sent.slice(sent.findLastIndex(({ response }) => response !== undefined) + 1);
  const [first] = lost;
  const last = lost.at(-1)?.transportError?.kind;
  if (!first || responses === 0 || lost.length < LEAST_LOST) return undefined;
  if (last !== 'unreachable' && last !== 'timeout') return undefined;
  const suspects = lost.filter(({ startedAt }) => startedAt <= first.startedAt + first.duration);
  const one = suspects.length === 1;
  const end =
    last === 'unreachable'
      ? 'it was no longer reachable. It looks as if it died, or was stopped,'
      : 'it responded no more. It looks as if it hangs';
  return `The target responded to ${counted(responses, 'request')}, then ${end} ${one ? 'at this request' : 'at one of these requests'}: ${purposesOf(suspects)}. Look at its log${one ? '' : ', or run with --concurrency 1 to tell them apart'}.`;
}

/** The requests without a response at a target that responded to others sent after them. */
function hungOf({ exchanges }: Facts): readonly Exchange[] | undefined {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  const hung = exchanges.filter(
    ({ transportError, startedAt }) => transportError?.kind === 'timeout' && last && startedAt < last.startedAt,
  );
  return hung.length > 0 ? hung : undefined;
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

const LOGIN = /\b(log|sign)[ _-]?(in|on)\b|type\s*=\s*["']?password|\bsso\b|\/auth(entication|orize)?\b/i;

/** Where the target redirects to, and what that looks like. */
function redirects({ refused, base }: Facts): HintTexts {
  const sample = refused.find((exchange) => [301, 302, 303, 307, 308].includes(statusOf(exchange)));
  const location = sample?.response?.headers.location;
  if (!sample || location === undefined) return {};
  const { path } = sample.request;
  if (!URL.canParse(location, base + path)) return {};
  const [from, to] = [new URL(base + path), new URL(location, base + path)];
  const line = `${gotLine(sample)} with a redirect`;
  return firstOf({
    'redirect-https':
      from.protocol === 'http:' &&
      to.protocol === 'https:' &&
      to.hostname === from.hostname &&
      to.pathname === from.pathname &&
      `${line} to https. The suite follows no redirects: give ${to.origin + base.slice(from.origin.length)} as base URL.`,
    'redirect-loop':
      to.origin === from.origin &&
      to.pathname === from.pathname &&
      `${line} to the same address, which no client gets past. It looks as if a server behind a proxy takes each request for plain HTTP, or for another host: make the proxy pass X-Forwarded-Proto and Host on, and the server trust them.`,
    'redirect-slash':
      to.origin === from.origin &&
      to.pathname === `${from.pathname}/` &&
      `${line} to the same path with a slash at its end. The paths of the contract have none. It looks like a default of the router or of a proxy: serve the operation without the slash.`,
    'redirect-login':
      LOGIN.test(to.hostname + to.pathname) &&
      `${line} to ${to.origin}${to.pathname}. It looks like a login: something in front of the API wants a session, and the key does not reach the API.`,
    'redirect-elsewhere': to.pathname.endsWith(path)
      ? `${line} to ${to.origin}. The suite follows no redirects: is ${to.origin + to.pathname.slice(0, -path.length)} the base URL?`
      : `${line} to ${to.origin}${to.pathname}. The suite follows no redirects; it looks as if the API is at another address.`,
  });
}

/** What a target looks like that responds with a page. */
function pages(facts: Facts): HintTexts {
  const page = allAre(facts, (each) => isHtml(each) && statusOf(each) < 300);
  if (!page) return {};
  return firstOf({
    'login-page':
      LOGIN.test(page.response?.text.slice(0, 20_000) ?? '') &&
      `${gotLine(page)} with an HTML page. It looks like a login page: something in front of the API (a proxy with single sign-on) wants a session, and the key does not reach the API.`,
    'html-page': `${gotLine(page)} with an HTML page. It looks like a web application that serves its page for every path: the API may be on another port or below another path.`,
  });
}

/** Hints on the address of the target, and on what is there. */
export function addressHints(facts: Facts): HintTexts {
  const { exchanges, inputs, refused, base, timeout, insecure } = facts;
  const faults = exchanges.map(framingFault);
  const [end, hung] = [endOf(facts), hungOf(facts)];
  const gateway = allAre(facts, (exchange) => [502, 503, 504].includes(statusOf(exchange)));
  const suffix = suffixOf(facts);
  const lost = allAre(facts, (each) => isNotFound(each) || isHtml(each));
  const [first] = refused;
  return {
    insecure:
      insecure === true &&
      'No certificate was verified (--insecure): anybody between here and the target could read the keys and change the responses. Use --ca instead, and change keys that matter.',
    ...unreachable(facts),
    'tls-expected':
      inputs.baseUrl.protocol === 'http:' &&
      allAre(facts, isRefusedPlainHttp) &&
      `The target gave no readable response to plain HTTP. It may speak TLS there, or another protocol than HTTP: try ${base.replace(/^http:/, 'https:')}.`,
    'not-http-1.1':
      faults[0] &&
      faults.every((each) => each !== undefined) &&
      `The responses begin as HTTP, but break HTTP/1.1 (RFC 9112), so that clients refuse them: ${faults[0]}. Is the header written by hand, or twice, such as by the server and a proxy?`,
    silence:
      allAre(facts, ({ transportError }) => transportError?.kind === 'timeout') &&
      `The target gave no complete response within ${timeout} ms. A wrong port or a firewall looks the same as a slow target; for a slow one raise --timeout.`,
    'stopped-answering': end,
    hangs:
      hung &&
      end === undefined &&
      `The target gave no response to ${counted(hung.length, 'request')}, but to others that were sent later: ${purposesOf(hung)}. Does each way through its code end in a response? An exception in an asynchronous handler may end in none. For a slow target raise --timeout.`,
    gateway:
      gateway &&
      `${gotLine(gateway)}. It looks like a proxy that does not reach the service behind it: is the service up, and is the base URL right?`,
    ...redirects(facts),
    'base-url-suffix':
      lost &&
      suffix !== undefined &&
      `The base URL ends in ${suffix}, but every path already begins with /api/admin: ${lost.request.method} ${new URL(base + lost.request.path).pathname} got ${statusOf(lost)}. It looks as if the base URL should be ${base.slice(0, -suffix.length)}.`,
    'nothing-there':
      first &&
      arePathsUnknown(facts) &&
      suffix === undefined &&
      `${gotLine(first)}, and so did every other path. It looks as if the API is at another address: the base URL is everything before /api/admin, including a path if there is one.`,
    ...pages(facts),
  };
}
