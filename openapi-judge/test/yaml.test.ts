import fc from 'fast-check';
import { CORE_SCHEMA, loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { plainYaml } from '../src/documents/yaml.ts';

/** What a full reader makes of one document. */
function full(text: string): unknown {
  const [value, ...others] = loadAll(text, undefined, { schema: CORE_SCHEMA });
  if (value === undefined || others.length > 0) throw new Error('not one document');
  return value;
}

const orNothing = (read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const WORDS = [
  '3.0.3',
  '2026-01-31',
  '2026-01-31T01:02:03.4Z',
  'a',
  'null',
  'No',
  '12',
  '1.5',
  "it's",
  'a: b',
  'c #d',
  '- e',
  '#f',
  '',
  ' g',
  '"h"',
  '{i}',
  '/j/{k}',
  'l\tm',
  '*n',
  '`o`',
];
const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' ')),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join('\n')),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ weight: 3, arbitrary: text }, fc.integer(), fc.boolean(), fc.constant(null), tie('map'), tie('list')),
  map: fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  list: fc.array(tie('any'), { maxLength: 3 }),
})).map;
const style = fc.record({
  lineWidth: fc.constantFrom(0, 30, 80),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
});

it('reads what a full reader reads, in any style, also where lines are changed, or leaves it', () => {
  const edit = fc.record({
    line: fc.nat(),
    by: fc.constantFrom('', ' ', '  ', '- ', '# ', '? ', ': ', '&a ', '*a', '---', '\t', "'", '|'),
  });
  fc.assert(
    fc.property(value, style, fc.array(edit, { maxLength: 2 }), (given, options, edits) => {
      const lines = stringify(given, options as object).split('\n');
      for (const { line, by } of edits) lines[line % lines.length] = `${by}${lines[line % lines.length] ?? ''}`;
      const written = lines.join('\n');
      const read = plainYaml(written, full);
      if (read !== undefined) expect({ written, read }).toEqual({ written, read: orNothing(() => full(written)) });
    }),
    { numRuns: 1_000, seed: Number(process.env.TEST_SEED ?? 1) },
  );
});

it('reads the usual notation itself, and a part that an earlier document had only once', () => {
  const never = (): unknown => expect.unreachable();
  const part =
    '  /v1.0.0:\n    get:\n      tags: [x, no]\n      version: 1.0.0\n      summary: A text\n        in two lines\n';
  const document = `paths:\n${part}webhooks:\n${part}`;
  const [first, second] = [plainYaml(document, never), plainYaml(document, never)] as Record<string, unknown>[];
  expect(first).toEqual(full(document));
  expect(second).toEqual(first);
  expect(second?.paths).not.toBe(second?.webhooks);
});
