import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from './cases.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;
const SOURCES = ['--import', new URL('../../scripts/typescript.mjs', import.meta.url).pathname];
const folder = mkdtempSync(join(tmpdir(), 'openapi-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: Json): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : stringify(content));
  return path;
}

function run(...args: string[]) {
  return runIn(process.cwd(), {}, ...args);
}

function runIn(cwd: string, env: Record<string, string>, ...args: string[]) {
  const settings = { cwd, encoding: 'utf8', env: { ...process.env, GITHUB_ACTIONS: '', ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...SOURCES, MAIN, ...args], settings);
  return { status, stdout, stderr };
}

const showing = (schema: Json): Json => ({
  get: { responses: { '200': { description: 'Fine', content: { 'application/json': { schema } } } } },
});
const withSchema = (schema: Json, more: Json = {}): Json => ({
  ...{ openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: { '/a': showing(schema) } },
  ...(more as object),
});
const compared = (base: Json, head: Json, ...args: string[]) =>
  run(write('base.yaml', base), write('head.yaml', head), ...args);
const judged = (base: Json, head: Json): unknown => JSON.parse(compared(base, head, '--format', 'json').stdout);

describe('the command', () => {
  it('says its version', () => expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/));

  it('says what of a value is bounded', () => {
    const bounded = (length: number): Json => ({
      ...{ type: 'object', maxProperties: length, required: ['name', 'list'] },
      properties: { name: { type: 'string', maxLength: length }, list: { type: 'array', minItems: length } },
    });
    const { stdout } = compared(withSchema(bounded(5)), withSchema(bounded(4)));
    expect(stdout).toContain('response 200: the greatest number of members changes from 5 to 4');
    expect(stdout).toContain('name: the greatest length changes from 5 to 4');
    expect(stdout).toContain('list: the least number of elements changes from 5 to 4');
  });

  const [text, number] = [withSchema({ type: 'string' }), withSchema({ type: 'integer' })];

  it.each([
    ['none', 0],
    ['clients', 1],
    ['any', 1],
    ['error', 1],
    ['ERR', 1],
  ])('ends with --fail-on %s and exit code %i where clients break', (whom, code) =>
    expect(compared(text, number, '--fail-on', whom).status).toBe(code),
  );

  it('groups by operation and message, and annotates the lines of the newer document', () => {
    const { stdout } = compared(text, number, '--format', 'github');
    expect(stdout).toContain(`::warning file=${join(folder, 'head.yaml')},line=`);
    const failed = compared(text, number, '--format', 'github', '--fail-on', 'error').stdout;
    expect(failed).toContain(`::error file=${join(folder, 'head.yaml')},line=`);
    expect(stdout).toMatch(/^ {2}GET \/a\n {4}response\n {6}response 200: the type changes from string to number/m);
  });

  it('annotates the file that a change stands in', () => {
    const split = (type: string): string => {
      write(`${type}/parts/id.yaml`, `# The id.\nId: { type: ${type} }\n`);
      return write(`${type}/openapi.yaml`, withSchema({ $ref: 'parts/id.yaml#/Id' }));
    };
    const { stdout } = run(split('string'), split('integer'), '--format', 'github');
    expect(stdout).toContain(`::warning file=${join(folder, 'integer/parts/id.yaml')},line=2::`);
  });

  it('reads a document from its standard input, and none from the web', () => {
    const file = write('base.yaml', text);
    const args = [...SOURCES, MAIN, file, '-'];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', input: stringify(number) });
    expect(stdout).toContain('Clients: breaking.');
    expect(run(file, 'https://a.example/openapi.yaml')).toMatchObject({
      status: 2,
      stderr: 'openapi-judge: https://a.example/openapi.yaml: only files are read, and no addresses.\n',
    });
  });

  it('prints what its schema says', () => {
    const schema = JSON.parse(readFileSync(new URL('../judgement.schema.json', import.meta.url), 'utf8')) as object;
    expect(new Ajv2020().validate(schema, judged(text, number))).toBe(true);
  });

  it('says where nothing that an operation uses changes', () => {
    const unused = (type: string): Json => withSchema({ type: 'string' }, { components: { schemas: { U: { type } } } });
    const { stdout } = compared(unused('string'), unused('integer'));
    expect(stdout).toContain('nothing that an operation uses changes');
  });

  it('shows a difference of a thousand changes in two hundred lines, and all with --verbose', () => {
    const many = (type: string): Json => {
      const paths = Array.from({ length: 1_000 }, (_each, index) => [`/p${index}`, showing({ type })] as const);
      return withSchema({}, { paths: Object.fromEntries(paths) });
    };
    const files = [write('base.yaml', many('string')), write('head.yaml', many('integer'))];
    expect(run(...files).stdout.split('\n').length).toBeLessThanOrEqual(200);
    expect(run(...files, '--verbose').stdout.split('\n').length).toBeGreaterThan(1_000);
  });

  it('says at most ten of them in annotations, and all in 60 kB of a summary', () => {
    const paths = Array.from(
      { length: 2_000 },
      (_each, index) => [`/p${index}`, (type: string) => showing({ type })] as const,
    );
    const many = (type: string): Json =>
      withSchema({}, { paths: Object.fromEntries(paths.map(([path, make]) => [path, make(type)])) });
    const files = [write('base.yaml', many('string')), write('head.yaml', many('integer'))];
    const summary = join(folder, 'summary.md');
    const { stdout } = runIn(folder, { GITHUB_STEP_SUMMARY: summary }, ...files, '--format', 'github');
    expect(stdout.match(/^::/gm)).toHaveLength(10);
    expect(stdout).toContain('1,990 more changes');
    const written = readFileSync(summary, 'utf8');
    expect(written.length).toBeLessThan(60_000);
    expect(written).toMatch(/\n… and 1,\d\d\d more changes of this kind\.\n/);
  });

  it('writes a test for each change that fails, as JUnit reads it', () => {
    const { stdout } = compared(text, number, '--format', 'junit', '--fail-on', 'error');
    expect(stdout).toContain('tests="1" failures="1"');
    expect(compared(text, text, '--format', 'junit').stdout).toContain('name="no change fails"/>');
  });

  it('understands a user of oasdiff', () => {
    const more = withSchema({ type: 'object', properties: { a: { type: 'string' } } }, { 'x-a': 1 });
    const files = [write('base.yaml', withSchema({ type: 'object' })), write('head.yaml', more)] as const;
    expect(run('breaking', ...files, '-o', 'ERR').stdout).not.toMatch(/Implementers|Compatible/);
    expect(run('changelog', ...files).stdout).toContain('a is new and optional');
    expect(run('breaking', ...files, '--err-ignore', 'f').stderr).toMatch(
      /^openapi-judge: --err-ignore: use --accepted FILE.*\n$/,
    );
    expect(run('breaking', files[0]).stderr).toMatch(/Two documents are needed/);
  });

  it('refuses a version that it does not know, in one line', () => {
    const file = write('base.yaml', withSchema({}, { openapi: '3.9.0' }));
    expect(run(file, file)).toMatchObject({
      status: 2,
      stderr: `openapi-judge: ${file}: OpenAPI 3.9.0 is not known; 3.0, 3.1 and 3.2 are.\n`,
    });
  });
});

