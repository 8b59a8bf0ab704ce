import { describe, expect, it } from 'vitest';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { markdownOf } from '../../../conformance/report/markdown.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { failedCheck, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

const markdownReport = (result: Result, room?: number): string => markdownOf(resultDocument(result), room);

/** What is left of a Markdown text without its blocks and spans of code. */
function withoutCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, ticks] = /^(`{3,})/.exec(line) ?? [];
    if (fence === undefined && ticks !== undefined) fence = ticks;
    else if (fence !== undefined && line === fence) fence = undefined;
    else if (fence === undefined) kept.push(line);
  }
  expect(fence, 'a block of code is not closed').toBeUndefined();
  return kept.join('\n').replaceAll(/(?<![`\\])(`+)(?!`)(.*?[^`])\1(?!`)/g, '');
}

describe('the Markdown report', () => {
  it.each(HOSTILE_TEXTS)('shows whatever the target sent as text: %#', (text) => {
    const markdown = markdownReport(hostileResult(text));
    const rest = withoutCode(markdown);
    expect(rest.replaceAll(/<\/?(details|summary|b|code)( open)?>/g, '')).not.toMatch(/<[a-z!/]/i);
    expect((rest.match(/<details( open)?>/g) ?? []).length).toBe((rest.match(/<\/details>/g) ?? []).length);
    expect(rest.split('\n').filter((line) => /^#+ /.test(line) && !/^#{2,3} [A-Z]/.test(line))).toEqual([]);
    expect(markdown.replaceAll(/[\t\u200b]/g, '')).not.toMatch(UNSEEN);
    expect(rest).not.toMatch(/(?<!\w)@\w/);
    for (const row of rest.split('\n').filter((line) => line.startsWith('| '))) {
      const cells = row.replaceAll('\\|', '').split('|').length - 2;
      expect([2, 6]).toContain(cells);
    }
  });

  it('keeps to its room, and names the failures that have none', () => {
    const checks = Array.from({ length: 300 }, (_each, index) =>
      failedCheck('y'.repeat(3_000), { id: `check-${index}` }),
    );
    const whole = markdownReport(resultOf(checks, { verdict: 'failed' }));
    expect(whole.length).toBeLessThan(65_536);
    expect(whole).toContain('Failed checks: `check-0`');
    expect(whole).toMatch(/and \d+ more: `finding-check-/);
    expect(whole).toMatch(/and \d+ more: `check-/);
    expect(markdownReport(resultOf(checks, { verdict: 'failed' }), 10_000).length).toBeLessThan(16_000);
  });
});
