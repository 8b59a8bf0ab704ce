import { LEVELS } from '../../contract/document.ts';
import { html, prose, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { at, to } from '../places.ts';
import { areaOf } from '../model.ts';
import type { SiteData } from '../read.ts';
import {
  areaChoice,
  areaSections,
  definitions,
  filterForm,
  idLinks,
  LEVEL_CHOICE,
  levelLabel,
  selfLink,
} from '../parts.ts';

type Requirement = SiteData['requirements'][number];

function article(requirement: Requirement, data: SiteData): Html {
  const { id, level, text, source } = requirement;
  const { checks, defects, variants } = data.matrix.requirements.find((each) => each.id === id) ?? {
    checks: [],
    defects: [],
    variants: [],
  };
  const proof = html`<a href="${at.proofOf(id)}">${counted(defects.length, 'defect')}</a> and
    ${counted(variants.length, 'conforming variant')}`;
  return html`<article class="entry" data-item data-level="${level}" data-area="${areaOf(id)}">
    <h3 id="${id}">${selfLink(id)} ${levelLabel(level)}</h3>
    <p>${prose(text)}</p>
    ${definitions(
      [
        ['Source', source],
        ['Judged by', idLinks(checks, at.check)],
        ['Proven by', proof],
      ],
      'about',
    )}
  </article> `;
}

function openPointsBeside(beside: readonly Requirement[], { openPoints }: SiteData): Html | undefined {
  const places = new Set(beside.map(({ pointer }) => pointer));
  const ids = openPoints.filter(({ pointer }) => pointer !== '' && places.has(pointer)).map(({ id }) => id);
  if (ids.length === 0) return undefined;
  return html`<p class="note">Never judged here: ${idLinks(ids, at.openPoint)}</p>`;
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
    parts: [
      html` <p class="lead">
          The contract has ${counted(requirements.length, 'requirement')}: ${musts} ${levelLabel('must')} and ${shoulds}
          ${levelLabel('should')}. Their ids are frozen.
        </p>
        ${definitions(
          [
            [
              levelLabel('must'),
              'The source says it, or it follows from what the source says. A broken one fails the run.',
            ],
            [
              levelLabel('should'),
              html`A careful engineer would infer it, or only a sample of the source shows it. A broken one is reported,
                and fails the run with <code>--fail-on should</code>.`,
            ],
            [
              levelLabel('open'),
              html`The source is silent or contradicts itself. The
                <a href="${to('open-points.html')}">${counted(openPoints.length, 'open point')}</a> are never judged.`,
            ],
          ],
          'legend',
        )}
        ${filterForm('requirements', [LEVEL_CHOICE, areaChoice(areas)])}
        <div id="requirements">
          ${areaSections(areas, (own) => {
            return html`${openPointsBeside(own, data)} ${own.map((requirement) => article(requirement, data))}`;
          })}
        </div>`,
    ],
  };
}
