import { expect, it } from 'vitest';
import { REPORTS } from '../../../conformance/report/formats.ts';
import { workflowCommands } from '../../../conformance/report/github.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import { quietReport } from '../../../conformance/report/terminal/quiet.ts';
import { checkResult, resultOf } from '../../support/results.ts';

const texts = ['First of all', 'Then this', 'And this', 'Least likely'];
const result = {
  ...resultOf([checkResult({ id: 'a' })]),
  hints: texts.map((text, index) => ({ id: `hint-${index}`, text })),
};

it.each([
  ['pretty', terminalText(resultDocument(result), { paint: plain, width: 80 })],
  ['quiet', quietReport(result)],
  ['markdown', REPORTS.markdown(result)],
  ['html', REPORTS.html(result)],
  ['junit', REPORTS.junit(result)],
  ['ctrf', REPORTS.ctrf(result)],
  ['the annotations of GitHub', workflowCommands(result).join('\n')],
])('hints are in %s, the three likeliest of them and in their order', async (_what, report) => {
  const shown = await report;
  const places = texts.map((text) => shown.indexOf(text));
  expect(places.slice(0, 3).every((place) => place >= 0)).toBe(true);
  expect(places.slice(0, 3)).toEqual([...places.slice(0, 3)].sort((left, right) => left - right));
  expect(places[3]).toBe(-1);
});