describe('references', () => {
  /** An object with the member `n`. */
  const holding = (n: Json): Json => ({ type: 'object', required: ['n'], properties: { n } });
  const whole = withSchema(holding({ type: 'integer' }));
  write('parts/pet.yaml', holding({ $ref: './n.yaml' }));
  write('parts/n.yaml', { type: 'integer' });
  const shared = (reference: Json, definition: object): Json =>
    withSchema(holding(reference), { components: { schemas: { N: { ...definition, type: 'integer' } } } });

  it.each<[string, Json]>([
    ['a document split into files', withSchema({ $ref: 'parts/pet.yaml' })],
    ['an $anchor', shared({ $ref: '#n' }, { $anchor: 'n' })],
    ['an $id', shared({ $ref: 'https://a.example/n' }, { $id: 'https://a.example/n' })],
    ['a $dynamicRef to one anchor', shared({ $dynamicRef: '#n' }, { $dynamicAnchor: 'n' })],
  ])('mean the same: %s', (_what, written) => {
    expect(judged(whole, written)).toMatchObject({ clients: 'compatible', implementers: 'compatible' });
    const [base, head] = [withSchema({ type: 'object' }), written];
    expect(judged(base, head)).toMatchObject({ implementers: 'breaking' });
  });
});

describe('what a team has decided', () => {
  const files = () => [
    write('base.yaml', withSchema({ type: 'string' })),
    write('head.yaml', withSchema({ type: 'integer' })),
  ];
  const decided = (...args: string[]) => run(...files(), '--fail-on', 'error', ...args);
  const entry = {
    rule: 'type-changed',
    place: '/paths/~1a/get/responses/200/content/application~1json/schema',
    reason: 'Agreed.',
  };
  const accepted = (...entries: Json[]) => ['--accepted', write('accepted.yaml', entries)] as const;

  it('accepts changes with a reason, and shows them', () => {
    expect(decided(...accepted(entry))).toMatchObject({ status: 0 });
    expect(decided(...accepted(entry)).stdout).toMatch(/Accepted \(1\)\n.*— Agreed\./);
    expect(decided(...accepted({ ...entry, until: '2999-12-31' })).status).toBe(0);
  });

  it.each([
    ['has expired', { ...entry, until: '2020-01-31' }, 1, /entry 1 \(type-changed at .*\) has expired on 2020-01-31/],
    ['is stale', { ...entry, place: '/paths/~1b' }, 1, /entry 1 \(type-changed at \/paths\/~1b\) is stale/],
    ['has no reason', { ...entry, reason: '' }, 2, /entry 1 .* needs a reason/],
  ])('fails by name where an entry %s', (_what, one, status, said) => {
    const result = decided(...accepted(one));
    expect(result.status).toBe(status);
    expect(result.stderr).toMatch(said);
  });

  it('writes what fails, so that it is accepted', () => {
    const file = join(folder, 'written.yaml');
    expect(decided('--accepted', file, '--write-accepted', '--reason', 'Agreed.').status).toBe(0);
    expect(decided('--accepted', file).status).toBe(0);
  });

  it('says the level of each rule', () => {
    const config = (levels: Json): string => write('config.yaml', { levels });
    expect(decided('--config', config({ 'type-changed': 'warning' })).status).toBe(0);
    expect(decided('--config', config({ 'type-changed': 'off' })).stdout).not.toContain('type');
    expect(decided('--config', config({ 'type-change': 'off' })).stderr).toMatch(/there is no rule type-change;/);
  });

  it('has a level of its own for a member of a closed response', () => {
    const closed = (properties: Json): Json => withSchema({ type: 'object', properties, additionalProperties: false });
    const result = compared(closed({}), closed({ a: { type: 'string' } }), '--fail-on', 'error');
    expect(result.status).toBe(0);
    expect(result.stdout).toContain(
      'a is new and optional: the object was closed, so that a client may refuse it (closed-member-added) — warning',
    );
  });
});

