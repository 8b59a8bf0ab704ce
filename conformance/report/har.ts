import { legibleJson } from '../../common/text.ts';
import type { ExchangeRecord, Result } from '../facts/result.ts';

function fields(values: Iterable<readonly [string, string]>): object[] {
  return [...values].map(([name, value]) => ({ name, value }));
}

/** What HAR asks for and the result does not tell apart; -1 says that it is not known. */
const UNTOLD = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 } as const;

function requestOf({ request: { method, url, headers, body } }: ExchangeRecord): object {
  return {
    ...UNTOLD,
    method,
    url,
    headers: fields(Object.entries(headers)),
    queryString: URL.canParse(url) ? fields(new URL(url).searchParams) : [],
    bodySize: Buffer.byteLength(body ?? ''),
    ...(body !== undefined && {
      postData: { mimeType: headers['Content-Type'] ?? '', params: [], text: body },
    }),
  };
}

/** A browser shows status 0, and `_error`, for a request without a response. */
function responseOf({ response, lost }: ExchangeRecord): object {
  const { status = 0, headers = {}, body = '', cut = 0 } = response ?? {};
  return {
    ...UNTOLD,
    status,
    statusText: '',
    headers: fields(Object.entries(headers)),
    content: {
      size: Buffer.byteLength(body) + cut,
      mimeType: headers['content-type'] ?? 'x-unknown',
      text: body,
      ...(cut > 0 && { comment: `${cut} more characters are not kept` }),
    },
    redirectURL: headers.location ?? '',
    bodySize: -1,
    ...(lost !== undefined && { _error: lost }),
  };
}

/** The exchanges on which findings rest as an HTTP Archive (HAR 1.2), for the network view of a browser's developer tools. */
export function harReport(result: Result): string {
  const { tool, target, verdict, startedAt, findings } = result;
  const exchanges = findings.flatMap((finding) => finding.exchanges);
  const sorted = exchanges.sort((one, other) => one.startedMs - other.startedMs);
  const entries = sorted.map((exchange) => ({
    startedDateTime: new Date(Date.parse(startedAt) + exchange.startedMs).toISOString(),
    time: exchange.durationMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
  }));
  const creator = { name: tool.name, version: tool.version };
  const comment = `${target.baseUrl}: ${verdict}. The exchanges on which the findings rest, without keys.`;
  return legibleJson({ log: { version: '1.2', creator, pages: [], entries, comment } });
}
