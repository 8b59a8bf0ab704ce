import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenSides, type Change } from '../src/change.ts';
import { ownChanges } from '../src/classify.ts';
import { EFFECTS, RULES } from '../src/rules.ts';
import { cases, described } from './cases.ts';
import { rulesPage } from './rules-page.ts';

const FILE = resolve(import.meta.dirname, '../RULES.md');
const textOf = (effect: string): string => Object.entries(EFFECTS).find(([name]) => name === effect)?.[1] ?? effect;

const INTRODUCTION = `# Rules

What the judge reports, and whom each change breaks. In a callback or webhook the server sends the request, so that the
sides are swapped. Values are compared as sets: a change of a schema that leaves the same values is no change.

<!-- Made of src/rules.ts: npx vitest run openapi-judge/test/rules.test.ts -u -->`;

describe('the rules of the judge', () => {
  it('are listed in RULES.md (else run this test with -u, and commit what it writes)', async () => {
    await expect(await rulesPage(INTRODUCTION, RULES, FILE)).toMatchFileSnapshot(FILE);
  });

  it('break whom they say in all cases, and each stands in one', () => {
    const brokenBy = (each: Change): string =>
      (brokenSides(each) || 'nobody').replace('clients and implementers', 'both');
    const seen = new Set<string>();
    const wrong = cases.flatMap(({ name, base, head }) =>
      ownChanges(described('base', base), described('head', head)).flatMap((change) => {
        seen.add(change.rule);
        const [effect] = Object.entries(RULES).find(([rule]) => rule === change.rule)?.[1] ?? ['nobody'];
        const broken = brokenBy(change);
        const isOfSender = effect === 'less' || effect === 'more';
        const isAllowed = isOfSender ? broken !== 'nobody' : textOf(effect).split('|').includes(broken);
        return isAllowed ? [] : [`${name}: ${change.rule} breaks ${broken}`];
      }),
    );
    expect(wrong).toEqual([]);
    expect(Object.keys(RULES).filter((rule) => !seen.has(rule))).toEqual([]);
  });
});
