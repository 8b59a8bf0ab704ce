/** The outputs of a process, which may go away before it ends. */

/** What happens where a reader goes away early: a pager, `head`, a closed terminal. */
const GONE = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

/** Exit code of a process whose results cannot be written, as for wrong usage. */
const NOT_WRITTEN = 2;

/** A reader that goes away early is no error. What else keeps results from being written is one line on stderr, and exit code 2. */
export function outliveReaders(name: string): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    if (GONE.includes(code) || process.exitCode === NOT_WRITTEN) return;
    process.stderr.write(`${name}: cannot write the result: ${message}\n`);
    process.exitCode = NOT_WRITTEN;
  });
}
