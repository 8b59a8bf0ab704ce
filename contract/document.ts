import { readFileSync } from 'node:fs';
import { below } from '../common/json.ts';
import type { components, operations } from './openapi-types.ts';

/** The two operations, by their `operationId`. */
export type OperationId = keyof operations;
/** A user as an answer shows it (`createUserResponseSchema` of the contract; source: Resources, User). */
export type User = components['schemas']['createUserResponseSchema'];
/** The body of an update (`updateUserSchema` of the contract; source: Endpoints, PUT user, request body). */
export type UpdateUser = components['schemas']['updateUserSchema'];
/** The body that lists the banners (`bannersSchema` of the contract; source: Resources, Banner). */
export type Banners = components['schemas']['bannersSchema'];
/** The body of every error (`errorSchema` of the contract; source: Resources, Error body). */
export type ApiError = components['schemas']['errorSchema'];

/** All levels, the stricter one first. */
export const LEVELS: readonly Level[] = ['must', 'should'];
/** How much a sentence binds. `must`: the source says it, or it follows. `should`: a careful engineer would infer it. */
export type Level = 'must' | 'should';

/** One sentence of the contract that binds an implementation. */
export interface Requirement {
  /** A stable name, `area.what-holds`; it is never given to another sentence. */
  readonly id: string;
  /** How much it binds. */
  readonly level: Level;
  /** The sentence. */
  readonly text: string;
  /** Where in the source document it stands. */
  readonly source: string;
  /** JSON pointer of the object in openapi.yaml that carries it. */
  readonly pointer: string;
}

/** Something that a target may be seen to do at an open point. */
export interface PossibleObservation {
  /** A stable name within the open point. */
  readonly id: string;
  /** The same in words. */
  readonly text: string;
}

/** A place where the source is silent, says "not shown" or contradicts itself. No server is judged on it. */
export interface OpenPoint {
  /** A stable name, `open.what`. */
  readonly id: string;
  /** Whether the source says "not shown", contradicts itself, or is silent. */
  readonly kind: 'not-shown' | 'contradiction' | 'silent';
  /** What is open. */
  readonly text: string;
  /** Where in the source document it is left open. */
  readonly source: string;
  /** What follows for a server and for its judgement. */
  readonly ruling: string;
  /** What a target may be seen to do there. */
  readonly observations: readonly PossibleObservation[];
  /** JSON pointer of the object in openapi.yaml that carries it. */
  readonly pointer: string;
}

/** A JSON Schema as it stands in the contract. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  /** The schemas of its members, by their names. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** The names of the members that it must have. */
  readonly required?: readonly string[];
}

/** A response of an operation, as far as this project reads it. */
export interface ResponseObject {
  /** A reference to one of `components.responses`, in place of a response. */
  readonly $ref?: string;
  /** The `name` that an error body with this status carries. */
  readonly 'x-error-name'?: string;
}

/** An operation of the contract, as far as this project reads it. */
export interface OperationObject {
  /** The name of the operation. */
  readonly operationId: OperationId;
  /** What it does, in a few words. */
  readonly summary: string;
  /** The documented responses, by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The contract, as far as this project reads it: the JSON of an OpenAPI 3.1 document with `x-requirements` and `x-open-points`. */
export interface ContractDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** What the document says of itself. */
  readonly info: {
    /** The title of the API. */
    readonly title: string;
    /** The version of the contract, by semantic versioning. */
    readonly version: string;
  };
  /** The operations, by path template and by method in small letters. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** What operations refer to. */
  readonly components: {
    /** The responses that several operations share, by name. */
    readonly responses: Readonly<Record<string, ResponseObject>>;
    /** The schemas of the bodies, by name. */
    readonly schemas: Readonly<Record<SchemaName, ObjectSchema>>;
  };
}

/** The component schemas that this project reads by name. */
export type SchemaName = keyof components['schemas'];

const text = readFileSync(new URL('./openapi.json', import.meta.url), 'utf8');

/** The bytes of the contract as JSON, as published. */
export const contractText: string = text;

/** The contract, parsed. It is read only. */
export const contractDocument = JSON.parse(text) as ContractDocument;

/** The statements under a key anywhere in the contract, each with the pointer of the object that carries it. */
function collect(key: 'x-requirements' | 'x-open-points'): readonly object[] {
  const found: object[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [name, child] of Object.entries(node)) {
      if (name === key) found.push(...(child as object[]).map((each) => ({ ...each, pointer })));
      else visit(child, below(pointer, name));
    }
  };
  visit(contractDocument, '');
  return found;
}

/** Every requirement of the contract, in the order of the document. */
export const requirements: readonly Requirement[] = collect('x-requirements') as Requirement[];

/** Every open point of the contract, in the order of the document. */
export const openPoints: readonly OpenPoint[] = collect('x-open-points') as OpenPoint[];

interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

const located = new Map<OperationId, Located>(
  Object.entries(contractDocument.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [OperationId, Located] => [
      operation.operationId,
      { method: method.toUpperCase(), path, operation },
    ]),
  ),
);

function locate(operationId: OperationId): Located {
  const found = located.get(operationId);
  if (!found) throw new Error(`The contract has no operation ${operationId}.`);
  return found;
}

/**
 * Method and path template of an operation.
 *
 * @returns the method in capitals, and the path as it stands in the contract (`/api/admin/user-admin/{id}`)
 */
export function route(operationId: OperationId): { method: string; path: string } {
  const { method, path } = locate(operationId);
  return { method, path };
}

/** The statuses that the contract lists for an operation. */
export function documentedStatuses(operationId: OperationId): readonly number[] {
  return Object.keys(locate(operationId).operation.responses).map(Number);
}

/**
 * The `name` that an error body with this status carries (`x-error-name`; source: Errors, table).
 *
 * @returns undefined for a status that the contract does not list as an error
 */
export function errorName(status: number): string | undefined {
  for (const { operation } of located.values()) {
    const response = operation.responses[String(status)];
    const name = response?.$ref
      ? contractDocument.components.responses[response.$ref.split('/').at(-1) ?? '']?.['x-error-name']
      : response?.['x-error-name'];
    if (name) return name;
  }
  return undefined;
}

/** The schema of a component, as it stands in the contract. */
export function schema(name: SchemaName): ObjectSchema {
  return contractDocument.components.schemas[name];
}
