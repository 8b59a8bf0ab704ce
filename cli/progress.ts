import colors from 'picocolors';
import type { Environment } from '../common/process/args.ts';
import { shortened } from '../common/text.ts';
import type { ExchangeRecord } from '../conformance/result/result.ts';
import type { RunEvent } from '../conformance/run.ts';
import { columnsOf, type Output } from './io.ts';

/** How much goes to stderr: `quiet` only what must not be missed, `verbose` every exchange as it happens. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

/** Whether colour is wanted on a stream: on a terminal, unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR wins. */
export function wantsColor({ isTTY }: Pick<Output, 'isTTY'>, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return (NO_COLOR ?? '') === '' && isTTY && TERM !== 'dumb';
}

const MOST_BODY = 400;

/** An exchange as `--verbose` shows it. */
function exchangeLines({ request, response, lost, durationMs }: ExchangeRecord, count: number): string {
  const body = (sign: string, text = ''): string[] =>
    text === '' ? [] : [`      ${sign} ${shortened(text, MOST_BODY)}`];
  const came = response ? String(response.status) : `no response: ${lost ?? ''}`;
  const { pathname, search } = new URL(request.url);
  return [
    `${String(count).padStart(4)}  ${request.method} ${pathname}${search}  ${came}  ${durationMs} ms`,
    ...body('>', request.body),
    ...body('<', response?.body),
    '',
  ].join('\n');
}

/** ms between two drawings of the moving line; the time goes on while the target sends no response. */
const [REDRAW, TICK] = [80, 500];

/** Shows a run: on a terminal one line moves, with the requests so far, the time and the stage. */
export function makeProgress(stream: Output, environment: Environment, verbosity: Verbosity = 'normal') {
  const started = performance.now();
  const { dim } = colors.createColors(wantsColor(stream, environment));
  const moves = stream.isTTY && environment.TERM !== 'dumb' && verbosity === 'normal';
  let [requests, stage, drawnAt] = [0, '', 0];
  const clear = (): void => {
    if (moves) stream.clearLine();
  };
  const draw = (): void => {
    const now = performance.now();
    if (!moves || now - drawnAt < REDRAW) return;
    drawnAt = now;
    clear();
    const line = `${requests} requests  ${((now - started) / 1000).toFixed(1)} s  ${stage}`;
    stream.write(dim(line.slice(0, columnsOf(stream) - 1)));
  };
  const ticking = moves ? setInterval(draw, TICK).unref() : undefined;
  /** Writes a line that stays. */
  const note = (text: string): void => {
    clear();
    stream.write(`${dim(text)}\n`);
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'exchange') requests = event.count;
    if (event.type === 'stage') ({ text: stage } = event);
    if (event.type === 'exchange' && verbosity === 'verbose') stream.write(exchangeLines(event.record(), event.count));
    if (event.type === 'stage' && verbosity === 'verbose') note(`· ${event.text}`);
    if (event.type === 'journal' && verbosity !== 'quiet')
      note(`journal ${event.path} (for "restore", if this run is killed)`);
    if (event.type === 'away' && verbosity !== 'quiet') note(`the target is away (${event.why}); waiting for it`);
    draw();
  };
  const end = (): void => {
    clearInterval(ticking);
    clear();
  };
  return { note, onEvent, /** Takes the moving line away. */ end };
}
