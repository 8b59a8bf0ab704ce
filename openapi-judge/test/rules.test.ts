import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { markdownTable, markdownText } from '../../common/markdown.ts';
import { brokenSides } from '../src/change.ts';
import { ownChanges } from '../src/classify.ts';
import { EFFECTS, RULES } from '../src/rules.ts';
import { cases, described } from './cases.ts';

const FILE = resolve(import.meta.dirname, '../RULES.md');
const textOf = (effect: string): string => new Map(Object.entries(EFFECTS)).get(effect) ?? effect;

const INTRODUCTION = `# Rules

What the judge reports, and whom each change breaks. In a callback or webhook the server sends the request, so that the
sides are swapped. Values are compared as sets: a change of a schema that leaves the same values is no change.

<!-- Made of src/rules.ts: npx vitest run openapi-judge/test/rules.test.ts -u -->`;

describe('the rules of the judge', () => {
  it('are listed in RULES.md (else run this test with -u, and commit what it writes)', async () => {
    const rows = Object.entries(RULES).map(([rule, [effect, what, example]]) => [
      ...[`\`${rule}\``, what, textOf(effect).split('|').join(' or '), markdownText(example)],
    ]);
    const page = `${INTRODUCTION}\n\n${markdownTable(['rule', 'change', 'breaks', 'example'], rows)}\n`;
    const written = await format(page, { ...(await resolveConfig(FILE)), parser: 'markdown' });
    await expect(written).toMatchFileSnapshot(FILE);
  });

  it('break whom they say in all cases, and each stands in one', () => {
    const seen = new Set<string>();
    const said = new Set<string>();
    const wrong = cases.flatMap(({ name, base, head }) =>
      ownChanges(described('base', base), described('head', head)).flatMap((change) => {
        seen.add(change.rule);
        said.add(`${change.rule}: ${change.message}`);
        const [effect] = Object.entries(RULES).find(([rule]) => rule === change.rule)?.[1] ?? ['nobody'];
        const broken = (brokenSides(change) || 'nobody').replace('clients and implementers', 'both');
        const isOfSender = effect === 'less' || effect === 'more';
        const isAllowed = isOfSender ? broken !== 'nobody' : textOf(effect).split('|').includes(broken);
        return isAllowed || effect === 'some' ? [] : [`${name}: ${change.rule} breaks ${broken}`];
      }),
    );
    expect(wrong).toEqual([]);
    const examples = Object.entries(RULES).filter(([rule]) => !rule.startsWith('document-'));
    expect(examples.map(([rule, [, , example]]) => `${rule}: ${example}`).filter((each) => !said.has(each))).toEqual(
      [],
    );
    // A document that is new or gone is no case of two documents.
    expect(Object.keys(RULES).filter((rule) => !seen.has(rule) && !rule.startsWith('document-'))).toEqual([]);
  });
});
