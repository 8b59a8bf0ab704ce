import colors from 'picocolors';
import type { Output } from '../common/process/output.ts';
import { escapeInvisible, shortened } from '../common/text.ts';
import type { ExchangeRecord } from '../conformance/facts/result.ts';
import type { RunEvent } from '../conformance/run.ts';

/** How much goes to stderr: `quiet` only what must not be missed, `verbose` every exchange as it happens. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

const MOST_BODY = 400;

function exchangeLines({ request, response, lost, durationMs }: ExchangeRecord, count: number): string {
  const body = (sign: string, text = ''): string =>
    text === '' ? '' : `      ${sign} ${shortened(text, MOST_BODY)}\n`;
  const came = response ? String(response.status) : `no response: ${lost ?? ''}`;
  const { pathname, search } = new URL(request.url);
  const line = `${String(count).padStart(4)}  ${request.method} ${pathname}${search}  ${came}  ${durationMs} ms\n`;
  return line + body('>', request.body) + body('<', response?.body);
}

/** Shows a run: on a terminal one line moves, with the requests so far and the stage. A note stays, whatever the verbosity. */
export function makeProgress(stream: Output, verbosity: Verbosity) {
  const { dim } = colors.createColors(stream.color);
  const moves = stream.canMove && verbosity === 'normal';
  let stage = '';
  const end = (): void => {
    if (moves) stream.clearLine();
  };
  const note = (text: string): void => {
    end();
    stream.writeStyled(`${dim(escapeInvisible(text))}\n`);
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'journal') note(`journal ${event.path} (for "restore", if this run is killed)`);
    if (verbosity === 'quiet') return;
    if (event.type === 'away') note(`the target is away (${event.why}); waiting for it`);
    if (event.type === 'stage') stage = event.text;
    if (event.type !== 'exchange') return;
    end();
    if (moves) stream.writeStyled(dim(`${event.count} requests  ${stage}`.slice(0, stream.width - 1)));
    if (verbosity === 'verbose') stream.write(exchangeLines(event.record(), event.count));
  };
  return { note, onEvent, end };
}
