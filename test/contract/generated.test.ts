import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractArtifacts } from '../../scripts/contract-artifacts.mjs';

const artifacts = await contractArtifacts();

describe('the files generated from openapi.yaml', () => {
  it.each(Object.keys(artifacts))('%s is up to date (if not, run: npm run generate)', (file) => {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toBe(artifacts[file]);
  });

  it('are the JSON document and the TypeScript types', () => {
    expect(Object.keys(artifacts)).toEqual(['contract/openapi.json', 'contract/openapi-types.ts']);
  });
});
