import { makeStop } from '../../common/process/stop.ts';
import { checks, explorationChecks } from '../checks/catalogue.ts';
import { scoredSet, type ScoredSet } from '../checks/scored-set.ts';
import { InvalidSelection } from '../checks/selection.ts';
import { DEFAULT_LIMITS } from '../http/policy/limits.ts';
import type { Result } from '../result/result.ts';
import { type Inputs, namedId, WRITABLE } from '../resources/inputs.ts';
import { type Restored, restoreAll } from '../traffic/keeping/restore.ts';
import { collect, type Collected } from './collect.ts';
import { conclude, describeRun } from './conclude.ts';
import type { RunOptions } from './events.ts';
import { prepare, type Prepared } from './prepare.ts';
import { parseRecording, recordingText, redactMarks } from './recording.ts';
import { select } from './plan.ts';
import { restoreOne, writtenBy } from '../operations/index.ts';

/** ms. Restoring the users has its own deadline, so that it also happens after that of the run. */
const RESTORE_DEADLINE = 30_000;

async function restore(prepared: Prepared, { recording }: Collected, options: RunOptions): Promise<Restored> {
  const { inputs, limits, updated, requests, journal, client, originalsOf, openClient, keeper } = prepared;
  // A silent target gets one more chance, so that the run ends soon.
  const patience = client.isSilent() ? { patience: 1 } : {};
  const away = Math.min(RESTORE_DEADLINE, 3 * limits.timeout);
  const { onEvent = () => undefined } = options;
  onEvent({ type: 'stage', operation: 'restore', text: 'restoring the users' });
  const { exchanges } = recording;
  const updatedToo = updated.written(exchanges).map(({ subject, touched = [], ...each }) => {
    const byOthers = exchanges.filter(({ request }) => request.subject === subject).flatMap(writtenBy);
    return { ...each, subject, touched: [...touched, ...byOthers], originals: originalsOf(subject) ?? {} };
  });
  const kept = WRITABLE.flatMap((subject) => {
    const originals = keeper.isWritten(subject) ? originalsOf(subject) : undefined;
    return originals ? [{ subject, originals }] : [];
  });
  const restored = await restoreAll({
    requests,
    journal,
    all: [...updatedToo, ...kept].map((each) => ({ ...each, id: namedId(inputs, each.subject) ?? '' })),
    restore: restoreOne,
    openClient: () =>
      openClient({ ...limits, deadline: RESTORE_DEADLINE, concurrency: 1 }, AbortSignal.timeout(RESTORE_DEADLINE), {
        away,
        ...patience,
      }),
  });
  onEvent({ type: 'restored', restoration: restored.restoration });
  return restored;
}

/** The options by which the checks of earlier findings are selected. */
function selectingAgain(options: RunOptions): RunOptions {
  const { again } = options;
  if (!again) return options;
  const offered = options.explore ? [...checks, ...explorationChecks] : checks;
  const own = offered.filter(({ id }) => again.some((finding) => finding.checks.includes(id)));
  // Which of several updates is blamed for a change may depend on what else is sent.
  const others = offered.filter(
    ({ alongside, requirements }) =>
      Array.isArray(alongside) && again.some(({ requirement }) => requirements.includes(requirement)),
  );
  const only = own.length === 0 ? [] : [...new Set([...own, ...others])].map(({ id }) => id);
  if (only.length > 0) return { ...options, only };
  throw new InvalidSelection('There is no finding in the earlier result whose checks this version has.');
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
export async function judgeTarget(inputs: Inputs, given: RunOptions = {}, set: ScoredSet = scoredSet): Promise<Result> {
  const options = selectingAgain(given);
  const stop = makeStop({ other: options.signal, after: options.limits?.deadline ?? DEFAULT_LIMITS.deadline });
  try {
    const prepared = await prepare(inputs, options, stop.signal);
    try {
      const collected = await collect(prepared, options);
      const { restoration, exchanges } = await restore(prepared, collected, options);
      const disturbed = prepared.lock.contested() ?? collected.recording.disturbed;
      const recording = { ...collected.recording, restoring: exchanges, disturbed };
      const run = describeRun(prepared, { ...collected, recording }, restoration, options);
      const { redact, selection: selected } = prepared;
      options.onEvent?.({ type: 'recorded', text: () => recordingText(run, redact) });
      const { baseline, onEvent } = options;
      return conclude(run, { selected, selection: run.selection, redact, baseline, onEvent, set });
    } finally {
      prepared.lock.release();
    }
  } finally {
    stop.release();
  }
}

/** How a recording is judged; what is left out is as in the run. */
export type JudgeOptions = Pick<RunOptions, 'only' | 'skip' | 'failOn' | 'baseline'>;

/**
 * Judges what a run left, as the run did, without a target. What the run did not send is inconclusive.
 *
 * @param name of the file, for error messages
 * @param text of the recording
 * @throws UsageError if it is no recording; InvalidSelection if `only` or `skip` match nothing
 */
export function judgeAgain(name: string, text: string, { baseline, ...wanted }: JudgeOptions = {}): Result {
  const run = parseRecording(name, text);
  const selection = { ...run.selection, ...wanted };
  const selected = select(selection, run.explores);
  return conclude(run, { selected, selection, redact: redactMarks, baseline });
}
