import { describe, expect, it } from 'vitest';
import { blocks, chapter, firstCodeBlock, inline, withoutLocalLinks } from '../../site/markdown.ts';

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
