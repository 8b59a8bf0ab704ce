import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { resultDocument } from '../../../../conformance/report/documents/result.ts';
import { htmlOf } from '../../../../conformance/report/html/html.ts';
import type { Result } from '../../../../conformance/result/result.ts';
import { checkResult, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../../support/results.ts';

const htmlReport = (result: Result): string => htmlOf(resultDocument(result));

function withoutOwn(page: string): string {
  return page.replace(/<style>[^]*?<\/style> *<script>[^]*?<\/script>/, '');
}

function elementsOf(page: string): string[] {
  const body = withoutOwn(page);
  return [...body.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name = '']) => name);
}

/** Those of a page on a target that sends nothing odd. */
const ELEMENTS = new Set(elementsOf(htmlReport(hostileResult('two\nlines'))));

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

  it('has every link lead to a place in the page, and every id once', () => {
    const page = htmlReport(hostileResult('x'));
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target = ''] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });
});
