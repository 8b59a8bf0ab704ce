import { makeStop } from '../../common/stop.ts';
import { scoredSet, type ScoredSet } from '../checks/scored-set.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { operations, userOperation } from '../operations/index.ts';
import type { Result } from '../result/result.ts';
import type { Inputs } from '../target/inputs.ts';
import { type Restored, restoreUsers } from '../traffic/restore.ts';
import { collect, type Collected } from './collect.ts';
import { conclude } from './conclude.ts';
import type { RunOptions } from './events.ts';
import { prepare, type Prepared } from './prepare.ts';

const UPDATE_DUES = operations.find(({ id }) => id === userOperation)?.updates;

/** ms. Restoring the users has its own deadline, so that it also happens after that of the run. */
const RESTORE_DEADLINE = 30_000;

async function restore(
  prepared: Prepared,
  { recording, histories }: Collected,
  options: RunOptions,
): Promise<Restored> {
  const { limits, sessions, requests, journal, client, originalsOf, openClient } = prepared;
  const givenUp = client.givenUp();
  // A silent target gets one more chance, so that the run ends soon; one that is away may come back.
  const patience = givenUp === undefined || givenUp === 'unreachable' ? {} : { patience: 1 };
  const away = Math.min(RESTORE_DEADLINE, 3 * limits.timeout);
  const { onEvent = () => undefined } = options;
  onEvent({ type: 'stage', operation: 'restore', text: 'restoring the users' });
  const restored = await restoreUsers({
    operation: userOperation,
    histories,
    exchanges: recording.exchanges,
    sessions,
    requests,
    journal,
    originalsOf,
    dues: UPDATE_DUES,
    openClient: () =>
      openClient({ ...limits, deadline: RESTORE_DEADLINE, concurrency: 1 }, AbortSignal.timeout(RESTORE_DEADLINE), {
        away,
        ...patience,
      }),
  });
  onEvent({ type: 'restored', restoration: restored.restoration });
  return restored;
}

/**
 * Judges a target: prepare, collect evidence, restore the users, conclude.
 *
 * @param inputs what the operator says of the target; a missing input makes the checks that need it `inconclusive`
 * @param set the checks that count; others are run and reported all the same
 * @returns the result, whatever the target does
 * @throws InvalidSelection if `only` or `skip` match nothing; ExplorerMissing if sequences are to be explored without
 *   fast-check; RunRefused if another run changes the users; Error from node:fs if the journal cannot be written
 */
export async function judgeTarget(
  inputs: Inputs,
  options: RunOptions = {},
  set: ScoredSet = scoredSet,
): Promise<Result> {
  const stop = makeStop({ other: options.signal, after: options.limits?.deadline ?? DEFAULT_LIMITS.deadline });
  try {
    const prepared = await prepare(inputs, options, stop.signal);
    try {
      const collected = await collect(prepared, options);
      const { restoration, exchanges } = await restore(prepared, collected, options);
      const disturbed = prepared.lock.contested() ?? collected.recording.disturbed;
      const recording = { ...collected.recording, restoring: exchanges, disturbed };
      return conclude(prepared, { ...collected, recording }, restoration, options, set);
    } finally {
      prepared.lock.release();
    }
  } finally {
    stop.release();
  }
}
