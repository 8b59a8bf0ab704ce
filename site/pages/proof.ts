import { html, join, prose, type Html } from '../../common/html.ts';
import { counted, figure, groupedBy } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { at, to } from '../places.ts';
import { areaOf, areaTitle, type Defect } from '../model.ts';
import type { SiteData } from '../read.ts';
import {
  areaChoice,
  filterForm,
  folded,
  idLink,
  idLinks,
  LEVEL_CHOICE,
  levelLabel,
  section,
  selfLink,
  serverList,
  table,
  tiles,
} from '../parts.ts';

type Row = SiteData['matrix']['requirements'][number];

const requirementRows = ({ matrix }: SiteData): Row[] => matrix.requirements.filter(({ kind }) => kind !== 'open');

/** Says that a page of the proof shows what is expected, not what was seen. */
const unproven = html`<p class="stale">
  This site was built without the result of the proof. It shows what defects and variants expect, not what a run showed.
</p>`;

function killedBy({ killedBy: named, failed }: Defect): Html {
  const others = Object.keys(failed).filter((check) => !Object.hasOwn(named, check)).length;
  const checks = Object.entries(named).map(([check, mode]) => html`${idLink(check, at.mode(check, mode))} (${mode})`);
  return html`must fail ${join(checks, ', ')}${others > 0 && html`; ${counted(others, 'other check')} failed too`}`;
}

/** A defect in full below the first requirement that it breaks, and as a link elsewhere. */
function defectItem(defect: Defect, requirement: string): Html {
  const { id, title, breaks } = defect;
  if (breaks[0] !== requirement) return html`<li data-item>${idLink(id, at.defect(defect))} ${prose(title)}</li> `;
  return html`<li data-item>
    <h3 id="${id}">${selfLink(id)}</h3>
    ${prose(title)} <span class="note">${killedBy(defect)}</span>
  </li> `;
}

function requirementPart({ id, kind, text }: Row, { matrix }: SiteData): Html {
  const defects = matrix.defects.filter(({ breaks }) => breaks.includes(id));
  const variants = matrix.variants.filter(({ about }) => about.includes(id));
  return html`<section class="entry" data-group>
    <h2 id="${id}">${idLink(id, at.requirement(id))} ${levelLabel(kind)}</h2>
    <p>${prose(text)}</p>
    ${folded(
      `${counted(defects.length, 'defect')} ${defects.length === 1 ? 'breaks' : 'break'} it`,
      html`<ul class="servers">
        ${defects.map((defect) => defectItem(defect, id))}
      </ul>`,
    )}
    ${
      variants.length === 0
        ? html`<p class="note">
            There is only one way to meet this requirement, so no conforming variant differs here.
          </p>`
        : folded(
            `${counted(variants.length, 'conforming variant')} ${variants.length === 1 ? 'uses' : 'use'} its freedom`,
            serverList(variants, (each) => at.variant(each.id), 'data-item'),
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
    parts: [
      html` ${!data.matrix.proved && unproven}
        <p class="lead">
          Each defect is the <a href="${to('api/functions/createReferenceServer.html')}">reference server</a> with one
          fault. The checks that are recorded for it must fail, each in its failure mode.
        </p>
        <p>
          Start one with <code>admin-api-conformance serve --defect ID</code>. See
          <a href="${to('proof.html')}">how the proof works</a>.
        </p>
        ${filterForm('servers', [])}
        <div id="servers">${rows.map((row) => requirementPart(row, data))}</div>`,
    ],
  };
}

function variantsPage(data: SiteData): Page {
  const { proved, variants } = data.matrix;
  const verdicts = [...new Set(variants.map(({ verdict }) => verdict))];
  return {
    path: 'proof/variants.html',
    title: 'Proof: conforming variants',
    description: 'Servers that differ where the contract or HTTP leaves freedom. None may fail a check.',
    depth: 0,
    parts: [
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
          proved ? [{ name: 'verdict', label: 'Verdict', options: verdicts.map((each) => [each, each]) }] : [],
        )}
        <ul class="servers" id="servers">
          ${variants.map(({ id, title, about, verdict, inconclusive }) => {
            const unseen = Object.keys(inconclusive).length;
            return html`<li data-item data-verdict="${verdict}">
              <h2 id="${id}">${selfLink(id)}</h2>
              ${prose(title)}
              <span class="note"
                >about
                ${idLinks(about, at.item)}${proved && `; ${verdict}`}${unseen > 0 && `, ${counted(unseen, 'check')} inconclusive`}</span
              >
            </li> `;
          })}
        </ul>`,
    ],
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
  return tiles('figures', rows);
}

