import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cli, expectUsageError } from '../support/cli.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkResult, resultOf } from '../support/results.ts';

const folder = temporaryFolder();
folder.write('a-file', '');
folder.write('no-result.json', '{}');
folder.write('good.json', JSON.stringify(resultOf([checkResult()])));

it.each(Object.entries(casesBeside(import.meta.url) as Record<string, string>))(
  '%s: one line, exit code 2, nothing on stdout',
  async (call, says) => {
    expectUsageError(await cli(call.split(' '), {}, folder.path), says);
    expect(existsSync(folder.at('conformance.yaml'))).toBe(false);
  },
);
