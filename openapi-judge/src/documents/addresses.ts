/** Reads documents from addresses, where that is allowed. */
import { UsageError } from '../../../common/process/args.ts';

/** Bytes of a document. */
const MOST = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** How often one address may lead to another. */
const MOST_REDIRECTS = 5;

/** Whether an argument is an address. */
export function isAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/**
 * The text at an address.
 *
 * @throws UsageError in one line: no response in time, another status than 200, too many redirects or one from https to http, a page
 *   of HTML, more than 64 MiB, or a password in the address, which would end in logs
 */
export async function textAt(address: string): Promise<string> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  const refuse = (why: string): UsageError => new UsageError(`${withoutPassword(address)}: ${why}.`);
  try {
    const response = await responseOf(address, controller.signal, refuse);
    if (response.status !== 200 || response.body === null) throw refuse(`it responds with status ${response.status}`);
    if (response.headers.get('content-type')?.startsWith('text/html') === true)
      throw refuse('it responds with a page of HTML, not with a document');
    return await wholeOf(response.body, refuse);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refuse(controller.signal.aborted ? 'no whole response within 30 s' : 'it cannot be reached');
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

type Refuse = (why: string) => UsageError;

/** The response at the end of a way of redirects. */
async function responseOf(address: string, signal: AbortSignal, refuse: Refuse): Promise<Response> {
  let url = urlOf(address, undefined, refuse);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await fetch(url, { signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    url = urlOf(location, url, refuse);
  }
  throw refuse('it leads to others too often');
}

/** An address that may be read, or to which another one leads. */
function urlOf(location: string, from: URL | undefined, refuse: Refuse): URL {
  if (!URL.canParse(location, from?.href)) throw refuse('it is no valid address, or leads to none');
  const url = new URL(location, from);
  if (url.username !== '' || url.password !== '') throw refuse('an address with a user or password is not read');
  if (from !== undefined && url.protocol !== 'https:' && url.protocol !== from.protocol)
    throw refuse(`it leads to ${url.protocol}//, which is not followed`);
  return url;
}

/** A body to its end. */
async function wholeOf(body: ReadableStream<Uint8Array>, refuse: Refuse): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    size += piece.length;
    if (size > MOST) throw refuse('it is larger than 64 MiB');
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** An address as it may be shown. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//***@');
}
