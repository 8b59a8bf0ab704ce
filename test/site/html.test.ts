import { describe, expect, it } from 'vitest';
import { count, html, join } from '../../site/html.ts';
import { blocks, chapter, firstCodeBlock, inline, withoutLocalLinks } from '../../site/markdown.ts';

describe('the template tag', () => {
  it('escapes every text, also in lists and attributes, and no HTML', () => {
    const hostile = "\"><script>alert('1')</script>&";
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
    expect(html`<a href="${hostile}">${[hostile, html`<b>${hostile}</b>`]}</a>`.text).toBe(
      `<a href="${escaped}">${escaped}<b>${escaped}</b></a>`,
    );
  });

  it('leaves out what is not there, and shows zero', () => {
    expect(html`${undefined}${false}${0}${''}`.text).toBe('0');
  });

  it('keeps backslashes and dollar signs of a text', () => {
    expect(html`<i>${'\\n $& $1'}</i>`.text).toBe('<i>\\n $&amp; $1</i>');
  });

  it('joins with a separator that is escaped too', () => {
    expect(join(['a', html`<b></b>`], ' < ').text).toBe('a &lt; <b></b>');
  });
});

describe('count', () => {
  it('puts the noun into the right number', () => {
    expect([count(0, 'check'), count(1, 'check'), count(1224, 'check')]).toEqual([
      '0 checks',
      '1 check',
      '1,224 checks',
    ]);
  });
});

describe('Markdown', () => {
  it('brings no elements of its own', () => {
    expect(inline('`a<b` <img src=x> __proto__ *now*').text).toBe(
      '<code>a&lt;b</code> &lt;img src=x&gt; <strong>proto</strong> <em>now</em>',
    );
    expect(blocks('<script>1</script>').text).toBe('<p>&lt;script&gt;1&lt;/script&gt;</p>\n');
    expect(inline('[x](javascript:alert)').text).not.toContain('href');
  });

  it('loses its links into the repository, and no others', () => {
    expect(withoutLocalLinks('See [`a/`](a), [b](https://b.example), [c](#c) and [d](d/e.md#f).')).toBe(
      'See `a/`, [b](https://b.example), [c](#c) and d.',
    );
  });

  it('gives a chapter without its neighbours, and its code', () => {
    const document = '# T\n\n## One\n\n```sh\na\n\nb\n```\n\nText.\n\n## Two\n\n## One more\n\nOther.\n';
    expect(chapter(document, 'One')).toBe('```sh\na\n\nb\n```\n\nText.');
    expect(firstCodeBlock(chapter(document, 'One'))).toBe('a\n\nb');
    expect(chapter(document, 'Two')).toBe('');
    expect(() => chapter(document, 'Three')).toThrow('no chapter "Three"');
    expect(() => firstCodeBlock(chapter(document, 'Two'))).toThrow('no block of code');
  });
});
