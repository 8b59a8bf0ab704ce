import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { contractDocument, schema, type JsonSchema, type SchemaName } from './document.ts';

/** A violation of a schema. */
export interface Violation {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

/** Checks a parsed JSON value and returns its violations; empty if it conforms. It converts no values. */
export type Validator = (value: unknown) => readonly Violation[];

export interface Validators {
  readonly bodies: Readonly<Record<SchemaName, Validator>>;
  /** A validator for each member, by schema and name. To a member with `x-sample-type` that type applies, and null conforms. */
  readonly members: Readonly<Record<SchemaName, ReadonlyMap<string, Validator>>>;
}

/** The syntax of an RFC 3339 date-time (section 5.6, with the space that its note allows). It does not check which days exist. */
export const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const dateTime = fullFormats['date-time'] as { validate: (text: string) => boolean };

/**
 * Whether a text is an RFC 3339 date-time (section 5.6, with the space that its note allows).
 * The format of ajv-formats alone also accepts an offset without a colon.
 */
export function isDateTime(text: string): boolean {
  return RFC_3339.test(text) && dateTime.validate(text);
}

const ID_PREFIX = 'contract:';

function withoutDocumentReferences(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node).replaceAll('"#/components/schemas/', `"${ID_PREFIX}`));
}

/** The message of an error, with the allowed types as "string or null". */
function inWords({ keyword, message, params }: ErrorObject): string {
  const { type } = params as { type?: unknown };
  if (keyword === 'required') return `must have the member \`${String(params.missingProperty)}\``;
  return keyword === 'type' && Array.isArray(type) ? `must be ${type.join(' or ')}` : (message ?? keyword);
}

function violations(errors: readonly ErrorObject[] | null | undefined): Violation[] {
  return (errors ?? []).map((error) => ({ pointer: error.instancePath, message: inWords(error) }));
}

function validator(compiled: ValidateFunction): Validator {
  return (value) => (compiled(value) ? [] : violations(compiled.errors));
}

/** The schema that a member is held to. */
function memberSchema(member: JsonSchema): JsonSchema {
  const sample = member['x-sample-type'] as JsonSchema | undefined;
  return sample ? { ...sample, type: [sample.type, 'null'] } : member;
}

function memberValidators(ajv: Ajv2020, name: SchemaName): Map<string, Validator> {
  return new Map(
    Object.entries(schema(name).properties).map(([member, definition]) => [
      member,
      validator(ajv.compile(withoutDocumentReferences(memberSchema(definition)) as JsonSchema)),
    ]),
  );
}

let compiledOnce: Validators | undefined;

/**
 * The compiled schemas of the contract, compiled once: strict, without type conversion, and with `date-time` as in RFC 3339.
 *
 * @throws Error if a schema of the contract is not a valid JSON Schema
 */
export function compileValidators(): Validators {
  compiledOnce ??= compile();
  return compiledOnce;
}

function compile(): Validators {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addFormat('date-time', isDateTime);
  ajv.addVocabulary(['x-requirements', 'x-open-points', 'x-sample-type', 'example']);
  const names = Object.keys(contractDocument.components.schemas) as SchemaName[];
  for (const name of names) {
    ajv.addSchema(withoutDocumentReferences(schema(name)) as JsonSchema, `${ID_PREFIX}${name}`);
  }
  const compiled = (name: SchemaName): Validator => {
    const found = ajv.getSchema(`${ID_PREFIX}${name}`);
    if (!found) throw new Error(`The contract has no schema ${name}.`);
    return validator(found);
  };
  const bySchema = <T>(make: (name: SchemaName) => T): Record<SchemaName, T> =>
    Object.fromEntries(names.map((name) => [name, make(name)])) as Record<SchemaName, T>;
  return { bodies: bySchema(compiled), members: bySchema((name) => memberValidators(ajv, name)) };
}
