import { join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, it } from 'vitest';
import { casesBeside } from '../support/repository.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const options = await extractOptions(resolve(import.meta.dirname, '../../.dependency-cruiser.mjs'));

type Files = Readonly<Record<string, string>>;
const { house, planted } = casesBeside(import.meta.url) as {
  readonly house: Files;
  readonly planted: Readonly<Record<string, { readonly files: Files; readonly found: readonly string[] }>>;
};

/** Lints the house with some files added or replaced. Returns one line for each violation, without the totals. */
async function violations(name: string, files: Files): Promise<string[]> {
  for (const [path, code] of Object.entries({ ...house, ...files })) folder.write(join(name, path), code);
  const { output, exitCode } = await cruise(['.'], { ...options, baseDir: folder.at(name), outputType: 'err' });
  const text = typeof output === 'string' ? output : '';
  const found = [...text.matchAll(/^ +error (.*)$/gm)].map(([, line = '']) => line.replace(/ +$/, ''));
  expect(exitCode, text).toBe(found.length);
  return found;
}

it.each(Object.entries(planted))('the floors report %s', async (name, { files, found }) => {
  expect((await violations(name, files)).sort()).toEqual([...found].sort());
});
