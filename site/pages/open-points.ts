import { html, type Html } from '../../common/html.ts';
import { counted } from '../../common/text.ts';
import type { Link, Page } from '../layout.ts';
import { inline } from '../markdown.ts';
import { at, type Implementation, type SiteData } from '../model.ts';
import { filterForm, folded, levelLabel } from '../parts.ts';

type OpenPoint = SiteData['openPoints'][number];

const KINDS: Readonly<Record<OpenPoint['kind'], string>> = {
  'not-shown': 'the source says “not shown”',
  contradiction: 'the source contradicts itself',
  silent: 'the source is silent',
};

/** The implementations with an observation or, if undefined, those in which nothing was observed. */
function shownBy(
  implementations: readonly Implementation[],
  point: string,
  observation: string | undefined,
): Implementation[] {
  return implementations.filter(({ result }) => {
    const found = result.observations.find(({ id }) => id === point);
    return found !== undefined && found.observed === observation;
  });
}

function names(implementations: readonly Implementation[], to: Link): Html | string {
  if (implementations.length === 0) return '–';
  return html`${implementations.map(
    ({ id, title }, index) => html`${index > 0 && ', '}<a href="${to(at.implementation(id))}">${title}</a>`,
  )}`;
}

function observations({ id, observations: possible }: OpenPoint, { implementations }: SiteData, to: Link): Html {
  if (possible.length === 0) return html`<p class="note">A black-box run cannot observe it.</p>`;
  const unseen = shownBy(implementations, id, undefined);
  return html`<table class="compact">
    <caption>
      What can be observed, and which implementations do it
    </caption>
    <thead>
      <tr>
        <th scope="col">Observation</th>
        <th scope="col">Meaning</th>
        <th scope="col">Implementations</th>
      </tr>
    </thead>
    <tbody>
      ${possible.map(
        (each) =>
          html`<tr>
            <th scope="row"><code>${each.id}</code></th>
            <td>${inline(each.text)}</td>
            <td>${names(shownBy(implementations, id, each.id), to)}</td>
          </tr> `,
      )}${
        unseen.length > 0 &&
        html`<tr>
          <th scope="row">not observed</th>
          <td>The run could not observe it.</td>
          <td>${names(unseen, to)}</td>
        </tr>`
      }
    </tbody>
  </table>`;
}

function article(point: OpenPoint, data: SiteData, to: Link): Html {
  const { id, kind, text, ruling, source } = point;
  const variants = data.matrix.variants.filter(({ about }) => about.includes(id));
  return html`<article class="entry" id="${id}" data-item data-kind="${kind}">
    <h2>
      <a class="self" href="#${id}"><code>${id}</code></a> ${levelLabel('open')}
    </h2>
    <p>${inline(text)}</p>
    <dl>
      <dt>Ruling</dt>
      <dd class="ruling">${inline(ruling)}</dd>
      <dt>Why open</dt>
      <dd>${KINDS[kind]}</dd>
      <dt>Source</dt>
      <dd>${source}</dd>
    </dl>
    ${observations(point, data, to)}
    ${
      variants.length > 0 &&
      folded(
        html`${counted(variants.length, 'conforming variant')} of the proof ${variants.length === 1 ? 'uses' : 'use'}
        this freedom`,
        html`<ul class="servers">
          ${variants.map(
            (each) =>
              html`<li>
                <a href="${to(at.variant(each.id))}"><code>${each.id}</code></a> ${inline(each.title)}
              </li> `,
          )}
        </ul>`,
      )
    }
  </article> `;
}

/** What the source leaves unspecified, the ruling of the contract, and what known implementations do. */
export function openPointsPage(data: SiteData): Page {
  const { openPoints } = data;
  return {
    path: 'open-points.html',
    title: 'Open points',
    description: 'Where the source is silent, the ruling of the contract, and what known implementations do there.',
    contents: openPoints.map(({ id }) => ({ id, title: id.replace(/^open\./, '') })),
    body: (to) =>
      html` <p class="lead">
          Here the source says “not shown”, contradicts itself, or is silent although an implementer must choose.
          Anything within the ruling conforms. The suite observes and reports what a server does; it never judges it.
        </p>
        ${filterForm('points', 'open point', [
          {
            name: 'kind',
            label: 'Why open',
            options: Object.entries(KINDS).map(([kind, title]) => [kind, title.replace('the source ', '')]),
          },
        ])}
        <div id="points">${openPoints.map((point) => article(point, data, to))}</div>`,
  };
}
