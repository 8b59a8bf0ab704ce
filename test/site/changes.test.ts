import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { siteData } from '../../site/data.ts';
import { read } from '../support/repository.ts';

const versions = parse(read('contract/changes.yaml')) as Record<string, Record<string, string>>;
const known = new Set<string>(siteData.requirements.map(({ id }) => id));
const withdrawn = (change: string): boolean => change.startsWith('Withdrawn');

it('What changed in the contract is told of its requirements, the newest version first', () => {
  const changes = Object.values(versions).flatMap((own) => Object.entries(own));
  expect(changes.filter(([id, change]) => known.has(id) === withdrawn(change))).toEqual([]);
  const ordered = Object.keys(versions)
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .reverse();
  expect(Object.keys(versions)).toEqual(ordered);
});

it('The minor version of the contract has its changes', () => {
  const minor = siteData.contract.info.version.replace(/\.\d+$/, '.0');
  expect(Object.keys(versions)).toContain(minor);
});

it('A requirement is new only once', () => {
  const added = Object.values(versions).flatMap((own) => Object.keys(own).filter((id) => own[id] === 'new'));
  expect(added.filter((id, index) => added.indexOf(id) !== index)).toEqual([]);
});
