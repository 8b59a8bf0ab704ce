import { expect, it } from 'vitest';
import { ownChanges } from '../src/classify.ts';
import { described, type Document } from './cases.ts';

const reference = (name: string): Document => ({ $ref: `#/components/schemas/${name}` });

function holders(shared: Document, requiredByFirst: readonly string[]): Document {
  const holder = (required: readonly string[]): Document => ({
    type: 'object',
    required,
    properties: { part: reference('Part') },
  });
  const showing = (name: string): Document => ({
    get: { responses: { 200: { description: '', content: { 'application/json': { schema: reference(name) } } } } },
  });
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: { '/first': showing('First'), '/second': showing('Second') },
    components: { schemas: { Part: shared, First: holder(requiredByFirst), Second: holder([]) } },
  };
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
    const showing = (name: string): Document => ({
      get: { responses: { 200: { description: '', content: { 'application/json': { schema: reference(name) } } } } },
    });
    return {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: { '/pets': showing('Pet'), '/dogs': showing('Dog'), '/cats': showing('Cat') },
      components: {
        schemas: {
          Pet: {
            ...{ type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
            discriminator: { propertyName: 'kind' },
          },
          Cat: madeOf('Pet', { name: { type: 'string' } }),
          Dog: madeOf('Pet', {}),
          Puppy: madeOf('Dog', { age: { type: 'string', maxLength: length } }),
        },
      },
    };
  };
  const found = ownChanges(described('base', petOf(5)), described('head', petOf(9)));
  expect(found.map(({ operations }) => operations)).toEqual([['GET /dogs', 'GET /pets']]);
});