describe('a document of three files in a revision', () => {
  const repository = mkdtempSync(join(tmpdir(), 'openapi-judge-git-'));
  afterAll(() => rmSync(repository, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd: repository });
  const put = (path: string, content: Json): void => {
    mkdirSync(join(repository, path, '..'), { recursive: true });
    writeFileSync(join(repository, path), stringify(content));
  };
  const within = (...args: string[]) => runIn(repository, {}, ...args);
  git('init', '--quiet', '--initial-branch', 'main');
  put('api/shop.yaml', withSchema({ $ref: 'parts/order.yaml' }));
  put('api/parts/order.yaml', { type: 'object', properties: { state: { $ref: 'state.yaml#/State' } } });
  put('api/parts/state.yaml', { State: { enum: ['open'] } });
  put('api/other.yaml', withSchema({ type: 'string' }));
  git('add', '.');
  git('commit', '--quiet', '--message', 'One');
  put('api/parts/state.yaml', { State: { enum: ['open', 'lost'] } });

  it('is read with all that it refers to, as it was', () => {
    expect(within('main:api/shop.yaml', 'api/shop.yaml', '--fail-on', 'clients')).toMatchObject({ status: 1 });
    expect(within('main:api/shop.yaml', 'main:api/shop.yaml').stdout).toContain('Version: no bump is needed.');
    expect(within('nowhere:api/shop.yaml', 'api/shop.yaml').stderr).toMatch(
      /^openapi-judge: nowhere: this git repository has no such revision\..*\n$/,
    );
  });

  it('is one of many, which are judged by their names', () => {
    const { stdout } = within('main:api/*.yaml', 'api/*.yaml');
    expect(stdout).toMatch(
      /^== api\/other\.yaml\nClients: compatible[^]*^== api\/shop\.yaml\nClients: breaking[^]*^2 documents: clients break in 1,/m,
    );
    rmSync(join(repository, 'api/other.yaml'));
    expect(within('main:api/*.yaml', 'api/*.yaml', '--fail-on', 'error').stdout).toContain(
      'main:api/other.yaml is gone',
    );
  });
});

