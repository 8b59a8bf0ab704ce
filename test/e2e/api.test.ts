import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as library from '../../conformance/index.ts';
import { execute, type CliResult } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ROOT } from '../support/repository.ts';

const folder = temporaryFolder();
const typedoc = (...args: string[]): Promise<CliResult> =>
  execute(process.execPath, [join(ROOT, 'node_modules/typedoc/bin/typedoc'), ...args], { cwd: ROOT });

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
});
