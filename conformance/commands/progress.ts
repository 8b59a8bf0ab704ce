import type { Paint } from '../report/paint.ts';
import type { RunEvent } from '../runner.ts';
import { columnsOf } from './io.ts';

/** What is told of a run while it goes on. */
export interface Progress {
  readonly onEvent: (event: RunEvent) => void;
  /** A line that stays. */
  readonly note: (text: string) => void;
  /** Takes the moving line away. */
  readonly end: () => void;
}

const REDRAW_EVERY = 80;
const CLEAR_LINE = '\r\u001b[2K';

/** On a terminal one moving line with the stage, the requests so far and the time; elsewhere only the lines that stay. */
export function makeProgress(stream: NodeJS.WriteStream, paint: Paint): Progress {
  const started = performance.now();
  const moves = stream.isTTY;
  const stages = new Map<string, string>();
  let requests = 0;
  let drawnAt = 0;
  const clear = (): void => {
    if (moves) stream.write(CLEAR_LINE);
  };
  const draw = (): void => {
    const now = performance.now();
    if (!moves || now - drawnAt < REDRAW_EVERY) return;
    drawnAt = now;
    const seconds = ((now - started) / 1000).toFixed(1);
    const stage = [...stages.values()].at(-1) ?? '';
    const line = `${requests} requests  ${seconds} s  ${stage}`.slice(0, columnsOf(stream) - 1);
    stream.write(CLEAR_LINE + paint('dim', line));
  };
  const note = (text: string): void => {
    clear();
    stream.write(`${paint('dim', text)}\n`);
  };
  return {
    note,
    end: clear,
    onEvent: (event) => {
      if (event.type === 'journal') note(`journal ${event.path}`);
      if (event.type === 'exchange') requests = event.count;
      if (event.type === 'stage') {
        stages.delete(event.lane);
        stages.set(event.lane, event.text);
      }
      if (event.type === 'exchange' || event.type === 'stage') draw();
    },
  };
}
