import { join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const options = await extractOptions(resolve(import.meta.dirname, '../../.dependency-cruiser.mjs'));

const HOUSE = {
  'common/text.ts': 'export const text = "";\n',
  'contract/document.ts': 'export { text } from "../common/text.ts";\nexport interface Document { id: string }\n',
  'conformance/http/client.ts': 'export { text } from "../../contract/document.ts";\n',
  'conformance/run/run.ts': 'export { text } from "../http/client.ts";\n',
  'conformance/report/json.ts': 'import "../http/client.ts";\nexport interface Report { text: string }\n',
  'conformance/index.ts': 'export { text } from "./run/run.ts";\nexport type { Report } from "./report/json.ts";\n',
  'proof/main.ts': 'import "../conformance/index.ts";\n',
  'cli/main.ts': 'import "../proof/main.ts";\n',
} as const;

let count = 0;

/** Lints a small house with some files added or replaced. Returns one line for each violation, without the totals. */
async function violations(planted: Readonly<Record<string, string>>): Promise<string[]> {
  const name = String((count += 1));
  for (const [path, code] of Object.entries({ ...HOUSE, ...planted })) folder.write(join(name, path), code);
  const { output, exitCode } = await cruise(['.'], { ...options, baseDir: folder.at(name), outputType: 'err' });
  const text = typeof output === 'string' ? output : '';
  const found = [...text.matchAll(/^ +error (.*)$/gm)].map(([, line = '']) => line.replace(/ +$/, ''));
  expect(exitCode, text).toBe(found.length);
  return found;
}

describe('the floors', () => {
  it('hold in a house where every import points down', async () => {
    expect(await violations({})).toEqual([]);
  });

  it.each([
    [
      'an upward import',
      {
        'conformance/http/client.ts':
          'export { text } from "../../contract/document.ts";\nimport "../../cli/help.ts";\n',
        'cli/help.ts': 'export {};\n',
      },
      ['conformance-http-imports-only-down: conformance/http/client.ts → cli/help.ts'],
    ],
    [
      'an upward import of a type',
      {
        'common/text.ts': 'import type { Document } from "../contract/types.ts";\nexport const text: Document = "";\n',
        'contract/types.ts': 'export type Document = string;\n',
      },
      ['common-imports-only-down: common/text.ts → contract/types.ts'],
    ],
    [
      'an import of a folder on the same floor',
      { 'conformance/run/run.ts': 'import "../report/json.ts";\nexport { text } from "../http/client.ts";\n' },
      ['conformance-run-imports-only-down: conformance/run/run.ts → conformance/report/json.ts'],
    ],
    [
      'a circle of types',
      {
        'common/text.ts': 'import type { Json } from "./json.ts";\nexport const text: Json = "";\n',
        'common/json.ts': 'import type { text } from "./text.ts";\nexport type Json = string | typeof text;\n',
      },
      ['no-circle: common/json.ts →'],
    ],
    ['a module that nothing imports', { 'common/left.ts': 'import "./text.ts";\n' }, ['no-orphan: common/left.ts']],
    [
      'a folder without a floor',
      {
        'cli/main.ts': 'import "../proof/main.ts";\nimport "../tools/new.ts";\n',
        'tools/new.ts': 'import "../common/text.ts";\n',
      },
      ['no-folder-without-floor: tools/new.ts → common/text.ts', 'no-import-without-floor: cli/main.ts → tools/new.ts'],
    ],
  ])('report %s', async (_what, planted, expected) => {
    expect((await violations({ ...planted })).sort()).toEqual([...expected].sort());
  });
});
