import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.concurrent.each([
  ['prove.ts', '--only nothing'],
  ['disturbed/main.ts', '--only 429-5 --runs x'],
])('%s %s is a mistake that it names', async (program, args) => {
  const started = promisify(execFile)(process.execPath, [
    ...['--import', './scripts/typescript.mjs', `proof/${program}`, ...args.split(' ')],
  ]);
  const stderr = 'Nothing was judged: no name matches, or a number is none. See --help.\n';
  await expect(started).rejects.toMatchObject({ code: 2, stderr });
});
