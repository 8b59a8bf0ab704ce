import { readFileSync } from 'node:fs';
import { rememberingEach } from '../common/json.ts';
import { valuesUnder } from '../common/openapi.ts';
import type { components, operations } from './openapi-types.ts';

/** The `operationId` of an operation. */
export type OperationId = keyof operations;
/** A user in a response (`createUserResponseSchema` of the contract; source: Resources, User). */
export type User = components['schemas']['createUserResponseSchema'];
/** The JSON body of the requests of an operation; never if it takes none. */
export type RequestBody<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
/** The body of an update (source: Endpoints, PUT user, request body). */
export type UpdateUser = RequestBody<'updateUser'>;
/** The list of banners (`bannersSchema` of the contract; source: Resources, Banner). */
export type Banners = components['schemas']['bannersSchema'];
/** The body of an error response (`errorSchema` of the contract; source: Resources, Error body). */
export type ApiError = components['schemas']['errorSchema'];

/** All levels, the stricter one first. */
export const LEVELS: readonly Level[] = ['must', 'should'];
/** How binding a requirement is. `must`: the source says it, or it follows. `should`: a careful engineer would infer it. */
export type Level = 'must' | 'should';

/** A requirement of the contract. */
export interface Requirement {
  /** A stable name, `area.what-holds`, which no other requirement ever gets. */
  readonly id: string;
  /** How binding it is. */
  readonly level: Level;
  /** What it requires. */
  readonly text: string;
  /** Its place in the source document. */
  readonly source: string;
  /** JSON pointer of the object in openapi.yaml that carries it. */
  readonly pointer: string;
}

/** A behaviour of a target that can be observed at an open point. */
export interface PossibleObservation {
  /** A stable name within the open point. */
  readonly id: string;
  /** What the target does. */
  readonly text: string;
}

/** A place where the source is silent, says "not shown" or contradicts itself. No server is judged on it. */
export interface OpenPoint {
  /** A stable name, `open.what`. */
  readonly id: string;
  /** Whether the source says "not shown", contradicts itself, or is silent. */
  readonly kind: 'not-shown' | 'contradiction' | 'silent';
  /** What the source leaves unspecified. */
  readonly text: string;
  /** Its place in the source document. */
  readonly source: string;
  /** What this contract decides. */
  readonly ruling: string;
  /** What can be observed of a target. */
  readonly observations: readonly PossibleObservation[];
  /** JSON pointer of the object in openapi.yaml that carries it. */
  readonly pointer: string;
}

/** A JSON Schema of the contract. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  /** The schemas of its members, by name. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** The names of its required members. */
  readonly required?: readonly string[];
}

/** A body in one media type. */
export interface MediaTypeObject {
  /** Its schema, a reference to one of `components.schemas`. */
  readonly schema: JsonSchema;
}

/** A request or a response with a body, as far as this project reads it. */
export interface BodyObject {
  /** The body, by media type. */
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** A response of an operation, with the members that this project reads. */
export interface ResponseObject extends BodyObject {
  /** A reference to one of `components.responses` instead of a response. */
  readonly $ref?: string;
  /** The `name` that an error body with this status carries. */
  readonly 'x-error-name'?: string;
}

/** An operation of the contract, with the members that this project reads. */
export interface OperationObject {
  /** The name of the operation. */
  readonly operationId: OperationId;
  /** The groups that it belongs to. */
  readonly tags?: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** The body of its requests, if it has one. */
  readonly requestBody?: BodyObject;
  /** The documented responses, by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The contract, an OpenAPI 3.1 document with `x-requirements` and `x-open-points`; with the members that this project reads. */
export interface ContractDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** Metadata. */
  readonly info: {
    /** The title of the API. */
    readonly title: string;
    /** The version of the contract, by semantic versioning. */
    readonly version: string;
  };
  /** The operations, by path template and by lower-case method; a path may have other members, such as `parameters`. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Shared definitions. */
  readonly components: {
    /** Shared responses, by name. */
    readonly responses: Readonly<Record<string, ResponseObject>>;
    /** Schemas of the bodies, by name. */
    readonly schemas: Readonly<Record<SchemaName, ObjectSchema>>;
  };
}

/** The name of a component schema. */
export type SchemaName = keyof components['schemas'];

const text = readFileSync(new URL('./openapi.json', import.meta.url), 'utf8');

/** The contract as published JSON text. */
export const contractText: string = text;

/** The parsed contract. Do not change it. */
export const contractDocument = JSON.parse(text) as ContractDocument;

/** The entries of a kind anywhere in the contract, each with the pointer of the object that carries it. */
function collect(kind: 'x-requirements' | 'x-open-points'): readonly object[] {
  return valuesUnder(kind, contractDocument).flatMap(({ value, pointer }) =>
    (value as object[]).map((each) => ({ ...each, pointer })),
  );
}

/** Every requirement of the contract, in the order of the document. */
export const requirements: readonly Requirement[] = collect('x-requirements') as Requirement[];

/** Every open point of the contract, in the order of the document. */
export const openPoints: readonly OpenPoint[] = collect('x-open-points') as OpenPoint[];

/** An operation with its place in the document. */
export interface Located {
  /** In upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** What the document says of it. */
  readonly operation: OperationObject;
}

/** The methods of HTTP that a path may have in OpenAPI 3.1; its other members are no operations. */
const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The operations of some paths, in the order of the document. */
export function operationsIn(paths: ContractDocument['paths']): readonly Located[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as OperationObject })),
  );
}

