import { expect, it } from 'vitest';
import { ownChanges } from '../src/classify.ts';
import { described, type Document } from './cases.ts';

const reference = (name: string): Document => ({ $ref: `#/components/schemas/${name}` });

/** A document with a path for each of some components, which a GET of it shows. */
function showing(paths: Readonly<Record<string, string>>, schemas: Document): Document {
  const operations = Object.entries(paths).map(([path, name]) => {
    const content = { 'application/json': { schema: reference(name) } };
    return [path, { get: { responses: { 200: { description: '', content } } } }] as const;
  });
  const info = { title: 't', version: '1' };
  return { openapi: '3.1.0', info, paths: Object.fromEntries(operations), components: { schemas } };
}

function holders(shared: Document, requiredByFirst: readonly string[]): Document {
  const holder = (required: readonly string[]): Document => ({
    type: 'object',
    required,
    properties: { part: reference('Part') },
  });
  const schemas = { Part: shared, First: holder(requiredByFirst), Second: holder([]) };
  return showing({ '/first': 'First', '/second': 'Second' }, schemas);
}

it('reports a change of a member only where that member is, though its schema stands elsewhere, too', () => {
  const base = described('base', holders({ type: 'string' }, []));
  const head = described('head', holders({ type: 'string', maxLength: 5 }, ['part']));
  const found = ownChanges(base, head).map(({ rule, operations }) => ({ rule, operations }));
  expect(found).toContainEqual({ rule: 'maximum-size-changed', operations: ['GET /first', 'GET /second'] });
  expect(found).toContainEqual({ rule: 'member-required', operations: ['GET /first'] });
});

it('looks for what a discriminator tells apart where any of it may stand, and not again in each of it', () => {
  const petOf = (length: number): Document => {
    const madeOf = (name: string, properties: Document): Document => ({
      allOf: [reference(name), { type: 'object', properties }],
    });
    const pet = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
    return showing(
      { '/pets': 'Pet', '/dogs': 'Dog', '/cats': 'Cat' },
      {
        Pet: { ...pet, discriminator: { propertyName: 'kind' } },
        Cat: madeOf('Pet', { name: { type: 'string' } }),
        Dog: madeOf('Pet', {}),
        Puppy: madeOf('Dog', { age: { type: 'string', maxLength: length } }),
      },
    );
  };
  const found = ownChanges(described('base', petOf(5)), described('head', petOf(9)));
  expect(found.map(({ operations }) => operations)).toEqual([['GET /dogs', 'GET /pets']]);
});
