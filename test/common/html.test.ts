import { describe, expect, it } from 'vitest';
import { html, join, prose } from '../../common/html.ts';

describe('the template tag', () => {
  it('escapes every text, also in lists and attributes, and no HTML', () => {
    const hostile = "\"><script>alert('1')</script>&";
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
    expect(html`<a href="${hostile}">${[hostile, html`<b>${hostile}</b>`]}</a>`.text).toBe(
      `<a href="${escaped}">${escaped}<b>${escaped}</b></a>`,
    );
  });

  it('leaves out what is not there, and shows zero', () => expect(html`${undefined}${false}${0}${''}`.text).toBe('0'));

  it('joins with a separator that is escaped too', () =>
    expect(join(['a', html`<b></b>`], ' < ').text).toBe('a &lt; <b></b>'));

  it('shows what cannot be seen', () => expect(html`${'a\u202eb'}`.text).toBe('a\\u202eb'));
});

it('prose shows as code what stands between backticks', () =>
  expect(prose('The name `<b>` is & stays.').text).toBe('The name <code>&lt;b&gt;</code> is &amp; stays.'));
