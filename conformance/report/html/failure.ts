import { isScored, type CheckResult, type ExchangeRecord } from '../../result/result.ts';
import { html, Html, prose } from '../../../common/html.ts';
import { failureLines, valueText, type FailureLine } from '../content/failure.ts';
import { shortened } from '../../../common/text.ts';
import { anchor, levelTag } from './parts.ts';
import { jsonLines, linesBeside, textDifference } from './json-lines.ts';

function row(label: string, content: Html): Html {
  return html`<dt>${label}</dt>
    <dd>${content}</dd> `;
}

/** Expected and actual: where both are structures, or texts with much in common, what differs is marked. */
function comparison({ expected, actual, pointer = '' }: NonNullable<CheckResult['failure']>): Html {
  const areAll = (type: 'object' | 'string'): boolean =>
    [expected, actual].every((value) => typeof value === type && value !== null);
  const { start, end, ...own } = textDifference(valueText(expected, pointer), valueText(actual, pointer));
  const alike = areAll('string') && start.length + end.length > 2;
  const mark = (side: 'expected' | 'actual', text: string): Html => html`<span class="own-${side}">${text}</span>`;
  const value = (side: 'expected' | 'actual', given: unknown, other: unknown): Html => {
    if (typeof given !== 'object' || given === null)
      return html`<pre>${start}${alike && own[side] !== '' ? mark(side, own[side]) : own[side]}${end}</pre>`;
    const lines = linesBeside(given, other).flatMap(({ text, differs }) => [
      differs && areAll('object') ? mark(side, text) : text,
      '\n',
    ]);
    return html`<pre>${lines}</pre>`;
  };
  return html`${row('Expected', value('expected', expected, actual))}
  ${row('Actual', value('actual', actual, expected))}
  ${pointer === '' ? undefined : row('At', html`<code>${pointer}</code>`)}`;
}

/** A body, with the lines of the judged member marked. */
function bodyBlock({ body = '', cut }: FailureLine, pointer: string): Html {
  const lines = cut === undefined ? jsonLines(body) : undefined;
  if (!lines) {
    const rest = cut === undefined ? undefined : html`<p class="soft small">${cut} more characters are not shown.</p>`;
    return html`<pre>${shortened(body)}</pre>
      ${rest}`;
  }
  const isMarked = (own: string): boolean => pointer !== '' && (own === pointer || own.startsWith(`${pointer}/`));
  const shown = lines.map((line) => (isMarked(line.pointer) ? html`<mark>${line.text}</mark>` : `${line.text}\n`));
  return html`<pre>${shown}</pre>`;
}

function headerFields({ headers }: { readonly headers: Readonly<Record<string, string>> }): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function requestRow(line: FailureLine, { purpose }: ExchangeRecord): Html {
  return row(
    'Request',
    html`<code>${line.text}</code> <span class="soft small">${purpose}</span> ${
        line.body === undefined ? undefined : bodyBlock(line, '')
      }`,
  );
}

function responseRow(line: FailureLine, { request, response, durationMs }: ExchangeRecord, pointer: string): Html {
  const text = html`<code>${shortened(line.text, 200)}</code>`;
  return row(
    'Response',
    html`${text} <span class="soft small">in ${durationMs} ms${response?.body === '' ? ', no body' : ''}</span>
      ${line.body === undefined ? undefined : bodyBlock(line, pointer)}
      <details class="small">
        <summary>Header fields</summary>
        <pre>${headerFields(request)}</pre>
        ${response ? html`<pre>${headerFields(response)}</pre>` : undefined}
      </details>`,
  );
}

function lineRow(line: FailureLine, pointer: string): Html {
  if (line.exchange && line.label === 'request') return requestRow(line, line.exchange);
  if (line.exchange) return responseRow(line, line.exchange, pointer);
  return line.label === 'fix'
    ? row('Fix', html`<b>${prose(line.text)}</b>`)
    : row('Rerun', html`<code>${line.text}</code>`);
}

/** A failed check, folded unless it is `open`. */
export function failureDetails(check: CheckResult, open: boolean): Html {
  const { id, title, level, failure, curl, requirements } = check;
  const lines = failureLines(check).filter(({ label }) => label !== 'expected' && label !== 'actual');
  const last = lines.findLast(({ label }) => label === 'response');
  const links = requirements.map(
    (requirement, index) =>
      html`${index === 0 ? '' : ', '}<a href="#${anchor('requirement', requirement)}">${requirement}</a>`,
  );
  return html`<details class="check" id="${anchor('check', id)}" ${new Html(open ? ' open' : '')}>
    <summary>
      <code>${id}</code> ${levelTag(isScored(check) ? level : 'not scored')}<br /><bdi
        >${shortened(failure?.message ?? title, 400)}</bdi
      >
    </summary>
    <p class="soft small">${prose(title)}. Judges ${links}.</p>
    <dl class="pair">
      ${failure ? comparison(failure) : undefined}
      ${lines.map((line) => lineRow(line, line === last ? (failure?.pointer ?? '') : ''))}
      ${curl === undefined ? undefined : row('Send again', html`<pre class="curl" tabindex="0">${curl}</pre>`)}
    </dl>
  </details> `;
}
