/** Small documents that would take minutes or gigabytes: each is judged by a budget of work, or says that it was too much. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../src/change.ts';
import { filledIn, type Json, type JsonObject } from './cases.ts';

const TIMED = fileURLToPath(new URL('timed.ts', import.meta.url));
const LOADER = new URL('../../scripts/typescript.mjs', import.meta.url).href;

/** Schemas, the first of which is `A`, in an older and in a narrower form. */
type Schemas = (isNarrow: boolean) => JsonObject;

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_each, at) => make(at));
const leaf = (isNarrow: boolean): JsonObject => ({
  type: 'object',
  properties: { z: { type: 'string', ...(isNarrow ? { maxLength: 5 } : {}) } },
});
const members = (names: Readonly<Record<string, Json>>): JsonObject => ({ type: 'object', properties: names });

const HOSTILE: Readonly<Record<string, Schemas>> = {
  '16 levels of two alternatives': (isNarrow) => {
    const level = (index: number): JsonObject => ({
      oneOf: ['a', 'b'].map((name) => ({
        allOf: [reference(`L${index + 1}`)],
        ...members({ [`${name}${index}`]: {} }),
      })),
    });
    const levels = many(16, (index) => [`L${index}`, level(index)] as const);
    return { A: reference('L0'), ...Object.fromEntries(levels), L16: leaf(isNarrow) };
  },
  'a pattern of 200 groups': (isNarrow) => {
    const groups = many(200, (index) => `[a-z${index}]?(x${index}|y)*`).join('');
    return { A: { type: 'string', pattern: `^${groups}${isNarrow ? 'q' : ''}$` } };
  },
  'a class of 4,000 characters': (isNarrow) => {
    const characters = many(4_000, (index) => String.fromCodePoint(0x4e00 + 3 * index)).join('');
    return { A: { type: 'string', pattern: `^[${characters}]+${isNarrow ? 'x' : ''}$` } };
  },
  '200 patterns of names': (isNarrow) => {
    const patterns = many(200, (index) => [`^(a|b)*k${index}[0-9]{1,${isNarrow ? 5 : 6}}`, leaf(isNarrow)] as const);
    return { A: { type: 'object', patternProperties: Object.fromEntries(patterns) } };
  },
  '1,000 ranges of numbers': (isNarrow) => ({
    A: {
      anyOf: many(1_000, (index) => {
        return { type: 'integer', minimum: index * 200, maximum: index * 200 + (isNarrow ? 150 : 151) };
      }),
    },
  }),
  '900 alternatives that overlap': (isNarrow) => ({
    A: {
      oneOf: many(900, (index) => {
        const text = { type: 'string', maxLength: index + (isNarrow ? 1 : 2) };
        return members({ [`x${index % 7}`]: text, k: { type: 'integer', minimum: index } });
      }),
    },
  }),
};

const documentOf = (schemas: Schemas, isNarrow: boolean): JsonObject =>
  filledIn('exchanged value', { value: reference('A'), components: { schemas: schemas(isNarrow) } });

/** A plain document of the size of real ones, in which every schema changes. */
const plain: Schemas = (isNarrow) => {
  const schemas = many(1_000, (index) => [`P${index}`, leaf(isNarrow)] as const);
  return {
    A: members(Object.fromEntries(schemas.map(([name]) => [name, reference(name)]))),
    ...Object.fromEntries(schemas),
  };
};

/** Those of which it is said; the others are compared, or taken for what cannot be proven. */
const TOO_MUCH: readonly string[] = ['16 levels of two alternatives', '200 patterns of names'];

/** How much more processor time a document may take than the plain one. */
const MOST = 10;

describe('a document that is too much', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-judge-budget-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Judges the documents one after the other in a process with 300 MB, and gives what it found and how long each took. */
  function judgedAlone(all: readonly Schemas[]): readonly { readonly judgement: Judgement; readonly time: number }[] {
    const file = join(folder, 'pairs.json');
    writeFileSync(file, JSON.stringify(all.map((each) => [false, true].map((isNarrow) => documentOf(each, isNarrow)))));
    const args = ['--max-old-space-size=300', '--import', LOADER, TIMED, file];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: Infinity })) as never;
  }

  it('takes not much more work than a plain one, in 300 MB, and breaks', () => {
    // The first time, the engine has not compiled the code yet.
    const [, usual, ...results] = judgedAlone([plain, plain, ...Object.values(HOSTILE)]);
    const names = Object.keys(HOSTILE);
    expect(results.map(({ judgement }) => judgement.clients)).toEqual(names.map(() => 'breaking'));
    expect(names.filter((_name, index) => (results[index]?.time ?? 0) > MOST * (usual?.time ?? 0))).toEqual([]);
    const areTooMuch = names.filter((_name, index) =>
      results[index]?.judgement.changes.some(({ message }) => message.includes('this is too much to be compared')),
    );
    expect(areTooMuch).toEqual(TOO_MUCH);
  });
});
