import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { parse } from 'yaml';
import { UsageError } from '../../common/process/args.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import { contractDocument, contractText, openPoints, requirements } from '../document.ts';
import { schemaFile, schemaNames, toJsonSchema } from './json-schemas.ts';

const { title, version } = contractDocument.info;
/** How results and the published files name the contract. */
const digest = hash('sha256', contractText);

/** The file with the checksums of all others. */
const CHECKSUMS = 'checksums.txt';

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The document as it was written, for people, with a head that says which one it is. */
function publishedYaml(text: string): string {
  if (!isDeepStrictEqual(parse(text), contractDocument))
    throw new UsageError('contract/openapi.json is not made from openapi.yaml as it is now: run npm run generate.');
  return `# ${title}, contract ${version}\n# SHA-256 of the same document as JSON (openapi.json): ${digest}\n\n${text}`;
}

async function publishedTypes(): Promise<string> {
  const types = await openapiTS(contractDocument as unknown as OpenAPI3, { alphabetize: false });
  return `// ${title}, contract ${version}: the types of its bodies and operations, as openapi-typescript makes them.\n\n${astToString(types)}`;
}

/**
 * The requirements and the open points as data, in the order of the document, and the checks, in the order in which they run. A
 * check names the requirement that it is about; what every response shows, such as the types of its members, needs no check of
 * its own.
 */
function publishedRequirements() {
  return {
    contract: { title, version, digest },
    requirements,
    openPoints,
    checks: checks.map(({ id, area, level, title: holds, requirement, inputs: needs }) => ({
      ...{ id, area, level, title: holds, requirement, needs },
    })),
  };
}

/** What `requirements.json` holds. */
export type PublishedRequirements = ReturnType<typeof publishedRequirements>;

/**
 * Every file that is published of the contract, by its path, sorted by it; the checksums come last, as `sha256sum -c` reads them.
 * The same text gives the same bytes.
 *
 * @throws UsageError if the JSON document was not made from the YAML document
 */
export async function contractFiles(openapiYaml: string): Promise<ReadonlyMap<string, string>> {
  const files: Readonly<Record<string, string>> = {
    'openapi-types.d.ts': await publishedTypes(),
    'openapi.json': contractText,
    'openapi.yaml': publishedYaml(openapiYaml),
    'requirements.json': toJson(publishedRequirements()),
    ...Object.fromEntries(schemaNames.map((name) => [schemaFile(name), toJson(toJsonSchema(name))])),
  };
  const sorted = Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1));
  const checksums = sorted.map(([path, content]) => `${hash('sha256', content)}  ${path}\n`).join('');
  return new Map([...sorted, [CHECKSUMS, checksums]]);
}

/**
 * Writes the published files of the contract as it is now in this repository.
 *
 * @param folder is made if it is not there; files in it that are not of the contract stay
 * @returns the paths that were written, below the folder
 * @throws as contractFiles; Error from node:fs if a file cannot be read or written
 */
export async function buildContract(folder: string): Promise<string[]> {
  const files = await contractFiles(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return [...files.keys()];
}
