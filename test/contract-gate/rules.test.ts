import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { markdownTable } from '../../common/markdown.ts';
import { brokenSides, type Change } from '../../contract-gate/diff/change.ts';
import { ownChanges } from '../../contract-gate/diff/classify.ts';
import { EFFECTS, RULES } from '../../contract-gate/diff/rules.ts';
import { sample } from '../support/sample.ts';
import { cases, described } from './cases.ts';

const FILE = resolve(import.meta.dirname, '../../docs/contract-rules.md');

const textOf = (effect: string): string => Object.entries(EFFECTS).find(([name]) => name === effect)?.[1] ?? effect;
const rows = Object.entries(RULES).map(([rule, [effect, what]]) => [`\`${rule}\``, what, textOf(effect)]);

const PAGE = `# Rules of contract changes

What \`npm run gate:diff -- BASE HEAD\` reports, and whom each change breaks; [Versions](versioning.md) says what that means.
In a callback or webhook the server sends the request, so that the sides are swapped. Values are compared as sets: a
change of a schema that leaves the same values is no change. What breaks clients needs a major version.

<!-- Made of contract-gate/diff/rules.ts: npx vitest run test/contract-gate/rules.test.ts -u -->

${markdownTable(['rule', 'change', 'breaks'], rows)}
`;

describe('the rules of the judge', () => {
  it('are listed in docs/contract-rules.md (else run this test with -u, and commit what it writes)', async () => {
    const options = { ...(await resolveConfig(FILE)), parser: 'markdown' };
    await expect(await format(PAGE, options)).toMatchFileSnapshot(FILE);
  });

  it('break whom they say, in the cases', () => {
    const brokenBy = ({ clients, implementers }: Change): string => {
      const broken = brokenSides({ clients, implementers });
      return broken.includes(' and ') ? 'both' : broken === '' ? 'nobody' : broken;
    };
    const wrong = sample(cases, 300).flatMap(({ name, base, head }) =>
      ownChanges(described('base', base), described('head', head)).flatMap((change) => {
        const [effect] = Object.entries(RULES).find(([rule]) => rule === change.rule)?.[1] ?? ['nobody'];
        const broken = brokenBy(change);
        const isOfSender = effect === 'less' || effect === 'more';
        const isAllowed = effect === 'other' || (isOfSender ? broken !== 'nobody' : broken === textOf(effect));
        return isAllowed ? [] : [`${name}: ${change.rule} breaks ${broken}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
