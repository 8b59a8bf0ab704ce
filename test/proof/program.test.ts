import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const NOTHING = 'Nothing was judged: no name matches, or a number is none. See --help.';

it.concurrent.each([
  ['prove.ts', '--only nothing', NOTHING],
  ['hostile/main.ts', '--onyl x', '--onyl: unknown option. Did you mean --only?'],
  ['disturbed/main.ts', '--only 429-5 --runs x', NOTHING],
])('%s %s is a mistake that it names', async (program, args, message) => {
  const started = promisify(execFile)(process.execPath, [
    ...['--import', './scripts/typescript.mjs', `proof/${program}`, ...args.split(' ')],
  ]);
  await expect(started).rejects.toMatchObject({ code: 2, stderr: `${message}\n` });
});
