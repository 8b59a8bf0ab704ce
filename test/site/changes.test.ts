import { expect, it } from 'vitest';
import { siteData } from '../../site/data.ts';

const { changes, requirements, contract } = siteData;
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
