import { hash } from 'node:crypto';
import { groupedBy } from '../common/text.ts';
import { contractDocument, contractText, type Level, requirements } from '../contract/document.ts';
import { checks as catalogue } from './checks/catalogue.ts';
import { selectChecks } from './checks/selection.ts';
import type { Check } from './engine/check.ts';
import { defaultJournalPath, type Journal, JournalFile, removeJournal } from './users/journal.ts';
import { Judge } from './engine/judge.ts';
import { explore as exploreSequences } from './engine/explore.ts';
import { observationsOf, sendForObservations } from './engine/observations.ts';
import { Attempt } from './engine/attempt.ts';
import { Inconclusive, Stopped } from './facts/outcome.ts';
import { asContested, lateProblems, restoreProblems, restoreUsers } from './users/restore.ts';
import { endAfter, type RunInputs, Target } from './users/target.ts';
import { openClient } from './http/client.ts';
import { makeRecorder, type Recorder } from './http/record.ts';
import type { Route } from './http/route.ts';
import type { Transport } from './http/transport.ts';
import { baseAddress, DEFAULT_EMAIL_DOMAIN, type Inputs, variableOf } from './inputs.ts';
import { type BaselineEntry, withBaseline } from './result/baseline.ts';
import { changesAgain, checksAgain } from './result/compare.ts';
import { findingsOf } from './result/findings.ts';
import { hintsFor } from './result/hints.ts';
import {
  type CheckResult,
  type ExchangeRecord,
  type Restoration,
  type Result,
  SCHEMA_VERSION,
} from './facts/result.ts';
import { countOutcomes, decide, isSettled } from './result/verdict.ts';
import { tool } from './tool.ts';

/** What happens during a run, while it happens. */
export type RunEvent =
  /** The old values were written to a file, from which the users can be restored if the process is killed. */
  | { readonly type: 'journal'; readonly path: string }
  /** The run does something else from here on. */
  | { readonly type: 'stage'; readonly text: string }
  /** The target, which responded before, does not; the run waits for it. */
  | { readonly type: 'away'; readonly why: string }
  /** A request got a response, or none. `record` shows it without keys. */
  | { readonly type: 'exchange'; readonly record: () => ExchangeRecord; readonly count: number }
  /** The users were restored, as far as possible. */
  | { readonly type: 'restored'; readonly restoration: Restoration };

