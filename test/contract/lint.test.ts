import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { execute } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const contract = readFileSync(join(root, 'openapi.yaml'), 'utf8');
const workflows = readFileSync(join(root, 'arazzo.yaml'), 'utf8');
const configuration = readFileSync(join(root, 'redocly.yaml'), 'utf8').replace(
  './contract-gate',
  `${root}/contract-gate`,
);
const config = folder.write('redocly.yaml', configuration);

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
}

/** What a run of Redocly finds in each of some documents: it writes one report after the other. */
async function lint(documents: readonly string[]): Promise<Problem[][]> {
  const files = documents.map((document, index) => folder.write(`openapi-${index}.yaml`, document));
  const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [redocly, 'lint', ...files, '--config', config, '--format', 'json'];
  const { stdout } = await execute(process.execPath, args, { cwd: folder.path });
  const reports = JSON.parse(`[${stdout.replaceAll(/^\}\s*\{/gm, '},{')}]`) as { problems: Problem[] }[];
  expect(reports).toHaveLength(documents.length);
  return reports.map(({ problems }) => problems);
}

/** The contract with one text replaced; the text must be there. */
function edited(from: string, to: string): string {
  if (!contract.includes(from)) throw new Error(`The contract does not have: ${from}`);
  return contract.replace(from, to);
}

/** The contract with other schemes for the list of banners. */
const secured = (schemes: string): string =>
  edited(
    '      security:\n        - apiKey: []\n      x-requirements:\n        - id: banners',
    `      security:${schemes}\n      x-requirements:\n        - id: banners`,
  );

function without(...path: string[]): string {
  const document = parse(contract) as Record<string, unknown>;
  let node = document;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (!(last in node)) throw new Error(`The contract does not have ${path.join('/')}`);
  node[last] = undefined;
  return JSON.stringify(document);
}

describe('the lint of the contract', () => {
  it('finds nothing in openapi.yaml and arazzo.yaml', async () => {
    expect(await lint([contract, workflows])).toEqual([[], []]);
  });

  const faults: readonly (readonly [string, string, string])[] = [
    ['an operation that {} allows without a key', 'contract/operation-secured', secured('\n        - {}')],
    ['an operation with an empty list of schemes', 'contract/operation-secured', secured(' []')],
    [
      'a 4xx with another schema',
      'contract/error-shape',
      edited("$ref: '#/components/schemas/errorSchema'", 'type: object'),
    ],
    [
      'an error example with another name',
      'contract/error-name',
      edited('name: NotFoundError\n                message', 'name: MissingError\n                message'),
    ],
    [
      'an error response without its name',
      'contract/error-name',
      without('components', 'responses', 'NotFoundError', 'x-error-name'),
    ],
    ['an id that is used twice', 'contract/requirements', edited('id: banners.shape', 'id: banners.elements')],
    ['an id that is not well formed', 'contract/requirements', edited('id: banners.shape', 'id: Banners_Shape')],
    [
      'an unknown level',
      'contract/requirements',
      edited('id: banners.shape\n          level: must', 'id: banners.shape\n          level: may'),
    ],
    ['an open point without a ruling', 'contract/requirements', edited('ruling: Any string.', 'ruling: ""')],
    [
      'an example that breaks its schema',
      'no-invalid-media-type-examples',
      edited('value:\n                  name: Ada Lovelace\n', 'value:\n                  name: 5\n'),
    ],
    ['an operation without an operationId', 'operation-operationId', edited('      operationId: listBanners\n', '')],
    [
      'a workflow id that is used twice',
      'workflowId-unique',
      workflows.replace('workflowId: update-role-only', 'workflowId: update-in-turn'),
    ],
  ];
  let found: Problem[][] = [];

  beforeAll(async () => {
    found = await lint(faults.map(([, , document]) => document));
  });

  it.each(faults.map(([fault, rule], index) => [fault, rule, index] as const))('finds %s', (_fault, rule, index) => {
    expect(found[index]?.map(({ ruleId }) => ruleId)).toContain(rule);
  });
});
