import { html, type Html } from '../../common/html.ts';
import { counted, figure, groupedBy } from '../../common/text.ts';
import type { Link, Page } from '../layout.ts';
import { inline } from '../markdown.ts';
import { areaOf, areaTitle, at, type BrokenServer, type SiteData } from '../model.ts';
import { filterForm, folded, idLinks, levelLabel, table } from '../parts.ts';

type Sentence = SiteData['matrix']['sentences'][number];

const bindingOf = ({ matrix }: SiteData): Sentence[] => matrix.sentences.filter(({ kind }) => kind !== 'open');

function killedBy({ killedBy: named, failed }: BrokenServer, to: Link): Html {
  const others = Object.keys(failed).filter((check) => !Object.hasOwn(named, check)).length;
  return html`must fail
  ${Object.entries(named).map(
    ([check, mode], index) =>
      html`${index > 0 && ', '}<a href="${to(at.mode(check, mode))}"><code>${check}</code></a> (${mode})`,
  )}${others > 0 && html`; ${counted(others, 'other check')} failed too`}`;
}

/** A broken server in full where its first requirement stands, and by its name elsewhere. */
function brokenServer(server: BrokenServer, requirement: string, to: Link): Html {
  const { id, title, breaks } = server;
  if (breaks[0] !== requirement) {
    return html`<li data-item>
      <a href="${to(at.defect(server))}"><code>${id}</code></a> ${inline(title)}
    </li> `;
  }
  return html`<li id="${id}" data-item>
    <a class="self" href="#${id}"><code>${id}</code></a> ${inline(title)}
    <span class="note">${killedBy(server, to)}</span>
  </li> `;
}

function sentencePart({ id, kind, text }: Sentence, { matrix }: SiteData, to: Link): Html {
  const broken = matrix.defects.filter(({ breaks }) => breaks.includes(id));
  const lawful = matrix.variants.filter(({ about }) => about.includes(id));
  return html`<section class="sentence" data-group>
    <h2 id="${id}">
      <a href="${to(at.requirement(id))}"><code>${id}</code></a> ${levelLabel(kind)}
    </h2>
    <p>${inline(text)}</p>
    ${folded(
      html`${counted(broken.length, 'broken server')} ${broken.length === 1 ? 'breaks' : 'break'} it`,
      html`<ul class="servers">
        ${broken.map((server) => brokenServer(server, id, to))}
      </ul>`,
    )}
    ${
      lawful.length === 0
        ? html`<p class="note">The sentence leaves one way to keep it, so no lawful server differs here.</p>`
        : folded(
            html`${counted(lawful.length, 'lawful server')} ${lawful.length === 1 ? 'uses' : 'use'} its freedom`,
            html`<ul class="servers">
              ${lawful.map(
                (each) =>
                  html`<li data-item>
                    <a href="${to(at.variant(each.id))}"><code>${each.id}</code></a> ${inline(each.title)}
                  </li> `,
              )}
            </ul>`,
          )
    }
  </section> `;
}

/** The broken servers of one area, by the requirement that they break. */
function proofAreaPage(area: string, data: SiteData): Page {
  const sentences = bindingOf(data).filter(({ id }) => areaOf(id) === area);
  return {
    path: `proof/${area}.html`,
    title: `Proof: ${areaTitle(area)}`,
    description: `The broken and lawful servers that prove the checks of the area ${areaTitle(area)}.`,
    within: 'proof/index.html',
    contents: sentences.map(({ id }) => ({ id, title: id })),
    body: (to) =>
      html` <p class="lead">
          Each broken server is the
          <a href="${to('api/functions/createReferenceServer.html')}">reference server</a> with one fault. The suite
          must fail it, by the checks that it names and in the way that it names.
        </p>
        <p>
          Start one with <code>admin-api-conformance serve --defect ID</code>. See
          <a href="${to('proof/index.html')}">how the proof works</a>.
        </p>
        ${filterForm('servers', 'server', [])}
        <div id="servers">${sentences.map((sentence) => sentencePart(sentence, data, to))}</div>`,
  };
}

/** The lawful servers. */
function lawfulServersPage(data: SiteData): Page {
  const { variants } = data.matrix;
  return {
    path: 'proof/lawful-servers.html',
    title: 'Proof: lawful servers',
    description: 'Servers that differ where the contract or HTTP leaves freedom; none may be accused.',
    within: 'proof/index.html',
    body: (to) =>
      html` <p class="lead">
          ${counted(variants.length, 'server')} that differ from the reference server where the contract or HTTP leaves
          freedom. No check may fail on any of them, and their users must be as before.
        </p>
        <p>
          Start one with <code>admin-api-conformance serve --variant ID</code>. A run is <em>inconclusive</em> where a
          lawful server hides what a check has to see.
        </p>
        ${filterForm('servers', 'server', [
          {
            name: 'verdict',
            label: 'Verdict',
            options: groupedBy(variants, ({ verdict }) => verdict).map(([verdict]) => [verdict, verdict]),
          },
        ])}
        <ul class="servers" id="servers">
          ${variants.map(({ id, title, about, verdict, inconclusive }) => {
            const blind = Object.keys(inconclusive).length;
            return html`<li id="${id}" data-item data-verdict="${verdict}">
              <a class="self" href="#${id}"><code>${id}</code></a> ${inline(title)}
              <span class="note"
                >about ${idLinks(about, at.statement, to)};
                ${verdict}${blind > 0 && `, ${counted(blind, 'check')} was inconclusive`}</span
              >
            </li> `;
          })}
        </ul>`,
  };
}

