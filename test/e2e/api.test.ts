import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as library from '../../conformance/index.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'conformance-api-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function typedoc(...args: string[]): Promise<{ readonly code: number; readonly output: string }> {
  const bin = join(root, 'node_modules/typedoc/bin/typedoc');
  return new Promise((done) => {
    execFile(process.execPath, [bin, ...args], { cwd: root }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

describe('the API reference', () => {
  it('is made without a warning, has a page for every export, and asks no other host for anything', async () => {
    const out = join(folder, 'api');
    const { code, output } = await typedoc('--out', out);
    expect(code, output).toBe(0);
    const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
    const names = pages.map((path) => path.replace(/^.*[\\/]|\.html$/g, ''));
    expect(Object.keys(library).filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['Target', 'RunOptions', 'RunEvent', 'Result', 'CheckDescription']));
    for (const page of pages) {
      const html = readFileSync(join(out, page), 'utf8');
      expect(html.match(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g), page).toBeNull();
    }
    expect(existsSync(join(out, 'index.html'))).toBe(true);
  });

  it('is refused where an export or a member has no text, or refers to what is not exported', async () => {
    const entry = join(folder, 'index.ts');
    const tsconfig = join(folder, 'tsconfig.json');
    const options = join(folder, 'typedoc.json');
    const planted = `
      export function silent(): void {}
      /** An interface. */
      export interface Thing { readonly mute: string }
      interface Hidden { readonly a: 1 }
      /** A function. */
      export function open(_hidden: Hidden): void {}
    `;
    writeFileSync(entry, planted);
    writeFileSync(join(folder, 'package.json'), '{ "name": "planted", "version": "1.0.0" }');
    writeFileSync(tsconfig, JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: ['index.ts'] }));
    const ours = JSON.parse(readFileSync(join(root, 'typedoc.json'), 'utf8')) as object;
    writeFileSync(options, JSON.stringify({ ...ours, entryPoints: [entry], tsconfig, out: join(folder, 'refused') }));
    const { code, output } = await typedoc('--options', options);
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/silent .*does not have any documentation/);
    expect(output).toMatch(/Thing\.mute .*does not have any documentation/);
    expect(output).toMatch(/Hidden.* is referenced by .*open.* but not included/);
  });
});