function stubServers({ stubs }: SiteData['matrix']): Html {
  const best = stubs.toSorted((left, right) => right.score.passed - left.score.passed);
  return html`<p>
      How many <code>must</code> checks a server passes that ignores what it is asked. A server that refuses everything
      passes the checks that only observe a refusal.
    </p>
    ${table(
      'Stub servers',
      ['Server', 'What it does', 'Verdict', 'Passed'],
      best.map(({ id, title, verdict, score }) => [
        html`<code>${id}</code>`,
        prose(title),
        verdict,
        `${score.passed} of ${score.total}`,
      ]),
    )}`;
}

function byArea({ matrix }: SiteData, areas: readonly (readonly [string, Row[]])[]): Html {
  return html`<p><a href="${to('proof/variants.html')}">All ${matrix.variants.length} conforming variants</a></p>
    ${table(
      'Areas of the contract',
      ['Area', 'Requirements', 'Defects', 'Conforming variants'],
      areas.map(([area, own]) => [
        html`<a href="${to(`proof/${area}.html`)}">${areaTitle(area)}</a>`,
        own.length,
        new Set(own.flatMap(({ defects }) => defects)).size,
        new Set(own.flatMap(({ variants }) => variants)).size,
      ]),
    )}`;
}

function byRequirement(rows: readonly Row[], areas: readonly (readonly [string, Row[]])[]): Html {
  return html`${filterForm('matrix', [LEVEL_CHOICE, areaChoice(areas)])}
  ${table(
    'The kill matrix by requirement',
    ['Requirement', 'Level', 'Checks', 'Defects', 'Conforming variants'],
    rows.map(({ id, kind, checks, defects, variants }) => ({
      data: { level: kind, area: areaOf(id) },
      cells: [
        ...[idLink(id, at.proofOf(id)), levelLabel(kind)],
        ...[checks, defects, variants].map(({ length }) => length),
      ],
    })),
    { id: 'matrix' },
  )}`;
}

/** The kill matrix at a glance. */
function proofPage(data: SiteData): Page {
  const { matrix } = data;
  const rows = requirementRows(data);
  const areas = groupedBy(rows, ({ id }) => areaOf(id));
  return {
    path: 'proof.html',
    title: 'Proof',
    description: 'The kill matrix: which checks kill which defects. No check fails for a conforming variant.',
    parts: [
      html`<p class="lead">
          Who tests the tests? <code>npm run prove</code> runs the suite on servers for which the right verdict is
          known. <a href="${to('docs/proof.html')}">How it works</a>
        </p>
        ${!matrix.proved && unproven} ${figures(matrix)}`,
      section('site-areas', 'By area', byArea(data, areas)),
      section('site-matrix', 'By requirement', byRequirement(rows, areas)),
      ...(matrix.proved ? [section('site-stubs', 'Stub servers', stubServers(matrix))] : []),
    ],
  };
}

/** All pages of the proof. */
export function proofPages(data: SiteData): Page[] {
  const areas = groupedBy(requirementRows(data), ({ id }) => areaOf(id));
  return [proofPage(data), variantsPage(data), ...areas.map(([area]) => proofAreaPage(area, data))];
}
