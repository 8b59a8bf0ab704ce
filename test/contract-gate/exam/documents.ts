import { readFileSync } from 'node:fs';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}
export type Schema = JsonObject | boolean;
export type Document = JsonObject;

/** What an operation answers with where nothing else is said. */
const DONE: JsonObject = {
  '200': {
    description: 'Done.',
    content: {
      'application/json': { schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
    },
  },
};

/** The envelope of a document; `rest` may replace any of it. */
export function api(paths: JsonObject, rest: JsonObject = {}): Document {
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://shop.example.com' }],
    paths,
    ...rest,
  };
}

export function jsonBody(schema: Schema): JsonObject {
  return { required: true, content: { 'application/json': { schema } } };
}

export function jsonAnswer(schema: Schema, more: JsonObject = {}): JsonObject {
  return { description: 'Done.', content: { 'application/json': { schema } }, ...more };
}

/** `POST /orders`; the members of `operation` are added, or replace those that are there. */
export function posting(operation: JsonObject, rest: JsonObject = {}): Document {
  const post = { operationId: 'createOrder', requestBody: jsonBody({ type: 'object' }), responses: DONE, ...operation };
  return api({ '/orders': { post } }, rest);
}

/** `GET /orders`; the members of `operation` are added, or replace those that are there. */
export function listing(operation: JsonObject, rest: JsonObject = {}): Document {
  return api({ '/orders': { get: { operationId: 'listOrders', responses: DONE, ...operation } } }, rest);
}

/** `GET /orders` with one query parameter. */
export function querying(parameter: JsonObject, rest: JsonObject = {}): Document {
  return listing({ parameters: [{ name: 'q', in: 'query', ...parameter }] }, rest);
}

const holding = (schema: Schema): Schema => ({ type: 'object', required: ['value'], properties: { value: schema } });

/** The schema stands at the required member `value` of a request body. */
export function asked(schema: Schema, components: JsonObject = {}): Document {
  return posting({ requestBody: jsonBody(holding(schema)) }, { components });
}

/** The schema stands at the required member `value` of an answer. */
export function answered(schema: Schema, components: JsonObject = {}): Document {
  return posting({ responses: { '200': jsonAnswer(holding(schema)) } }, { components });
}

/** The schema stands in a request body and in an answer. */
export function exchanged(schema: Schema, components: JsonObject = {}): Document {
  return posting(
    { requestBody: jsonBody(holding(schema)), responses: { '200': jsonAnswer(holding(schema)) } },
    { components },
  );
}

/** One change of a document, at a JSON pointer. */
export type Edit =
  | { readonly do: 'put'; readonly pointer: string; readonly value: Json }
  | { readonly do: 'drop'; readonly pointer: string }
  | { readonly do: 'change'; readonly pointer: string; readonly by: (value: Json) => Json };

/** Puts a value at the pointer, whether something is there or not; `-` appends to an array. */
export const put = (pointer: string, value: Json): Edit => ({ do: 'put', pointer, value });
/** Takes away what is at the pointer. */
export const drop = (pointer: string): Edit => ({ do: 'drop', pointer });
/** Puts in the place of what is at the pointer what `by` makes of it. */
export const change = (pointer: string, by: (value: Json) => Json): Edit => ({ do: 'change', pointer, by });

type Mutable = Record<string, Json> | Json[];

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function member(holder: Json | undefined, token: string): Json | undefined {
  return (holder as Record<string, Json> | undefined)?.[token];
}

/** What stands at a JSON pointer; throws where nothing does. */
export function at(document: Json, pointer: string): Json {
  const found = pointer.split('/').slice(1).map(unescaped).reduce<Json | undefined>(member, document);
  if (found === undefined) throw new Error(`nothing is at ${pointer}`);
  return found;
}

function apply(document: Json, edit: Edit): void {
  const cut = edit.pointer.lastIndexOf('/');
  const holder = at(document, edit.pointer.slice(0, cut)) as Mutable;
  const token = unescaped(edit.pointer.slice(cut + 1));
  if (edit.do === 'put') {
    const value = structuredClone<Json>(edit.value);
    if (Array.isArray(holder) && token === '-') holder.push(value);
    else (holder as Record<string, Json>)[token] = value;
    return;
  }
  const there = at(document, edit.pointer);
  if (edit.do === 'change') (holder as Record<string, Json>)[token] = structuredClone<Json>(edit.by(there));
  else if (Array.isArray(holder)) holder.splice(Number(token), 1);
  else Reflect.deleteProperty(holder, token);
}

/** A copy of the document with the edits made one after the other. Throws where an edit finds nothing to change. */
export function edited(document: Document, ...edits: readonly Edit[]): Document {
  const copy = structuredClone<Document>(document);
  for (const edit of edits) apply(copy, edit);
  return copy;
}

/** A copy of a JSON value with every text replaced by what `by` makes of it, member names not included. */
export function textsReplaced(value: Json, by: (text: string) => string): Json {
  if (typeof value === 'string') return by(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => textsReplaced(each, by));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, textsReplaced(each, by)]));
}

/** A copy with the members of every object in the opposite order. Arrays stay as they are. */
export function membersReversed(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(membersReversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]): [string, Json] => [name, membersReversed(each)])
      .reverse(),
  );
}

/** Our own contract. */
export const contract = JSON.parse(
  readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** Our own contract as people write it. */
export const contractYaml = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
