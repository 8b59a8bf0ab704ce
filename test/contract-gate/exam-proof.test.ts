import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { equalities, exam, inclusions } from './exam.ts';
import type { Document, Json, JsonObject, Schema } from './exam/documents.ts';

/** Whether a schema accepts a value, by a validator that knows nothing of the judge. */
function accepts(schema: Schema, value: Json, components: JsonObject = {}): boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.validate(typeof schema === 'boolean' ? schema : { ...schema, components }, value);
}

const parsed = (document: Document | string): Document =>
  typeof document === 'string' ? (parse(document) as Document) : document;

describe('the schemas of the exam', () => {
  it.each(inclusions)('narrow is narrower than wide: $name', ({ wide, narrow, onlyWide, both, components }) => {
    expect(accepts(wide, onlyWide, components)).toBe(true);
    expect(accepts(narrow, onlyWide, components)).toBe(false);
    expect(accepts(wide, both, components)).toBe(true);
    expect(accepts(narrow, both, components)).toBe(true);
  });

  it.each(equalities)('mean the same on their samples: $name', ({ a, b, componentsA, componentsB, samples }) => {
    const verdicts = samples.map((sample) => accepts(a, sample, componentsA));
    expect(samples.map((sample) => accepts(b, sample, componentsB))).toEqual(verdicts);
    expect(new Set(verdicts).size).toBe(2);
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

  it('have two documents that differ, unless their texts alone do', () => {
    const texts =
      /^(the same document|a status that is a number in the YAML|ours: YAML .*|.* in another order|.*, in another order)$/;
    for (const { name, base, head } of exam)
      expect({
        name,
        same: JSON.stringify(parsed(base)) === JSON.stringify(parsed(head)) && !texts.test(name),
      }).toEqual({
        name,
        same: false,
      });
  });
});
