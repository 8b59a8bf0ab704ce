import { describe, expect, it } from 'vitest';
import { hostsAskedByPages } from '../support/browser.ts';
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

it('the reading of a network log names the hosts that pages asked for, and not those that the browser asked on its own account', () => {
  const started = (url: string, initiator?: string): object => ({ type: 2, params: { url, initiator } });
  const log = {
    constants: { logEventTypes: { REQUEST_ALIVE: 1, URL_REQUEST_START_JOB: 2 } },
    events: [
      { type: 1, params: { url: 'https://alive.example/' } },
      { type: 2 },
      started('https://update.example/', 'not an origin'),
      started('http://127.0.0.1:4242/a', 'http://127.0.0.1:4242'),
      started('https://fonts.example/b', 'null'),
      started('https://fonts.example/c', 'null'),
    ],
  };
  expect(hostsAskedByPages(JSON.stringify(log))).toEqual(['127.0.0.1', 'fonts.example']);
});
