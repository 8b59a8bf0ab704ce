import { readFileSync } from 'node:fs';
import { below, member } from '../common/json.ts';
import { valuesUnder } from '../common/openapi.ts';
import type { components, operations } from './openapi-types.ts';

/** The `operationId` of an operation. */
export type OperationId = keyof operations;
/** A user in a response (`createUserResponseSchema` of the contract; source: Resources, User). */
export type User = components['schemas']['createUserResponseSchema'];
/** The body of an update (source: Endpoints, PUT user, request body). */
export type UpdateUser = components['schemas']['updateUserSchema'];
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
  /** What the text covers, where that needs saying; it binds like it. */
  readonly description?: string;
  /** Its place in the source document. */
  readonly source: string;
  /** The version of the contract in which it came, unless that is the first one. */
  readonly since?: string;
  /** JSON pointer of the object in openapi.yaml that carries it. */
  readonly pointer: string;
}

/** A behaviour of a target that can be observed at an open point. */
interface PossibleObservation {
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

/** The body of a request or a response by media type, each a reference to one of `components.schemas`. */
type MediaTypes = Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;

/** A response of an operation, as far as this project reads it. */
interface ResponseObject {
  /** A reference to one of `components.responses` instead of a response. */
  readonly $ref?: string;
  /** Its body by media type. */
  readonly content?: MediaTypes;
  /** The `name` that an error body with this status carries. */
  readonly 'x-error-name'?: string;
}

/** An operation of the contract, as far as this project reads it. */
interface OperationObject {
  /** The name of the operation. */
  readonly operationId: OperationId;
  /** The groups that it belongs to. */
  readonly tags: readonly string[];
  /** The body of its requests. */
  readonly requestBody?: { readonly content: MediaTypes };
  /** The documented responses, by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The contract, an OpenAPI 3.1 document with `x-requirements` and `x-open-points`, as far as this project reads it. */
export interface ContractDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** The title of the API, and the version of the contract. */
  readonly info: { readonly title: string; readonly version: string };
  /** The operations, by path template and by lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Shared definitions, by name. */
  readonly components: {
    readonly responses: Readonly<Record<string, ResponseObject>>;
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

const requirementsById = new Map(requirements.map((each) => [each.id, each]));

/** The requirement with this id. @throws Error if the contract has no such requirement */
export function requirementOf(id: string): Requirement {
  const found = requirementsById.get(id);
  if (!found) throw new Error(`The contract has no requirement ${id}.`);
  return found;
}

/** The level of a requirement. @throws Error if the contract has no such requirement */
export const levelOf = (requirement: string): Level => requirementOf(requirement).level;

/** Every open point of the contract, in the order of the document. */
export const openPoints: readonly OpenPoint[] = collect('x-open-points') as OpenPoint[];

/** An operation with its place in the document. */
interface Located {
  /** In upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly operation: OperationObject;
}

function isOperation(value: unknown): value is OperationObject {
  return typeof member(value, 'operationId') === 'string';
}

const located = new Map<OperationId, Located>(
  Object.entries(contractDocument.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): [OperationId, Located][] =>
      isOperation(operation) ? [[operation.operationId, { method: method.toUpperCase(), path, operation }]] : [],
    ),
  ),
);

function locate(operationId: OperationId): Located {
  const found = located.get(operationId);
  if (!found) throw new Error(`The contract has no operation ${operationId}.`);
  return found;
}

/** Every operation of the contract, in the order of the document. */
const operationIds: readonly OperationId[] = [...located.keys()];

/** The operations that only read, in the order of the document. */
export const readOperations: readonly OperationId[] = operationIds.filter((each) => route(each).method === 'GET');

/** The operation that carries a requirement; undefined if that is part of a component, or of the whole document. */
export function operationOf({ pointer }: Pick<Requirement, 'pointer'>): OperationId | undefined {
  return operationIds.find((each) => {
    const { method, path } = route(each);
    const own = below('/paths', path, method.toLowerCase());
    return pointer === own || pointer.startsWith(`${own}/`);
  });
}

/** The groups that an operation belongs to. */
export const tagsOf = (operationId: OperationId): readonly string[] => locate(operationId).operation.tags;

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

/** The component schema with this name. */
export function schema(name: SchemaName): ObjectSchema {
  return contractDocument.components.schemas[name];
}

function schemaIn(content: MediaTypes = {}): SchemaName | undefined {
  return Object.values(content)[0]?.schema.$ref.split('/').at(-1) as SchemaName | undefined;
}

/** The component schema of the body with which an operation succeeds. */
export function responseSchemaOf(operationId: OperationId): SchemaName | undefined {
  return schemaIn(locate(operationId).operation.responses[200]?.content);
}

/**
 * The statuses that the contract lists for an operation.
 *
 * @throws Error if the contract has no such operation
 */
export function documentedStatuses(operationId: OperationId): readonly number[] {
  return Object.keys(locate(operationId).operation.responses).map(Number);
}

/** The names of errors by status; a lint rule keeps them the same for all operations. */
const errorNames = new Map(
  [...located.values()].flatMap(({ operation }) =>
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
export const errorStatuses: readonly number[] = [...errorNames.keys()].sort((left, right) => left - right);
