import { expect, it } from 'vitest';
import { defects } from '../../proof/catalogue.ts';
import { siteData } from '../../site/data.ts';
import { read } from '../support/repository.ts';

const { changes, checks, requirements, contract } = siteData;
const recorded = JSON.parse(read('site/breaches.json')) as Record<string, { defect: string }>;
const known = new Set<string>(requirements.map(({ id }) => id));
const withdrawn = (change: string): boolean => change.startsWith('Withdrawn');

it('What changed in the contract is told of its requirements, the newest version first', () => {
  const all = changes.flatMap((each) => each.changes);
  expect(all.filter(({ requirement, change }) => known.has(requirement) === withdrawn(change))).toEqual([]);
  const minor = contract.info.version.replace(/\.\d+$/, '.0');
  expect(changes[0]?.version).toBe(minor);
});

it('What is new is not listed as changed in the same version', () => {
  for (const { changes: own } of changes)
    expect(new Set(own.map(({ requirement }) => requirement)).size).toBe(own.length);
});

it('The site shows how to mend each check, and what most of them find', () => {
  expect([...checks, ...requirements].filter(({ fix }) => fix === '')).toEqual([]);
  const ids = new Set<string>([...checks, ...requirements].map(({ id }) => id));
  const started = new Set(defects.map(({ id }) => id));
  const stale = Object.entries(recorded).filter(([id, { defect }]) => !ids.has(id) || !started.has(defect));
  expect(stale, 'node --import ./scripts/typescript.mjs site/record.ts looks again').toEqual([]);
  const unshown = checks.filter(({ breach }) => breach === undefined);
  expect(unshown.length).toBeLessThan(checks.length / 10);
});
