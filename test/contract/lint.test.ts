import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../support/process.ts';
import { casesBeside, read, ROOT } from '../support/repository.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const contract = read('openapi.yaml');
const configuration = read('redocly.yaml').replace('./contract/gate', `${ROOT}/contract/gate`);
const config = folder.write('redocly.yaml', configuration);

/** The rules that a run of Redocly finds broken in each of some documents: it writes one report after the other. */
async function lint(documents: readonly string[]): Promise<string[][]> {
  const files = documents.map((document, index) => folder.write(`openapi-${index}.yaml`, document));
  const redocly = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [redocly, 'lint', ...files, '--config', config, '--format', 'json'];
  const { stdout } = await execute(process.execPath, args, { cwd: folder.path });
  const reports = JSON.parse(`[${stdout.replaceAll(/^\}\s*\{/gm, '},{')}]`) as { problems: { ruleId: string }[] }[];
  expect(reports).toHaveLength(documents.length);
  return reports.map(({ problems }) => problems.map(({ ruleId }) => ruleId));
}

interface Fault {
  readonly fault: string;
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

const faults = casesBeside(import.meta.url) as readonly Fault[];

function planted({ from, to }: Fault): string {
  if (!contract.includes(from)) throw new Error(`The contract does not have: ${from}`);
  return contract.replace(from, () => to);
}

describe('the lint of the contract', () => {
  let found: string[][] = [];

  beforeAll(async () => {
    found = await lint([contract, ...faults.map(planted)]);
  });

  it('finds nothing in openapi.yaml', () => expect(found[0]).toEqual([]));

  it.each(faults.map(({ fault, rule }, index) => [fault, rule, index + 1] as const))('finds %s', (_fault, rule, at) =>
    expect(found[at]).toContain(rule),
  );
});
