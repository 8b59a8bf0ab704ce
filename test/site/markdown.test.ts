import { describe, expect, it } from 'vitest';
import { article, blocks, firstCodeBlock, firstParagraph, inline, withoutLocalLinks } from '../../site/markdown.ts';

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

  it('becomes an article: anchors as on GitHub, links to the site, no comments', () => {
    const document =
      '# T\n\n## `a` and B, c\n\n<!-- x -->\n\n[in](b.md#c) [out](d/)\n\n| h |\n| - |\n| 1 |\n\n```sh\na\n```\n';
    const { content, headings } = article(document, (link) => (link === 'b.md#c' ? 'b.html#c' : undefined));
    expect(headings).toEqual([{ id: 'a-and-b-c', title: 'a and B, c' }]);
    expect(content.text).toContain('<h2 id="a-and-b-c"><code>a</code> and B, c</h2>');
    expect(content.text).toContain('<p><a href="b.html#c">in</a> out</p>');
    expect(content.text).toContain('aria-label="Table 1" tabindex="0"><table>');
    expect(content.text).toContain('<pre tabindex="0">');
    expect(content.text).not.toContain('x --');
  });

  it('gives its first paragraph and its first code', () => {
    const document = '# T\n\nA `b`\n[c](c.md).\n\n```sh\na\n\nb\n```\n';
    expect(firstParagraph(document)).toBe('A b c.');
    expect(firstCodeBlock(document)).toBe('a\n\nb');
    expect(() => firstCodeBlock('Text.')).toThrow('no block of code');
  });
});
