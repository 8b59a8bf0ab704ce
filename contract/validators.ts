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
  /** A validator for each member of a user, by name. */
  readonly userMembers: ReadonlyMap<string, Validator>;
  /** A validator for each sample member of a banner (`x-sample-type`), by name; null conforms. */
  readonly bannerMembers: ReadonlyMap<string, Validator>;
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
  return keyword === 'type' && Array.isArray(type) ? `must be ${type.join(' or ')}` : (message ?? keyword);
}

function violations(errors: readonly ErrorObject[] | null | undefined): Violation[] {
  return (errors ?? []).map((error) => ({ pointer: error.instancePath, message: inWords(error) }));
}

function validator(compiled: ValidateFunction): Validator {
  return (value) => (compiled(value) ? [] : violations(compiled.errors));
}

function memberValidators(ajv: Ajv2020, members: Readonly<Record<string, JsonSchema>>): Map<string, Validator> {
  return new Map(
    Object.entries(members).map(([name, member]) => [
      name,
      validator(ajv.compile(withoutDocumentReferences(member) as JsonSchema)),
    ]),
  );
}

function nullable(sample: JsonSchema): JsonSchema {
  return { ...sample, type: [sample.type, 'null'] };
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
  const samples = Object.entries(schema('bannerSchema').properties).map(([name, member]): [string, JsonSchema] => [
    name,
    nullable(member['x-sample-type'] as JsonSchema),
  ]);
  return {
    bodies: Object.fromEntries(names.map((name) => [name, compiled(name)])) as Record<SchemaName, Validator>,
    userMembers: memberValidators(ajv, schema('createUserResponseSchema').properties),
    bannerMembers: memberValidators(ajv, Object.fromEntries(samples)),
  };
}
