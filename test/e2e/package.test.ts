import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishedName, schemaNames } from '../../contract-publish/json-schemas.ts';
import { execute, expectUsageError, type CliResult, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { packInto } from '../support/package.ts';
import { read, ROOT } from '../support/repository.ts';

const folder = temporaryFolder();

const inFolder = (command: string, ...args: string[]): Promise<CliResult> =>
  execute(command, args, { cwd: folder.path });

/** The lines that a script prints when it runs in the folder. */
async function linesOf(script: string): Promise<string[]> {
  const { stdout } = await succeeds(inFolder('node', folder.write('script.mjs', script)));
  return stdout.trim().split('\n');
}

let files: readonly string[] = [];

beforeAll(() => {
  const packed = packInto(folder.path);
  files = packed.files;
  folder.write('package.json', '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', packed.tarball], {
    cwd: folder.path,
    stdio: 'ignore',
  });
});

const OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
  ...{ module: 'nodenext', target: 'es2023', lib: ['es2023'], types: ['node'] },
};

const LIBRARY = `
import { assertCheck, checks, run } from 'admin-api-conformance';
import type { CheckDescription, Result, RunEvent, Target } from 'admin-api-conformance';

const target: Target = { baseUrl: 'http://127.0.0.1:1', adminKey: process.env['NOT_SET'], userId: 4, otherUserId: '5' };

function onEvent(event: RunEvent): string {
  switch (event.type) {
    case 'planned':
      return event.checks.toFixed();
    case 'journal':
      return event.path;
    case 'stage':
      return event.text;
    case 'away':
      return event.why;
    case 'exchange':
      return event.exchange.request.url;
    case 'restored':
      return event.restoration.outcome;
  }
}

const result: Result = await run(target, { signal: AbortSignal.timeout(1), onEvent, limits: { deadline: 1000 } });
const some: readonly CheckDescription[] = checks.filter(({ level, area }) => level === 'must' && area !== 'auth');
for (const { id } of some) assertCheck(result, id, (reason: string) => console.log(reason));
`;
const CONTRACT = `
import type { components, paths } from 'admin-api-conformance/openapi-types';

export const status: keyof paths['/api/admin/user-admin/{id}']['put']['responses'] = 404;
type Body = components['schemas']['updateUserSchema'];
`;

/** Uses of the types; those that are wrong are so in their last line. */
const USES = {
  'right library': LIBRARY,
  'an input that does not exist': `${LIBRARY}await run({ baseUrl: 'http://127.0.0.1:1', adminkey: '' });`,
  'an assignment to a check': `${LIBRARY}for (const check of checks) check.id = '';`,
  'an event that does not exist': `${LIBRARY}await run(target, { onEvent: ({ type }) => type === 'ended' });`,
  'right contract': `${CONTRACT}export const body: Body = { name: 'Ada' };`,
  'a name that is a number': `${CONTRACT}export const body: Body = { name: 5 };`,
};

