import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractFiles } from './contract-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The published files of the contract as it is now in this repository, by their paths.
 *
 * @throws UsageError if what is generated from openapi.yaml is not fresh; Error from node:fs if a file cannot be read
 */
export function publishedContract(): ReadonlyMap<string, string> {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return contractFiles({
    openapiYaml: read('openapi.yaml'),
    openapiTypes: read('contract/openapi-types.ts'),
    arazzoYaml: read('arazzo.yaml'),
  });
}

/**
 * Writes the published files of the contract. The same contract gives the same bytes.
 *
 * @param folder is made if it is not there; files in it that are not of the contract stay
 * @returns the paths that were written, below the folder
 * @throws as publishedContract; Error from node:fs if a file cannot be written
 */
export function buildContract(folder: string): string[] {
  const files = publishedContract();
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return [...files.keys()];
}
