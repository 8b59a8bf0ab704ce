import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { groupedBy } from '../common/text.ts';
import { contractDocument, schema, type SchemaName } from './document.ts';
import * as generated from './schema-validators.ts';

/** A violation of a schema. */
interface Violation {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
  /** What the value must be: its types, as "string or null", or its format. */
  readonly expected: string;
}

/** Checks a parsed JSON value and returns its violations; empty if it conforms. It converts no values. */
type Validator = (value: unknown) => readonly Violation[];

export interface Validators {
  readonly bodies: Readonly<Record<SchemaName, Validator>>;
  /** A validator for each member, by schema and name. To a member with `x-sample-type` that type applies, and null conforms. */
  readonly members: Readonly<Record<SchemaName, ReadonlyMap<string, Validator>>>;
}

/** The formats of the contract in words. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a date-time of RFC 3339',
  'offset-date-time': 'a date-time of ISO 8601 with a time zone offset, such as 2026-01-31T09:00:00+02:00',
};

/** What is wrong, and what the value must be, unless its type is wrong. */
function inWords({ keyword, message = keyword, params }: ErrorObject): Omit<Violation, 'pointer'> {
  const { format, missingProperty } = params as Readonly<Record<string, unknown>>;
  const member = `the member \`${String(missingProperty)}\``;
  if (keyword === 'required') return { message: `must have ${member}`, expected: `object with ${member}` };
  return { message, expected: FORMATS[String(format)] ?? message };
}

/**
 * The violations of one value. A value that fits no alternative of a `oneOf` has an error for each: together, these name the types
 * that it may have, as "integer or object".
 */
function violationsAt(pointer: string, errors: readonly ErrorObject[]): Violation[] {
  const isOfType = ({ keyword }: ErrorObject): boolean => keyword === 'type';
  const types = errors.filter(isOfType).flatMap(({ params }) => (params as { type: string | string[] }).type);
  const others = errors.filter((error) => !isOfType(error) && error.keyword !== 'oneOf');
  const expected = types.join(' or ');
  return [
    ...(types.length > 0 ? [{ pointer, message: `must be ${expected}`, expected }] : []),
    ...others.map((error) => ({ pointer, ...inWords(error) })),
  ];
}

function violations(errors: readonly ErrorObject[] | null | undefined): Violation[] {
  const byPlace = groupedBy(errors ?? [], ({ instancePath }) => instancePath);
  return byPlace.flatMap(([pointer, own]) => violationsAt(pointer, own));
}

/** The function that was generated for a schema, or for a member of one. */
function validatorOf(name: string): Validator {
  const conforms = (generated as unknown as Readonly<Record<string, ValidateFunction>>)[name];
  if (!conforms) throw new Error(`There is no validator ${name}. Run npm run generate.`);
  return (value) => (conforms(value) ? [] : violations(conforms.errors));
}

function bySchema<T>(make: (name: SchemaName) => T): Readonly<Record<SchemaName, T>> {
  const names = Object.keys(contractDocument.components.schemas) as SchemaName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<SchemaName, T>;
}

/** The validators of the contract's schemas: strict, without type conversion, and with `date-time` as in RFC 3339. */
export const validators: Validators = {
  bodies: bySchema(validatorOf),
  members: bySchema(
    (name) => new Map(Object.keys(schema(name).properties).map((member) => [member, validatorOf(`${name}_${member}`)])),
  ),
};
