import { z } from 'zod';
import { UsageError } from '../../common/process/args.ts';
import { readGivenFile } from '../../common/process/files.ts';
import { isRecord } from '../../common/json.ts';
import { hint } from '../../common/nearest.ts';
import { resultSchema, SCHEMA_VERSION, type Result } from './result.ts';

/** MiB. A result holds at most three exchanges of each finding. */
const MOST_RESULT = 32;

const MAKES_ONE = '"run --report json=PATH" writes one';

/** The first thing that is wrong with a value, with its place: `entries[3].reason`. */
function firstProblem({ issues }: z.ZodError, known: readonly string[]): string {
  const [issue] = issues;
  if (issue === undefined) return 'it does not fit its schema';
  const subject = issue.path.length === 0 ? 'it' : z.core.toDotPath(issue.path);
  if (issue.code !== 'unrecognized_keys') return `${subject} ${issue.message.replace(/^I/, 'is i')}`;
  const [name = ''] = issue.keys;
  return `${subject} has the unknown member "${name}".${hint(name, known) || ` Known are ${known.join(', ')}`}`;
}

/**
 * A value, if it fits a schema.
 *
 * @param name of the file that it was read from
 * @param known members that an unknown one may have meant
 * @throws UsageError with the name, the place and what is wrong there
 */
export function validated<T>(schema: z.ZodType<T>, value: unknown, name: string, known: readonly string[] = []): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  throw new UsageError(`${name}: ${firstProblem(found.error, known).replace(/[.?]?$/, (end) => end || '.')}`);
}

/** The value of the JSON text of a file. @throws UsageError if it is not JSON */
export function jsonIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name}: it is not JSON: ${(error as Error).message}.`);
  }
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
  return validated(resultSchema, value, name);
}
