import { isDeepStrictEqual } from 'node:util';
import { type RunOptions, runTarget } from '../conformance/run.ts';
import type { Result } from '../conformance/result/result.ts';
import type { Transport } from '../conformance/http/transport.ts';
import type { Defect } from './server.ts';
import { inputsFor, withBehaviour } from './servers/behaviour.ts';

/** A server that can be judged: the reference server, unless it behaves in another way. */
export type Judgeable = Partial<Pick<Defect, 'behaviour' | 'inputs'>>;

/** What a run showed, and whether the users that the server keeps are as they were before it. */
export interface Judged {
  readonly result: Result;
  readonly isRestored: boolean;
}

/** ms. The servers of the proof respond at once, or never. */
const LIMITS = { timeout: 5_000, patience: 3_000, deadline: 120_000 };

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
    const result = await runTarget(inputsFor(url, seed, inputs), {
      ...{ ...LIMITS, journal: false, failOn: 'should' },
      ...(transport && { transport: between(transport) }),
      ...options,
    });
    return { result, isRestored: isDeepStrictEqual([...store.users.values()], seed.users) };
  });
}

/** The requirements that a run found broken. */
export function brokenIn({ requirements }: Result): string[] {
  return requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

/** What the suite itself did wrong in a run. */
export function errorsIn({ checks }: Result): string[] {
  return checks.flatMap(({ id, outcome, detail }) => (outcome === 'error' ? [`${id}: ${detail ?? 'error'}`] : []));
}
