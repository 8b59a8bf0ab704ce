import { describe, expect, it } from 'vitest';
import { MATRIX_FILES, prettyMatrix } from '../../../conformance/report/matrix/text.ts';
import { plain } from '../../../conformance/report/paint.ts';
import { matrixOf, matrixOfResults, matrixTarget } from '../../support/matrices.ts';
import { checkResult, failedCheck, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

const terminal = { paint: plain, width: 80 };
const passed = resultOf([checkResult()]);
const failed = resultOf([failedCheck('Bob'), failedCheck('Bob', { id: 'known', knownFailure: true })], {
  verdict: 'failed',
});
const matrix = matrixOfResults([passed, failed, failed]);

describe('the report on a fleet', () => {
  it('for a terminal has the verdict, the targets that did not pass, and what they share', () => {
    expect(prettyMatrix(matrix, terminal)).toBe(` FAILED   Some targets break the contract.
  3 targets: 1 passed, 2 failed; exit code 1

  b  failed        1 finding
  c  failed        1 finding

  ✗ name is Bob
    must, 2: b, c
`);
  });

  it('says what has no result, which users are still to be restored, and which shards are missing', () => {
    const lost = matrixTarget('lost', { verdict: 'error', problem: 'Its process ended.', journal: '/tmp/j.json' });
    const text = prettyMatrix({ ...matrixOf([lost]), missingShards: ['2/2'] }, terminal).replaceAll(/\s+/g, ' ');
    expect(text).toContain('lost error Its process ended.; users to restore: /tmp/j.json');
    expect(text).toContain('Missing: shard 2/2.');
  });

  it('says why a target could not be judged, as far as its result has a hint', () => {
    const hint = 'Nothing listens on localhost, port 4253.';
    const away = resultOf([], { verdict: 'inconclusive', hints: [{ id: 'connection-refused', text: hint }] });
    expect(prettyMatrix(matrixOfResults([away]), terminal)).toContain(`a  inconclusive  ${hint}`);
    const failing = resultOf([failedCheck('Bob')], { verdict: 'failed', hints: [{ id: 'x', text: hint }] });
    expect(prettyMatrix(matrixOfResults([failing]), terminal)).not.toContain(hint);
  });

  it('as a page has a row for each target, and a column for each requirement that not every one meets', () => {
    const page = MATRIX_FILES['matrix.html'](matrix);
    expect(page).toContain('<a href="targets/b/report.html">b</a>');
    expect(page).toContain('title="update.sent-fields-change: failed">✗</td>');
    expect(page).toContain('title="update.sent-fields-change: passed">✓</td>');
    expect(page).not.toContain('<script');
    expect(page.indexOf('</table>')).toBeLessThan(page.indexOf('The columns</h3>'));
    const all = MATRIX_FILES['matrix.html'](matrixOfResults([passed]));
    expect(all).not.toContain('<abbr');
  });

  it('has no column for what was not seen only because a target was not reached', () => {
    const id = 'update.sent-fields-change';
    const lost = matrixTarget('lost', { verdict: 'inconclusive', requirements: { [id]: 'inconclusive' } });
    const good = matrixTarget('good', { verdict: 'passed', requirements: { [id]: 'passed' } });
    const bad = matrixTarget('bad', { verdict: 'failed', requirements: { [id]: 'failed' } });
    const requirements = [{ id, level: 'must', text: 'What is sent changes.' }] as const;
    const page = (...targets: (typeof good)[]) => MATRIX_FILES['matrix.html']({ ...matrixOf(targets), requirements });
    expect(page(lost, good)).not.toContain('<abbr');
    expect(page(lost, good, bad)).toContain('<abbr');
  });

  it('as Markdown and on a terminal has no end of lines, however large the fleet is', () => {
    const many = Array.from({ length: 3_000 }, (_each, place) => matrixTarget(`t${place}`, { verdict: 'failed' }));
    expect(prettyMatrix(matrixOf(many), terminal).split('\n').length).toBeLessThan(40);
    expect(MATRIX_FILES['matrix.md'](matrixOf(many))).toMatch(/\nand 2900 more\n/);
  });

  it.each(HOSTILE_TEXTS)('shows whatever a target sent as text: %#', (text) => {
    const hostile = matrixOfResults([hostileResult(text)]);
    const lost = matrixOf([matrixTarget('lost', { verdict: 'error', problem: text })]);
    for (const each of [hostile, lost]) {
      expect(prettyMatrix(each, terminal)).not.toMatch(UNSEEN);
      const page = MATRIX_FILES['matrix.html'](each);
      expect(page).not.toMatch(UNSEEN);
      expect(page).not.toMatch(/<(script|svg|img)/);
      const markdown = MATRIX_FILES['matrix.md'](each);
      expect(markdown).not.toMatch(/<(script|svg|img|\/details)/);
      expect(markdown).not.toMatch(/(?<!\\)@everyone/);
      expect(JSON.parse(MATRIX_FILES['matrix.json'](each))).toMatchObject({ matrixVersion: 1 });
    }
  });
});
