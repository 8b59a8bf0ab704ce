import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { OUR_RULES } from '../../contract-gate/rules.ts';
import { rulesPage } from '../../openapi-judge/test/rules-page.ts';

const FILE = resolve(import.meta.dirname, '../../docs/contract-rules.md');

const INTRODUCTION = `# Rules of contract changes

What \`npm run gate:diff -- BASE HEAD\` reports of the extensions of this contract, beside
[what it reports of any OpenAPI document](../openapi-judge/RULES.md); [Versions](versioning.md) says what that means.

<!-- Made of contract-gate/rules.ts: npx vitest run test/contract-gate/rules.test.ts -u -->`;

it('lists the rules in docs/contract-rules.md (else run this test with -u, and commit what it writes)', async () => {
  await expect(await rulesPage(INTRODUCTION, OUR_RULES, FILE)).toMatchFileSnapshot(FILE);
});
