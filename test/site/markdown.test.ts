import { describe, expect, it } from 'vitest';
import { articleOf, firstCodeBlock, firstParagraph, hasSource, withoutLocalLinks } from '../../site/markdown.ts';

describe('Markdown', () => {
  it('loses its links into the repository, and no others', () => {
    expect(withoutLocalLinks('See [`a/`](a), [b](https://b.example), [c](#c) and [d](d/e.md#f).')).toBe(
      'See `a/`, [b](https://b.example), [c](#c) and d.',
    );
  });

  it('becomes an article: links to the site, no title, no comments', () => {
    const documents = new Map([
      ['docs/a.md', '# T\n\n<!-- x -->\n\n[in](cli.md#c) [out](d/) [x](https://x.example)\n'],
    ]);
    expect(articleOf(documents, 'docs/a.md')).toBe('[in](/__root__/docs/cli.html#c) out [x](https://x.example)');
  });

  it('gives one section of a document', () => {
    const documents = new Map([['README.md', '# T\n\n## One\n\nA.\n\n### Two\n\nB.\n\n## Three\n\nC.\n']]);
    expect(articleOf(documents, 'README.md#One')).toBe('A.\n\n### Two\n\nB.');
    expect(hasSource(documents, 'README.md#Three')).toBe(true);
    expect(hasSource(documents, 'README.md#Two')).toBe(false);
    expect(() => articleOf(documents, 'README.md#Two')).toThrow('README.md#Two does not exist.');
  });

  it('gives its first paragraph and its first code', () => {
    const document = '# T\n\nA `b`\n[c](c.md).\n\n```sh\na\n\nb\n```\n';
    expect(firstParagraph(document)).toBe('A b c.');
    expect(firstCodeBlock(document)).toBe('```sh\na\n\nb\n```');
    expect(() => firstCodeBlock('Text.')).toThrow('no block of code');
  });
});
