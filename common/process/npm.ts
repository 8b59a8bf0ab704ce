/** How npm is started: on Windows `npm` is a script, which only a shell could start. */
import type { Environment } from './args.ts';

/** The words that start npm, or npx. Inside of npm (`npm run`, `npm test`, npx) they are the same npm, on every system. */
export function npmCommand(
  { npm_execpath: script }: Environment,
  name: 'npm' | 'npx' = 'npm',
): readonly [program: string, ...first: string[]] {
  if (!script?.endsWith('npm-cli.js')) return [name];
  return [process.execPath, script.replace(/npm-cli\.js$/, `${name}-cli.js`)];
}
