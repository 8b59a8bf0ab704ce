import { execFile, type ExecFileOptions } from 'node:child_process';

/** What a program wrote, and why it failed, if it did. */
export interface Execution {
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_BUFFER = 256 * 1024 * 1024;

/** Runs a program to its end. It never rejects. */
export function execute([program = '', ...args]: readonly string[], options: ExecFileOptions = {}): Promise<Execution> {
  return new Promise((done) => {
    execFile(program, args, { maxBuffer: MAX_BUFFER, ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      done({ error, stdout, stderr });
    });
  });
}
