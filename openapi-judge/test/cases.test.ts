import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mapBounded } from '../../common/pool.ts';
import { judgementOf, type Judgement } from '../src/change.ts';
import type { Description } from '../src/documents/description.ts';
import { classify, ownChanges } from '../src/classify.ts';
import { redoclyBothWays } from '../src/redocly.ts';
import {
  cases,
  complete,
  described,
  disagreements,
  equalities,
  inclusions,
  namesWithRedocly,
  sample,
  type Case,
  type Document,
  type Json,
  type Schema,
} from './cases.ts';

type Judge = (base: Description, head: Description) => Judgement | Promise<Judgement>;

/** Only those whose name matches, where a pattern is given (`npm run gate:exam -- PATTERN`). */
const asked = cases.filter(({ name }) => new RegExp(process.env.CASES_ONLY ?? '').test(name));

const known = new Map<string, ReturnType<typeof redoclyBothWays>>();

/** As redoclyBothWays; the two directions of one case are asked once. */
const askOnce: typeof redoclyBothWays = async (base, head) => {
  const back = await known.get(JSON.stringify([head, base]));
  if (back !== undefined) return { clients: back.implementers, implementers: back.clients };
  const found = redoclyBothWays(base, head);
  known.set(JSON.stringify([base, head]), found);
  return found;
};
const withRedocly: Judge = (base, head) => classify(base, head, { ask: askOnce });

/** How many cases a judge gets right, and what is wrong with the others. Two cases are judged at a time. */
async function score(judgeOne: Judge, some: readonly Case[]): Promise<string> {
  const wrong = await mapBounded(some, 2, async (each) => {
    return disagreements(each, await judgeOne(described('base', each.base), described('head', each.head)));
  });
  const failed = wrong.filter(({ length }) => length > 0);
  const sheet = [right(some, failed.length), ...failed.map((lines) => `- ${lines.join('\n    ')}`)].join('\n');
  console.log(sheet);
  return sheet;
}

const right = ({ length }: readonly Case[], wrong = 0): string => `cases judged right: ${length - wrong} of ${length}`;

describe('the judge of contract changes', () => {
  it('judges every case right by its own rules', async () => {
    expect(await score((base, head) => judgementOf(ownChanges(base, head)), asked)).toBe(right(asked));
  });

  // Two processes for each case take minutes: only `npm run gate:exam` and `npm run test:nightly` ask about every case.
  it('judges them right with `redocly diff` beside its own rules', async () => {
    const names = new Set(sample(namesWithRedocly, 6));
    const nameOf = ({ name }: Case): string => name.replace(/, back$/, '');
    const some = cases.filter((each) => names.has(nameOf(each)));
    expect(new Set(some.map(nameOf))).toEqual(names);
    const judged = complete ? asked : some;
    expect(await score(withRedocly, judged)).toBe(right(judged));
  }, 3_600_000);
});

describe('the cases', () => {
  const parsed = (document: Document | string): unknown => (typeof document === 'string' ? parse(document) : document);

  it('are 1,308, and more than half of them are compatible in some direction', () => {
    const compatible = cases.filter(({ expected }) => Object.values(expected).includes('compatible'));
    expect(asked.length).toBeGreaterThan(0);
    expect(cases).toHaveLength(1308);
    expect(compatible.length).toBeGreaterThan(cases.length / 2);
  });

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
