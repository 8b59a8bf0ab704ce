import { expect, it } from 'vitest';
import { html } from '../../common/html.ts';
import { membersTable, typeOf } from '../../site/schema.ts';

const wordsOf = (schema: object): string => html`${typeOf(schema as never, (name) => `#${name}`)}`.text;

it.each([
  [{ $ref: '#/$defs/level' }, '<a href="#level">level</a>'],
  [{ enum: ['a', 1] }, '<code>&quot;a&quot;</code> or <code>1</code>'],
  [{ const: 1 }, '<code>1</code>'],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ type: 'array', items: { $ref: '#/$defs/a' } }, 'array of <a href="#a">a</a>'],
  [{ type: 'array', items: {} }, 'array'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'string or null, date-time'],
  [{}, 'any value'],
])('the type of a value %j is named in a few words', (schema, words) => expect(wordsOf(schema)).toBe(words));

it('the members of an object are listed with those of the objects in it, and what is said of each', () => {
  const schema = {
    required: ['a'],
    properties: {
      a: { type: 'object', properties: { b: { type: 'string', description: 'The <b>.', deprecated: true } } },
      list: { type: 'array', items: { properties: { c: { type: 'integer' } } } },
    },
  };
  const { text: table } = membersTable(
    'Members',
    schema,
    (name) => name,
    () => 'More.',
  );
  const text = table.replaceAll(/\s*>/g, '>').replaceAll(/\s+/g, ' ');
  const paths = [...text.matchAll(/<code>(.*?)<\/code>/g)].map(([, path]) => path);
  expect(paths).toEqual(['a', 'a.b', 'list', 'list[].c']);
  expect(text).toMatch(/<code>a<\/code> <span class="note">required<\/span>/);
  expect(text).toMatch(/<code>a\.b<\/code> <span class="note">deprecated<\/span>/);
  expect(text).toContain('The &lt;b&gt;.More.');
});