const located = new Map<OperationId, Located>(
  operationsIn(contractDocument.paths).map((each) => [each.operation.operationId, each]),
);

function locate(operationId: OperationId): Located {
  const found = located.get(operationId);
  if (!found) throw new Error(`The contract has no operation ${operationId}.`);
  return found;
}

/**
 * The route of an operation.
 *
 * @returns the method in upper case, and the path template of the contract (`/api/admin/user-admin/{id}`)
 * @throws Error if the contract has no such operation
 */
export function route(operationId: OperationId): { method: string; path: string } {
  const { method, path } = locate(operationId);
  return { method, path };
}

/** Every operation of the contract, in the order of the document. */
export const operationIds: readonly OperationId[] = [...located.keys()];

/** The tags of an operation; a selection may name it by them. */
export function tagsOf(operationId: OperationId): readonly string[] {
  return locate(operationId).operation.tags ?? [];
}

/** What an operation does, in a few words. */
export function summaryOf(operationId: OperationId): string {
  return locate(operationId).operation.summary;
}

const schemaOfBody = rememberingEach(({ content = {} }: BodyObject): SchemaName | undefined => {
  const [media] = Object.values(content);
  const reference = media?.schema.$ref;
  return typeof reference === 'string' ? (reference.split('/').at(-1) as SchemaName) : undefined;
});

/** The component schema of an operation's request body; undefined if it takes no body. */
export function requestSchemaOf(operationId: OperationId): SchemaName | undefined {
  const { requestBody } = locate(operationId).operation;
  return requestBody && schemaOfBody(requestBody);
}

/**
 * The statuses that the contract lists for an operation.
 *
 * @throws Error if the contract has no such operation
 */
export function documentedStatuses(operationId: OperationId): readonly number[] {
  return statusesOf(locate(operationId).operation);
}

const statusesOf = rememberingEach(({ responses }: OperationObject) => Object.keys(responses).map(Number));

/** The names of errors by status; the first operation that names one decides. */
const errorNames = new Map(
  [...located.values()].toReversed().flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const shared = response.$ref?.split('/').at(-1);
      const name = (shared ? contractDocument.components.responses[shared] : response)?.['x-error-name'];
      return name ? [[Number(status), name] as const] : [];
    }),
  ),
);

/**
 * The `name` in an error body with this status (`x-error-name`; source: Errors, table).
 *
 * @returns undefined for a status that the contract does not list as an error
 */
export function errorName(status: number): string | undefined {
  return errorNames.get(status);
}

/** The statuses that the contract documents as errors, sorted. */
export const errorStatuses: readonly number[] = [...new Set(operationIds.flatMap(documentedStatuses))]
  .filter((status) => errorName(status) !== undefined)
  .sort((left, right) => left - right);

/** The component schema of the body of an operation's 200 response. */
export function responseSchemaOf(operationId: OperationId): SchemaName | undefined {
  const success = locate(operationId).operation.responses['200'];
  return success && schemaOfBody(success);
}

/** The component schema with this name. */
export function schema(name: SchemaName): ObjectSchema {
  return contractDocument.components.schemas[name];
}
