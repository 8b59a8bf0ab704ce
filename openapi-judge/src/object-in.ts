/** Reads objects of files that people write. */
import { isRecord, type JsonObject } from '../../common/json.ts';
import { UsageError } from '../../common/process/args.ts';

/** An object with some members and no others. Throws UsageError for what is none. */
export function objectIn(value: unknown, where: string, known: readonly string[]): JsonObject {
  if (!isRecord(value)) throw new UsageError(`${where} must be an object with ${known.join(', ')}.`);
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other === undefined) return value;
  throw new UsageError(`${where} has the member ${other}; known are ${known.join(', ')}.`);
}
