import { describe, expect, it } from 'vitest';
import { MATRIX_FILES } from '../../../cli/fleet/matrix-output.ts';
import { matrixDocument } from '../../../conformance/report/documents/matrix.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import type { Matrix } from '../../../conformance/result/several/matrix.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { matrixOf, matrixOfResults, matrixTarget } from '../../support/matrices.ts';
import { checkResult, failedCheck, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

const prettyMatrix = (matrix: Matrix): string => terminalText(matrixDocument(matrix, 20), { paint: plain, width: 80 });
const passed = resultOf([checkResult()]);
const failed = resultOf([failedCheck('Bob'), failedCheck('Bob', { id: 'known', knownFailure: true })], {
  verdict: 'failed',
});
const matrix = matrixOfResults([passed, failed, failed]);

describe('the report on a fleet', () => {
  it('says what has no result, which users are still to be restored, and which shards are missing', () => {
    const lost = matrixTarget('lost', { verdict: 'error', problem: 'Its process ended.', journal: '/tmp/j.json' });
    const text = prettyMatrix({ ...matrixOf([lost]), missingShards: ['2/2'] }).replaceAll(/\s+/g, ' ');
    expect(text).toContain('lost error Its process ended.; users to restore: /tmp/j.json');
    expect(text).toContain('Missing: shard 2/2.');
  });

  it('says why a target could not be judged, as far as its result has a hint', () => {
    const hint = 'Nothing listens on localhost, port 4253.';
    const away = resultOf([], { verdict: 'inconclusive', hints: [{ id: 'connection-refused', text: hint }] });
    expect(prettyMatrix(matrixOfResults([away]))).toContain(`a  inconclusive  ${hint}`);
    const failing = resultOf([failedCheck('Bob')], { verdict: 'failed', hints: [{ id: 'x', text: hint }] });
    expect(prettyMatrix(matrixOfResults([failing]))).not.toContain(hint);
  });

  it('as a page has the targets first, with a named column for each requirement that not every one meets', () => {
    const page = MATRIX_FILES['matrix.html'](matrix);
    expect(page).toContain('<a href="targets/b/report.html"><bdi>b</bdi></a>');
    expect(page).toContain('title="update.sent-fields-change: failed">✗</span>');
    expect(page).toContain('title="update.sent-fields-change: passed">✓</span>');
    expect(page).toMatch(/<th scope="col" class="turned">.*update\.sent-fields-change/);
    expect(page.indexOf('</table>')).toBeLessThan(page.indexOf('name is Bob'));
    expect(page.slice(page.indexOf('name is Bob'))).toContain('href="targets/c/report.html"');
  });

  it('has what fails a must first, however few targets it fails', () => {
    const finding = (id: string, level: 'must' | 'should') => ({
      id,
      level,
      title: `It is ${id}`,
      knownFailure: false,
    });
    const targets = ['a', 'b', 'c'].map((name) => matrixTarget(name, { findings: [finding('odd', 'should')] }));
    const bad = matrixTarget('d', { verdict: 'failed', findings: [finding('odd', 'should'), finding('bad', 'must')] });
    const text = prettyMatrix(matrixOf([...targets, bad]));
    expect(text.indexOf('It is bad')).toBeLessThan(text.indexOf('It is odd'));
  });

  it('has no column for what was not seen only because a target was not reached', () => {
    const id = 'update.sent-fields-change';
    const of = (name: string, outcome: 'passed' | 'failed' | 'inconclusive') =>
      matrixTarget(name, { verdict: outcome, requirements: { [id]: outcome } });
    const [lost, good, bad] = [of('lost', 'inconclusive'), of('good', 'passed'), of('bad', 'failed')];
    const requirements = [{ id, level: 'must', text: 'What is sent changes.' }] as const;
    const page = (...targets: (typeof good)[]) => MATRIX_FILES['matrix.html']({ ...matrixOf(targets), requirements });
    expect(page(lost, good)).not.toContain('"turned"');
    expect(page(lost, good, bad)).toContain('"turned"');
  });

  it('as Markdown and on a terminal has no end of lines, however large the fleet is', () => {
    const many = Array.from({ length: 3_000 }, (_each, place) => matrixTarget(`t${place}`, { verdict: 'failed' }));
    expect(prettyMatrix(matrixOf(many)).split('\n').length).toBeLessThan(40);
    expect(MATRIX_FILES['matrix.md'](matrixOf(many))).toMatch(/\n- and 2900 more\n/);
  });

  it.each(HOSTILE_TEXTS)('shows whatever a target sent as text: %#', (text) => {
    const hostile = matrixOfResults([hostileResult(text)]);
    const lost = matrixOf([matrixTarget('lost', { verdict: 'error', problem: text })]);
    for (const each of [hostile, lost]) {
      expect(prettyMatrix(each)).not.toMatch(UNSEEN);
      const page = MATRIX_FILES['matrix.html'](each);
      expect(page).not.toMatch(UNSEEN);
      expect(page.match(/<(script|svg|img)/g)).toHaveLength(1);
      const markdown = MATRIX_FILES['matrix.md'](each);
      expect(markdown).not.toMatch(/<(script|svg|img|\/details)/);
      expect(markdown).not.toMatch(/(?<!\\)@everyone/);
      expect(JSON.parse(MATRIX_FILES['matrix.json'](each))).toMatchObject({ matrixVersion: 1 });
    }
  });
});
