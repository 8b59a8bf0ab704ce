import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { resultDocument } from '../../../../conformance/report/documents/result.ts';
import { htmlOf } from '../../../../conformance/report/html/html.ts';
import type { Result } from '../../../../conformance/result/result.ts';
import { decoded } from '../../../support/links.ts';
import {
  checkResult,
  everyStanding,
  failedCheck,
  HOSTILE_TEXTS,
  hostileResult,
  resultOf,
  UNSEEN,
} from '../../../support/results.ts';

const htmlReport = (result: Result): string => htmlOf(resultDocument(result));

const ELEMENTS = new Set(
  [
    'html head meta title style body a header h1 h2 h3 h4 bdi div strong p span svg rect ul li dl dt dd code pre mark b',
    'button details summary nav main section label input table thead tbody tr th td br footer',
  ]
    .join(' ')
    .split(' '),
);

function withoutOwn(page: string): string {
  return page.replace(/<style>[^]*?<\/style> *<script>[^]*?<\/script>/, '');
}

function elementsOf(page: string): string[] {
  const body = withoutOwn(page);
  return [...body.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name = '']) => name);
}

/** The text of a page as a browser would show it, near enough. */
const textOf = (page: string): string => decoded(withoutOwn(page).replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');

describe('the HTML report', () => {
  it.each(HOSTILE_TEXTS)('shows whatever the target sent as text: %#', (text) => {
    const page = htmlReport(hostileResult(text));
    expect(elementsOf(page).filter((name) => !ELEMENTS.has(name))).toEqual([]);
    expect(page).not.toMatch(/<[^>]*\son[a-z]+\s*=/i);
    expect(page).not.toMatch(UNSEEN);
    expect(page.length).toBeLessThan(400_000);
  });

  it('lets the browser load nothing, and run nothing but its own script; its own style and script fit the digests', () => {
    const page = htmlReport(resultOf([checkResult()]));
    const [, policy = ''] = /Content-Security-Policy"\s+content="([^"]*)"/.exec(page) ?? [];
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; base-uri 'none'; form-action 'none'$/,
    );
    for (const name of ['style', 'script']) {
      const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(page) ?? [];
      expect(policy).toContain(`${name}-src 'sha256-${hash('sha256', text, 'base64')}'`);
    }
    expect(withoutOwn(page)).not.toMatch(/<(script|link|img|iframe|base)|\s(src|style|action)=|url\(|@import/);
    for (const [, address = ''] of page.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^#/);
  });

  it('says the verdict, its exit code, and counts with their denominators', () => {
    const notApplicable = checkResult({ id: 'b', outcome: 'not-applicable', detail: 'none' });
    const checks = [checkResult(), notApplicable, failedCheck('x', { id: 'c' })];
    const page = textOf(htmlReport(resultOf(checks, { verdict: 'failed' })));
    expect(page).toContain('FAILED The target breaks the contract. Exit code 1. ');
    expect(page).toContain('must checks 1/2 passed');
    expect(page).toContain('1 failed 1 not applicable');
  });

  it('marks the judged member in the response', () => {
    const body = '{"id":9007199254740993,"name":"Bob"}';
    const check = failedCheck('Bob');
    const [first] = check.exchanges;
    if (!first?.response) throw new Error('the check has a response');
    const exchanges = [{ ...first, response: { ...first.response, body } }];
    const page = htmlReport(resultOf([{ ...check, exchanges }], { verdict: 'failed' }));
    expect(page).toMatch(/<mark>\s*&quot;name&quot;: &quot;Bob&quot;<\/mark>/);
    // In the finding, and in its failed check.
    expect(page.match(/<mark>/g)).toHaveLength(2);
    expect(page).toContain('9007199254740993');
  });

  it('keeps the blanks in which JSON is indented', () => {
    const page = htmlReport(resultOf([failedCheck('{"a":{"b":1}}')], { verdict: 'failed' }));
    expect(page).toContain('<pre>{\n  &quot;a&quot;: {\n    &quot;b&quot;: 1\n  }\n}\n</pre>');
  });

  it('keeps what decides, what does not, and known failures in sections of their own', () => {
    const result = resultOf(everyStanding(), { verdict: 'error' });
    const baselineProblems = [{ id: 'x', kind: 'stale', message: 'x is now passed.' }] as const;
    const page = htmlReport({ ...result, summary: { ...result.summary, baselineProblems } });
    const chapter = (id: string): string => page.split('<section ').find((part) => part.includes(`id="${id}"`)) ?? '';
    expect(chapter('findings-failed')).toContain('href="#check-failed"');
    expect(chapter('findings-tolerated')).toContain('href="#check-should"');
    expect(chapter('findings-tolerated')).toContain('href="#check-unscored"');
    expect(chapter('findings-known-failure')).toContain('href="#check-known"');
    expect(chapter('known-failures')).toContain('unseen-known');
    expect(chapter('errors')).toContain('it broke');
    expect(chapter('baseline')).toContain('stale: x is now passed.');
    expect(chapter('failures').match(/id="check-/g)).toHaveLength(4);
    expect(page.match(/<details\s+class="card finding[^>]*\sopen\s*>/g)).toHaveLength(1);
  });

  it('has digests and settings at the end', () => {
    const page = htmlReport(resultOf([failedCheck('x')], { verdict: 'failed' }));
    expect(page.indexOf('a'.repeat(64))).toBeGreaterThan(page.indexOf('<section id="restoration"'));
    expect(page.split('<section ').at(-1)).toContain('Scored checks digest');
  });

  it('has every link lead to a place in the page, and every id once', () => {
    const page = htmlReport(hostileResult('x'));
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target = ''] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });
});
