import { describe, expect, it } from 'vitest';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { requireModule } from '../../common/process/commonjs.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';

type Render = (markdown: string) => string;
// The package brings no types.
const MarkdownIt = requireModule('markdown-it') as new (options: object) => { render: Render; renderInline: Render };
// As on GitHub, elements may stand in Markdown.
const markdown = new MarkdownIt({ html: true });

const ODD_TEXTS = [
  ...HOSTILE_TEXTS,
  'a | b',
  '`a|b`',
  'a\\|b',
  '| `|` \\',
  '- item',
  '1. item',
  '$x$ :smile: ~~y~~',
  '&lt;',
];

/** The cells of the only table, as they are shown. */
function cellsOf(text: string): string[][] {
  const rows = markdown.render(text).split('<tr>').slice(1);
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell));
}

describe('a text in Markdown', () => {
  describe.each([
    ['text', markdownText, '[^<]*'],
    ['code', markdownCode, '<code>[^<]*</code>'],
  ])('is shown as %s', (_what, inMarkdown, form) => {
    it.each(ODD_TEXTS)('in a line and in a cell: %#', (text) => {
      expect(markdown.render(inMarkdown(text))).toMatch(new RegExp(`^<p>${form}</p>\n$`));
      const [, [cell, next] = []] = cellsOf(markdownTable(['a', 'b'], [[inMarkdown(text), 'next']]));
      expect(cell).toMatch(new RegExp(`^${form}$`));
      expect(next).toBe('next');
    });
  });

  it.each(ODD_TEXTS)('stays in its element, and in its block: %#', (text) => {
    expect(markdown.renderInline(`<b>${markdownElementText(text)}</b>`)).toMatch(/^<b>[^<]*<\/b>$/);
    expect(markdown.render(markdownBlock(text))).toMatch(/^<pre><code>[^<]*<\/code><\/pre>\n$/);
  });

  it.each<[string, string]>([
    ['http://a.example www.a.example @ada #1', 'http\\://a.example www\u200b.a.example \\@\u200bada #\u200b1'],
    ['gh-12 org/repo#1 (@org/team)', 'gh\u200b-12 org/repo#\u200b1 (\\@\u200borg/team)'],
    ['HIGH-1 ada@b.example # 1', 'HIGH-1 ada\\@b.example # 1'],
  ])('calls nobody, names no issue, and links to nothing: %s', (text, shown) => {
    expect(markdownText(text)).toBe(shown);
    const element = markdownElementText(text).replaceAll(/&#(\d+);/g, (_all, code) =>
      String.fromCharCode(Number(code)),
    );
    expect(element).toBe(shown.replaceAll('\\', ''));
  });

  it('keeps what stands between backticks of a sentence as code', () => {
    expect(markdownSentence('The body `{"a": "*"}` has *no* `name|id`.')).toBe(
      'The body `{"a": "*"}` has \\*no\\* <code>name&#124;id</code>.',
    );
  });
});

it('a table escapes a bar that is not escaped yet, and keeps a cell in its line', () =>
  expect(markdownTable(['a'], [['x | y \\| z\nnext']])).toBe('| a |\n| --- |\n| x \\| y \\| z next |'));
