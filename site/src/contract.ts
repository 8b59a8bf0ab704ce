import { readFileSync } from 'node:fs';

/** The members that requirements and open points are attached to. */
interface Node {
  readonly $ref?: string;
  readonly description?: string;
  readonly 'x-requirements'?: readonly { readonly id: string }[];
  readonly 'x-open-points'?: readonly { readonly id: string }[];
}

/** A JSON Schema of the contract. */
export interface Schema extends Node {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly deprecated?: boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly 'x-sample-type'?: Schema;
}

/** A body of a request or a response. */
export interface Body extends Node {
  readonly content: {
    readonly 'application/json': {
      readonly schema: Schema;
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    };
  };
  readonly 'x-error-name'?: string;
}

export interface Operation extends Node {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Node & {
    readonly name: string;
    readonly schema: Schema;
    readonly example: unknown;
  })[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Contract extends Node {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Node>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Body>>;
  };
}

/** The contract, as `build.ts` writes it. */
export const contract = JSON.parse(readFileSync('.data/contract.json', 'utf8')) as Contract;

/** Every operation with its method and path. */
export const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** What a reference leads to; anything else is returned as it is. */
export function resolved<T extends Node>(node: T): T {
  const steps = node.$ref?.split('/').slice(1) ?? [];
  return steps.reduce<unknown>(
    (parent, step) => (parent as Record<string, unknown>)[step],
    steps.length > 0 ? contract : node,
  ) as T;
}

/** The name of the schema that a reference points to. */
export function schemaNameOf({ $ref }: Node): string | undefined {
  return $ref?.split('/').at(-1);
}

/** The ids of the requirements and open points of an object. */
export function idsOf(node: Node): string[] {
  return [...(node['x-requirements'] ?? []), ...(node['x-open-points'] ?? [])].map(({ id }) => id);
}

/** The schema of the members of a value: its own, or those of its elements. */
export function objectIn(schema: Schema): { name: string; schema: Schema } | undefined {
  const reference = schema.items ?? schema;
  const name = schemaNameOf(reference);
  return name === undefined ? undefined : { name, schema: resolved(reference) };
}

/** The schema of a body. */
export function schemaOf({ content }: Body): Schema {
  return content['application/json'].schema;
}

/** The examples of a body. */
export function examplesOf({ content }: Body): { summary: string; value: unknown }[] {
  return Object.values(content['application/json'].examples ?? {});
}

/** The type of a member in words, such as `string or null, date-time`. */
export function typeOf(schema: Schema): string {
  const { type, format, items, oneOf = [] } = schema['x-sample-type'] ?? schema;
  const names = [type ?? []].flat().map((name) => (name === 'array' && items ? `array of ${typeOf(items)}s` : name));
  const all = [...names, ...oneOf.map(typeOf)].join(' or ');
  return [all || (schemaNameOf(schema)?.replace(/Schema$/, '') ?? 'any'), format].filter(Boolean).join(', ');
}

/** A value as JSON with a line for each member, below the options of a command. */
const inLines = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

/** A command that sends the largest example of an operation. */
export function curlOf({ method, path, operation }: (typeof operations)[number]): string {
  const { parameters = [], requestBody } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    String(parameters.find((each) => each.name === name)?.example),
  );
  const body = requestBody && examplesOf(requestBody).at(-1);
  return [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`}`,
    `"$BASE_URL${filled}"`,
    '-H "Authorization: $API_KEY"',
    "-H 'Accept: application/json'",
    ...(body ? ["-H 'Content-Type: application/json'", `--data-raw '${inLines(body.value)}'`] : []),
  ].join(' \\\n  ');
}
