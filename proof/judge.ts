import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type RunOptions, runTarget } from '../conformance/run.ts';
import type { Result } from '../conformance/facts/result.ts';
import type { Transport } from '../conformance/http/transport.ts';
import { requirements } from '../contract/document.ts';
import type { Defect } from './server.ts';
import { inputsFor, withBehaviour } from './servers/behaviour.ts';

/** A server that can be judged: the reference server, unless it behaves in another way. */
export type Judgeable = Partial<Pick<Defect, 'behaviour' | 'inputs'>>;

/** What a run showed, and whether the users that the server keeps are as they were before it. */
export interface Judged {
  readonly result: Result;
  readonly isRestored: boolean;
}

/** ms. It ends only what hangs: no busy machine needs so long. */
const DEADLINE_MS = 3_600_000;

/** How servers of the proof are judged: they respond at once, or never (ms). */
export const LIMITS = {
  timeout: 5_000,
  patience: 3_000,
  deadline: DEADLINE_MS,
  journal: false,
  failOn: 'should',
} as const;

/**
 * Starts a server, judges it by the whole suite unless options say otherwise, and ends it.
 *
 * @param between stands between the suite and a server without a socket
 */
export function judgeServer(
  { behaviour = {}, inputs }: Judgeable,
  options: RunOptions = {},
  between: (transport: Transport) => Transport = (transport) => transport,
): Promise<Judged> {
  return withBehaviour(behaviour, async ({ url, seed, store, transport }) => {
    const own = transport && { transport: between(transport) };
    const result = await runTarget(inputsFor(url, seed, inputs), { ...LIMITS, ...own, ...options });
    return { result, isRestored: isDeepStrictEqual([...store.users.values()], seed.users) };
  });
}

const [LOADER = '', VICTIM = ''] = ['../scripts/typescript.mjs', './hostile/victim.ts'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Judges a target in a process of its own, with the default limits. It prints what came of it, as JSON. */
export function startRun(url: string, journal: string): ChildProcess {
  return spawn(process.execPath, ['--import', LOADER, VICTIM, url, journal], { stdio: ['ignore', 'pipe', 'ignore'] });
}

const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));

/** Whether one of these requirements is a `must`. */
export function hasMust(ids: readonly string[]): boolean {
  return ids.some((id) => musts.has(id));
}

/** The requirements that a run found broken. */
export function brokenIn({ requirements: judged }: Result): string[] {
  return judged.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

/** What the suite itself did wrong in a run. */
export function errorsIn({ checks }: Result): string[] {
  return checks.flatMap(({ id, outcome, detail }) => (outcome === 'error' ? [`${id}: ${detail ?? 'error'}`] : []));
}

/** Why the first check of a run without a verdict is inconclusive. */
function doubtIn({ verdict, checks }: Result): string[] {
  const doubtful = checks.find(({ outcome }) => outcome === 'inconclusive');
  if (verdict !== 'inconclusive' || !doubtful) return [];
  return [`${doubtful.id}: ${doubtful.detail ?? doubtful.reason ?? ''}`];
}

/** What is seen of a run, in one line. */
export function told(result: Result): string {
  const titles = result.findings.map(({ requirement, title }) => `${requirement}: ${title}`);
  return [result.verdict, ...titles, ...errorsIn(result), ...doubtIn(result)].join('; ');
}
