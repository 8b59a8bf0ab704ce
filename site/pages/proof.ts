import { html, type Html } from '../../common/html.ts';
import { counted, figure, groupedBy } from '../../common/text.ts';
import type { Link, Page } from '../layout.ts';
import { inline } from '../markdown.ts';
import { areaOf, areaTitle, at, type Defect, type SiteData } from '../model.ts';
import { filterForm, folded, idLinks, levelLabel, table } from '../parts.ts';

type Row = SiteData['matrix']['requirements'][number];

const requirementRows = ({ matrix }: SiteData): Row[] => matrix.requirements.filter(({ kind }) => kind !== 'open');

/** Says that a page of the proof shows what is expected, not what was seen. */
const unproven = html`<p class="stale">
  This site was built without the result of the proof. It shows what defects and variants expect, not what a run showed.
</p>`;

function killedBy({ killedBy: named, failed }: Defect, to: Link): Html {
  const others = Object.keys(failed).filter((check) => !Object.hasOwn(named, check)).length;
  return html`must fail
  ${Object.entries(named).map(
    ([check, mode], index) =>
      html`${index > 0 && ', '}<a href="${to(at.mode(check, mode))}"><code>${check}</code></a> (${mode})`,
  )}${others > 0 && html`; ${counted(others, 'other check')} failed too`}`;
}

/** A defect in full below the first requirement that it breaks, and as a link elsewhere. */
function defectItem(defect: Defect, requirement: string, to: Link): Html {
  const { id, title, breaks } = defect;
  if (breaks[0] !== requirement) {
    return html`<li data-item>
      <a href="${to(at.defect(defect))}"><code>${id}</code></a> ${inline(title)}
    </li> `;
  }
  return html`<li id="${id}" data-item>
    <a class="self" href="#${id}"><code>${id}</code></a> ${inline(title)}
    <span class="note">${killedBy(defect, to)}</span>
  </li> `;
}