describe('the package, installed into an empty folder', () => {
  it.each([
    [['run', '--reference'], 'PASSED'],
    [['explain', 'framing-chunks'], 'serve --variant framing-chunks'],
  ])('runs by npx: %j', async (args, shown) => {
    const { stdout } = await succeeds(inFolder('npx', 'admin-api-conformance', ...args));
    expect(stdout).toContain(shown);
  });

  it('is imported', async () => {
    const script = `
      import { run, checks, createReferenceServer } from 'admin-api-conformance';
      const server = await createReferenceServer();
      const { verdict } = await run({ baseUrl: server.url, adminKey: server.seed.keys.admin }, { only: ['banners-is-list'] });
      await server.close();
      console.log(verdict, checks.length > 100);
    `;
    expect(await linesOf(script)).toEqual(['passed true']);
  });

  it('gives by their export paths the schemas, and the files of the contract with the bytes as published', async () => {
    const script = `
      import { createHash } from 'node:crypto';
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const read = (path) => readFileSync(require.resolve(\`admin-api-conformance/\${path}\`), 'utf8');
      for (const name of ['config', 'result']) console.log(JSON.parse(read(\`\${name}.schema.json\`)).title);
      for (const line of read('checksums.txt').trimEnd().split('\\n')) {
        const [, digest, path] = /^([0-9a-f]{64})  (.+)$/.exec(line);
        if (path === 'openapi-types.d.ts') continue;
        if (createHash('sha256').update(read(path)).digest('hex') !== digest) throw new Error(path);
        console.log(path);
      }
      if (!JSON.parse(read('requirements.json')).requirements.every(({ checks }) => checks.length > 0)) throw new Error();
    `;
    expect(await linesOf(script)).toEqual([
      'Configuration of admin-api-conformance',
      'Result of a conformance run',
      'arazzo.yaml',
      'openapi.json',
      'openapi.yaml',
      'requirements.json',
      ...schemaNames.map((name) => `schemas/${publishedName(name)}.schema.json`).sort(),
    ]);
  });

  it('has types that accept every right use, and reject every wrong one', async () => {
    const uses = Object.entries(USES).map(([what, code]) => ({ file: `${what.replaceAll(' ', '-')}.mts`, code }));
    for (const { file, code } of uses) folder.write(`types/${file}`, code);
    const compilerOptions = { ...OPTIONS, typeRoots: [join(ROOT, 'node_modules/@types')] };
    const project = { compilerOptions, files: uses.map(({ file }) => file) };
    folder.write('types/tsconfig.json', JSON.stringify(project));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await inFolder('node', tsc, '--project', 'types', '--pretty', 'false');
    const refused = [...stdout.matchAll(/^types\/(.*\(\d+),\d+\): error TS/gm)].map(([, place]) => place);
    const wrong = uses.filter(({ file }) => !file.startsWith('right'));
    expect(refused.sort(), stdout).toEqual(wrong.map(({ file, code }) => `${file}(${code.split('\n').length}`).sort());
  });

  it('holds what it runs with and nothing else', () => {
    const allowed =
      /^(dist\/(cli\/(main\.js|config\.schema\.json)|conformance\/(index\.js|result\/result\.schema\.json)|parts\/[\w-]+\.js|published\/.+|(common|conformance|contract|reference-server)\/.+\.d\.ts)|examples\/((ci|fleet|jest|node-test|shell|vitest)\/[\w.-]+$|[\w.-]+$)|(package\.json|README\.md|CHANGELOG\.md|LICENSE)$)/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files).toContain('dist/cli/main.js');
    expect(files).toContain('dist/published/openapi.yaml');
    expect(files).toContain('dist/conformance/index.d.ts');
    expect(files).toContain('examples/ci/gitlab-ci.yml');
    expect(files).toContain('LICENSE');
  });

  it('is installed as fewer than ten packages with less than 6 MB', () => {
    const modules = folder.at('node_modules');
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(Object.keys(packages).length).toBeLessThan(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6e6);
  });

  // Adds packages to the folder.
  it('says what it needs to explore, and explores with it', async () => {
    const command = folder.at('node_modules/admin-api-conformance/dist/cli/main.js');
    const explore = (): Promise<CliResult> => inFolder('node', command, 'run', '--reference', '--explore=1');
    expectUsageError(await explore(), 'install it next to this one');
    for (const name of ['fast-check', 'pure-rand']) {
      cpSync(join(ROOT, 'node_modules', name), folder.at('node_modules', name), { recursive: true });
    }
    expect(await explore()).toMatchObject({ code: 0 });
  });

  it('has four dependencies and no install script', () => {
    const text = read('package.json');
    const { dependencies, scripts } = JSON.parse(text) as Record<'dependencies' | 'scripts', object>;
    expect(Object.keys(dependencies).sort()).toEqual(['ajv', 'ajv-formats', 'undici', 'yaml']);
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });
});
