import type { Environment } from '../../common/process/args.ts';
import { escapeInvisible, shortened } from '../../common/text.ts';
import { wrapJson, type Paint } from '../../conformance/report/terminal/paint.ts';
import type { ExchangeRecord } from '../../conformance/result/result.ts';
import type { RunEvent } from '../../conformance/run/events.ts';
import { columnsOf, type Output } from './io.ts';

/** How much goes to stderr: `quiet` only what must not be missed, `verbose` every exchange as it happens. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

/** Where a run stands: the requests so far, how many there will be (more or less), and what is being done. */
export interface Standing {
  readonly requests: number;
  readonly expected: number;
  readonly seconds: number;
  readonly stage: string;
}

/** Columns. Less of a stage says nothing. */
const SHORTEST_STAGE = 12;

/** The moving line, cut to a width: the stage goes first, then the number of requests that are still to come. */
export function progressLine({ requests, expected, seconds, stage }: Standing, width: number): string {
  const time = `${seconds.toFixed(1)} s`;
  // A target that has to be read in several ways gets more requests than were expected.
  const count = requests < expected ? `${requests} of about ${expected} requests` : `${requests} requests`;
  const forms = [`${count}  ${time}`, `${requests} requests  ${time}`, time];
  const [whole = ''] = forms;
  if (whole.length + 2 + SHORTEST_STAGE <= width) return `${whole}  ${stage}`.slice(0, width).trimEnd();
  return forms.find((form) => form.length <= width) ?? '';
}

const MOST_BODY = 400;

/** What a request is for and which key it has; many purposes name the key themselves. */
function purposeWith(purpose: string, credential: string): string {
  return purpose.includes(`with ${credential}`) ? purpose : `${purpose}, with ${credential}`;
}

/** An exchange as `--verbose` shows it: what was sent for which purpose, and what came back. */
export function exchangeLines(record: ExchangeRecord, count: number, paint: Paint, width: number): string {
  const { request, response, transportError, credential, purpose, durationMs } = record;
  const indent = '      ';
  const body = (sign: string, text = ''): string[] => {
    const lines = wrapJson(shortened(escapeInvisible(text), MOST_BODY), width, `${indent}  `);
    return text === '' ? [] : [lines.replace(/^ {7}/, `${indent}${sign}`)];
  };
  const came = response ? String(response.status) : `no response: ${escapeInvisible(transportError?.detail ?? '')}`;
  return [
    `${String(count).padStart(4)}  ${paint('bold', `${request.method} ${new URL(request.url).pathname}`)}  ${came}  ${paint('dim', `${durationMs} ms`)}`,
    paint('dim', `${indent}${purposeWith(purpose, credential)}`),
    ...body('>', request.body),
    ...body('<', response?.body),
  ].join('\n');
}

const REDRAW_EVERY = 80;
/** ms. The time goes on while the target sends no response. */
const TICK = 500;

/** The line that moves, by itself, too, while the target sends no response; there is none unless `moves`. */
function makeMovingLine(stream: Output, paint: Paint, moves: boolean, standing: () => Standing) {
  let drawnAt = 0;
  const clear = (): void => {
    if (moves) stream.clearLine();
  };
  const draw = (): void => {
    const now = performance.now();
    if (!moves || now - drawnAt < REDRAW_EVERY) return;
    drawnAt = now;
    stream.clearLine();
    stream.write(paint('dim', progressLine(standing(), columnsOf(stream) - 1)));
  };
  const ticking = moves ? setInterval(draw, TICK).unref() : undefined;
  const end = (): void => {
    clearInterval(ticking);
    clear();
  };
  return { clear, draw, end };
}

/**
 * Shows a run. On a terminal one line moves, with the requests so far, the time and the stage; elsewhere, on a dumb terminal,
 * and with `quiet` or `verbose` there is none.
 */
export function makeProgress(
  stream: Output,
  paint: Paint,
  environment: Environment = {},
  verbosity: Verbosity = 'normal',
) {
  const started = performance.now();
  const moves = stream.isTTY && environment.TERM !== 'dumb' && verbosity === 'normal';
  const stages = new Map<string, string>();
  let requests = 0;
  let expected = 0;
  const { clear, draw, end } = makeMovingLine(stream, paint, moves, () => {
    const seconds = (performance.now() - started) / 1000;
    return { requests, expected, seconds, stage: [...stages.values()].at(-1) ?? '' };
  });
  /** Writes a line that stays, with every verbosity. */
  const note = (text: string): void => {
    clear();
    stream.write(`${paint('dim', text)}\n`);
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'planned') expected = event.requests;
    if (event.type === 'journal' && verbosity !== 'quiet')
      note(`journal ${event.path} (for "restore", if this run is killed)`);
    if (event.type === 'stage') {
      stages.delete(event.operation);
      stages.set(event.operation, event.text);
      if (verbosity === 'verbose') note(`· ${event.text}`);
    }
    if (event.type === 'away' && verbosity !== 'quiet')
      note(`the target accepts no connection (${escapeInvisible(event.why)}); waiting for it`);
    if (event.type === 'exchange') {
      requests = event.count;
      if (verbosity === 'verbose')
        stream.write(`${exchangeLines(event.record(), event.count, paint, columnsOf(stream))}\n`);
    }
    if (event.type === 'exchange' || event.type === 'stage') draw();
  };
  return { note, /** Takes the moving line away. */ end, onEvent };
}
