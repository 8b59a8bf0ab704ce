/** Small documents that would take minutes or gigabytes: each is judged by a budget of work, or says that it was too much. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Judgement } from '../src/change.ts';
import { judge } from '../src/classify.ts';
import { described, filledIn, type Json, type JsonObject } from './cases.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
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

function pair(schemas: Schemas) {
  const [base, head] = [false, true].map((isNarrow) =>
    filledIn('exchanged value', { value: reference('A'), components: { schemas: schemas(isNarrow) } }),
  );
  return [base ?? {}, head ?? {}] as const;
}

/** The judgement of two documents, and the processor time that it took: other processes take no part of that. */
function timed([base, head]: ReturnType<typeof pair>) {
  const start = process.cpuUsage();
  const judgement = judge(described('base', base), described('head', head));
  const { user, system } = process.cpuUsage(start);
  return { judgement, time: user + system };
}

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

/** How much more a document may take than the plain one. */
const MOST = 10;

describe('a document that is too much', () => {
  // The first time, the engine has not compiled the code yet.
  timed(pair(plain));
  const { time: usual } = timed(pair(plain));

  it.each(Object.entries(HOSTILE))('takes not much more work than a plain one, and breaks: %s', (name, schemas) => {
    const { judgement, time } = timed(pair(schemas));
    expect(judgement.clients).toBe('breaking');
    expect(time / usual).toBeLessThan(MOST);
    const said = judgement.changes.some(({ message }) => message.includes('this is too much to be compared'));
    expect(said).toBe(TOO_MUCH.includes(name));
  });

  it('is judged with all of them in 300 MB, and each of them breaks', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-judge-budget-'));
    const files = ['old.json', 'new.json'];
    for (const file of files) writeFileSync(join(folder, file), JSON.stringify(allOf(file === 'new.json')));
    const args = ['--max-old-space-size=300', '--import', LOADER, MAIN, ...files, '--format', 'json'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: Infinity });
    rmSync(folder, { recursive: true });
    const { changes } = JSON.parse(stdout) as Pick<Judgement, 'changes'>;
    const broken = changes.flatMap(({ clients, operations = [] }) => (clients === 'breaking' ? operations : []));
    expect(new Set(broken).size).toBe(Object.keys(HOSTILE).length);
  });
});

/** One document that uses all of them, each in a path. */
function allOf(isNarrow: boolean): JsonObject {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const [index, make] of Object.values(HOSTILE).entries()) {
    const own = JSON.stringify(make(isNarrow)).replaceAll('#/components/schemas/', `$&${index}-`);
    for (const [name, schema] of Object.entries(JSON.parse(own) as JsonObject)) schemas[`${index}-${name}`] = schema;
    const content = { 'application/json': { schema: reference(`${index}-A`) } };
    paths[`/${index}`] = { post: { requestBody: { content }, responses: {} } };
  }
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components: { schemas } };
}
