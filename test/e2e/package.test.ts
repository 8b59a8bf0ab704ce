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

  it('holds what it runs with and nothing else', () => {
    const allowed =
      /^(dist\/(contract|conformance|reference-server)\/|dist\/proof\/((defects|variants|wire)\/|(behaviour|defect|judging|variant)\.)|((openapi|arazzo)\.yaml|package\.json|README\.md|CHANGELOG\.md|LICENSE)$)/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files).toContain('dist/conformance/cli.js');
    expect(files).toContain('dist/contract/openapi.json');
    expect(files).toContain('dist/proof/defects/catalogue.js');
    expect(files).toContain('LICENSE');
  });

  it('has four dependencies and no install script', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual(['ajv', 'ajv-formats', 'undici', 'yaml']);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });
});
