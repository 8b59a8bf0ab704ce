import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { atPointer } from '../../../common/json.ts';
import { openPoints, requirements } from '../../../contract/document.ts';
import { contractFiles, type PublishedRequirements } from '../../../contract/publish/contract-files.ts';
import { checks } from '../../../conformance/checks/catalogue.ts';
import { filesBelow, temporaryFolder } from '../../support/folder.ts';
import { succeeds, tool } from '../../support/process.ts';
import { read } from '../../support/repository.ts';

const folder = temporaryFolder();
const yaml = read('openapi.yaml');
const files = await contractFiles(yaml);
const contentOf = (path: string): string => files.get(path) ?? '';

/** Publishes as `npm run build:contract` does. */
async function published(name: string, environment: Readonly<Record<string, string>>) {
  const cwd = folder.at(name);
  mkdirSync(cwd);
  await succeeds(tool('contract/publish/main.ts', [], { folder: cwd, environment }));
  const below = join(cwd, 'build/contract');
  return new Map(filesBelow(below).map((path) => [path, readFileSync(join(below, path), 'utf8')]));
}

describe('the published contract', () => {
  it('has the same bytes in any time zone and language', async () => {
    const environment = { TZ: 'America/St_Johns', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' };
    expect(await published('there', environment)).toEqual(files);
  });

  it('is one document as YAML and as JSON; the YAML says its version, and its digest as JSON', () => {
    const document = JSON.parse(contentOf('openapi.json')) as { info: { version: string } };
    expect(parse(contentOf('openapi.yaml'))).toEqual(document);
    expect(contentOf('openapi.yaml')).toMatch(new RegExp(`^# Administrative API, contract ${document.info.version}\n`));
    expect(contentOf('openapi.yaml')).toContain(hash('sha256', contentOf('openapi.json')));
  });

  it('is not made of a JSON document that is stale', async () => {
    const newer = yaml.replace('title: Administrative API', 'title: Another API');
    await expect(contractFiles(newer)).rejects.toThrow('npm run generate');
  });
});

describe('requirements.json', () => {
  const found = JSON.parse(contentOf('requirements.json')) as PublishedRequirements;

  it('has every requirement, open point and check', () => {
    expect(found.requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
    expect(found.openPoints).toEqual(openPoints);
    expect(found.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  });

  it('points to where each requirement stands in openapi.json', () => {
    const document: unknown = JSON.parse(contentOf('openapi.json'));
    for (const { id, pointer } of found.requirements)
      expect(atPointer(document, `${pointer}/x-requirements`), id).toContainEqual(expect.objectContaining({ id }));
  });
});
