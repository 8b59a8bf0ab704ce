import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { isDeeperThan, parsedJson } from '../../common/json.ts';
import type { Response } from '../facts/exchange.ts';
import { Lost, MAX_BODY, tooLarge, toLost } from './lost.ts';
import type { TransportResponse } from './transport.ts';

/** What a response shows besides its status and header. */
type Content = Pick<Response, 'text' | 'json' | 'isNotUtf8'>;

const DEEPEST_NESTING = 1_000;
/** Values of a body, which take memory of their own: one for 32 bytes. JSON for people has about 20 for each. */
const MOST_VALUES = 65_536;

const DECODERS = new Map(Object.entries({ gzip: gunzipSync, br: brotliDecompressSync }));

/** The content codings that requests accept. Some servers send one of them whether they do or not. */
export const CODINGS = [...DECODERS.keys()].join(', ');

function decoded(bytes: Buffer, coding: string): Buffer {
  if (bytes.length > MAX_BODY) throw tooLarge();
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes;
  const decode = DECODERS.get(coding);
  if (decode) return decode(bytes, { maxOutputLength: MAX_BODY });
  throw new Lost('limit', `the body has a content coding that the request did not accept (it accepted ${CODINGS})`);
}

/** The value of a body that is one JSON text in UTF-8 (RFC 8259, 8.1); a byte order mark is skipped. */
function valueOf(bytes: Buffer): Content {
  const text = bytes.toString();
  if (!isUtf8(bytes)) return { text, json: undefined, isNotUtf8: true };
  const json = text.replace(/^\ufeff/, '');
  if (json.replaceAll(/[^,[{]+/g, '').length > MOST_VALUES)
    throw new Lost('limit', `the body has more than ${MOST_VALUES} values`);
  const value = parsedJson(json);
  if (isDeeperThan(value, DEEPEST_NESTING))
    throw new Lost('limit', `the body is nested deeper than ${DEEPEST_NESTING} levels`);
  return { text, json: value };
}

/**
 * Decodes and parses the body of a response.
 *
 * @throws Lost if it is larger, has more values or is deeper than the suite reads, or in a content coding that no request accepts
 */
export function contentOf({ headers, bytes }: TransportResponse): Content {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  try {
    return valueOf(decoded(bytes, coding));
  } catch (error) {
    const lost = toLost(error, true);
    if (lost.kind === 'limit') throw lost;
    return { text: bytes.toString(), json: undefined };
  }
}
