import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { sizeOf } from '../../common/json.ts';
import { MAX_BODY, tooLarge } from './connections.ts';
import type { Response } from './exchange.ts';
import { errorCode, errorMessage, Lost } from './lost.ts';
import type { TransportResponse } from './transport.ts';

/** What a response shows besides its status and header. */
type Content = Pick<Response, 'text' | 'json' | 'notJson'>;

/** More would only cost time: a field of 64 KiB names thousands of codings. */
const MOST_CODINGS = 2;
const DEEPEST_NESTING = 1_000;
/** Bytes of a body for each of its values: values take memory of their own. JSON for people has about 20. */
const BYTES_PER_VALUE = 32;
const MOST_VALUES = Math.floor(MAX_BODY / BYTES_PER_VALUE);
/** Bytes that a parsed value takes, about, and each character of a body, which is there as a whole and in its strings. */
const VALUE_COST = 80;
const CHARACTER_COST = { ofAscii: 2, ofOther: 4 };
/** Bytes. The number of requests bounds what a run keeps of such bodies. */
const SMALL_BODY = 16_384;
/** Bytes of memory for all larger bodies of a run. */
const ROOM = 8 * MAX_BODY;

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Some servers send raw deflate in place of zlib's format, which the name stands for (RFC 9110, 8.4.1.2). */
const inflateEither: Decode = (bytes, options) => {
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw error;
    return inflateRawSync(bytes, options);
  }
};

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['identity', (bytes) => bytes],
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflateEither],
]);

function decodeOne(coding: string, bytes: Buffer): Buffer {
  const decode = DECODERS.get(coding);
  if (decode) return decode(bytes, { maxOutputLength: MAX_BODY });
  throw new Lost('protocol', `the request did not accept the content coding "${coding}"`);
}

/** The bytes of a body without its content codings; if it is not in them, why. */
function decoded({ headers, bytes }: TransportResponse): { readonly bytes: Buffer; readonly fault?: string } {
  const field = headers['content-encoding'] ?? '';
  const codings = field.split(',').flatMap((each) => each.trim().toLowerCase() || []);
  if (bytes.length === 0) return { bytes };
  if (codings.length > MOST_CODINGS)
    throw new Lost(
      'protocol',
      `the body has ${codings.length} content codings; the suite decodes at most ${MOST_CODINGS}`,
    );
  try {
    return { bytes: codings.reduceRight((rest, coding) => decodeOne(coding, rest), bytes) };
  } catch (error) {
    if (error instanceof Lost) throw error;
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    return { bytes, fault: `the body is not ${field}, as its Content-Encoding says: ${errorMessage(error)}` };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A body as text; of bytes that are not UTF-8, U+FFFD. */
function textOf(bytes: Buffer): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: UTF8.decode(bytes), isUtf8: true };
  } catch {
    return { text: bytes.toString('utf8'), isUtf8: false };
  }
}

/** Where a text is not JSON, as far as the parser tells. */
function placeOf(error: unknown, text: string): string {
  const [, at] = /at position (\d+)/.exec(errorMessage(error)) ?? [];
  if (at === undefined) return '';
  const code = text.charCodeAt(Number(at));
  const why = code < 0x20 ? `: U+${code.toString(16).toUpperCase().padStart(4, '0')} is not escaped` : '';
  return `, at character ${Number(at) + 1}${why}`;
}

/**
 * The value of a body that is one JSON text in UTF-8 (RFC 8259, 8.1); a byte order mark is skipped.
 *
 * @param weigh told how many values and characters the text has, before they are made
 */
function valueOf(bytes: Buffer, weigh: (values: number, characters: number) => void): Content {
  const { text, isUtf8 } = textOf(bytes);
  const none = (notJson: string): Content => ({ text, json: undefined, notJson });
  if (text === '') return none('the body is empty');
  if (!isUtf8) return none(`the body is not UTF-8, at character ${text.indexOf('\ufffd') + 1}`);
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  const { depth, values } = sizeOf(json, DEEPEST_NESTING);
  if (depth > DEEPEST_NESTING) throw new Lost('limit', `the body is nested deeper than ${DEEPEST_NESTING} levels`);
  if (values > MOST_VALUES) throw new Lost('limit', `the body has more than ${MOST_VALUES} values`);
  weigh(values, text.length);
  try {
    return { text, json: JSON.parse(json) as unknown };
  } catch (error) {
    return none(`the body is not JSON${placeOf(error, json)}`);
  }
}

/**
 * Makes the function that decodes and parses the bodies of a run. Large bodies that are the same are kept once, and what a run
 * keeps of them is bounded: it throws `Lost` for a body beyond that, and for one that the suite cannot read.
 */
export function makeContentReader(): (response: TransportResponse) => Content {
  const known = new Map<string, Content>();
  let room = ROOM;
  const readLarge = (bytes: Buffer): Content => {
    const digest = hash('sha256', bytes);
    const found = known.get(digest);
    if (found) return found;
    const content = valueOf(bytes, (values, length) => {
      const isAscii = length === bytes.length;
      const cost = length * (isAscii ? CHARACTER_COST.ofAscii : CHARACTER_COST.ofOther) + values * VALUE_COST;
      if (cost > room) throw new Lost('limit', `the bodies of this run take more than ${ROOM} bytes`);
      room -= cost;
    });
    known.set(digest, content);
    return content;
  };
  return (response) => {
    const { bytes, fault } = decoded(response);
    if (fault !== undefined)
      return { text: textOf(bytes.subarray(0, SMALL_BODY)).text, json: undefined, notJson: fault };
    return bytes.length > SMALL_BODY ? readLarge(bytes) : valueOf(bytes, () => undefined);
  };
}
