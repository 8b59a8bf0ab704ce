import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as library from '../../conformance/index.ts';
import { execute, type CliResult } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const typedoc = (...args: string[]): Promise<CliResult> =>
  execute(process.execPath, [join(root, 'node_modules/typedoc/bin/typedoc'), ...args], { cwd: root });

describe('the API reference', () => {
  it('is made without a warning, has a page for every export, and asks no other host for anything', async () => {
    const out = folder.at('api');
    expect(await typedoc('--out', out)).toMatchObject({ code: 0 });
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
    const planted = `
      export function silent(): void {}
      /** An interface. */
      export interface Thing { readonly mute: string }
      interface Hidden { readonly a: 1 }
      /** A function. */
      export function open(_hidden: Hidden): void {}
    `;
    const entry = folder.write('index.ts', planted);
    folder.write('package.json', '{ "name": "planted", "version": "1.0.0" }');
    const compilerOptions = { strict: true, types: [] };
    const tsconfig = folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['index.ts'] }));
    const ours = JSON.parse(readFileSync(join(root, 'typedoc.json'), 'utf8')) as object;
    const options = { ...ours, entryPoints: [entry], tsconfig, out: folder.at('refused') };
    const refused = await typedoc('--options', folder.write('typedoc.json', JSON.stringify(options)));
    const output = refused.stdout + refused.stderr;
    expect(refused.code, output).not.toBe(0);
    expect(output).toMatch(/silent .*does not have any documentation/);
    expect(output).toMatch(/Thing\.mute .*does not have any documentation/);
    expect(output).toMatch(/Hidden.* is referenced by .*open.* but not included/);
  });
});
