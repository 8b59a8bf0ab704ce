import { sizeOf, type JsonSize } from '../../common/json.ts';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Json } from './exchange.ts';
import type { TransportResponse } from './transport/transport.ts';
import { errorCode, errorMessage, TransportFailure } from './transport/transport-errors.ts';

/** A response as it came over the wire. */
export type RawResponse = TransportResponse;

function inflateEither(bytes: Buffer, options: { readonly maxOutputLength: number }): Buffer {
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw error;
    return inflateRawSync(bytes, options);
  }
}

const DECODERS: ReadonlyMap<string, typeof inflateEither> = new Map([
  ...['', 'identity'].map((coding) => [coding, (bytes: Buffer) => bytes] as const),
  ...['gzip', 'x-gzip'].map((coding) => [coding, gunzipSync] as const),
  ['br', brotliDecompressSync],
  ['deflate', inflateEither],
]);

function decodeOne(coding: string, bytes: Buffer, maxOutputLength: number): Buffer {
  const decode = DECODERS.get(coding);
  if (decode) return decode(bytes, { maxOutputLength });
  throw new TransportFailure('protocol', `the request did not accept the content coding "${coding}"`);
}

/** A body without its content codings; if it is not in them, as it came, with what is wrong. */
export interface Decoded {
  readonly content: Buffer;
  readonly fault?: string;
}

/**
 * Decodes the content codings of a response.
 *
 * @throws TransportFailure for one that the request did not accept, or if the body is too large then
 */
export function decodeResponse({ headers, bytes }: RawResponse, maxBody: number): Decoded {
  if (bytes.length === 0) return { content: bytes };
  const coding = headers['content-encoding'] ?? '';
  const codings = coding.split(',').map((each) => each.trim().toLowerCase());
  try {
    return { content: codings.reduceRight((rest, each) => decodeOne(each, rest, maxBody), bytes) };
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBody);
    return { content: bytes, fault: `the body is not ${coding}, as its Content-Encoding says: ${errorMessage(error)}` };
  }
}

function bodyTooLarge(maxBody: number): TransportFailure {
  return new TransportFailure('limit', `the body is larger than ${maxBody} bytes`);
}

/** Bytes. The number of requests bounds what a run reads and keeps of such bodies. */
export const SMALL_BODY = 16_384;
/** How many bodies of the largest size a run reads, about. */
const READ_BODIES = 32;

/** Bytes. Larger bodies are read one at a time: each is in memory as a whole. */
const LARGE_BODY = 1_048_576;

/** Lets one after another do something. The function that it gives ends a turn. */
function makeTurns(): () => Promise<() => void> {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    let leave = (): void => undefined;
    last = new Promise((resolve) => (leave = resolve));
    await before;
    return leave;
  };
}

/** A buffer for a large body can be discarded. */
function allocate(length: number): Buffer {
  if (length <= LARGE_BODY) return Buffer.allocUnsafe(length);
  return Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));
}

/** Gives the memory of such a buffer back at once, for which garbage collection does not hurry. The bytes are gone. */
export function discard({ buffer: memory }: Buffer): void {
  if (memory instanceof ArrayBuffer && memory.resizable) memory.resize(0);
}

/**
 * Makes the function that makes a reader for each body of a run, told the length of the body if the response says it; it takes
 * the body piece by piece. A body may have `maxBody` bytes. Of bodies that are not small, a run reads a bounded number of bytes.
 */
export function makeBodyReader(maxBody: number) {
  const most = maxBody * READ_BODIES;
  const enter = makeTurns();
  let total = 0;
  return (length = 0) => {
    // One buffer that grows: a list of the pieces would take a hundred bytes for a piece of one byte.
    let buffer: Buffer = Buffer.alloc(0);
    let size = 0;
    let turn: Promise<() => void> | undefined;
    const append = (chunk: Buffer): void => {
      const needed = size + chunk.length;
      if (needed > buffer.length) {
        const announced = turn && length <= maxBody ? length : 0;
        const larger = allocate(Math.max(needed, announced, Math.min(2 * buffer.length, maxBody)));
        buffer.copy(larger, 0, 0, size);
        discard(buffer);
        buffer = larger;
      }
      chunk.copy(buffer, size);
      size = needed;
    };
    /**
     * @returns what to wait for before the next piece: large bodies are read one at a time
     * @throws TransportFailure if the body is larger than it may be with this piece, or than what is left for the run
     */
    const take = (chunk: Buffer): Promise<void> | undefined => {
      total += chunk.length;
      if (size + chunk.length > maxBody) throw bodyTooLarge(maxBody);
      if (total > most && size + chunk.length > SMALL_BODY)
        throw new TransportFailure('limit', `the run has read ${most} bytes of bodies, and reads only small ones now`);
      append(chunk);
      if (size <= LARGE_BODY || turn) return undefined;
      turn = enter();
      return turn.then(() => undefined);
    };
    return {
      take,
      /** All that was taken. */
      whole: (): Buffer => buffer.subarray(0, size),
      /** To be called once no piece follows, whatever the reason. */
      release: (): void => {
        void turn?.then((leave) => leave());
      },
    };
  };
}

const DEEPEST_NESTING = 200;
/** Characters. JSON of this length nests no deeper, and has few values. */
const SHALLOW_JSON = 2 * DEEPEST_NESTING;

/** Told the size of a JSON text before it is parsed; throws if it is too large. */
type Weigh = (text: string, size: JsonSize) => void;

/** A body as text: of bytes that are not UTF-8, U+FFFD. */
export interface BodyText {
  readonly text: string;
  readonly isUtf8: boolean;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a body once, for its text and its value. */
export function bodyText(bytes: Buffer): BodyText {
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
 * Parses a body: UTF-8 (a byte order mark is skipped) and one JSON text.
 *
 * @param weigh told what values the text has, before they are made, unless it is short
 * @throws TransportFailure if it nests deeper than 200 levels, which JSON allows; whatever `weigh` throws
 */
export function parseJson({ text, isUtf8 }: BodyText, weigh: Weigh = () => undefined): Json {
  if (text === '') return { ok: false, reason: 'the body is empty' };
  if (!isUtf8) return { ok: false, reason: `the body is not UTF-8, at character ${text.indexOf('\ufffd') + 1}` };
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (json.length > SHALLOW_JSON) {
    const size = sizeOf(json, DEEPEST_NESTING);
    if (size.depth > DEEPEST_NESTING)
      throw new TransportFailure('limit', `the body is nested deeper than ${DEEPEST_NESTING} levels`);
    weigh(json, size);
  }
  try {
    return { ok: true, value: JSON.parse(json) as unknown };
  } catch (error) {
    return { ok: false, reason: `the body is not JSON${placeOf(error, json)}` };
  }
}
