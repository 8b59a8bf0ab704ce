import { EXIT_CODES } from '../../conformance/result/verdict.ts';
import { html, join } from '../../common/html.ts';
import { counted, figure } from '../../common/text.ts';
import type { Page } from '../layout.ts';
import { blocks, chapter, firstCodeBlock, inline } from '../markdown.ts';
import type { SiteData } from '../model.ts';
import { code, table } from '../parts.ts';

/** The folders in which the files of the contract stand, from the one that moves most to the one that never does. */
export function contractFolders(version: string): readonly [latest: string, major: string, exact: string] {
  return ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`];
}

/** The start page. */
export function startPage(data: SiteData): Page {
  const { tool, contract, requirements, openPoints, checks, matrix, implementations, readme } = data;
  return {
    path: 'index.html',
    title: tool.name,
    description: `${contract.title}: ${contract.summary} The contract, a reference server, and a suite that judges any implementation.`,
    body: (to) =>
      html` <p class="lead">
          A contract for one administrative HTTP API with two operations, and a suite that says whether a server keeps
          it. It does not matter in which language the server is written.
        </p>
        <ul class="operations">
          <li>
            <a href="${to('reference.html#operation/updateUser')}"><code>PUT /api/admin/user-admin/{id}</code></a>
            changes what is sent of a user, and nothing else
          </li>
          <li>
            <a href="${to('reference.html#operation/listBanners')}"><code>GET /api/admin/banners</code></a> lists the
            configured banners
          </li>
        </ul>
        <h2 id="site-judge">Judge your server</h2>
        ${code(firstCodeBlock(chapter(readme, 'Judge your own server')), 'Commands')}
        <p>
          It answers <code>passed</code> (exit code ${EXIT_CODES.passed}), <code>failed</code> (${EXIT_CODES.failed}) or
          <code>inconclusive</code> (${EXIT_CODES.inconclusive}: nothing failed, but something could not be seen), and
          names each broken sentence with the request, the answer, and a <code>curl</code> line. Only the users that you
          name are written to, and they are put back.
        </p>
        <h2 id="site-what">What is here</h2>
        <dl class="doors">
          <div>
            <dt><a href="${to('reference.html')}">API reference</a></dt>
            <dd>The two operations, their schemas and examples, as OpenAPI describes them.</dd>
          </div>
          <div>
            <dt><a href="${to('requirements.html')}">Requirements</a></dt>
            <dd>
              ${counted(requirements.length, 'sentence')} that bind an implementation, each with a frozen id, a level
              and its place in the source.
            </dd>
          </div>
          <div>
            <dt><a href="${to('open-points.html')}">Open points</a></dt>
            <dd>
              ${openPoints.length} places where the source is silent, how the contract rules, and what servers do there.
            </dd>
          </div>
          <div>
            <dt><a href="${to('checks/index.html')}">Checks</a></dt>
            <dd>${checks.length} of them: what each sends, how it can fail, and how to run it alone.</dd>
          </div>
          <div>
            <dt><a href="${to('proof/index.html')}">Proof</a></dt>
            <dd>
              ${counted(matrix.defects.length, 'broken server')} that the suite fails, and ${matrix.variants.length}
              lawful ones that it spares.
            </dd>
          </div>
          <div>
            <dt><a href="${to('implementations/index.html')}">Implementations</a></dt>
            <dd>
              ${counted(implementations.length, 'result')} that anyone can make again.
              <a href="${to('implement.html')}">Add yours.</a>
            </dd>
          </div>
          <div>
            <dt><a href="${to('api/index.html')}">Library</a></dt>
            <dd>Run the suite, or register its checks in your own test runner.</dd>
          </div>
          <div>
            <dt><a href="${to('downloads.html')}">Downloads</a></dt>
            <dd><code>openapi.yaml</code> and all that is made of it, under addresses that stay.</dd>
          </div>
        </dl>
        <h2 id="site-whom">For whom</h2>
        <ul>
          <li>
            <strong>You implement the API</strong> and want to know that it is right:
            <a href="#site-judge">judge your server</a>.
          </li>
          <li>
            <strong>You call the API</strong> and want to know what you may rely on: the
            <a href="${to('requirements.html')}">requirements</a> say it, and the
            <a href="${to('open-points.html')}">open points</a> say where you may not.
          </li>
          <li>
            <strong>You change the API</strong> and want to know whom that breaks: the
            <a href="${to('changelog.html')}">changelog</a> names the servers that a version judges otherwise.
          </li>
        </ul>`,
  };
}

/** CHANGELOG.md as a page. */
export function changelogPage({ changelog }: SiteData): Page {
  return {
    path: 'changelog.html',
    title: 'Changelog',
    description: 'What changed in the contract and in the suite; changes of a verdict first.',
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
    description: 'The files of the contract, under addresses that stay, with checksums.',
    body: (to) =>
      html` <p class="lead">The contract ${contract.version} as files. Each stands under three addresses:</p>
        <dl class="facts">
          <dt><code>${exact}/</code></dt>
          <dd>This version. It never changes: rely on it where a checksum counts.</dd>
          <dt><code>${major}/</code></dt>
          <dd>The newest version that breaks nobody who keeps version ${major.slice(1)}.</dd>
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
          The same files are in the npm package. What a result calls <code>contract.digest</code> is the SHA-256 of the
          contract as the suite has it: <code class="sum">${contract.digest}</code>
        </p>`,
  };
}

const STEPS: readonly (readonly [title: string, text: string])[] = [
  [
    'Prepare the server',
    'Give it two users that nobody needs, a key that may do everything, and a valid key that may not update users. Note an id that no user has, two role ids, and the ids of all banners.',
  ],
  [
    'Write the script',
    '`site/implementations/NAME.sh` starts your server on a free port of 127.0.0.1, runs the suite with `--report json="$RESULT"`, and stops the server. It must work on a machine that has only your language. The three that are there are good to start from.',
  ],
  ['Say what it is', '`site/implementations/NAME.yaml` has `title`, `language`, `version` and `summary`.'],
  [
    'Make the result',
    '`npm run implementations -- NAME` runs the script and writes `site/implementations/NAME.json`. Commit it as it is: an edited result is not accepted, and the script is run again before it is merged. A server that fails is as welcome as one that passes.',
  ],
  ['Look at the page', '`npm run prove`, once, and `npm run build:site` write the site to `build/site/`.'],
];

/** How to add an implementation. */
export function implementPage(data: SiteData): Page {
  return {
    path: 'implement.html',
    title: 'Add your implementation',
    description: 'How a result of your server gets onto this site.',
    body: (to) =>
      html` <p class="lead">
          A result on this site is made by a script that anyone can run. Three files make an entry.
        </p>
        <ol class="steps">
          ${STEPS.map(([title, text]) => html`<li><strong>${title}.</strong> ${inline(text)}</li> `)}
        </ol>
        <p>
          A result file holds no keys: the suite takes them out of everything that it writes. It does hold the names and
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
        <h2 id="site-badge">While you are on the way</h2>
        <p>
          A run with <code>--only</code> judges a part, and a baseline file excuses what you know: both stand in the
          result, and so on the page. <code>npx admin-api-conformance serve --defect ID</code> starts a server with a
          known fault, to see what the suite says of it.
        </p>`,
  };
}
