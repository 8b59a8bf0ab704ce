import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { MOST_BYTES } from '../../common/bounded-file.ts';
import { isRecord, sizeOf } from '../../common/json.ts';
import { SCHEMA_VERSION, type Result } from './result.ts';
import { readGivenFile, UsageError } from '../../common/args.ts';

/** The published schema closes every object; a reader has to pass over members that a later version added. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, opened(value)]));
}

let compiled: ValidateFunction | undefined;

function validator(): ValidateFunction {
  compiled ??= new Ajv2020({ allowUnionTypes: true }).compile(
    opened(JSON.parse(readFileSync(new URL('./result.schema.json', import.meta.url), 'utf8'))) as object,
  );
  return compiled;
}

function describe({ instancePath, message = 'is wrong' }: ErrorObject): string {
  return `${instancePath === '' ? 'it' : instancePath} ${message}`;
}

/**
 * Reads the text of a result file, of this version or an earlier one; members that a later version added are passed over.
 *
 * @param name of the file, for error messages
 * @throws UsageError that names the file and what is wrong in it
 */
export function parseResult(name: string, text: string): Result {
  if (sizeOf(text, DEEPEST).depth > DEEPEST)
    throw new UsageError(`${name}: it is not a result: it is nested too deeply.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name}: it is not JSON: ${(error as Error).message}.`);
  }
  const version = isRecord(value) ? value.schemaVersion : undefined;
  if (typeof version !== 'number')
    throw new UsageError(`${name}: it is not a result; "run --report json=PATH" writes one.`);
  if (version > SCHEMA_VERSION) {
    throw new UsageError(
      `${name}: it has schemaVersion ${version}, and this version reads up to ${SCHEMA_VERSION}; update admin-api-conformance.`,
    );
  }
  const validate = validator();
  if (!validate(value)) {
    const [first] = validate.errors ?? [];
    throw new UsageError(`${name}: it is not a result: ${first ? describe(first) : 'it does not fit its schema'}.`);
  }
  return value as Result;
}

/** Levels. The suite reads bodies of far fewer. */
const DEEPEST = 1_000;
/** Bytes. A result holds a part of each exchange. */
const MOST_RESULT = 128 * MOST_BYTES;

/**
 * Reads a result file.
 *
 * @param option that names it, for error messages; empty for an argument
 * @throws UsageError if it cannot be read, or is no result
 */
export function readResult(option: string, path: string): Result {
  return parseResult(path, readGivenFile(option, path, MOST_RESULT));
}
