import { createInterface } from 'node:readline/promises';

/** Whether somebody can be asked. */
export function canAsk(err: NodeJS.WriteStream): boolean {
  return process.stdin.isTTY && err.isTTY;
}

/** Asks on the terminal; close it at the end. */
export function askOnTerminal(err: NodeJS.WriteStream) {
  const terminal = createInterface({ input: process.stdin, output: err });
  // Settled in the event itself: a question is rejected right after it, or never settled.
  const ended = new Promise<undefined>((done) => {
    terminal.once('close', () => {
      done(undefined);
    });
  });
  return {
    /** @returns what was typed; undefined after Ctrl-C or Ctrl-D, which end the questions */
    ask: (question: string) => Promise.race([terminal.question(question), ended]),
    close: () => {
      terminal.close();
    },
  };
}
