import { JUDGE_COMMAND } from './fleet/messages.ts';
import type { Command } from './output/io.ts';

/** The commands by name, in the order of the overview. Loaded on demand, so that `list` does not wait for the HTTP client. */
export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  run: () => import('./run.ts'),
  judge: () => import('./results/judge.ts'),
  plan: () => import('./plan.ts'),
  serve: () => import('./servers/serve.ts'),
  list: () => import('./list.ts'),
  explain: () => import('./explain.ts'),
  restore: () => import('./restore.ts'),
  render: () => import('./results/render.ts'),
  compare: () => import('./results/compare.ts'),
  merge: () => import('./results/merge.ts'),
  observations: () => import('./results/observations.ts'),
  init: () => import('./init.ts'),
  baseline: () => import('./results/baseline.ts'),
  schema: () => import('./schema.ts'),
};

/** The commands that this program gives to its own processes; no help names them. */
export const hiddenCommands: typeof commands = { [JUDGE_COMMAND]: () => import('./fleet/judge.ts') };

/** What `help` prints. */
export async function overview(): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = loaded.map(({ command: { usage, summary } }) => `  ${usage.padEnd(19)}${summary}`);
  return `Usage: admin-api-conformance COMMAND [options]

Judges whether an implementation of the administrative API keeps its contract.

${lines.join('\n')}

"help COMMAND" or "COMMAND --help" shows details. --version prints the version.

Start here:
  admin-api-conformance run --reference      an example; it needs no settings
  admin-api-conformance serve                a server to try "run" on; prints
                                             the settings to paste
`;
}
