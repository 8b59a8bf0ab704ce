import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { MOST_BYTES } from '../../common/process/bounded-file.ts';
import { isRecord, rememberingEach, sizeOf } from '../../common/json.ts';
import { operationIds } from '../../contract/document.ts';
import { ID_INPUTS } from '../resources/inputs.ts';
import { MATRIX_VERSION, type Matrix } from './several/matrix.ts';
import { SCHEMA_VERSION, type Result } from './result.ts';
import { readGivenFile, UsageError } from '../../common/process/args.ts';

/** The published schema closes every object; a reader has to pass over members that a later version added. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, opened(value)]));
}

/** The JSON Schema of a result, as it is published: with the operations of the contract. */
export function resultSchema(): object {
  const text = readFileSync(new URL('result.schema.json', import.meta.url), 'utf8');
  const { $defs, properties, ...schema } = JSON.parse(text) as {
    readonly $defs: Readonly<Record<string, object>>;
    readonly properties: { readonly target: { readonly properties: object } };
  };
  const ids = Object.fromEntries(ID_INPUTS.map((name) => [name, { type: 'string' }]));
  const target = { ...properties.target, properties: { ...ids, ...properties.target.properties } };
  const operation = { enum: operationIds, description: 'The operationId of an operation of the contract.' };
  return { ...schema, properties: { ...properties, target }, $defs: { ...$defs, operation } };
}

/** The JSON Schema of a matrix. */
export function matrixSchema(): object {
  return JSON.parse(readFileSync(new URL('several/matrix.schema.json', import.meta.url), 'utf8')) as object;
}

/** What a command writes and another reads, by the member that says its version. */
const FORMATS = {
  schemaVersion: {
    what: 'a result',
    version: SCHEMA_VERSION as number,
    source: '"run --report json=PATH" writes one',
    schema: resultSchema,
  },
  matrixVersion: {
    what: 'a matrix',
    version: MATRIX_VERSION as number,
    source: '"run --targets FILE" and "merge" write one',
    schema: matrixSchema,
  },
};
type Member = keyof typeof FORMATS;

const validatorOf = rememberingEach(({ schema }: (typeof FORMATS)[Member]): ValidateFunction =>
  new Ajv2020({ allowUnionTypes: true }).compile(opened(schema()) as object),
);

function describe({ instancePath, message = 'is wrong' }: ErrorObject): string {
  return `${instancePath === '' ? 'it' : instancePath} ${message}`;
}

/** Levels. The suite reads bodies of far fewer. */
const DEEPEST = 1_000;

/** The value of the JSON text of a file. @throws UsageError if it is none */
export function jsonIn(name: string, text: string, what: string): unknown {
  if (sizeOf(text, DEEPEST).depth > DEEPEST)
    throw new UsageError(`${name}: it is not ${what}: it is nested too deeply.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name}: it is not JSON: ${(error as Error).message}.`);
  }
}

/** Reads a text in the last of these formats whose member it has; if it has none, it should have had the first. */
function parse(name: string, text: string, members: readonly [Member, ...Member[]]): unknown {
  const value = jsonIn(name, text, FORMATS[members[0]].what);
  const said = isRecord(value) ? value : {};
  const member = members.findLast((each) => said[each] !== undefined) ?? members[0];
  const format = FORMATS[member];
  const { what, version, source } = format;
  const own = said[member];
  if (typeof own !== 'number') throw new UsageError(`${name}: it is not ${what}; ${source}.`);
  if (own > version) {
    throw new UsageError(
      `${name}: it has ${member} ${own}, and this version reads up to ${version}; update admin-api-conformance.`,
    );
  }
  const validate = validatorOf(format);
  if (validate(value)) return value;
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
  return parse(name, text, ['schemaVersion']) as Result;
}

/** As `parseResult`, for the matrix of a fleet, or a single result. */
export function parseMatrixOrResult(name: string, text: string): Matrix | Result {
  return parse(name, text, ['matrixVersion', 'schemaVersion']) as Matrix | Result;
}

/** Bytes. A result holds a part of each exchange. */
export const MOST_RESULT = 128 * MOST_BYTES;

/**
 * Reads a result file.
 *
 * @throws UsageError if it cannot be read, or is no result
 */
export function readResult(path: string): Result {
  return parseResult(path, readGivenFile('', path, MOST_RESULT));
}

/** As `readResult`, for the matrix of a fleet, or a single result. */
export function readMatrixOrResult(path: string): Matrix | Result {
  return parseMatrixOrResult(path, readGivenFile('', path, MOST_RESULT));
}
