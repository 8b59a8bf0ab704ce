import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Json, JsonObject } from './cases.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const SOURCES = ['--import', new URL('../../scripts/typescript.mjs', import.meta.url).href];
const root = mkdtempSync(join(tmpdir(), 'openapi-judge-'));
afterAll(() => rmSync(root, { recursive: true }));

/** What the command is asked, and what it has to say; `commands.yaml` has the rest. */
interface Scenario {
  readonly name: string;
  readonly old?: Json;
  readonly new?: Json;
  readonly more?: JsonObject;
  readonly files?: JsonObject;
  readonly input?: Json;
  readonly args?: readonly string[];
  /** Where it is asked, below the folder of the files. */
  readonly folder?: string;
  /** What is asked next, and then has to say the rest. */
  readonly then?: readonly string[];
  readonly status?: number;
  readonly says?: readonly string[];
  readonly warns?: readonly string[];
  readonly never?: readonly string[];
}
const { schemas, revisions } = parse(readFileSync(new URL('commands.yaml', import.meta.url), 'utf8'), {
  merge: true,
}) as Readonly<Record<string, readonly Scenario[]>>;

const asText = (content: Json): string => (typeof content === 'string' ? content : stringify(content));

/** A folder with some files. */
function folderWith(files: JsonObject): string {
  const folder = mkdtempSync(join(root, 'case-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), asText(content));
  }
  return folder;
}

function run(folder: string, args: readonly string[], env: Record<string, string> = {}, input: Json = '') {
  const settings = { cwd: folder, env: { ...process.env, GITHUB_ACTIONS: '', ...env }, input: asText(input) };
  return spawnSync(process.execPath, [...SOURCES, MAIN, ...args], { ...settings, encoding: 'utf8' });
}

const showing = (schema: Json): Json => ({
  get: { responses: { '200': { description: 'Fine', content: { 'application/json': { schema } } } } },
});
const withSchema = (schema: Json, more: JsonObject = {}): JsonObject => ({
  ...{ openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: { '/a': showing(schema) } },
  ...more,
});
/** What the command says of two documents. */
const compared = (base: Json, head: Json, args: readonly string[] = [], env = {}) =>
  run(
    folderWith({ 'old.json': JSON.stringify(base), 'new.json': JSON.stringify(head) }),
    ['old.json', 'new.json', ...args],
    env,
  );
const judged = (base: Json, head: Json): unknown => JSON.parse(compared(base, head, ['--format', 'json']).stdout);

function expectAsSaid(
  folder: string,
  { args = ['old.yaml', 'new.yaml'], then, status = 0, says = [], warns = [], never = [], input }: Scenario,
): void {
  const first = run(folder, args, {}, input);
  const { stdout, stderr, status: code } = then === undefined ? first : run(folder, then);
  for (const text of says) expect(stdout).toMatch(new RegExp(text, 'm'));
  for (const text of warns) expect(stderr).toMatch(new RegExp(text, 'm'));
  for (const text of never) expect(stdout).not.toMatch(new RegExp(text));
  expect({ code, stderr: warns.length === 0 && then === undefined ? stderr : '' }).toEqual({
    code: status,
    stderr: '',
  });
}

describe('the command', () => {
  it.each(schemas ?? [])('$name', (scenario) => {
    const { old = { type: 'string' }, new: now = { type: 'integer' }, more, files } = scenario;
    expectAsSaid(folderWith({ 'old.yaml': withSchema(old), 'new.yaml': withSchema(now, more), ...files }), scenario);
  });

  it('prints what its schema says', () => {
    const schema = JSON.parse(readFileSync(new URL('../judgement.schema.json', import.meta.url), 'utf8')) as object;
    expect(new Ajv2020().validate(schema, judged(withSchema({}), withSchema({ type: 'integer' })))).toBe(true);
  });

  it('cuts what two thousand changes say: lines, annotations, and bytes of the summary', () => {
    const many = (more: number): Json => {
      const paths = Array.from({ length: 2_000 }, (_each, index) => {
        return [`/p${index}`, showing({ type: 'string', maxLength: index + more })] as const;
      });
      return withSchema({}, { paths: Object.fromEntries(paths) });
    };
    const summary = join(root, 'summary.md');
    const { stdout } = compared(many(0), many(1), ['--format', 'github'], {
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(stdout.match(/^::/gm)).toHaveLength(10);
    expect(stdout).toContain('1,990 more changes');
    expect(stdout.split('\n').length).toBeLessThanOrEqual(200);
    expect(readFileSync(summary, 'utf8')).toMatch(/^[^]{1000,60000}\n… and 1,\d\d\d more changes of this kind\.\n+$/);
    expect(compared(many(0), many(1), ['--verbose']).stdout.split('\n').length).toBeGreaterThan(2_000);
  });
});

describe('the command in a git repository', () => {
  const schema: JsonObject = { type: 'string' };
  const folder = folderWith({
    'api/shop.yaml': withSchema({ $ref: 'parts/order.yaml' }),
    'api/parts/order.yaml': { type: 'object', properties: { state: { $ref: 'state.yaml#/State' } } },
    'api/parts/state.yaml': { State: { enum: ['open'] } },
    'api/other.yaml': withSchema(schema),
    'api/third.yaml': withSchema(schema),
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd: folder });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'One');
  writeFileSync(join(folder, 'api/parts/state.yaml'), stringify({ State: { enum: ['open', 'lost'] } }));
  rmSync(join(folder, 'api/third.yaml'));
  writeFileSync(join(folder, 'api/new.yaml'), stringify(withSchema(schema)));

  it.each(revisions ?? [])('$name', (scenario) => expectAsSaid(join(folder, scenario.folder ?? ''), scenario));
});

describe('bounds', () => {
  it.each<[string, string]>([
    [
      'nested 10,000 levels deep',
      JSON.stringify(withSchema('@')).replace('"@"', `${'{"not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`),
    ],
    ['with a version of 100,000 blanks', JSON.stringify(withSchema({}, { openapi: `${' '.repeat(100_000)}x` }))],
  ])('a document %s is refused in one line', (_what, text) => {
    const { status, stderr } = run(folderWith({ 'a.json': text }), ['a.json', 'a.json']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^openapi-judge: a\.json: .{1,200}\n$/)]);
  });

  it.each<[string, JsonObject]>([
    ['a list of 200,000 values', { enum: Array.from({ length: 200_000 }, (_each, index) => `v${index}`) }],
    ['thirty levels of the same schema twice', { $ref: '#/components/schemas/L0' }],
    ['a chain of sixty references', { $ref: '#/components/schemas/C0' }],
  ])('%s is judged in less than 1 GB', (_what, schema) => {
    const levels = (name: string, many: number, step: (next: JsonObject) => JsonObject): [string, Json][] =>
      Array.from({ length: many }, (_each, index) => [
        `${name}${index}`,
        step({ $ref: `#/components/schemas/${name}${index + 1}` }),
      ]);
    const schemas = Object.fromEntries([
      ...levels('L', 30, (next) => ({ allOf: [next, next] })),
      ...levels('C', 60, (next) => next),
      ...['L30', 'C60'].map((name): [string, Json] => [name, { type: 'object' }]),
    ]);
    const hostile = withSchema(schema, { components: { schemas } });
    const result = compared(withSchema({ type: 'integer' }), hostile, [], { NODE_OPTIONS: '--max-old-space-size=300' });
    expect([result.status, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain('the type changes from integer to');
  });
});
