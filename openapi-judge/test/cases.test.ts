import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgementOf } from '../src/change.ts';
import { ownChanges } from '../src/classify.ts';
import { cases, described, equalities, inclusions, type Document, type Json, type Schema } from './cases.ts';

it.each(cases)('$name', ({ base, head, expected, why }) => {
  const { bump, ...verdicts } = expected;
  const judgement = judgementOf(ownChanges(described('base', base), described('head', head)));
  expect(judgement, why).toMatchObject(verdicts);
  if (bump !== undefined) expect(bump, why).toContain(judgement.bump);
});

describe('the cases', () => {
  const parsed = (document: Document | string): unknown => (typeof document === 'string' ? parse(document) : document);

  it('have two documents that differ, unless nothing at all is expected', () => {
    const alike = cases.filter(({ base, head }) => JSON.stringify(parsed(base)) === JSON.stringify(parsed(head)));
    expect(alike.filter(({ expected }) => expected.bump?.join() !== 'none').map(({ name }) => name)).toEqual([]);
  });
});

describe('the schemas of the cases', () => {
  /** A schema as a predicate, by a validator that knows nothing of the judge. */
  function accepting(schema: Schema, components: Document = {}): (value: Json) => boolean {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(typeof schema === 'boolean' ? schema : { ...schema, components });
    return (value) => validate(value);
  }

  /** Every value that any entry names; each schema is asked about all of them. */
  const pool: readonly Json[] = [
    ...inclusions.flatMap(({ onlyWide, both }) => [onlyWide, both]),
    ...equalities.flatMap(({ samples }) => samples),
  ];

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
