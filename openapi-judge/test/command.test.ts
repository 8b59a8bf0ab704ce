import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { answerTo } from '../src/cli.ts';
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
  /** Whether a process is started for it. */
  readonly alone?: boolean;
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

/** What the command is in tests that need no process of its own: those are in a folder, with an environment. */
const COMMAND = { name: 'openapi-judge', usage: 'openapi-judge', format: 'pretty' } as const;

async function run(folder: string, args: readonly string[]) {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await answerTo(COMMAND, args);
  } finally {
    process.chdir(before);
  }
}

/** The same by a process, where that shows more: what it reads, how much memory it takes. */
function runAlone(folder: string, args: readonly string[], options: readonly string[] = [], input: Json = '') {
  const settings = { cwd: folder, input: asText(input), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, ...SOURCES, MAIN, ...args], settings);
  return { status, output: stdout, errors: stderr };
}

beforeEach(() => {
  vi.stubEnv('GITHUB_ACTIONS', '');
  return () => vi.unstubAllEnvs();
});

const showing = (schema: Json): Json => ({
  get: { responses: { '200': { description: 'Fine', content: { 'application/json': { schema } } } } },
});
const withSchema = (schema: Json, more: JsonObject = {}): JsonObject => ({
  ...{ openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: { '/a': showing(schema) } },
  ...more,
});
const bothIn = (base: Json, head: Json): string =>
  folderWith({ 'old.json': JSON.stringify(base), 'new.json': JSON.stringify(head) });
/** What the command says of two documents. */
const compared = async (base: Json, head: Json, ...args: readonly string[]): Promise<string> =>
  (await run(bothIn(base, head), ['old.json', 'new.json', ...args])).output;

async function expectAsSaid(
  folder: string,
  { args = ['old.yaml', 'new.yaml'], then, status = 0, says = [], warns = [], never = [], input, alone }: Scenario,
): Promise<void> {
  const asked = async (some: readonly string[]) =>
    alone === true ? runAlone(folder, some, [], input) : run(folder, some);
  const first = await asked(args);
  const { output, errors, status: code } = then === undefined ? first : await asked(then);
  for (const text of says) expect(output).toMatch(new RegExp(text, 'm'));
  for (const text of warns) expect(errors).toMatch(new RegExp(text, 'm'));
  for (const text of never) expect(output).not.toMatch(new RegExp(text));
  expect({ code, errors: warns.length === 0 && then === undefined ? errors : '' }).toEqual({
    code: status,
    errors: '',
  });
}

describe('the command', () => {
  it.each(schemas ?? [])('$name', async (scenario) => {
    const { old = { type: 'string' }, new: now = { type: 'integer' }, more, files } = scenario;
    await expectAsSaid(
      folderWith({ 'old.yaml': withSchema(old), 'new.yaml': withSchema(now, more), ...files }),
      scenario,
    );
  });

  it('prints what its schema says', async () => {
    const schema = JSON.parse(readFileSync(new URL('../judgement.schema.json', import.meta.url), 'utf8')) as object;
    const output = await compared(withSchema({}), withSchema({ type: 'integer' }), '--format', 'json');
    expect(new Ajv2020().validate(schema, JSON.parse(output))).toBe(true);
  });

  it('keeps its exit code, and says nothing, if nobody reads on', async () => {
    const args = [...SOURCES, MAIN, 'old.json', 'new.json', '--fail-on', 'error'];
    const child = spawn(process.execPath, args, { cwd: bothIn(withSchema({ type: 'string' }), withSchema({})) });
    child.stdout.destroy();
    const errors = text(child.stderr);
    expect([await once(child, 'close'), await errors]).toEqual([[1, null], '']);
  });

  it('cuts what a thousand changes say: lines, annotations, and bytes of the summary', async () => {
    const many = (more: number): Json => {
      const paths = Array.from({ length: 1_000 }, (_each, index) => {
        return [`/p${index}`, showing({ type: 'string', maxLength: index + more })] as const;
      });
      return withSchema({}, { paths: Object.fromEntries(paths) });
    };
    const summary = join(root, 'summary.md');
    vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
    const stdout = await compared(many(0), many(1), '--format', 'github');
    expect(stdout.match(/^::/gm)).toHaveLength(10);
    expect(stdout).toContain('990 more changes');
    expect(stdout.split('\n').length).toBeLessThanOrEqual(200);
    expect(readFileSync(summary, 'utf8')).toMatch(/^[^]{1000,60000}\n… and \d+ more changes of this kind\.\n+$/);
    expect((await compared(many(0), many(1), '--verbose')).split('\n').length).toBeGreaterThan(1_000);
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
  ])('a document %s is refused in one line', async (_what, text) => {
    const { status, errors } = await run(folderWith({ 'a.json': text }), ['a.json', 'a.json']);
    expect([status, errors]).toEqual([2, expect.stringMatching(/^openapi-judge: a\.json: .{1,200}\n$/)]);
  });

  it('a list of 200,000 values, thirty levels of a schema twice and a chain of sixty references are judged in 300 MB', () => {
    const levels = (name: string, many: number, step: (next: JsonObject) => JsonObject): [string, Json][] =>
      Array.from({ length: many }, (_each, index) => [
        `${name}${index}`,
        step({ $ref: `#/components/schemas/${name}${index + 1}` }),
      ]);
    const schemas = Object.fromEntries([
      ...levels('L', 30, (next) => ({ allOf: [next, next] })),
      ...levels('C', 60, (next) => next),
      ['L30', { type: 'object' }],
      ['C60', { type: 'array' }],
    ]);
    const paths = (list: Json, level: Json, chain: Json): JsonObject => ({
      paths: { '/list': showing(list), '/levels': showing(level), '/chain': showing(chain) },
    });
    const integer = { type: 'integer' };
    const list = { enum: Array.from({ length: 200_000 }, (_each, index) => `v${index}`) };
    const [level, chain] = [{ $ref: '#/components/schemas/L0' }, { $ref: '#/components/schemas/C0' }];
    const folder = folderWith({
      'old.json': JSON.stringify(withSchema({}, paths(integer, integer, integer))),
      'new.json': JSON.stringify(withSchema({}, { ...paths(list, level, chain), components: { schemas } })),
    });
    const { status, errors, output } = runAlone(folder, ['old.json', 'new.json'], ['--max-old-space-size=300']);
    expect([status, errors]).toEqual([0, '']);
    expect(output.match(/the type changes from integer to/g)).toHaveLength(3);
  });
});