function requirementPart({ id, kind, text }: Row, { matrix }: SiteData, to: Link): Html {
  const defects = matrix.defects.filter(({ breaks }) => breaks.includes(id));
  const variants = matrix.variants.filter(({ about }) => about.includes(id));
  return html`<section class="entry" data-group>
    <h2 id="${id}">
      <a href="${to(at.requirement(id))}"><code>${id}</code></a> ${levelLabel(kind)}
    </h2>
    <p>${inline(text)}</p>
    ${folded(
      html`${counted(defects.length, 'defect')} ${defects.length === 1 ? 'breaks' : 'break'} it`,
      html`<ul class="servers">
        ${defects.map((defect) => defectItem(defect, id, to))}
      </ul>`,
    )}
    ${
      variants.length === 0
        ? html`<p class="note">
            There is only one way to meet this requirement, so no conforming variant differs here.
          </p>`
        : folded(
            html`${counted(variants.length, 'conforming variant')} ${variants.length === 1 ? 'uses' : 'use'} its freedom`,
            html`<ul class="servers">
              ${variants.map(
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

/** The defects and variants of one area, by requirement. */
function proofAreaPage(area: string, data: SiteData): Page {
  const rows = requirementRows(data).filter(({ id }) => areaOf(id) === area);
  return {
    path: `proof/${area}.html`,
    title: `Proof: ${areaTitle(area)}`,
    description: `The defects and conforming variants that prove the checks of the area ${areaTitle(area)}.`,
    within: 'proof/index.html',
    contents: rows.map(({ id }) => ({ id, title: id })),
    body: (to) =>
      html` ${!data.matrix.proved && unproven}
        <p class="lead">
          Each defect is the <a href="${to('api/functions/createReferenceServer.html')}">reference server</a> with one
          fault. The checks that it names must fail, in the failure modes that it names.
        </p>
        <p>
          Start one with <code>admin-api-conformance serve --defect ID</code>. See
          <a href="${to('proof/index.html')}">how the proof works</a>.
        </p>
        ${filterForm('servers', 'server', [])}
        <div id="servers">${rows.map((row) => requirementPart(row, data, to))}</div>`,
  };
}

/** The conforming variants. */
function variantsPage(data: SiteData): Page {
  const { proved, variants } = data.matrix;
  return {
    path: 'proof/variants.html',
    title: 'Proof: conforming variants',
    description: 'Servers that differ where the contract or HTTP leaves freedom. None may fail a check.',
    within: 'proof/index.html',
    body: (to) =>
      html` ${!proved && unproven}
        <p class="lead">
          ${counted(variants.length, 'server')} that differ from the reference server where the contract or HTTP leaves
          freedom. No check may fail on any of them, and their users must be restored.
        </p>
        <p>
          Start one with <code>admin-api-conformance serve --variant ID</code>. A run is <em>inconclusive</em> where a
          variant hides what a check must observe.
        </p>
        ${filterForm(
          'servers',
          'server',
          proved
            ? [
                {
                  name: 'verdict',
                  label: 'Verdict',
                  options: groupedBy(variants, ({ verdict }) => verdict).map(([verdict]) => [verdict, verdict]),
                },
              ]
            : [],
        )}
        <ul class="servers" id="servers">
          ${variants.map(({ id, title, about, verdict, inconclusive }) => {
            const unseen = Object.keys(inconclusive).length;
            return html`<li id="${id}" data-item data-verdict="${verdict}">
              <a class="self" href="#${id}"><code>${id}</code></a> ${inline(title)}
              <span class="note"
                >about
                ${idLinks(about, at.item, to)}${proved && `; ${verdict}`}${unseen > 0 && `, ${counted(unseen, 'check')} inconclusive`}</span
              >
            </li> `;
          })}
        </ul>`,
  };
}

function figures({ proved, defects, variants, stubs, checks }: SiteData['matrix']): Html {
  const alone = checks.filter(({ aloneOn }) => aloneOn.length > 0).length;
  const rows: readonly (readonly [what: string, figure: string])[] = proved
    ? [
        ['defects, each killed for the right reason', figure(defects.length)],
        ['conforming variants, no false failure', figure(variants.length)],
        ['stub servers, no false pass', figure(stubs.length)],
        ['checks that alone kill some defect', `${alone} of ${checks.length}`],
      ]
    : [
        ['defects', figure(defects.length)],
        ['conforming variants', figure(variants.length)],
      ];
  return html`<dl class="figures">
    ${rows.map(
      ([what, amount]) =>
        html`<div>
          <dt>${what}</dt>
          <dd>${amount}</dd>
        </div> `,
    )}
  </dl>`;
}

function stubServers({ stubs }: SiteData['matrix']): Html {
  const best = stubs.toSorted((left, right) => right.score.passed - left.score.passed);
  return html`<h2 id="site-stubs">Stub servers</h2>
    <p>
      How many <code>must</code> checks a server passes that ignores what it is asked. A server that refuses everything
      passes the checks that only observe a refusal.
    </p>
    ${table(
      'Stub servers',
      ['Server', 'What it does', 'Verdict', 'Passed'],
      best.map(({ id, title, verdict, score }) => [
        html`<code>${id}</code>`,
        inline(title),
        verdict,
        `${score.passed} of ${score.total}`,
      ]),
    )}`;
}

/** The kill matrix at a glance. */
function proofPage(data: SiteData): Page {
  const { matrix } = data;
  const areas = groupedBy(requirementRows(data), ({ id }) => areaOf(id));
  return {
    path: 'proof/index.html',
    title: 'Proof',
    description: 'The kill matrix: which checks kill which defects. No check fails for a conforming variant.',
    contents: [
      { id: 'site-areas', title: 'By area' },
      { id: 'site-matrix', title: 'By requirement' },
      ...(matrix.proved ? [{ id: 'site-stubs', title: 'Stub servers' }] : []),
    ],
    body: (to) =>
      html` <p class="lead">
          Who tests the tests? <code>npm run prove</code> runs the suite on servers for which the right verdict is
          known.
          <a href="${to('docs/proof.html')}">How it works</a>
        </p>
        ${!matrix.proved && unproven} ${figures(matrix)}
        <h2 id="site-areas">By area</h2>
        <p><a href="${to('proof/variants.html')}">All ${matrix.variants.length} conforming variants</a></p>
        ${table(
          'Areas of the contract',
          ['Area', 'Requirements', 'Defects', 'Conforming variants'],
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
                <th scope="col" class="number">Defects</th>
                <th scope="col" class="number">Conforming variants</th>
              </tr>
            </thead>
            <tbody>
              ${requirementRows(data).map(
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
        ${matrix.proved && stubServers(matrix)}`,
  };
}

/** All pages of the proof. */
export function proofPages(data: SiteData): Page[] {
  const areas = groupedBy(requirementRows(data), ({ id }) => areaOf(id));
  return [proofPage(data), variantsPage(data), ...areas.map(([area]) => proofAreaPage(area, data))];
}
