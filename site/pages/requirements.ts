import { LEVELS } from '../../contract/document.ts';
import { html, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Link, Page } from '../layout.ts';
import { inline } from '../markdown.ts';
import { areaOf, areaTitle, at, type SiteData } from '../model.ts';
import { filterForm, idLinks, levelLabel } from '../parts.ts';

type Requirement = SiteData['requirements'][number];

function rulings({ pointer }: Requirement, { openPoints }: SiteData, to: Link): Html | false {
  const beside = openPoints.filter((point) => point.pointer === pointer);
  if (pointer === '' || beside.length === 0) return false;
  return html`<dt>Open points</dt>
    <dd>
      ${idLinks(
        beside.map(({ id }) => id),
        at.openPoint,
        to,
      )}
    </dd>`;
}

function article(requirement: Requirement, data: SiteData, to: Link): Html {
  const { id, level, text, source } = requirement;
  const { checks, defects, variants } = data.matrix.requirements.find((each) => each.id === id) ?? {
    checks: [],
    defects: [],
    variants: [],
  };
  return html`<article class="entry" id="${id}" data-item data-level="${level}" data-area="${areaOf(id)}">
    <h3>
      <a class="self" href="#${id}"><code>${id}</code></a> ${levelLabel(level)}
    </h3>
    <p>${inline(text)}</p>
    <dl>
      <dt>Source</dt>
      <dd>${source}</dd>
      <dt>Judged by</dt>
      <dd>${idLinks(checks, at.check, to)}</dd>
      <dt>Proven by</dt>
      <dd>
        <a href="${to(at.proofOf(id))}">${counted(defects.length, 'defect')}</a> and
        ${counted(variants.length, 'conforming variant')}
      </dd>
      ${rulings(requirement, data, to)}
    </dl>
  </article> `;
}

/** Every requirement of the contract, with its checks and its proof. */
export function requirementsPage(data: SiteData): Page {
  const { requirements, openPoints } = data;
  const areas = groupedBy(requirements, ({ id }) => areaOf(id));
  const [musts, shoulds] = LEVELS.map((level) => requirements.filter((each) => each.level === level).length);
  return {
    path: 'requirements.html',
    title: 'Requirements',
    description: 'What the contract requires of an implementation: level, source, and the checks that judge it.',
    contents: areas.map(([area]) => ({ id: `area-${area}`, title: areaTitle(area) })),
    body: (to) =>
      html` <p class="lead">
          The contract has ${counted(requirements.length, 'requirement')}: ${musts} ${levelLabel('must')} and ${shoulds}
          ${levelLabel('should')}. Their ids are frozen.
        </p>
        <dl class="legend">
          <dt>${levelLabel('must')}</dt>
          <dd>The source says it, or it follows from what the source says. A broken one fails the run.</dd>
          <dt>${levelLabel('should')}</dt>
          <dd>
            A careful engineer would infer it, or only a sample of the source shows it. A broken one is reported, and
            fails the run with <code>--fail-on should</code>.
          </dd>
          <dt>${levelLabel('open')}</dt>
          <dd>
            The source is silent or contradicts itself. The
            <a href="${to('open-points.html')}">${counted(openPoints.length, 'open point')}</a> are never judged.
          </dd>
        </dl>
        ${filterForm('requirements', 'requirement', [
          { name: 'level', label: 'Level', options: LEVELS.map((level) => [level, level]) },
          { name: 'area', label: 'Area', options: areas.map(([area]) => [area, areaTitle(area)]) },
        ])}
        <div id="requirements">
          ${areas.map(
            ([area, own]) =>
              html`<section data-group>
                <h2 id="area-${area}">${areaTitle(area)}</h2>
                ${own.map((requirement) => article(requirement, data, to))}
              </section> `,
          )}
        </div>`,
  };
}
