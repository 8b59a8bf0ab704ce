import { expect, it } from 'vitest';
import { comparisonDocument } from '../../../conformance/report/documents/comparison.ts';
import { matrixDocument } from '../../../conformance/report/documents/matrix.ts';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { REPORTS } from '../../../conformance/report/formats.ts';
import { htmlOf } from '../../../conformance/report/html/html.ts';
import { workflowCommands } from '../../../conformance/report/github.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { quietReport } from '../../../conformance/report/terminal/quiet.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import type { Document } from '../../../conformance/report/document.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { compareResults } from '../../../conformance/result/several/compare.ts';
import { matrixOfResults } from '../../support/matrices.ts';
import { checkResult, everyStanding, failedCheck, NO_ROLES, resultOf, unseenCheck } from '../../support/results.ts';

const shown = (name: string, where: string) =>
  unseenCheck(`the target does not show \`${name}\` in ${where}`, {
    id: `not-shown-${name}`,
    reason: 'not-observable',
  });
const absent = { mode: 'm', message: 'It is gone.', advice: 'Keep it.', expected: 'Ada', actual: '(absent)' };

const json = failedCheck('{"id":9007199254740993,"name":"Bob"}', {
  id: 'json',
  failure: { ...absent, pointer: '/name' },
});

/** A result of which every part says something. */
const checks = [
  ...everyStanding(),
  { ...json, exchanges: json.exchanges.slice(0, 1) },
  unseenCheck('rests on another', { id: 'later', reason: 'precondition-failed' }),
  unseenCheck(NO_ROLES, { id: 'without-roles' }),
  ...[shown('name', 'a later response'), shown('email', 'a later response'), shown('rootRole', 'the response')],
  ...['a', 'b'].map((name) => {
    return unseenCheck(`no response has \`${name}\` there`, { id: `nowhere-${name}`, reason: 'not-observable' });
  }),
  checkResult({ id: 'update-explored', detail: '5 sequences of 47 requests in all, seed 17' }),
];
const base = resultOf(checks);
const [first, ...others] = base.findings;
const result: Result = {
  ...base,
  verdict: 'failed',
  selection: {
    ...{ only: ['users'], skip: ['banners'], failOn: 'must' },
    scope: { operations: ['updateUser'], leftOut: ['listBanners'], checks: 9, of: 12 },
  },
  summary: {
    ...base.summary,
    moreRequests: '10 requests were planned; a user changed.',
    baselineProblems: [{ id: 'x', kind: 'stale', message: 'x is now passed.' }],
  },
  findings: first ? [{ ...first, consequences: ['later', 'without-roles'] }, ...others] : [],
  observations: [
    { id: 'open.spelling', observed: 'respelled', text: 'The target shows `isApi`.', detail: { members: ['isApi'] } },
    { id: 'open.limits', observed: undefined, text: 'Not seen.' },
  ],
  restoration: {
    outcome: 'partial',
    journal: '/tmp/journal.json',
    users: [{ subject: 'user', id: '1', members: [{ member: 'name', outcome: 'not-restored', detail: 'refused' }] }],
  },
  hints: ['Look at `this` first.', 'Then this.', 'And this.', 'Least likely.'].map((hint) => ({
    id: hint,
    text: hint,
  })),
};
const other = resultOf([failedCheck('Eve', { id: 'passed', level: 'should' }), checkResult({ id: 'failed' })], {
  verdict: 'inconclusive',
  hints: [{ id: 'x', text: 'Nothing listens on localhost.' }],
});
const fleet = matrixOfResults([other, other, base, result]);
const withoutStyle = (page: string): string => page.replace(/<style>[^]*?<\/script>/, '').replace(/sha256-[^']*/g, '…');
const text = (document: Document, verbose = false) => terminalText(document, { paint: plain, width: 80, verbose });

/** `npx vitest -u` writes them again; review each change as a reader of the report. */
it.each<[name: string, report: () => string | Promise<string>]>([
  ['terminal', () => text(resultDocument(result))],
  ['verbose', () => text(resultDocument(result), true)],
  ['quiet', () => quietReport(result)],
  ['markdown', () => REPORTS.markdown(result)],
  ['junit', () => REPORTS.junit(result)],
  ['ctrf', () => REPORTS.ctrf(result)],
  ['har', () => REPORTS.har(result)],
  ['github', () => workflowCommands(result).join('\n')],
  ['html', async () => withoutStyle(await REPORTS.html(result))],
  ['matrix', () => text(matrixDocument(fleet, 20))],
  ['matrix-page', () => withoutStyle(htmlOf(matrixDocument(fleet)))],
  ['comparison', () => text(comparisonDocument(compareResults(other, result)))],
])('the report %s of a result of which every part says something is as it was reviewed', async (name, report) => {
  await expect(await report()).toMatchFileSnapshot(`golden/${name}.txt`);
});