/** The kill matrix at a glance. */
function proofPage(data: SiteData): Page {
  const { matrix } = data;
  const areas = groupedBy(bindingOf(data), ({ id }) => areaOf(id));
  const alone = matrix.checks.filter(({ aloneOn }) => aloneOn.length > 0).length;
  const best = matrix.stubs.toSorted((left, right) => right.score.passed - left.score.passed);
  return {
    path: 'proof/index.html',
    title: 'Proof',
    description: 'The kill matrix: which broken servers fail which checks, and which lawful ones are spared.',
    contents: [
      { id: 'site-how', title: 'How it works' },
      { id: 'site-areas', title: 'By area' },
      { id: 'site-matrix', title: 'By requirement' },
      { id: 'site-trivial', title: 'Servers without sense' },
    ],
    body: (to) =>
      html` <p class="lead">
          Who tests the tests? <code>npm run prove</code> lets the whole suite judge servers of which the right verdict
          is known.
        </p>
        <dl class="figures">
          <div>
            <dt>broken servers, each failed for the right reason</dt>
            <dd>${figure(matrix.defects.length)}</dd>
          </div>
          <div>
            <dt>lawful servers, none accused</dt>
            <dd>${matrix.variants.length}</dd>
          </div>
          <div>
            <dt>servers without sense, none passed</dt>
            <dd>${matrix.stubs.length}</dd>
          </div>
          <div>
            <dt>checks that some broken server needs alone</dt>
            <dd>${alone} of ${matrix.checks.length}</dd>
          </div>
        </dl>
        <h2 id="site-how">How it works</h2>
        <ul>
          <li>
            <strong>Broken.</strong> The reference server with one fault. It names the requirements that it breaks, and
            the checks that must fail, each with the way to fail. It is killed if the run fails, and these checks fail
            in these ways.
          </li>
          <li>
            <strong>Lawful.</strong> A server that differs where the contract or HTTP leaves freedom. It is spared if no
            check fails, what was inconclusive is just what it says, and its users are as before.
            <a href="${to('proof/lawful-servers.html')}">All ${matrix.variants.length}</a>
          </li>
          <li>
            <strong>Without sense.</strong> A server that ignores what it is asked. It must not pass, nor be praised for
            what an update stores and keeps.
          </li>
          <li>
            <strong>Needed alone.</strong> On some broken server no other check of the same requirement fails. A check
            that nothing needs is deleted, or says why it is there.
          </li>
        </ul>
        <p>The order of traffic is decided by a seed. The proof is a gate: the suite cannot change without it.</p>
        <h2 id="site-areas">By area</h2>
        ${table(
          'Areas of the contract',
          ['Area', 'Requirements', 'Broken servers', 'Lawful servers'],
          areas.map(([area, own]) => [
            html`<a href="${to(`proof/${area}.html`)}">${areaTitle(area)}</a>`,
            own.length,
            new Set(own.flatMap(({ defects }) => defects)).size,
            new Set(own.flatMap(({ variants }) => variants)).size,
          ]),
        )}
        <h2 id="site-matrix">By requirement</h2>
        ${filterForm('matrix', 'requirement', [
          {
            name: 'level',
            label: 'Level',
            options: [
              ['must', 'must'],
              ['should', 'should'],
            ],
          },
          { name: 'area', label: 'Area', options: areas.map(([area]) => [area, areaTitle(area)]) },
        ])}
        <div class="wide" role="region" aria-label="The kill matrix by requirement" tabindex="0">
          <table id="matrix" class="matrix">
            <caption>
              The kill matrix by requirement
            </caption>
            <thead>
              <tr>
                <th scope="col">Requirement</th>
                <th scope="col">Level</th>
                <th scope="col" class="number">Checks</th>
                <th scope="col" class="number">Broken servers</th>
                <th scope="col" class="number">Lawful servers</th>
              </tr>
            </thead>
            <tbody>
              ${bindingOf(data).map(
                ({ id, kind, checks, defects, variants }) =>
                  html`<tr data-item data-level="${kind}" data-area="${areaOf(id)}">
                    <th scope="row">
                      <a href="${to(at.proofOf(id))}"><code>${id}</code></a>
                    </th>
                    <td>${levelLabel(kind)}</td>
                    <td class="number">${checks.length}</td>
                    <td class="number">${defects.length}</td>
                    <td class="number">${variants.length}</td>
                  </tr> `,
              )}
            </tbody>
          </table>
        </div>
        <h2 id="site-trivial">Servers without sense</h2>
        <p>
          How many of the <code>must</code> checks a server passes that does not do what it is asked. A check that only
          sees that something is refused is passed by a server that refuses all.
        </p>
        ${table(
          'Servers without sense',
          ['Server', 'What it does', 'Verdict', 'Passed'],
          best.map(({ id, title, verdict, score }) => [
            html`<code>${id}</code>`,
            inline(title),
            verdict,
            `${score.passed} of ${score.total}`,
          ]),
        )}`,
  };
}

/** All pages of the proof. */
export function proofPages(data: SiteData): Page[] {
  const areas = groupedBy(bindingOf(data), ({ id }) => areaOf(id));
  return [proofPage(data), lawfulServersPage(data), ...areas.map(([area]) => proofAreaPage(area, data))];
}
