import { html, join, prose, type Html } from '../../common/html.ts';
import { counted } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { at } from '../places.ts';
import type { Implementation, SiteData } from '../read.ts';
import { definitions, filterForm, folded, levelLabel, selfLink, serverList, table } from '../parts.ts';

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

function names(implementations: readonly Implementation[]): Html | string {
  if (implementations.length === 0) return '–';
  return join(
    implementations.map(({ id, title }) => html`<a href="${at.implementation(id)}">${title}</a>`),
    ', ',
  );
}

function observations({ id, observations: possible }: OpenPoint, { implementations }: SiteData): Html {
  if (possible.length === 0) return html`<p class="note">A black-box run cannot observe it.</p>`;
  const unseen = shownBy(implementations, id, undefined);
  return table(
    `What can be observed at ${id}, and which implementations do it`,
    ['Observation', 'Meaning', 'Implementations'],
    [
      ...possible.map((each) => [
        html`<code>${each.id}</code>`,
        prose(each.text),
        names(shownBy(implementations, id, each.id)),
      ]),
      ...(unseen.length > 0 ? [['not observed', 'The run could not observe it.', names(unseen)]] : []),
    ],
  );
}

function article(point: OpenPoint, data: SiteData): Html {
  const { id, kind, text, ruling, source } = point;
  const variants = data.matrix.variants.filter(({ about }) => about.includes(id));
  const use = `${counted(variants.length, 'conforming variant')} of the proof ${variants.length === 1 ? 'uses' : 'use'}`;
  return html`<article class="entry" data-item data-kind="${kind}">
    <h2 id="${id}">${selfLink(id)} ${levelLabel('open')}</h2>
    <p>${prose(text)}</p>
    ${definitions(
      [
        ['Ruling', html`<span class="ruling">${prose(ruling)}</span>`],
        ['Why open', KINDS[kind]],
        ['Source', source],
      ],
      'about',
    )}
    ${observations(point, data)}
    ${
      variants.length > 0 &&
      folded(
        `${use} this freedom`,
        serverList(variants, (each) => at.variant(each.id)),
      )
    }
  </article> `;
}

/** What the source leaves unspecified, the ruling of the contract, and what known implementations do. */
export function openPointsPage(data: SiteData): Page {
  return {
    path: 'open-points.html',
    title: 'Open points',
    description: 'Where the source is silent, the ruling of the contract, and what known implementations do there.',
    parts: [
      html` <p class="lead">
          Here the source says “not shown”, contradicts itself, or is silent although an implementer must choose.
          Anything within the ruling conforms. The suite observes and reports what a server does; it never judges it.
        </p>
        ${filterForm('points', [
          {
            name: 'kind',
            label: 'Why open',
            options: Object.entries(KINDS).map(([kind, title]) => [kind, title.replace('the source ', '')]),
          },
        ])}
        <div id="points">${data.openPoints.map((point) => article(point, data))}</div>`,
    ],
  };
}
