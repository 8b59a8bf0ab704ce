import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { equalities, exam, inclusions } from './exam.ts';
import type { Document, Json, JsonObject, Schema } from './exam/documents.ts';

type Accepts = (value: Json) => boolean;

/** A schema as a predicate, by a validator that knows nothing of the judge. */
function accepting(schema: Schema, components: JsonObject = {}): Accepts {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(typeof schema === 'boolean' ? schema : { ...schema, components });
  return (value) => validate(value);
}

/** Every value that any entry of the exam names; each schema is asked about all of them. */
const pool: readonly Json[] = [
  ...inclusions.flatMap(({ onlyWide, both }) => [onlyWide, both]),
  ...equalities.flatMap(({ samples }) => samples),
];

const parsed = (document: Document | string): Document =>
  typeof document === 'string' ? (parse(document) as Document) : document;

describe('the schemas of the exam', () => {
  it.each(inclusions)('narrow is narrower than wide: $name', ({ wide, narrow, onlyWide, both, components }) => {
    const inWide = accepting(wide, components);
    const inNarrow = accepting(narrow, components);
    expect([inWide(onlyWide), inNarrow(onlyWide)]).toEqual([true, false]);
    expect([inWide(both), inNarrow(both)]).toEqual([true, true]);
    expect(pool.filter((value) => inNarrow(value) && !inWide(value))).toEqual([]);
  });

  it.each(equalities)('mean the same: $name', ({ a, b, componentsA, componentsB, samples }) => {
    const inA = accepting(a, componentsA);
    const inB = accepting(b, componentsB);
    expect(new Set(samples.map(inA)).size).toBe(2);
    expect(pool.filter((value) => inA(value) !== inB(value))).toEqual([]);
  });
});

describe('the pairs of the exam', () => {
  it('are many, and more than half of them are compatible in some direction', () => {
    const compatible = exam.filter(({ clients, implementers }) => [clients, implementers].includes('compatible'));
    expect(exam.length).toBeGreaterThanOrEqual(150);
    expect(compatible.length).toBeGreaterThan(exam.length / 2);
  });

  it('have names of their own', () => {
    expect(new Set(exam.map(({ name }) => name)).size).toBe(exam.length);
  });

  it('ask for major exactly where clients break', () => {
    for (const { name, clients, bump } of exam)
      if (bump) expect({ name, major: bump.includes('major') }).toEqual({ name, major: clients === 'breaking' });
  });

  it('have two documents that differ, unless nothing at all is expected', () => {
    const alike = exam.filter(({ base, head }) => JSON.stringify(parsed(base)) === JSON.stringify(parsed(head)));
    expect(alike.filter(({ bump }) => bump?.join() !== 'none').map(({ name }) => name)).toEqual([]);
  });
});
