import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { atPointer, objectOf } from '../../common/json.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ownChanges } from '../src/classify.ts';
import { described, type Document, type Json, type JsonObject } from './cases.ts';

type Values = readonly [Json, Json?];
type Fields = Readonly<Record<string, Values>>;

interface Table {
  readonly document: Document;
  readonly objects: Readonly<Record<string, { readonly at: string; readonly fields: Fields }>>;
  readonly 'used schemes': Readonly<Record<string, Fields>>;
  readonly keywords: Fields;
}

const table = parse(readFileSync(new URL('fields.yaml', import.meta.url), 'utf8')) as Table;

/** The document with another value in a field of the object at a place; null leaves the field out. */
function withField(document: Document, at: string, field: string, value: Json | undefined): Document {
  const copy = structuredClone(document);
  const steps = at.split('/');
  const last = steps.pop() ?? '';
  const holder = atPointer(copy, at) ?? {};
  if (at !== '' && atPointer(copy, at) === undefined)
    Object.assign(objectOf(atPointer(copy, steps.join('/'))), { [last]: holder });
  Object.assign(holder, { [field]: value });
  if (value === null || value === undefined) Reflect.deleteProperty(holder, field);
  return copy;
}

/** The rules that tell one value of a field from the other, except that the document is written differently. */
function told(at: string, field: string, [one, other]: Values, document = table.document): readonly string[] {
  const [base, head] = [withField(document, at, field, one), withField(document, at, field, other)];
  const found = ownChanges(described('base', base), described('head', head));
  return found.map(({ rule }) => rule).filter((rule) => rule !== 'rewritten');
}

const compared = (fields: Fields): [string, Values][] =>
  Object.entries(fields).filter(([, values]) => values.length > 1);

describe.each(Object.entries(table.objects))('the %s Object', (_name, { at, fields }) => {
  it.each(compared(fields))('has its field %s compared', (field, values) => {
    expect(told(at, field, values)).not.toEqual([]);
  });
});

describe.each(Object.entries(table['used schemes']))('the %s', (name, fields) => {
  const scheme = name.includes('http') ? 'http' : 'oidc';
  const document = withField(table.document, '', 'security', [{ [scheme]: [] }]);
  it.each(compared(fields))('has its field %s compared', (field, values) =>
    expect(told(`/components/securitySchemes/${scheme}`, field, values, document)).not.toEqual([]),
  );
});

describe('the keywords of schemas', () => {
  const requireFile = createRequire(import.meta.url);
  const vocabularies = ['applicator', 'content', 'core', 'format-annotation', 'meta-data', 'unevaluated', 'validation'];
  const keywords = vocabularies.flatMap((name) => {
    const { properties } = requireFile(`ajv/dist/refs/json-schema-2020-12/meta/${name}.json`) as JsonObject;
    return Object.keys(properties as JsonObject);
  });
  const named = table.keywords;

  it('are all in the table', () => expect(keywords.filter((each) => !Object.hasOwn(named, each))).toEqual([]));

  it.each(compared(named))('%s is compared, in a request or a response', (keyword, values) => {
    const schemas = values.map((value) => {
      const { beside = {}, is = value } = objectOf(value);
      return is === null ? {} : { ...(beside as JsonObject), [keyword]: is as Json };
    });
    const v30 = keyword === 'nullable' ? withField(table.document, '', 'openapi', '3.0.3') : table.document;
    const typed = keyword === 'nullable' ? { type: 'string' } : {};
    const content = schemas.map((schema): Json => ({
      'application/xml': { schema: { type: 'object', properties: { v: { ...typed, ...schema } } } },
    }));
    const [one = null, other = null] = content;
    const places = ['/paths/~1a~1{id}/post/requestBody', '/paths/~1a~1{id}/post/responses/200'];
    expect(places.flatMap((at) => told(at, 'content', [one, other], v30))).not.toEqual([]);
  });
});
