import { html, join } from '../../common/html.ts';
import { figure } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { to } from '../places.ts';
import { articleOf } from '../markdown.ts';
import type { SiteData } from '../read.ts';
import { definitions, idLink, table } from '../parts.ts';

/** The folders with the files of the contract, from the one that changes most often to the one that never changes. */
export function contractFolders(version: string): readonly [latest: string, major: string, exact: string] {
  return ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`];
}

/** CHANGELOG.md as a page. */
export function changelogPage({ documents }: SiteData): Page {
  return {
    path: 'changelog.html',
    title: 'Changelog',
    description: 'Changes of the contract and the suite; changes of a verdict first.',
    parts: [articleOf(documents, 'CHANGELOG.md')],
  };
}

/** The files of the contract. */
export function downloadsPage({ contract, downloads }: SiteData): Page {
  const [latest, major, exact] = contractFolders(contract.version);
  const sums = downloads.find(({ name }) => name === 'checksums.txt');
  return {
    path: 'downloads.html',
    title: 'Downloads',
    description: 'The files of the contract at stable addresses, with checksums.',
    parts: [
      html` <p class="lead">Contract ${contract.version} as files, each at three addresses:</p>
        ${definitions(
          [
            [html`<code>${exact}/</code>`, 'This version. It never changes; use it with a checksum.'],
            [html`<code>${major}/</code>`, `The newest version that is compatible with version ${major.slice(1)}.`],
            [html`<code>${latest}/</code>`, 'The newest version of all.'],
          ],
          'facts',
        )}
        ${table(
          `Files of contract ${contract.version}`,
          ['File', 'Bytes', 'SHA-256', 'Addresses'],
          downloads.map(({ name, bytes, sha256 }) => [
            idLink(name, to(`${exact}/${name}`)),
            html`<span class="number">${figure(bytes)}</span>`,
            html`<code class="sum">${sha256}</code>`,
            join(
              [exact, major, latest].map(
                (folder) =>
                  html`<a href="${to(`${folder}/${name}`)}" aria-label="${name} under ${folder}">${folder}</a>`,
              ),
              ' ',
            ),
          ]),
        )}
        ${sums && html`<p><code>sha256sum -c ${sums.name}</code> checks them.</p>`}
        <p>
          The npm package contains the same files. <code>contract.digest</code> in a result is the SHA-256 of the
          contract in the suite: <code class="sum">${contract.digest}</code>
        </p>`,
    ],
  };
}

/** What a server shows for an unknown address. */
export function notFoundPage(): Page {
  return {
    path: '404.html',
    title: 'No such page',
    description: 'There is no page at this address.',
    depth: 0,
    parts: [
      html`<p>
        There is no page at this address. Checks, requirements and open points keep their ids: search for the id, start
        at the <a href="${to('index.html')}">start page</a>, or look in the lists of
        <a href="${to('requirements.html')}">requirements</a> and <a href="${to('checks.html')}">checks</a>.
      </p>`,
    ],
  };
}
