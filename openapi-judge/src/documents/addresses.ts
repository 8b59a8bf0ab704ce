/** Reads documents from addresses, where that is allowed. */
import { UsageError } from '../../../common/process/args.ts';

/** Bytes of a document. */
const MOST = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The text at an address. Throws UsageError if there is none, or no end of it. */
export async function textAt(address: string): Promise<string> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(address, { signal: controller.signal });
    if (!response.ok || response.body === null) throw new UsageError(`${address}: it responds ${response.status}.`);
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      size += piece.length;
      if (size > MOST) throw new UsageError(`${address}: it is larger than 64 MiB.`);
    }
    return Buffer.concat(pieces).toString('utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = controller.signal.aborted ? 'no response within 30 s' : 'it cannot be read';
    throw new UsageError(`${address}: ${why}.`);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
