import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { brokenLinks, readLinkedPage } from '../support/links.ts';

const folder = temporaryFolder();

describe('the link checker', () => {
  it('finds each kind of broken link, and nothing else', () => {
    folder.write(
      'a.html',
      `<p id="here"></p><a href="#here"></a><a href="b.html#there"></a><a href="https://example.com/"></a>
       <script src="data:,">let x = '<a href="nothing.html">'</script>
       <a href="/b.html"></a><a href="#nowhere"></a><a href="b.html#nowhere"></a><img src="none.png">`,
    );
    folder.write('b.html', '<p id="there"></p>');
    const pages = ['a.html', 'b.html'].map((path) => readLinkedPage(folder.path, path));
    expect(brokenLinks(pages, ['a.html', 'b.html'])).toEqual([
      'a.html: /b.html is not relative',
      'a.html: #nowhere has no such anchor',
      'a.html: b.html#nowhere has no such anchor',
      'a.html: none.png is not there',
    ]);
  });

  it('follows addresses out of folders', () => {
    const page = { path: 'checks/a.html', targets: ['../index.html', '../none.html'], ids: new Set<string>() };
    expect(brokenLinks([page], ['index.html', 'checks/a.html'])).toEqual(['checks/a.html: ../none.html is not there']);
  });
});
