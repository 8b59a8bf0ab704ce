import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { atPointer } from '../../common/json.ts';
import { openPoints, requirements } from '../../contract/document.ts';
import { buildContract } from '../../contract-publish/build-contract.ts';
import { contractFiles, type ContractSources } from '../../contract-publish/contract-files.ts';
import type { PublishedRequirements } from '../../contract-publish/requirements.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import { succeeds, tool } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { filesBelow } from '../support/links.ts';
import { judgeReference } from '../support/target.ts';
import { read } from '../support/repository.ts';

const folder = temporaryFolder();
const sources: ContractSources = {
  openapiYaml: read('openapi.yaml'),
  openapiTypes: read('contract/openapi-types.ts'),
  arazzoYaml: read('arazzo.yaml'),
};
const files = contractFiles(sources);
const contentOf = (path: string): string => files.get(path) ?? '';

/** Every file below a folder, with its bytes. */
const contents = (below: string): Record<string, string> =>
  Object.fromEntries(filesBelow(below).map((path) => [path, readFileSync(join(below, path), 'base64')]));

/** Publishes as `npm run build:contract` does, in a process of its own. */
async function published(name: string, environment: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const cwd = folder.at(name);
  mkdirSync(cwd);
  await succeeds(tool('contract-publish/main.ts', [], { folder: cwd, environment }));
  return contents(join(cwd, 'build/contract'));
}

describe('the published contract', () => {
  it('has the same bytes in any place, time zone and language', async () => {
    const here = await published('here', { TZ: 'Pacific/Apia', LC_ALL: 'C', LANG: 'C' });
    const there = await published('there', { TZ: 'America/St_Johns', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' });
    expect(Object.keys(here).sort()).toEqual([...files.keys()].sort());
    expect(there).toEqual(here);
    buildContract(folder.at('in-process'));
    expect(contents(folder.at('in-process'))).toEqual(here);
  });

  it('says which files it wrote, and leaves others alone', () => {
    folder.write('again/CNAME', 'contract.example');
    const again = folder.at('again');
    expect(buildContract(again)).toEqual([...files.keys()]);
    expect(Object.keys(contents(again)).sort()).toEqual([...files.keys(), 'CNAME'].sort());
  });

  it('is one document as YAML and as JSON, and the YAML says its version', () => {
    const document = JSON.parse(contentOf('openapi.json')) as { info: { version: string } };
    expect(parse(contentOf('openapi.yaml'))).toEqual(document);
    expect(contentOf('openapi.yaml')).toMatch(new RegExp(`^# Administrative API, contract ${document.info.version}\n`));
    expect(contentOf('openapi.yaml')).toContain(hash('sha256', contentOf('openapi.json')));
  });

  it('is known by the digest that results carry', async () => {
    const { contract } = await judgeReference();
    expect(contract.digest).toBe(hash('sha256', contentOf('openapi.json')));
  });

  it('is not made of a JSON document that is stale', () => {
    const newer = sources.openapiYaml.replace('title: Administrative API', 'title: Another API');
    expect(() => contractFiles({ ...sources, openapiYaml: newer })).toThrow('npm run generate');
  });

  it('has workflows beside the document that they name', () => {
    const { sourceDescriptions } = parse(contentOf('arazzo.yaml')) as { sourceDescriptions: { url: string }[] };
    for (const { url } of sourceDescriptions) expect(files.has(url.replace('./', ''))).toBe(true);
  });
});

describe('requirements.json', () => {
  const published = JSON.parse(contentOf('requirements.json')) as PublishedRequirements;
  const document: unknown = JSON.parse(contentOf('openapi.json'));

  it('has every requirement, open point and check', () => {
    expect(published.requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
    expect(published.openPoints).toEqual(openPoints);
    expect(published.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  });

  it('points to where each requirement stands in openapi.json', () => {
    for (const { id, pointer } of published.requirements) {
      expect(atPointer(document, `${pointer}/x-requirements`), id).toContainEqual(expect.objectContaining({ id }));
    }
    for (const { id, pointer } of published.openPoints) {
      expect(atPointer(document, `${pointer}/x-open-points`), id).toContainEqual(expect.objectContaining({ id }));
    }
  });

  it('names the checks that judge each requirement, and the reverse', () => {
    for (const { id, checks: own } of published.requirements) {
      expect(own.length, id).toBeGreaterThan(0);
      const judging = published.checks.filter((check) => check.requirements.includes(id));
      expect(own.toSorted(), id).toEqual(judging.map((check) => check.id).sort());
    }
  });
});
