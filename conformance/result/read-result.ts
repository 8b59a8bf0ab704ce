import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { MOST_BYTES } from '../../common/bounded-file.ts';
import { isRecord, sizeOf } from '../../common/json.ts';
import { MATRIX_VERSION, type Matrix } from './matrix.ts';
import { SCHEMA_VERSION, type Result } from './result.ts';
import { readGivenFile, UsageError } from '../../common/args.ts';

/** The published schema closes every object; a reader has to pass over members that a later version added. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, opened(value)]));
}

/** A format that a command writes and another reads. */
interface Format {
  readonly what: string;
  /** Its version, and the member that says it. */
  readonly member: string;
  readonly version: number;
  /** The text of its schema. */
  readonly schema: () => string;
  /** How to get such a file. */
  readonly source: string;
}

const RESULT: Format = {
  what: 'a result',
  member: 'schemaVersion',
  version: SCHEMA_VERSION,
  schema: () => readFileSync(new URL('result.schema.json', import.meta.url), 'utf8'),
  source: '"run --report json=PATH" writes one',
};
const MATRIX: Format = {
  what: 'a matrix',
  member: 'matrixVersion',
  version: MATRIX_VERSION,
  schema: () => readFileSync(new URL('matrix.schema.json', import.meta.url), 'utf8'),
  source: '"run --targets FILE" and "merge" write one',
};

const compiled = new Map<Format, ValidateFunction>();

function validatorOf(format: Format): ValidateFunction {
  const made =
    compiled.get(format) ??
    new Ajv2020({ allowUnionTypes: true }).compile(opened(JSON.parse(format.schema())) as object);
  compiled.set(format, made);
  return made;
}

function describe({ instancePath, message = 'is wrong' }: ErrorObject): string {
  return `${instancePath === '' ? 'it' : instancePath} ${message}`;
}

function valueOf(name: string, text: string, { what }: Format): unknown {
  if (sizeOf(text, DEEPEST).depth > DEEPEST)
    throw new UsageError(`${name}: it is not ${what}: it is nested too deeply.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name}: it is not JSON: ${(error as Error).message}.`);
  }
}

function checkFormat(name: string, value: unknown, format: Format): void {
  const { what, member, version, source } = format;
  const said = isRecord(value) ? value[member] : undefined;
  if (typeof said !== 'number') throw new UsageError(`${name}: it is not ${what}; ${source}.`);
  if (said > version) {
    throw new UsageError(
      `${name}: it has ${member} ${said}, and this version reads up to ${version}; update admin-api-conformance.`,
    );
  }
  const validate = validatorOf(format);
  if (validate(value)) return;
  const [first] = validate.errors ?? [];
  throw new UsageError(`${name}: it is not ${what}: ${first ? describe(first) : 'it does not fit its schema'}.`);
}

/**
 * Reads the text of a result file, of this version or an earlier one; members that a later version added are passed over.
 *
 * @param name of the file, for error messages
 * @throws UsageError that names the file and what is wrong in it
 */
export function parseResult(name: string, text: string): Result {
  const value = valueOf(name, text, RESULT);
  checkFormat(name, value, RESULT);
  return value as Result;
}

/**
 * Reads the text of the matrix of a fleet, or of a single result.
 *
 * @param name of the file, for error messages
 * @throws UsageError that names the file and what is wrong in it
 */
export function parseMatrixOrResult(name: string, text: string): Matrix | Result {
  const value = valueOf(name, text, MATRIX);
  const isResult = isRecord(value) && value[RESULT.member] !== undefined;
  checkFormat(name, value, isResult ? RESULT : MATRIX);
  return value as Matrix | Result;
}

/** Levels. The suite reads bodies of far fewer. */
const DEEPEST = 1_000;
/** Bytes. A result holds a part of each exchange. */
const MOST_RESULT = 128 * MOST_BYTES;

/**
 * Reads a result file.
 *
 * @throws UsageError if it cannot be read, or is no result
 */
export function readResult(path: string): Result {
  return parseResult(path, readGivenFile('', path, MOST_RESULT));
}

/**
 * Reads the matrix of a fleet, or a single result.
 *
 * @throws UsageError if it cannot be read, or is neither
 */
export function readMatrixOrResult(path: string): Matrix | Result {
  return parseMatrixOrResult(path, readGivenFile('', path, MOST_RESULT));
}
