import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../support/cli.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'conformance-package-'));

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly scripts: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

async function inFolder(command: string, ...args: string[]): Promise<{ code: number; stdout: string }> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env: cleanEnvironment() });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}

let files: string[] = [];

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files: inside }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  files = inside.map(({ path }) => path);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, filename)], {
    cwd: folder,
    stdio: 'ignore',
  });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the package, installed into an empty folder', () => {
  it('runs by npx', async () => {
    const { code, stdout } = await inFolder('npx', 'admin-api-conformance', 'run', '--reference');
    expect(stdout).toContain('PASSED');
    expect(code).toBe(0);
  });

  it('writes a configuration file and reads it', async () => {
    expect((await inFolder('npx', 'admin-api-conformance', 'init', 'own.yaml')).code).toBe(0);
    const { code, stdout } = await inFolder('npx', 'admin-api-conformance', 'plan', '--config', 'own.yaml');
    expect(stdout).toContain('0 requests');
    expect(code).toBe(0);
  });

  it('explains the servers that prove it', async () => {
    const { code, stdout } = await inFolder('npx', 'admin-api-conformance', 'explain', 'framing-chunks');
    expect(stdout).toContain('serve --variant framing-chunks');
    expect(code).toBe(0);
  });

  it('is imported', async () => {
    const script = `
      import { run, checks, createReferenceServer } from 'admin-api-conformance';
      const server = await createReferenceServer();
      const { verdict } = await run({ baseUrl: server.url, adminKey: server.seed.keys.admin }, { only: ['banners-is-list'] });
      await server.close();
      console.log(verdict, checks.length > 100);
    `;
    writeFileSync(join(folder, 'script.js'), script);
    expect((await inFolder('node', 'script.js')).stdout.trim()).toBe('passed true');
  });

  it('gives the contract and the schema of the result by their export paths', async () => {
    const script = `
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      console.log(require('admin-api-conformance/openapi.json').openapi, require('admin-api-conformance/result.schema.json').title);
      console.log(require('admin-api-conformance/config.schema.json').title);
      for (const name of ['openapi.yaml', 'arazzo.yaml']) console.log(require.resolve(\`admin-api-conformance/\${name}\`).endsWith(name));
    `;
    writeFileSync(join(folder, 'exports.js'), script);
    const { stdout } = await inFolder('node', 'exports.js');
    expect(stdout.trim().split('\n')).toEqual([
      '3.1.0 Result of a conformance run',
      'Configuration of admin-api-conformance',
      'true',
      'true',
    ]);
  });

  it('gives the requirements, the schemas and the checksums by their export paths, all of the same bytes as published', async () => {
    const script = `
      import { createHash } from 'node:crypto';
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const read = (path) => readFileSync(require.resolve(\`admin-api-conformance/\${path}\`), 'utf8');
      for (const line of read('checksums.txt').trimEnd().split('\\n')) {
        const [, digest, path] = /^([0-9a-f]{64})  (.+)$/.exec(line);
        if (path === 'openapi-types.d.ts') continue;
        if (createHash('sha256').update(read(path)).digest('hex') !== digest) throw new Error(path);
        console.log(path);
      }
      if (!require('admin-api-conformance/requirements.json').requirements.every(({ checks }) => checks.length > 0)) throw new Error();
    `;
    writeFileSync(join(folder, 'published.js'), script);
    const { code, stdout } = await inFolder('node', 'published.js');
    expect(stdout.trim().split('\n')).toEqual([
      'arazzo.yaml',
      'openapi.json',
      'openapi.yaml',
      'requirements.json',
      'schemas/banner.schema.json',
      'schemas/banners.schema.json',
      'schemas/error.schema.json',
      'schemas/update-user.schema.json',
      'schemas/user.schema.json',
    ]);
    expect(code).toBe(0);
  });

  it('has schemas that ajv reads as they are', async () => {
    const script = `
      import { Ajv2020 } from 'ajv/dist/2020.js';
      import addFormats from 'ajv-formats';
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const ajv = addFormats.default(new Ajv2020({ allowUnionTypes: true }));
      const samples = {
        'update-user': [{ name: 'Ada' }, { name: 5 }],
        user: [{ id: 4, seenAt: null }, { seenAt: null }],
        banners: [{ banners: [{ id: 1 }] }, { banners: [1] }],
        banner: [{ id: 1 }, []],
        error: [{ id: '1', name: 'NotFoundError', message: 'none' }, { id: '1', name: 'NotFoundError' }],
      };
      for (const [name, [good, bad]] of Object.entries(samples)) {
        const validate = ajv.compile(require(\`admin-api-conformance/schemas/\${name}.schema.json\`));
        console.log(name, validate(good), validate(bad));
      }
    `;
    writeFileSync(join(folder, 'schemas.js'), script);
    const { stdout } = await inFolder('node', 'schemas.js');
    const names = ['update-user', 'user', 'banners', 'banner', 'error'];
    expect(stdout.trim().split('\n')).toEqual(names.map((name) => `${name} true false`));
  });

  it('gives types of the contract that another project compiles with', async () => {
    const compile = (body: string): Promise<{ code: number; stdout: string }> => {
      const script = `import type { components, paths } from 'admin-api-conformance/openapi-types';
        type Update = paths['/api/admin/user-admin/{id}']['put'];
        export const status: keyof Update['responses'] = 404;
        export const body: components['schemas']['updateUserSchema'] = ${body};\n`;
      writeFileSync(join(folder, 'types.ts'), script);
      const options = ['--noEmit', '--strict', '--module', 'nodenext', 'types.ts'];
      return inFolder('node', join(root, 'node_modules/typescript/bin/tsc'), ...options);
    };
    expect(await compile("{ name: 'Ada' }")).toEqual({ code: 0, stdout: '' });
    expect((await compile('{ name: 5 }')).stdout).toContain('TS2322');
  });

  it('holds what it runs with and nothing else', () => {
    const allowed =
      /^(dist\/(contract|conformance|published|reference-server)\/|dist\/proof\/((defects|variants|wire)\/|(behaviour|defect|judging|variant)\.)|(package\.json|README\.md|CHANGELOG\.md|LICENSE)$)/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files).toContain('dist/cli/main.js');
    expect(files).toContain('dist/contract/openapi.json');
    expect(files).toContain('dist/published/openapi.yaml');
    expect(files).toContain('dist/proof/catalogue.js');
    expect(files).toContain('LICENSE');
  });

  it('has four dependencies and no install script', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual(['ajv', 'ajv-formats', 'undici', 'yaml']);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });
});
