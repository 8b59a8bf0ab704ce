/** Shows on stderr how a run goes on. */
import colors from 'picocolors';
import type { Output } from '../common/process/output.ts';
import { counted, escapeInvisible, present, shortened } from '../common/text.ts';
import type { ExchangeRecord } from '../conformance/facts/result.ts';
import type { RunEvent } from '../conformance/run.ts';

/** How much goes to stderr: `quiet` only what must not be missed, `trace` every exchange as it happens. */
export type Verbosity = 'quiet' | 'normal' | 'trace';

const MOST_BODY = 400;
/** How many requests a check sends, on average. */
const REQUESTS_PER_CHECK = 6;
/** Checks after which the time that is left can be told. */
const ENOUGH_CHECKS = 5;
/** Seconds. A shorter time is not told. */
const WORTH_TELLING = 5;

function exchangeLines({ request, response, lost, durationMs }: ExchangeRecord, count: number): string {
  const body = (sign: string, text = ''): string =>
    text === '' ? '' : `      ${sign} ${shortened(text, MOST_BODY)}\n`;
  const came = response ? String(response.status) : `no response: ${lost ?? ''}`;
  const { pathname, search } = new URL(request.url);
  const line = `${String(count).padStart(4)}  ${request.method} ${pathname}${search}  ${came}  ${durationMs} ms\n`;
  return escapeInvisible(line + body('>', request.body) + body('<', response?.body));
}

/** A time for people: "40 s", "3 min". */
function duration(seconds: number): string {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** How far a run has come. */
interface State {
  readonly startedMs: number;
  requests: number;
  stage: string;
  done: number;
  of: number;
  failed: number;
}

/** How far a run has come, in a line: "64/116 checks · 1 failed · about 40 s left". */
function stateWords({ startedMs, requests, stage, done, of, failed }: State, nowMs: number): string {
  if (done === 0) return present([counted(requests, 'request'), stage]).join(' · ');
  const left = ((nowMs - startedMs) / 1_000 / done) * (of - done);
  const isTold = done >= ENOUGH_CHECKS && left >= WORTH_TELLING;
  return present([
    `${done}/${of} checks`,
    failed > 0 && `${failed} failed`,
    isTold && `~${duration(left)} left`,
    done === of && stage,
  ]).join(' · ');
}

/** That the target limits how often it is asked, and how long the run takes with that. */
function limitedWords({ done, of }: State, intervalMs: number, pauseMs: number): string {
  const seconds = (Math.max(1, of - done) * REQUESTS_PER_CHECK * intervalMs + pauseMs) / 1_000;
  const left = of === 0 ? '' : `; the run takes about ${duration(seconds)} more`;
  const pause = pauseMs === 0 ? '' : `the suite waits ${duration(pauseMs / 1_000)}, and `;
  return `the target limits the rate: ${pause}from here on, a request every ${Math.round(intervalMs)} ms${left}`;
}

/**
 * Shows a run: on a terminal one line moves, with the checks done, the failures so far and the time that is left. A note stays,
 * whatever the verbosity.
 *
 * @param now the time in ms
 */
export function makeProgress(stream: Output, verbosity: Verbosity, now: () => number = () => performance.now()) {
  const { dim } = colors.createColors(stream.color);
  const moves = stream.canMove && verbosity === 'normal';
  const state: State = { startedMs: now(), requests: 0, stage: '', done: 0, of: 0, failed: 0 };
  let isLimited = false;
  const end = (): void => {
    if (moves) stream.clearLine();
  };
  const note = (text: string): void => {
    end();
    stream.writeStyled(`${dim(escapeInvisible(text))}\n`);
  };
  const show = (): void => {
    end();
    if (moves) stream.writeStyled(dim(stateWords(state, now()).slice(0, stream.width - 1)));
  };
  const tellLimit = (intervalMs: number, pauseMs: number): void => {
    if (!isLimited) note(limitedWords(state, intervalMs, pauseMs));
    isLimited = true;
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'journal') note(`journal ${event.path} (for "restore", if this run is killed)`);
    if (verbosity === 'quiet') return;
    if (event.type === 'away') note(`the target is away (${event.why}); waiting for it`);
    if (event.type === 'limited') tellLimit(event.intervalMs, event.pauseMs);
    if (event.type === 'stage') state.stage = event.text;
    if (event.type === 'progress') Object.assign(state, { done: event.done, of: event.of, failed: event.failed });
    if (event.type !== 'exchange') return;
    state.requests = event.count;
    show();
    if (verbosity === 'trace') stream.write(exchangeLines(event.record(), event.count));
  };
  return { note, onEvent, end };
}
