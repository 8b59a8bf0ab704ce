import { existsSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { beforeAll, expect, it } from 'vitest';
import { cli, expectUsageError } from '../support/cli.ts';
import { casesBeside } from '../support/repository.ts';
import { temporaryFolder } from '../support/folder.ts';
import { writeResults } from '../support/target.ts';

const folder = temporaryFolder();
folder.write('a-file', '');
folder.write('no-result.json', '{}');
folder.write('array.json', '[]');
const [certificate = ''] = rootCertificates;
folder.write('ca.pem', certificate);
folder.write('cut.pem', certificate.slice(0, 400));
beforeAll(() => writeResults(folder));

const cases = (casesBeside(import.meta.url) as string[][]).map(([call = '', says = '']) => ({ call, says }));

it.each(cases)('$call: one line, exit code 2, nothing on stdout', async ({ call, says }) => {
  const ended = await cli(call.split(' '), {}, folder.path);
  expectUsageError(ended, /^admin-api-conformance: /);
  expect(ended.stderr).toContain(says);
  expect(existsSync(folder.at('conformance.yaml'))).toBe(false);
});
