import { createInterface } from 'node:readline/promises';
import { escapeInvisible } from '../../common/text.ts';
import type { Output } from '../output/io.ts';

/** Whether somebody can be asked. */
export function canAsk({ isTTY }: Output): boolean {
  return process.stdin.isTTY && isTTY;
}

/** Asks on the terminal; close it at the end. */
export function askOnTerminal() {
  // It draws what is typed, so it needs the terminal itself.
  // eslint-disable-next-line no-restricted-properties
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Settled in the event itself: a question is rejected right after it, or never settled.
  const ended = new Promise<undefined>((done) => {
    terminal.once('close', () => {
      done(undefined);
    });
  });
  return {
    /** @returns what was typed; undefined after Ctrl-C or Ctrl-D, which end the questions */
    ask: (question: string) => Promise.race([terminal.question(escapeInvisible(question)), ended]),
    close: () => terminal.close(),
  };
}
