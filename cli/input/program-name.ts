import { basename, relative } from 'node:path';
import { isSea } from 'node:sea';
import type { Environment } from '../../common/process/args.ts';
import { shellWord } from '../../conformance/http/curl.ts';

const NAME = 'admin-api-conformance';

/** How this program was started, so that a line that begins with it can be pasted: as an executable, installed, from a checkout, or by npx. */
export function programName({ npm_command: npm }: Environment): string {
  if (isSea()) return shellWord(process.argv0);
  const script = process.argv[1] ?? '';
  if (basename(script) === 'main.js') return `node ${shellWord(relative(process.cwd(), script))}`;
  return basename(script) === NAME && npm === undefined && !script.includes('node_modules') ? NAME : `npx ${NAME}`;
}
