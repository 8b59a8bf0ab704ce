import { describe, expect, it } from 'vitest';
import { MATRIX_FILES } from '../../../cli/fleet/matrix-output.ts';
import { matrixDocument } from '../../../conformance/report/documents/matrix.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import type { Matrix } from '../../../conformance/result/several/matrix.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { matrixOf, matrixOfResults, matrixTarget } from '../../support/matrices.ts';
import { HOSTILE_TEXTS, hostileResult, UNSEEN } from '../../support/results.ts';

const prettyMatrix = (matrix: Matrix): string => terminalText(matrixDocument(matrix, 20), { paint: plain, width: 80 });

describe('the report on a fleet', () => {
  const of = (id: string, level: 'must' | 'should') => ({ id, level, title: `It is ${id}`, knownFailure: false });

  it('says what has no result, which users are to be restored, which shards are missing, and first what fails a must', async () => {
    const lost = matrixTarget('lost', { verdict: 'error', problem: 'Its process ended.', journal: '/tmp/j.json' });
    const odd = ['a', 'b', 'c'].map((name) => matrixTarget(name, { findings: [of('odd', 'should')] }));
    const bad = matrixTarget('d', { verdict: 'failed', findings: [of('odd', 'should'), of('bad', 'must')] });
    const text = prettyMatrix({ ...matrixOf([lost, ...odd, bad]), missingShards: ['2/2'] });
    await expect(text).toMatchFileSnapshot('golden/matrix-in-part.txt');
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
