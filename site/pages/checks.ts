import { html, prose, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Page, Part } from '../page.ts';
import { at, to } from '../places.ts';
import { areaTitle, type Defect, type SampleRequest } from '../model.ts';
import type { SiteData } from '../read.ts';
import { INPUT_HELP } from '../../conformance/resources/inputs.ts';
import {
  areaChoice,
  areaSections,
  codeBlock,
  definitions,
  filterForm,
  folded,
  idLink,
  LEVEL_CHOICE,
  levelLabel,
  section,
  serverList,
  table,
} from '../parts.ts';
import { sampleRequests } from '../traffic.ts';

type Check = SiteData['checks'][number];

const SHOWN_BODY = 160;
const SHOWN_REQUESTS = 12;
const SHOWN_DEFECTS = 6;

function bodyOf({ body, contentType }: SampleRequest): Html {
  const cut = body !== undefined && body.length > SHOWN_BODY;
  return html`${body !== undefined && html`<br /><code>${cut ? body.slice(0, SHOWN_BODY) : body}</code>`}${
    cut && ` … (${counted(body.length, 'character')})`
  }${contentType !== undefined && html`<br /><span class="note">Content-Type: ${contentType}</span>`}`;
}

function requestsPart(check: Check): Html {
  const rows = sampleRequests(check).map((sample) => [
    html`${prose(sample.purpose)}<br /><code>${sample.method} ${sample.path}</code>${bodyOf(sample)}`,
    sample.credential,
  ]);
  const requests = table('Requests, with example values', ['Request', 'Key'], rows);
  return rows.length > SHOWN_REQUESTS ? folded(counted(rows.length, 'request'), requests) : requests;
}

function killers(defects: readonly Defect[]): Html | string {
  if (defects.length === 0) return 'No defect of the proof has this failure mode.';
  const list = serverList(defects, at.defect);
  return defects.length <= SHOWN_DEFECTS ? list : folded(counted(defects.length, 'defect'), list);
}

function modesPart({ id, failureModes }: Check, { matrix }: SiteData): Html {
  return html`${Object.entries(failureModes).map(
    ([mode, advice]) =>
      html`<section class="mode">
        <h3 id="${mode}">
          <a class="self" href="#${mode}"><code>${mode}</code></a>
        </h3>
        <p>${prose(advice)}</p>
        ${killers(matrix.defects.filter(({ killedBy }) => killedBy[id] === mode))}
      </section> `,
  )}`;
}

function proofPart({ id }: Check, { matrix }: SiteData): Html {
  const row = matrix.checks.find((each) => each.id === id);
  const named = matrix.defects.filter(({ killedBy }) => Object.hasOwn(killedBy, id));
  const expected = `${counted(named.length, 'defect')} must fail this check, listed below by failure mode.`;
  if (!matrix.proved) return html`<p>${expected} This site was built without the result of the proof.</p>`;
  return html`<p>
    ${expected} In the last proof ${counted(row?.killedBy.length ?? 0, 'defect')} failed it.
    ${
      row?.redundancy === undefined
        ? `No other check of the same requirement kills ${row?.aloneOn.length ?? 0} of them, so it is needed.`
        : `Other checks of the same requirement kill all of them. It exists because: ${row.redundancy}.`
    }
  </p>`;
}

function judgedPart({ requirements: own }: Check, { requirements }: SiteData): Html {
  const judged = requirements.filter((each) => own.includes(each.id));
  return definitions(
    judged.map(({ id, level, text, source }) => [
      html`${idLink(id, at.requirement(id))} ${levelLabel(level)}`,
      html`${prose(text)}<br /><span class="note">Source: ${source}</span>`,
    ]),
    'judged',
  );
}

function sentPart(check: Check): Html {
  return html`<p>
      The requests that it judges, and their controls, which must be accepted. In between the suite reads the state of
      the users.
    </p>
    ${
      check.uses.length === 0
        ? html`<p>No requests of its own: it judges every response of the run.</p>`
        : requestsPart(check)
    }`;
}

function neededPart({ id, needs }: Check): Part[] {
  const inputs = needs.map((name) => INPUT_HELP[name]);
  const rows = inputs.map(({ variable, meaning }) => [html`<code>${variable}</code>`, meaning] as const);
  return [
    html`${definitions(rows, 'judged')}
      <p>Set these to run only this check, with the requests that it rests on:</p>`,
    codeBlock('sh', `npx admin-api-conformance run BASE_URL --only ${id}`),
  ];
}

/** The page of one check. */
export function checkPage(check: Check, data: SiteData): Page {
  const { id, level, area, title } = check;
  return {
    path: `checks/${id}.html`,
    title: id,
    description: `A check of the level ${level}: ${title.replaceAll('`', '')}.`,
    parts: [
      html`<p class="lead">${levelLabel(level)} ${prose(title)}.</p>
        <p class="note">A check of the area <a href="${to(`checks.html#area-${area}`)}">${areaTitle(area)}</a>.</p>`,
      section('site-judges', 'What it judges', judgedPart(check, data)),
      section('site-sends', 'What is sent', sentPart(check)),
      section('site-needs', 'What it needs', ''),
      ...neededPart(check),
      section('site-modes', 'Failure modes', html`${proofPart(check, data)} ${modesPart(check, data)}`),
    ],
  };
}

/** All checks by area. */
export function checksPage(data: SiteData): Page {
  const { checks, matrix } = data;
  const areas = groupedBy(checks, ({ area }) => area);
  const killed = new Map(matrix.checks.map(({ id, killedBy }) => [id, killedBy.length]));
  const rowOf = ({ id, level, area, title }: Check) => ({
    data: { level, area },
    cells: [idLink(id, at.check(id)), prose(title), levelLabel(level), killed.get(id) ?? 0],
  });
  const heads = ['Check', 'What holds', 'Level', 'Defects killed'];
  return {
    path: 'checks.html',
    title: 'Checks',
    description: 'Every check of the suite by area, with its level and the number of defects that it kills.',
    parts: [
      html` <p class="lead">
          ${counted(checks.length, 'check')} judge the <a href="${to('requirements.html')}">requirements</a>. Each
          states what holds on a conforming server and kills defects made for it.
        </p>
        ${filterForm('checks', [LEVEL_CHOICE, areaChoice(areas)])}
        <div id="checks">
          ${areaSections(
            areas,
            (own, area) =>
              html`<p class="note">Run only these with <code>--only ${area}</code>.</p>
                ${table(`Checks of the area ${areaTitle(area)}`, heads, own.map(rowOf), { unseen: true })}`,
          )}
        </div>`,
    ],
  };
}
