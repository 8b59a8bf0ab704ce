import { html, prose, type Html } from '../../../common/html.ts';
import { shortened } from '../../../common/text.ts';
import type { Matrix, MatrixRequirement, MatrixTarget } from '../../result/matrix.ts';
import type { Outcome } from '../../result/verdict.ts';
import { page } from '../html/page.ts';
import { card, folded, levelTag, plainList } from '../html/parts.ts';
import { contentOf, targetWords, type SharedFinding } from './content.ts';

/** The outcomes as short cells, told apart without their colours too. */
const SIGNS: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
  error: '!',
  'not-applicable': '–',
};

/** More names are folded. */
const MOST_NAMES = 8;

const STYLE = `
.wide{overflow-x:auto}
.matrix th,.matrix td{padding:.25rem .45rem;text-align:left;white-space:nowrap;font-size:.875rem}
.matrix td.cell{text-align:center;font-weight:600}
.matrix .words{white-space:normal;min-width:8rem}
.matrix :is(thead th:first-child,tbody th){position:sticky;left:0;background:var(--card)}
`;

function cell({ requirements }: MatrixTarget, { id }: MatrixRequirement): Html {
  const outcome = requirements[id];
  if (outcome === undefined) return html`<td class="cell soft" title="${id}: not judged"></td>`;
  return html`<td class="cell ${outcome}" title="${id}: ${outcome}">${SIGNS[outcome]}</td>`;
}

function row(target: MatrixTarget, unmet: readonly MatrixRequirement[]): Html {
  const { name, folder, verdict, baseUrl } = target;
  const report =
    folder === undefined ? undefined : `${folder.split('/').map(encodeURIComponent).join('/')}/report.html`;
  const shown = report === undefined ? html`${name}` : html`<a href="${report}">${name}</a>`;
  return html`<tr>
    <th scope="row"><span title="${baseUrl}">${shown}</span></th>
    <td><span class="tag ${verdict}">${verdict}</span></td>
    <td class="words"><bdi>${shortened(targetWords(target), 500)}</bdi></td>
    ${unmet.map((requirement) => cell(target, requirement))}
  </tr> `;
}

function findingCard({ title, level, targets }: SharedFinding): Html {
  const names = html`<p class="ids">${targets.join(', ')}</p>`;
  return card(
    html`<h3><bdi>${title}</bdi> ${levelTag(level)}</h3>
      ${targets.length <= MOST_NAMES ? names : folded(`${targets.length} of the targets`, names)}`,
  );
}

/** The legend of the columns, which stands below the table: it may be long. */
function unmetList(unmet: readonly MatrixRequirement[]): Html {
  const items = unmet.map(
    ({ id, level, text }, index) => html`${index + 1}. <code>${id}</code> ${levelTag(level)} ${prose(text)}`,
  );
  return html`<h3>The columns</h3>
    ${plainList(items)}`;
}

/** One page with every target: its verdict, its findings, and each requirement that not every target meets. It loads nothing. */
export function htmlMatrix(matrix: Matrix): string {
  const { label, words, counts, exit, findings, unmet } = contentOf(matrix);
  const { tool, targets, requirements, verdict } = matrix;
  const body = html`<header>
      <h1>Conformance of a fleet</h1>
      <div class="verdict ${verdict}">
        <strong>${label}</strong>
        <p>${words}</p>
        <p class="small">${counts}; ${exit}.</p>
      </div>
    </header>
    <main>
      ${
        findings.length > 0 &&
        html`<section>
          <h2>Findings</h2>
          ${findings.map(findingCard)}
        </section>`
      }
      <section>
        <h2>Targets</h2>
        ${
          unmet.length > 0 &&
          html`<p>
            The columns are the ${unmet.length} of ${requirements.length} requirements that not every target was seen to
            meet. They are named below.
          </p>`
        }
        <div class="wide" tabindex="0" role="region" aria-label="Targets and requirements">
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col">Target</th>
                <th scope="col">Verdict</th>
                <th scope="col">Findings</th>
                ${unmet.map(({ id }, index) => html`<th scope="col"><abbr title="${id}">${index + 1}</abbr></th>`)}
              </tr>
            </thead>
            <tbody>
              ${targets.map((target) => row(target, unmet))}
            </tbody>
          </table>
        </div>
        ${unmet.length > 0 && unmetList(unmet)}
      </section>
    </main>
    <footer>Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.</footer>`;
  return page({ title: `${label}: ${counts}`, body, style: STYLE });
}
