import { sizeOf } from '../../common/json.ts';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Json } from './exchange.ts';
import { errorCode, errorMessage, TransportFailure } from './transport-errors.ts';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

function inflateEither(bytes: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw error;
    return inflateRawSync(bytes, { maxOutputLength });
  }
}

function decodeOne(coding: string, bytes: Buffer, maxOutputLength: number): Buffer {
  switch (coding) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, { maxOutputLength });
    case 'br':
      return brotliDecompressSync(bytes, { maxOutputLength });
    case 'deflate':
      return inflateEither(bytes, maxOutputLength);
    default:
      throw new TransportFailure('protocol', `the request did not accept the content coding "${coding}"`);
  }
}

function decodeContent(coding: string | undefined, bytes: Buffer, maxBody: number): Buffer {
  if (bytes.length === 0) return bytes;
  const codings = (coding ?? '').split(',').map((each) => each.trim().toLowerCase());
  try {
    return codings.reduceRight((rest, each) => decodeOne(each, rest, maxBody), bytes);
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBody);
    throw new TransportFailure('protocol', `the body is not ${coding ?? ''}: ${errorMessage(error)}`);
  }
}

function bodyTooLarge(maxBody: number): TransportFailure {
  return new TransportFailure('limit', `the body is larger than ${maxBody} bytes`);
}

/**
 * Reads a body as it is sent.
 *
 * @throws TransportFailure if it is larger than `maxBody` bytes; whatever the stream throws
 */
export async function readBody(stream: AsyncIterable<Buffer>, maxBody: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBody) throw bodyTooLarge(maxBody);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decodes the content codings of a response. @throws TransportFailure if it cannot, or if the body is too large then */
export function decodeResponse({ headers, bytes }: RawResponse, maxBody: number): Buffer {
  return decodeContent(headers['content-encoding'], bytes, maxBody);
}

const DEEPEST_NESTING = 200;

/** Told the size of a JSON text before it is parsed; throws if it is too large. */
type Weigh = (text: string, values: number) => void;

/**
 * Parses a body: UTF-8 (a byte order mark is skipped) and one JSON text.
 *
 * @param weigh told how many values the text has, before they are made
 * @throws TransportFailure if it nests deeper than 200 levels, which JSON allows; whatever `weigh` throws
 */
export function parseJson(bytes: Uint8Array, weigh: Weigh = () => undefined): Json {
  if (bytes.length === 0) return { ok: false, reason: 'the body is empty' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { depth, values } = sizeOf(text, DEEPEST_NESTING);
    if (depth > DEEPEST_NESTING)
      throw new TransportFailure('limit', `the body is nested deeper than ${DEEPEST_NESTING} levels`);
    weigh(text, values);
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    return { ok: false, reason: error instanceof SyntaxError ? 'the body is not JSON' : 'the body is not UTF-8' };
  }
}