/** How a run is made. All of it may be left out. */
export interface RunOptions {
  /** Ids or globs (`*`) of checks, requirements, areas or levels; or operations by id or tag. Empty: all checks. */
  readonly only?: readonly string[];
  /** What is left out of that, named in the same way. */
  readonly skip?: readonly string[];
  /** An earlier result: its failed and inconclusive checks are run in place of `only`. */
  readonly again?: Result | undefined;
  /** The lowest level whose failure fails the run; default `must`. */
  readonly failOn?: Level | undefined;
  /** Known failures. An entry that does not hold makes the verdict `failed`. */
  readonly baseline?: readonly BaselineEntry[] | undefined;
  /** ms for one request, to the last byte of its response; default 10,000. */
  readonly timeout?: number | undefined;
  /** ms for the whole run; default 300,000. With restoring, it takes at most ten seconds more. */
  readonly deadline?: number | undefined;
  /** ms to wait for a target that is away; default 30,000. */
  readonly patience?: number | undefined;
  /** How the target is reached; by default directly, with the certificates that Node trusts. */
  readonly route?: Route | undefined;
  /** Takes the requests in place of the network. */
  readonly transport?: Transport | undefined;
  /** How many random sequences of updates are tried in addition to the checks; default 0. */
  readonly explore?: number | undefined;
  /** Repeats the sequences of an earlier exploration. */
  readonly seed?: number | undefined;
  /** The path of the journal; by default a file of the user's own. `false`: the users end with this process. */
  readonly journal?: string | false | undefined;
  /** Ends the run early: its users are restored, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** The command line that judged the target, for the reports. */
  readonly command?: string | undefined;
  /** Texts that are withheld besides the keys of the target, such as the keys of other targets. */
  readonly secrets?: readonly string[] | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** ms. */
const [TIMEOUT, DEADLINE] = [10_000, 300_000];
/** ms. How much longer than its deadline a run may take, restoring included. */
const AFTER_DEADLINE = 10_000;
/** ms. How long restoring the users is tried; less where updates fail, or the target was waited for already. */
const RESTORE = { usual: 30_000, failing: 3_000, away: 12_000 };

interface Run {
  readonly inputs: Inputs;
  readonly options: RunOptions;
  readonly target: Target;
  readonly judge: Judge;
  readonly recorder: Recorder;
  readonly journal: JournalFile | undefined;
  readonly startedAt: Date;
  /** The time (performance.now()). */
  readonly started: number;
  readonly onEvent: (event: RunEvent) => void;
}

/**
 * Judges a target: sends the requests of the selected checks, restores the users, and says which requirements of the contract
 * hold. It prints nothing. A target that cannot be reached, hangs or lies is not an error: the result says so.
 *
 * @param inputs where the target is, and what may be done there
 * @returns the result, from which every report is made
 * @throws InvalidSelection if `only` or `skip` match nothing, or leave nothing; then nothing was sent
 * @throws Error from node:fs if the journal cannot be written, or would take the place of a file; then no user was written to
 */
export async function runTarget(inputs: Inputs, options: RunOptions = {}): Promise<Result> {
  const { only = [], skip = [], again, deadline = DEADLINE, timeout = TIMEOUT, onEvent = () => undefined } = options;
  const checks = withOpening(selectChecks(catalogue, again ? checksAgain(again) : only, skip));
  const [startedAt, started] = [new Date(), performance.now()];
  const recorder = makeRecorder(inputs, options.secrets);
  const { route, transport, patience, signal } = options;
  const client = openClient({ baseUrl: inputs.baseUrl, timeout, route, transport, startedAt: started });
  const journal = journalOf(inputs, options, startedAt, recorder);
  const timeToJudge = Math.max(deadline / 2, deadline + AFTER_DEADLINE - RESTORE.usual);
  const why = `The run reached its deadline of ${deadline / 1000} s (--deadline).`;
  const end = endAfter(timeToJudge, why, signal);
  const target = new Target({
    inputs: { ...inputs, adminKey: inputs.adminKey ?? '', userId: inputs.userId ?? '' },
    client,
    signal: end.signal,
    patience,
    onExchange: (exchange, count) => onEvent({ type: 'exchange', record: () => recorder.record(exchange), count }),
    onAway: (why) => onEvent({ type: 'away', why: recorder.text(why) }),
    keepOriginals: (originals) => {
      if (!journal) return;
      const isFirst = !journal.isWritten;
      journal.keep(originals);
      if (isFirst) onEvent({ type: 'journal', path: journal.path });
    },
  });
  const judge = new Judge(target, checks);
  const run: Run = { inputs, options, target, judge, recorder, journal, startedAt, started, onEvent };
  try {
    const stopped = await runChecks(run).catch(async (error: unknown) => {
      await restoreAll(run, undefined);
      throw error;
    });
    // What was sent at the same time may still be waiting: it must not change a user that is restored.
    end.abort(stopped);
    const restoration = await restoreAll(run, stopped);
    return await conclude(run, stopped, restoration);
  } finally {
    end.abort();
    await client.close();
  }
}

function journalOf(
  { baseUrl, roleIds }: Inputs,
  { journal: path = defaultJournalPath() }: RunOptions,
  startedAt: Date,
  { text }: Recorder,
): JournalFile | undefined {
  if (path === false) return undefined;
  return new JournalFile(path, { baseUrl: baseAddress(baseUrl), startedAt: startedAt.toISOString(), roleIds }, text);
}

/** The checks with the first one of all, which finds out how users are read, if one of them sends updates. */
function withOpening(checks: readonly Check[]): readonly Check[] {
  const [opening] = catalogue;
  if (!opening || checks.includes(opening) || !checks.some(({ inputs: needs }) => needs.includes('userId')))
    return checks;
  return [opening, ...checks];
}

/** What requests that only serve observations belong to. */
const OBSERVING = { id: 'observations', requirement: '' };

/** @returns why the run ended before its end */
async function runChecks({ judge, target, options, onEvent }: Run): Promise<Stopped | undefined> {
  const { explore = 0, seed } = options;
  try {
    await judge.run((area) => onEvent({ type: 'stage', text: area }));
    if (!target.isUsable) return undefined;
    if (explore > 0) judge.ledger.break(await exploreSequences(target, explore, seed));
    if (judge.checks.length === catalogue.length) await sendForObservations(new Attempt(target, OBSERVING));
    judge.ledger.break(await lateProblems(target));
    return undefined;
  } catch (error) {
    if (error instanceof Inconclusive) return new Stopped(error.message, error.reason);
    if (!(error instanceof Stopped)) throw error;
    if (error.problem) judge.ledger.break([error.problem]);
    return error;
  }
}

/** What came of restoring where nothing was written. */
const UNCHANGED: Restoration = { outcome: 'none', users: [] };

async function restoreAll(run: Run, stopped: Stopped | undefined): Promise<Restoration> {
  const { target, judge, options, journal, recorder, started, onEvent } = run;
  if (target.originals.size > 0) onEvent({ type: 'stage', text: 'restoring the users' });
  const away = stopped?.reason === 'disturbed' ? RESTORE.away : RESTORE.usual;
  const most = judge.ledger.isBroken('update.success-is-200') ? RESTORE.failing : away;
  const end = started + (options.deadline ?? DEADLINE) + AFTER_DEADLINE;
  const limits = { most: Math.min(most, end - performance.now()), patience: options.patience };
  const restored = target.hasWritten ? await restoreWithin(target, limits, recorder) : UNCHANGED;
  const isContested = stopped?.reason === 'other-client' || target.otherClient !== undefined;
  const done = isContested && target.hasWritten ? asContested(restored) : restored;
  // What a fault keeps from being restored is no second fault.
  if (!stopped && judge.ledger.broken.length === 0) judge.ledger.break(restoreProblems(target, done));
  const isDone = isSettled(done);
  if (isDone && journal?.isWritten) removeJournal(journal.path);
  const restoration: Restoration = { ...done, journal: !isDone && journal?.isWritten ? journal.path : undefined };
  onEvent({ type: 'restored', restoration });
  return restoration;
}

/** ms. */
interface RestoringLimits {
  /** After which restoring ends, whatever is under way. */
  readonly most: number;
  /** For which it is tried again. */
  readonly patience?: number | undefined;
}

async function restoreWithin(
  target: Target,
  { most, patience = most }: RestoringLimits,
  recorder: Recorder,
): Promise<Restoration> {
  const end = endAfter(most, 'The target did not take the old values in time.');
  target.endBy(end.signal);
  const until = performance.now() + Math.min(most, patience);
  const { outcome, users } = await restoreUsers(target, until).finally(() => end.abort());
  return { outcome, users: users.map(({ id, members }) => ({ id, members: redacted(members, recorder) })) };
}

async function conclude(run: Run, stopped: Stopped | undefined, restoration: Restoration): Promise<Result> {
  const { inputs, options, target, judge, recorder, startedAt, started } = run;
  const { baseUrl, adminKey, restrictedKey, ...rest } = inputs;
  const { only = [], skip = [], failOn = 'must', baseline = [], again, command, signal } = options;
  const { checks } = judge;
  const { title, version } = contractDocument.info;
  const judgement = judge.conclude(stopped);
  const found = {
    checks: redacted(judgement.checks, recorder),
    findings: await findingsOf({ broken: judgement.broken, checks, outcomes: judgement.checks }, recorder),
    // In a selection, those that a check judges, or that a response broke.
    requirements: judgement.requirements.filter(
      (each) => checks.length === catalogue.length || each.checks.length > 0 || each.outcome === 'failed',
    ),
  };
  const today = startedAt.toISOString().slice(0, 10);
  const ids = new Set([...catalogue, ...requirements].map(({ id }) => id));
  const judged = withBaseline(baseline, found, today, ids);
  const became = again && changesAgain(again, judged, failOn);
  const verdict = decide({ ...judged, failOn, restoration, again: became, interrupted: signal?.aborted === true });
  const message = stopped?.message ?? target.otherClient ?? messageOfMissing(inputs) ?? messageOfLost(restoration);
  const byLevel = (level: Level): CheckResult[] => judged.checks.filter((each) => each.level === level);
  const hints = await hintsFor({ inputs, exchanges: target.log, checks: judged.checks });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: { ...tool, command },
    contract: { title, version, digest: hash('sha256', contractText) },
    target: {
      baseUrl: recorder.text(baseAddress(baseUrl)),
      ...rest,
      adminKey: adminKey !== undefined,
      restrictedKey: restrictedKey !== undefined,
    },
    selection: { only: [...only], skip: [...skip], failOn },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - started),
    verdict,
    message: message && recorder.text(message),
    summary: {
      must: countOutcomes(byLevel('must')),
      should: countOutcomes(byLevel('should')),
      requests: target.log.length,
      baselineProblems: judged.baselineProblems,
    },
    again: became,
    findings: judged.findings,
    requirements: judged.requirements,
    checks: judged.checks,
    observations: observationsOf(target.inputs, target.log, recorder.text),
    restoration,
    hints: hints.map(({ id, text }) => ({ id, text: recorder.text(text) })),
  };
}

