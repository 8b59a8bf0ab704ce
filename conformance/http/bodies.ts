import { hash } from 'node:crypto';
import { collectGarbage } from '../../common/process/garbage.ts';
import { isRecord, type JsonSize, LONG_STRING } from '../../common/json.ts';
import { bodyText, decodeResponse, discard, parseJson, SMALL_BODY, type RawResponse } from './content.ts';
import type { ResponseRecord } from './exchange.ts';
import { keptStart } from './redact.ts';
import { TransportFailure } from './transport/transport-errors.ts';

/** Bytes of a body for each of its values: values take memory of their own. JSON for people has about 20. */
const BYTES_PER_VALUE = 32;
/** Bytes that a parsed value takes, about; with the name of a member, that of its characters comes on top. */
const VALUE_COST = 80;
/** How many bodies of the largest size a run can keep, about. */
const KEPT_BODIES = 8;
/** Bytes. V8 does not hurry to free the texts of large bodies, each of which takes as much memory as the body. */
const LEFT_TEXTS = 16_777_216;

type Body = Pick<ResponseRecord, 'text' | 'cut' | 'json'>;

interface BodyKeeperOptions {
  /** Bytes of one body, after content decoding. */
  readonly maxBody: number;
  /** Texts, such as keys, that are looked for in the part of a body that is not kept. */
  readonly watched: readonly string[];
}

function keptText(text: string, watched: readonly string[]): Pick<Body, 'text' | 'cut'> {
  return {
    text: keptStart(text),
    cut: { length: text.length, shows: watched.filter((each) => text.includes(each)) },
  };
}

/** Bytes of each character of a text, or of one that its escapes stand for: V8 keeps two for all if one needs them. */
function widthOf(text: string): number {
  return /[^\0-\xff]|\\u/.test(text) ? 2 : 1;
}

/** Makes the function that is told the bytes of each text that was parsed and is not kept. */
function makeCollector(): (bytes: number) => void {
  let left = 0;
  return (bytes) => {
    left += bytes;
    if (left < LEFT_TEXTS) return;
    collectGarbage();
    left = 0;
  };
}

/** Makes the function that replaces long strings in a value, so that equal ones are kept once. */
function makeSharing(keep: (bytes: number) => void): (value: unknown) => unknown {
  const strings = new Map<string, string>();
  const sharedString = (text: string): string => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    keep(text.length * widthOf(text));
    strings.set(text, text);
    return text;
  };
  const share = (object: Record<string, unknown>, name: string, member: unknown): void => {
    const now = shared(member);
    if (now !== member) Object.defineProperty(object, name, { value: now });
  };
  const shared = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length < LONG_STRING ? value : sharedString(value);
    if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) value[at] = shared(value[at]);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value))
        if (typeof member === 'object' || typeof member === 'string') share(value, name, member);
    return value;
  };
  return shared;
}

/**
 * Makes the function that decodes and parses responses, and keeps of each body what checks and reports need. Bodies that are
 * the same, and long strings that are the same, are kept once. What a run keeps is bounded: a body beyond that is not read, so
 * nothing is concluded from it.
 */
export function makeBodyKeeper({ maxBody, watched }: BodyKeeperOptions): (response: RawResponse) => ResponseRecord {
  const bodies = new Map<string, Body>();
  const budget = maxBody * KEPT_BODIES;
  let kept = 0;
  /** Characters of the longest string of the body that was weighed last. */
  let longest = 0;

  const keep = (bytes: number): void => {
    kept += bytes;
    if (kept <= budget) return;
    kept -= bytes;
    throw new TransportFailure('limit', `the bodies of this run are larger than ${budget} bytes in memory`);
  };
  const shared = makeSharing(keep);
  const leave = makeCollector();
  const weigh = (text: string, { values, ...size }: JsonSize): void => {
    longest = size.longest;
    const most = Math.floor(maxBody / BYTES_PER_VALUE);
    if (values > most) throw new TransportFailure('limit', `the body has more than ${most} values`);
    if (text.length > SMALL_BODY) keep(values * VALUE_COST + size.characters * widthOf(text));
  };
  const read = (content: Buffer): Body => {
    const decoded = bodyText(content);
    if (content.length <= SMALL_BODY) return { text: decoded.text, json: parseJson(decoded, weigh) };
    // The values of a large body are made without its bytes beside them.
    discard(content);
    const json = parseJson(decoded, weigh);
    return {
      ...keptText(decoded.text, watched),
      json: json.ok && longest >= LONG_STRING ? { ok: true, value: shared(json.value) } : json,
    };
  };
  const readOnce = (content: Buffer): Body => {
    const digest = hash('sha256', content);
    const known = bodies.get(digest);
    if (known) {
      discard(content);
      return known;
    }
    const { length } = content;
    const body = read(content);
    // Its text has two bytes for a character at worst.
    leave(2 * length);
    bodies.set(digest, body);
    return body;
  };
  return (response) => {
    const { status, headers } = response;
    const { content, fault } = decodeResponse(response, maxBody);
    if (fault === undefined) return { status, headers, ...readOnce(content) };
    const text = bodyText(content.subarray(0, SMALL_BODY)).text;
    return { status, headers, text, json: { ok: false, reason: fault } };
  };
}
