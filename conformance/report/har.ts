import { legibleJson, shortened } from '../../common/text.ts';
import type { ExchangeRecord, Result } from '../result/result.ts';

/** Every exchange that the result keeps, once, in the order of sending. Those of earlier versions stay in the order of the checks. */
function exchangesOf({ findings, checks }: Result): ExchangeRecord[] {
  const kept = [...checks, ...findings].flatMap(({ exchanges }) => exchanges);
  const distinct = new Map(kept.map((exchange) => [JSON.stringify(exchange), exchange]));
  return [...distinct.values()].sort((one, other) => (one.startedMs ?? 0) - (other.startedMs ?? 0));
}

function fields(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value: shortened(value) }));
}

/** The value of a field, whatever the case of its name. */
function field(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function queryOf(url: string): object[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}

/** What HAR asks for and the result does not tell apart; -1 says that it is not known. */
const UNTOLD = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 } as const;

function requestOf({ request, purpose, credential }: ExchangeRecord): object {
  const { method, url, headers, body } = request;
  return {
    ...UNTOLD,
    method,
    url,
    headers: fields(headers),
    queryString: queryOf(url),
    bodySize: Buffer.byteLength(body ?? ''),
    postData:
      body === undefined ? undefined : { mimeType: field(headers, 'content-type') ?? '', params: [], text: body },
    comment: `${purpose}; sent with ${credential}, which is not shown`,
  };
}

/** A browser shows status 0, and `_error`, for a request without a response. */
function responseOf({ response, transportError }: ExchangeRecord): object {
  const { status = 0, headers = {}, body = '', cut = 0 } = response ?? {};
  return {
    ...UNTOLD,
    status,
    statusText: '',
    headers: fields(headers),
    content: {
      size: Buffer.byteLength(body) + cut,
      mimeType: field(headers, 'content-type') ?? 'x-unknown',
      text: body,
      comment: cut === 0 ? undefined : `${cut} more characters are not shown`,
    },
    redirectURL: field(headers, 'location') ?? '',
    bodySize: -1,
    _error: transportError && `${transportError.kind}: ${transportError.detail}`,
  };
}

/** A result file may say anything of a time. */
function timeText(ms: number): string {
  const time = new Date(ms);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}

function entryOf(exchange: ExchangeRecord, startedAt: number): object {
  const { startedMs = 0, durationMs } = exchange;
  return {
    startedDateTime: timeText(startedAt + startedMs),
    time: durationMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: exchange.purpose,
  };
}

/**
 * The exchanges that the result keeps as an HTTP Archive (HAR 1.2), for the network view of a browser's developer tools. They
 * are as in every report: without the header that carries the key, and with large bodies cut.
 */
export function harReport(result: Result): string {
  const { tool, target, verdict, startedAt } = result;
  const began = Date.parse(startedAt);
  return legibleJson({
    log: {
      version: '1.2',
      creator: { name: tool.name, version: tool.version },
      pages: [],
      entries: exchangesOf(result).map((exchange) => entryOf(exchange, began)),
      comment: `${target.baseUrl}: ${verdict}. The exchanges on which the judgements rest, without keys.`,
    },
  });
}
