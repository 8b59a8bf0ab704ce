import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../support/cli.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read, ROOT } from '../support/repository.ts';

const folder = temporaryFolder();
const contract = read('openapi.yaml');
const workflows = read('arazzo.yaml');
const configuration = read('redocly.yaml').replace('./contract-gate', `${ROOT}/contract-gate`);
const config = folder.write('redocly.yaml', configuration);

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
}

/** What a run of Redocly finds in each of some documents: it writes one report after the other. */
async function lint(documents: readonly string[]): Promise<Problem[][]> {
  const files = documents.map((document, index) => folder.write(`openapi-${index}.yaml`, document));
  const redocly = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [redocly, 'lint', ...files, '--config', config, '--format', 'json'];
  const { stdout } = await execute(process.execPath, args, { cwd: folder.path });
  const reports = JSON.parse(`[${stdout.replaceAll(/^\}\s*\{/gm, '},{')}]`) as { problems: Problem[] }[];
  expect(reports).toHaveLength(documents.length);
  return reports.map(({ problems }) => problems);
}

interface Fault {
  readonly fault: string;
  readonly rule: string;
  readonly document?: 'arazzo';
  readonly from: string;
  readonly to: string;
}

const faults = casesBeside(import.meta.url) as readonly Fault[];

function planted({ document, from, to }: Fault): string {
  const text = document === 'arazzo' ? workflows : contract;
  if (!text.includes(from)) throw new Error(`The document does not have: ${from}`);
  return text.replace(from, () => to);
}

describe('the lint of the contract', () => {
  it('finds nothing in openapi.yaml and arazzo.yaml', async () => {
    expect(await lint([contract, workflows])).toEqual([[], []]);
  });

  let found: Problem[][] = [];

  beforeAll(async () => {
    found = await lint(faults.map(planted));
  });

  it.each(faults.map(({ fault, rule }, index) => [fault, rule, index] as const))('finds %s', (_fault, rule, index) =>
    expect(found[index]?.map(({ ruleId }) => ruleId)).toContain(rule),
  );
});