/** What to set first, where nothing or almost nothing can be checked. */
function messageOfMissing({ adminKey, userId }: Inputs): string | undefined {
  if (adminKey === undefined)
    return `Set ${variableOf('adminKey')}. Without a key that may do everything, the suite sends nothing.`;
  if (userId === undefined)
    return `Set ${variableOf('userId')}. Without a user that it may change, the suite sends no update.`;
  return undefined;
}

/** What cannot be put back, by the reason. */
function messageOfLost({ users }: Restoration): string | undefined {
  const lost = users.flatMap(({ id, members }) =>
    members
      .filter(({ outcome }) => outcome === 'never-shown')
      .map(({ member, detail = '' }) => ({ what: `${member} of user ${id}`, detail })),
  );
  if (lost.length === 0) return undefined;
  const groups = groupedBy(lost, ({ detail }) => detail);
  const words = groups.map(([why, own]) => `${own.map(({ what }) => what).join(', ')}: ${why}`);
  return `The suite cannot put back ${words.join('; ')}.`;
}

/** Withholds keys in what is told about checks, or about members. */
function redacted<T extends { detail?: string | undefined }>(told: readonly T[], { text }: Recorder): T[] {
  return told.map((each) => ({ ...each, ...(each.detail !== undefined && { detail: text(each.detail) }) }));
}

/**
 * Restores the users of a run that was killed.
 *
 * @param journal what the run kept
 * @param key the admin key of its target
 * @returns how far the users were restored
 */
export async function restoreFrom(
  { baseUrl, users, roleIds }: Journal,
  adminKey: string,
  { timeout = TIMEOUT, route }: Pick<RunOptions, 'timeout' | 'route'> = {},
): Promise<Restoration> {
  const [first, second] = users;
  const inputs: RunInputs = {
    ...{ baseUrl: new URL(baseUrl), adminKey, emailDomain: DEFAULT_EMAIL_DOMAIN, roleIds },
    ...{ userId: first?.id ?? '', otherUserId: second?.id },
  };
  const recorder = makeRecorder(inputs);
  const client = openClient({ baseUrl: inputs.baseUrl, timeout, route, startedAt: performance.now() });
  const target = new Target({ inputs, client, signal: new AbortController().signal });
  for (const { id, originals } of users) target.originals.set(id, originals);
  try {
    return await restoreWithin(target, { most: RESTORE.usual }, recorder);
  } finally {
    await client.close();
  }
}
