import { html, join } from '../../common/html.ts';
import { counted, figure } from '../../common/text.ts';
import type { Page } from '../layout.ts';
import { blocks, firstCodeBlock, firstParagraph } from '../markdown.ts';
import type { SiteData } from '../model.ts';
import { code, definitions, idLink, table } from '../parts.ts';

/** The folders with the files of the contract, from the one that changes most often to the one that never changes. */
export function contractFolders(version: string): readonly [latest: string, major: string, exact: string] {
  return ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`];
}

/** Where the start page leads. */
function startLinks(data: SiteData): readonly (readonly [path: string, title: string, text: string])[] {
  const { requirements, openPoints, checks, matrix, implementations } = data;
  const defects = counted(matrix.defects.length, 'defect');
  const variants = counted(matrix.variants.length, 'conforming variant');
  const results = counted(implementations.length, 'result');
  return [
    ['docs/index.html', 'Get started', 'Try the suite, judge your server, read the result, run it in CI.'],
    ['reference.html', 'API reference', 'The operations with their schemas and examples.'],
    ['requirements.html', 'Requirements', `${requirements.length}, each with an id, a level and its source.`],
    ['open-points.html', 'Open points', `${openPoints.length} places where the source is silent; never judged.`],
    ['checks/index.html', 'Checks', `${checks.length}: what each sends, and how it can fail.`],
    ['proof/index.html', 'Proof', `${defects} and ${variants} that test the suite.`],
    ['implementations/index.html', 'Implementations', `${results} you can reproduce.`],
    ['docs/library.html', 'Library', 'Run the checks in your own test runner.'],
    ['downloads.html', 'Downloads', 'openapi.yaml and the files generated from it, at stable addresses.'],
  ];
}

/** The start page. */
export function startPage(data: SiteData): Page {
  const { tool, operations, documents } = data;
  const readme = documents.get('README.md') ?? '';
  return {
    path: 'index.html',
    title: tool.name,
    description: firstParagraph(readme),
    body: (to) =>
      html` <p class="lead">${firstParagraph(readme)}</p>
        <ul class="operations">
          ${operations.map(
            ({ id, method, path, summary }) =>
              html`<li>
                <a href="${to(`reference.html#operation/${id}`)}"><code>${method} ${path}</code></a> ${summary}
              </li> `,
          )}
        </ul>
        <h2 id="site-sample">A failing report</h2>
        ${code(firstCodeBlock(readme), 'A failing report')}
        <p><a href="${to('docs/index.html#judge-your-own-server')}">Judge your own server</a></p>
        <h2 id="site-what">What is here</h2>
        <dl class="doors">
          ${startLinks(data).map(
            ([path, title, text]) =>
              html`<div>
                <dt><a href="${to(path)}">${title}</a></dt>
                <dd>${text}</dd>
              </div> `,
          )}
        </dl>`,
  };
}

/** CHANGELOG.md as a page. */
export function changelogPage({ changelog }: SiteData): Page {
  return {
    path: 'changelog.html',
    title: 'Changelog',
    description: 'Changes of the contract and the suite; changes of a verdict first.',
    body: () => blocks(changelog.replace(/^# .*\n/, '')),
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
    body: (to) =>
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
            idLink(name, `${exact}/${name}`, to),
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
  };
}
