import { UsageError } from '../../common/process/args.ts';
import { readGivenFile } from '../../common/process/files.ts';
import { isDeeperThan, isRecord, parsedJson } from '../../common/json.ts';
import { namesOn, read } from '../../common/schema.ts';
import { resultSchema, SCHEMA_VERSION, type Result } from '../facts/result.ts';

/** MiB. A result holds at most three exchanges of each finding. */
const MOST_RESULT = 32;

const MAKES_ONE = '"run --report json=PATH" writes one';

/** Levels of nesting. What the suite writes has fewer: of a value that a target sent, 1,000. */
const DEEPEST = 1_100;

/** The value of the JSON text of a file. @throws UsageError if it is not JSON, or too deep for what is made of it */
export function jsonIn(name: string, text: string): unknown {
  const value = parsedJson(text);
  // The message of Node quotes the text.
  if (value === undefined) throw new UsageError(`${name}: it is not JSON.`);
  if (isDeeperThan(value, DEEPEST)) throw new UsageError(`${name}: it is nested deeper than ${DEEPEST} levels.`);
  return value;
}

/**
 * Reads a result file. Members that a later version added are passed over.
 *
 * @throws UsageError with one line that names the file, if it cannot be read, is too large, or is no result
 */
export function readResult(name: string, text = readGivenFile(name, MOST_RESULT)): Result {
  const value = jsonIn(name, text);
  const version = isRecord(value) ? value.schemaVersion : undefined;
  if (typeof version !== 'number') throw new UsageError(`${name}: it is not a result; ${MAKES_ONE}.`);
  if (version !== SCHEMA_VERSION) {
    const older = version < SCHEMA_VERSION;
    throw new UsageError(
      `${name}: its schemaVersion is ${version}, and this version reads ${SCHEMA_VERSION}; ` +
        `${older ? 'run the suite again' : 'update admin-api-conformance'}.`,
    );
  }
  return read(resultSchema, value, (part) => [name, namesOn(part) ?? []].flat().join(': '));
}
