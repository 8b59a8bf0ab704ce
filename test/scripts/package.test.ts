import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { filesBelow, temporaryFolder } from '../support/folder.ts';
import { blocksIn, linksIn } from '../support/markdown.ts';
import { packInto, read, ROOT } from '../support/repository.ts';
import { type CliResult, execute, runNpm, succeeds } from '../support/process.ts';

const folder = temporaryFolder();
const inFolder = (command: string, ...args: string[]): Promise<CliResult> =>
  execute(command, args, { cwd: folder.path });
const npxInFolder = (...args: string[]): Promise<CliResult> => runNpm('npx', args, { cwd: folder.path });

/** The lines that a script prints when it runs in the folder. */
async function linesOf(script: string): Promise<string[]> {
  const { stdout } = await succeeds(inFolder(process.execPath, folder.write('script.mjs', script)));
  return stdout.trim().split('\n');
}

let files: readonly string[] = [];

beforeAll(async () => {
  const packed = packInto(folder.path);
  files = packed.files;
  folder.write('package.json', '{"private":true,"type":"module"}');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
  await succeeds(runNpm('npm', ['install', ...flags, packed.tarball], { cwd: folder.path }));
});

/** What a user writes with the types of the package. What follows `@ts-expect-error` is wrong: the compiler fails if it is accepted. */
const USES = `
import { assertCheck, checks, run } from 'admin-api-conformance';
import type { CheckDescription, Result, RunEvent } from 'admin-api-conformance';
import type { components, paths } from 'admin-api-conformance/openapi-types';

const target = { baseUrl: 'http://127.0.0.1:1', adminKey: process.env['NOT_SET'], userId: 4, otherUserId: '5' };
const onEvent = (event: RunEvent): string => (event.type === 'exchange' ? event.record().curl : event.type);
const result: Result = await run(target, { signal: AbortSignal.timeout(1), onEvent, deadline: 1000 });
const some: readonly CheckDescription[] = checks.filter(({ level, area }) => level === 'must' && area !== 'auth');
for (const { id } of some) assertCheck(result, id, (reason: string) => console.log(reason));
// @ts-expect-error Proves that nobody can change the catalogue.
for (const check of checks) check.id = '';

export const status: keyof paths['/api/admin/user-admin/{id}']['put']['responses'] = 404;
export const body: components['schemas']['updateUserSchema'] = { name: 'Ada' };
// @ts-expect-error Proves that a misspelt input is refused.
await run({ baseUrl: 'http://127.0.0.1:1', adminkey: '' });
// @ts-expect-error Proves that the types of bodies are more than any.
body.name = 5;
`;

describe('the package, installed into an empty folder', () => {
  it('runs by npx', async () => {
    const { stdout } = await succeeds(
      npxInFolder('admin-api-conformance', 'run', '--reference', '--only', 'update-name'),
    );
    expect(stdout).toContain('PASSED');
  });

  it('is imported', async () => {
    const script = `
      import { run, checks, createReferenceServer } from 'admin-api-conformance';
      const server = await createReferenceServer();
      const { verdict } = await run({ baseUrl: server.url, adminKey: server.seed.keys.admin }, { only: ['banners-accepted'] });
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
    `;
    expect(await linesOf(script)).toEqual([
      'Configuration of admin-api-conformance',
      'Result of a conformance run',
      ...['openapi.json', 'openapi.yaml', 'requirements.json'],
      ...['banner', 'banners', 'error', 'update-user', 'user'].map((name) => `schemas/${name}.schema.json`),
    ]);
  });

  it('has types that accept every right use, reject wrong ones, and fit the TypeScript of the documentation', async () => {
    const documented = blocksIn('docs/library.md', 'ts');
    expect(documented.length).toBeGreaterThan(0);
    const sources = [USES, ...documented];
    const names = sources.map((_source, index) => `uses-${index}.mts`);
    for (const [index, source] of sources.entries()) folder.write(`types/uses-${index}.mts`, source);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: ['node'] },
      // TypeScript's own libraries.
      skipDefaultLibCheck: true,
      ...{ module: 'nodenext', target: 'es2023', lib: ['es2023'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    };
    folder.write('types/tsconfig.json', JSON.stringify({ compilerOptions, files: names }));
    await succeeds(inFolder(process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', 'types'));
  });

  it('holds what it runs with and nothing else', () => {
    const made = /^dist\/(cli\/(main\.js|config\.schema\.json)|parts\/[\w-]+\.js|published\/.+|licenses\.txt)$/;
    const library = /^dist\/(conformance\/(index\.js|result\/result\.schema\.json)|\w[\w-]*\/.+\.d\.ts)$/;
    const other = /^(examples\/.+|docs\/.+\.md|[A-Z_]+\.md|package\.json|openapi\.yaml|Dockerfile|LICENSE)$/;
    expect(files.filter((path) => ![made, library, other].some((each) => each.test(path)))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['dist/published/openapi.yaml', 'dist/conformance/index.d.ts', 'LICENSE']),
    );
  });

  it('holds what its documents link to, but for the source', () => {
    const source = /^(conformance|contract|openapi-judge|proof|reference-server)\b/;
    const isThere = (path: string): boolean =>
      source.test(path) || files.some((each) => each === path || each.startsWith(`${path}/`));
    const documents = files.filter((path) => path.endsWith('.md'));
    const broken = documents.flatMap((document) =>
      linksIn(document)
        .filter(({ path }) => !isThere(path))
        .map(({ path }) => `${document}: ${path}`),
    );
    expect(documents.length).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  });

  it('is installed as ten packages with less than 12 MB, and runs no script then', () => {
    const modules = folder.at('node_modules');
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
    const sizes = filesBelow(modules).map((path) => statSync(join(modules, path)).size);
    expect(Object.keys(packages).length).toBeLessThanOrEqual(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12e6);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });
});
