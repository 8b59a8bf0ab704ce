import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { UsageError } from '../common/process/args.ts';
import { contractDocument, contractText } from '../contract/document.ts';
import { schemaFile, schemaNames, toJsonSchema } from './json-schemas.ts';
import { publishedRequirements } from './requirements.ts';

/** The texts that the published files are made from. */
export interface ContractSources {
  readonly openapiYaml: string;
  readonly openapiTypes: string;
  readonly arazzoYaml: string;
}

/** The file with the checksums of all others. */
export const CHECKSUMS = 'checksums.txt';

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** References to other files, which a document that stands alone does not have. */
function outsideReferences(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' && !child.startsWith('#/') ? [child] : outsideReferences(child),
  );
}

/** The document as it was written, for people, with a head that says which one it is. */
function publishedYaml(text: string, digest: string): string {
  const document: unknown = parse(text);
  if (!isDeepStrictEqual(document, contractDocument)) {
    throw new UsageError('contract/openapi.json is not made from openapi.yaml as it is now: run npm run generate.');
  }
  const [outside] = outsideReferences(document);
  if (outside !== undefined) {
    throw new UsageError(`openapi.yaml refers to ${outside}, which would be missing where it is published.`);
  }
  const { title, version } = contractDocument.info;
  const head = [`${title}, contract ${version}`, `SHA-256 of the same document as JSON (openapi.json): ${digest}`];
  return `${head.map((line) => `# ${line}`).join('\n')}\n\n${text}`;
}

function publishedTypes(text: string): string {
  const { title, version } = contractDocument.info;
  const body = text.replace(/^\/\/.*\n+/, '');
  return `// ${title}, contract ${version}: the types of its bodies and operations, as openapi-typescript makes them.\n\n${body}`;
}

/** Names and contents in the format that `sha256sum -c` reads. */
function checksums(files: readonly (readonly [string, string])[]): string {
  return files.map(([path, content]) => `${hash('sha256', content)}  ${path}\n`).join('');
}

/**
 * Every file that is published of the contract, by its path, sorted by it; the checksums come last.
 * The same texts give the same bytes.
 *
 * @throws UsageError if the JSON document is not made from the YAML document, or a document refers to other files
 */
export function contractFiles({ openapiYaml, openapiTypes, arazzoYaml }: ContractSources): ReadonlyMap<string, string> {
  const digest = hash('sha256', contractText);
  const files: Record<string, string> = {
    'arazzo.yaml': arazzoYaml,
    'openapi-types.d.ts': publishedTypes(openapiTypes),
    'openapi.json': contractText,
    'openapi.yaml': publishedYaml(openapiYaml, digest),
    'requirements.json': toJson(publishedRequirements(digest)),
    ...Object.fromEntries(schemaNames.map((name) => [schemaFile(name), toJson(toJsonSchema(name))])),
  };
  const sorted = Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map([...sorted, [CHECKSUMS, checksums(sorted)]]);
}