describe('bounds', () => {
  const json = (file: string, schema: string): string =>
    write(
      file,
      JSON.stringify(withSchema('@')).replace('"@"', () => schema),
    );
  const product = (lists: number, type: string): string =>
    JSON.stringify({
      allOf: Array.from({ length: lists }, (_list, index) => ({
        anyOf: Array.from({ length: 5 }, (_each, other) => ({
          required: [`${index}-${other}`],
          properties: { t: { type } },
        })),
      })),
    });
  const chain = (links: number, type: string): Json => {
    const schemas = Array.from({ length: links }, (_each, index): [string, Json] => [
      `C${index}`,
      { $ref: `#/components/schemas/C${index + 1}` },
    ]);
    return withSchema(
      { $ref: '#/components/schemas/C0' },
      { components: { schemas: { ...Object.fromEntries(schemas), [`C${links}`]: { type } } } },
    );
  };

  it.each([
    ['made of 5^8 alternatives', (type: string) => product(8, type)],
    [
      'a pattern that takes exponential time',
      (type: string) => JSON.stringify({ type, pattern: '^(a+)+$', enum: [`${'a'.repeat(40)}b`, 1, 'a'] }),
    ],
  ])('a schema %s is judged', (_what, schema) => {
    const [base, head] = [json('base.json', schema('string')), json('head.json', schema('integer'))];
    expect(JSON.parse(run(base, head, '--format', 'json').stdout)).toMatchObject({ clients: 'breaking' });
    expect(JSON.parse(run(base, base, '--format', 'json').stdout)).toMatchObject({ bump: 'none' });
  });

  it('a document nested 10,000 levels deep is refused in one line', () => {
    const file = json('deep.json', '{"not":'.repeat(10_000) + '{}' + '}'.repeat(10_000));
    const said = `openapi-judge: ${file}: it is nested too deeply (more than 400 levels).\n`;
    expect(run(file, file)).toMatchObject({ status: 2, stderr: said });
  });

  it.each([
    [
      'a reference to another machine',
      { $ref: 'file://some.host/x.json' },
      2,
      /^openapi-judge: .* names no file of this machine; only those are read\.\n$/,
    ],
    ['a list of 200,000 values', { enum: Array.from({ length: 200_000 }, (_each, index) => `v${index}`) }, 0, /^$/],
    ['thirty levels of the same schema twice', { $ref: '#/components/schemas/L0' }, 0, /^$/],
  ])('%s ends in time', (_what, schema, status, said) => {
    const levels = Array.from({ length: 30 }, (_each, index): [string, Json] => {
      const next = { $ref: `#/components/schemas/L${index + 1}` };
      return [`L${index}`, index === 29 ? { properties: { z: { type: 'string' } } } : { allOf: [next, next] }];
    });
    const hostile = withSchema(schema, { components: { schemas: Object.fromEntries(levels) } });
    const files = [json('base.json', '{}'), write('hostile.json', JSON.stringify(hostile))];
    const result = run(...files);
    expect(result.status).toBe(status);
    expect(result.stderr).toMatch(said);
  });

  it('a version of 100,000 blanks is refused in one line', () => {
    const file = write('blank.json', JSON.stringify(withSchema({}, { openapi: `${' '.repeat(100_000)}x` })));
    expect(run(file, file)).toMatchObject({ status: 2, stderr: expect.stringMatching(/^.{1,300}\n$/) as string });
  });

  it('a chain of 60 references is followed', () =>
    expect(judged(chain(60, 'string'), chain(60, 'integer'))).toMatchObject({ changes: [{ rule: 'type-changed' }] }));

  it('takes less than 1 GB for them', () => {
    const files = [json('base.json', product(8, 'string')), json('head.json', product(8, 'integer'))];
    expect(() =>
      execFileSync(process.execPath, ['--max-old-space-size=200', ...SOURCES, MAIN, ...files]),
    ).not.toThrow();
  });
});
