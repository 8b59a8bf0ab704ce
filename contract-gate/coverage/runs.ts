import type { Recording } from '../../conformance/model/recording/recording.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { inputsFor, type RunningBehaviour, withBehaviour } from '../../proof/servers/behaviour.ts';
import { called, variants } from '../../proof/catalogue.ts';
import type { CoveredRun } from './coverage.ts';

/**
 * Conforming variants that show what the reference server, with one form of each value, does not: a null name, a null
 * username, and roles as objects.
 */
const VARIANTS = ['null-name', 'null-username', 'roles-as-objects-both-ways'] as const;

/**
 * Runs the suite on a conforming variant, or on the reference server.
 *
 * @returns what was seen, and the checks that judged it
 */
export function coveredRun(
  variant: string | undefined,
  options: Pick<RunOptions, 'only' | 'skip'> = {},
): Promise<CoveredRun> {
  const { behaviour, inputs } = variant === undefined ? { behaviour: {}, inputs: {} } : called(variants, variant);
  const cover = async ({ url, seed, reach }: RunningBehaviour): Promise<CoveredRun> => {
    let judging: { recording: Recording; checks: CoveredRun['checks'] } | undefined;
    await judgeTarget(inputsFor(url, seed, inputs), {
      ...reach,
      ...options,
      onEvent: (event) => {
        if (event.type === 'judging') judging = event;
      },
    });
    if (!judging) throw new Error('The run ended before its checks were judged.');
    return { server: variant ?? 'reference server', recording: judging.recording, checks: judging.checks };
  };
  return withBehaviour(behaviour, cover, false);
}

/** The runs that the coverage of the contract is computed from. */
export function allRuns(): Promise<CoveredRun[]> {
  return Promise.all([undefined, ...VARIANTS].map((variant) => coveredRun(variant)));
}
