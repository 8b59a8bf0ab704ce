import { html, join } from '../../common/html.ts';
import { counted, figure } from '../../common/text.ts';
import type { Page } from '../layout.ts';
import { blocks, firstCodeBlock, firstParagraph, inline } from '../markdown.ts';
import type { SiteData } from '../model.ts';
import { code, table } from '../parts.ts';

/** The folders with the files of the contract, from the one that changes most often to the one that never changes. */
export function contractFolders(version: string): readonly [latest: string, major: string, exact: string] {
  return ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`];
}

/** The start page. */
export function startPage(data: SiteData): Page {
  const { tool, operations, requirements, openPoints, checks, matrix, implementations, documents } = data;
  const readme = documents.get('README.md') ?? '';
  const links: readonly (readonly [path: string, title: string, text: string])[] = [
    ['docs/index.html', 'Get started', 'Try the suite, judge your server, read the result, run it in CI.'],
    ['reference.html', 'API reference', 'The operations with their schemas and examples.'],
    ['requirements.html', 'Requirements', `${requirements.length}, each with an id, a level and its source.`],
    ['open-points.html', 'Open points', `${openPoints.length} places where the source is silent; never judged.`],
    ['checks/index.html', 'Checks', `${checks.length}: what each sends, and how it can fail.`],
    [
      'proof/index.html',
      'Proof',
      `${counted(matrix.defects.length, 'defect')} and ${counted(matrix.variants.length, 'conforming variant')} that test the suite.`,
    ],
    [
      'implementations/index.html',
      'Implementations',
      `${counted(implementations.length, 'result')} you can reproduce.`,
    ],
    ['docs/library.html', 'Library', 'Run the checks in your own test runner.'],
    ['downloads.html', 'Downloads', 'openapi.yaml and the files generated from it, at stable addresses.'],
  ];
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
          ${links.map(
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
        <dl class="facts">
          <dt><code>${exact}/</code></dt>
          <dd>This version. It never changes; use it with a checksum.</dd>
          <dt><code>${major}/</code></dt>
          <dd>The newest version that is compatible with version ${major.slice(1)}.</dd>
          <dt><code>${latest}/</code></dt>
          <dd>The newest version of all.</dd>
        </dl>
        ${table(
          `Files of contract ${contract.version}`,
          ['File', 'Bytes', 'SHA-256', 'Addresses'],
          downloads.map(({ name, bytes, sha256 }) => [
            html`<a href="${to(`${exact}/${name}`)}"><code>${name}</code></a>`,
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

const STEPS: readonly (readonly [title: string, text: string])[] = [
  [
    'Prepare the server',
    'It needs two users that nobody else uses, a key that may do everything, and a valid key that may not update users. Note an id that no user has, two role ids, and the ids of all banners.',
  ],
  [
    'Write the script',
    '`site/implementations/NAME.sh` starts your server on a free port of 127.0.0.1, runs the suite with `--report json="$RESULT"`, and stops the server. It must work on a machine that has only your language. Start from one of the existing scripts.',
  ],
  ['Describe it', '`site/implementations/NAME.yaml` has `title`, `language`, `version` and `summary`.'],
  [
    'Make the result',
    '`npm run implementations -- NAME` runs the script and writes `site/implementations/NAME.json`. Commit it unchanged: edited results are not accepted, and the script is rerun before the merge. A failing server is as welcome as a passing one.',
  ],
  ['Look at the page', '`npm run build:site` writes the site to `build/site/`.'],
];

/** How to add an implementation. */
export function implementPage(data: SiteData): Page {
  return {
    path: 'implement.html',
    title: 'Add your implementation',
    description: 'How to add a result of your server to this site.',
    body: (to) =>
      html` <p class="lead">
          Every result on this site comes from a script that anyone can run. An entry consists of three files.
        </p>
        <ol class="steps">
          ${STEPS.map(([title, text]) => html`<li><strong>${title}.</strong> ${inline(text)}</li> `)}
        </ol>
        <p>
          A result contains no keys: the suite redacts them from everything it writes. It contains the names and
          addresses of the users that you name, as your server shows them; use invented ones.
        </p>
        <h2 id="site-example">An example</h2>
        ${data.implementations
          .filter(({ id }) => id === 'independent')
          .map(
            ({ id, title, script }) =>
              html`<p>The script of <a href="${to(`implementations/${id}.html`)}">${title}</a>:</p>
                ${code(script, 'Script')}`,
          )}
        <h2 id="site-badge">Work in progress</h2>
        <p>
          A run with <code>--only</code> judges a part, and a baseline lists known failures. The result shows both, and
          so does the page. <code>npx admin-api-conformance serve --defect ID</code> starts a server with a known fault.
        </p>`,
  };
}
