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

  it.each([
    ['is not documented', 'export function undocumented(): void {}', /undocumented .*does not have any documentation/],
    [
      'has a member that is not documented',
      '/** An interface. */\nexport interface Thing { readonly undocumented: string }',
      /Thing\.undocumented .*does not have any documentation/,
    ],
    [
      'refers to what is not exported',
      'interface Hidden { readonly a: 1 }\n/** A function. */\nexport function open(_hidden: Hidden): void {}',
      /Hidden.* is referenced by .*open.* but not included/,
    ],
  ])('is refused where an export %s', async (_what, code, says) => {
    const entry = join(mkdtempSync(join(folder, 'planted-')), 'index.ts');
    const config = join(entry, '..', 'tsconfig.json');
    writeFileSync(entry, code);
    writeFileSync(config, JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: [entry] }));
    const { code: exit, output } = await typedoc('--entryPoints', entry, '--tsconfig', config, '--emit', 'none');
    expect(exit, output).not.toBe(0);
    expect(output).toMatch(says);
  });
});
