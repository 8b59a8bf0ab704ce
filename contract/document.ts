import { readFileSync } from 'node:fs';
import type { components, operations } from './openapi-types.ts';

/** The two operations, by their `operationId`. */
export type OperationId = keyof operations;
export type User = components['schemas']['createUserResponseSchema'];
export type UpdateUser = components['schemas']['updateUserSchema'];
export type Banners = components['schemas']['bannersSchema'];
export type ApiError = components['schemas']['errorSchema'];

export const LEVELS = ['must', 'should'] as const;
export type Level = (typeof LEVELS)[number];

/** One sentence of the contract that binds an implementation. */
export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** Where in the source document it stands. */
  readonly source: string;
  /** JSON pointer of the object in openapi.yaml that carries it. */
  readonly pointer: string;
}

export interface PossibleObservation {
  readonly id: string;
  readonly text: string;
}

/** A place where the source is silent, says "not shown" or contradicts itself. No server is judged on it. */
export interface OpenPoint {
  readonly id: string;
  readonly kind: 'not-shown' | 'contradiction' | 'silent';
  readonly text: string;
  readonly source: string;
  readonly ruling: string;
  readonly observations: readonly PossibleObservation[];
  readonly pointer: string;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface ResponseObject {
  readonly $ref?: string;
  readonly 'x-error-name'?: string;
}

interface OperationObject {
  readonly operationId: OperationId;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, ResponseObject>>;
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
      else visit(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
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
