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

interface Case {
  readonly call: string;
  readonly says: string;
  readonly targets?: string;
}
const cases = (casesBeside(import.meta.url) as string[][]).map(([call = '', says = '', targets]): Case => ({
  call,
  says,
  ...(targets !== undefined && { targets }),
}));

it.each(cases)('$call: one line, exit code 2, nothing on stdout', async ({ call, says, targets }) => {
  if (targets !== undefined) folder.write('t.yaml', targets);
  const ended = await cli(call.split(' '), {}, folder.path);
  expectUsageError(ended, /^admin-api-conformance: /);
  expect(ended.stderr).toContain(says);
  for (const written of ['conformance.yaml', 'conformance-targets']) expect(existsSync(folder.at(written))).toBe(false);
});
