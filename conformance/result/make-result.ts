/** Makes the result of a run: from what was judged, restored and observed. */
import { hash } from 'node:crypto';
import { contractDocument, contractText, type Level, requirements } from '../../contract/document.ts';
import type { Check } from '../engine/check.ts';
import type { Judge, Judgement } from '../engine/judge.ts';
import type { Session } from '../engine/session.ts';
import type { Stopped } from '../facts/outcome.ts';
import { type Outcome, type Restoration, type Result, SCHEMA_VERSION } from '../facts/result.ts';
import type { Recorder } from '../http/record.ts';
import { baseAddress, type Inputs, variableOf } from '../inputs.ts';
import { tool } from '../tool.ts';
import { type BaselineEntry, withBaseline } from './baseline.ts';
import { checkResultOf, requirementResultsOf } from './check-results.ts';
import { changesAgain } from './compare.ts';
import { findingsOf } from './findings.ts';
import { hintsFor } from './hints.ts';
import { observationsOf } from './observations.ts';
import { checkItemsOf, countOutcomes, decide } from './verdict.ts';
import { workaroundsOf } from './workarounds.ts';

/** What the options of a run say of its result. */
export interface ResultOptions {
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
  /** The file that the known failures come from, for the reports. */
  readonly baselineFile?: string | undefined;
  /** Ends the run early: its users are restored, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** The command line that judged the target, for the reports. */
  readonly command?: string | undefined;
}

/** What a result is made of. */
interface Ended {
  readonly inputs: Inputs;
  readonly options: ResultOptions;
  readonly catalogue: readonly Check[];
  readonly session: Session;
  readonly judge: Judge;
  readonly recorder: Recorder;
  readonly restoration: Restoration;
  /** Why the run ended before its end. */
  readonly stopped: Stopped | undefined;
  readonly startedAt: Date;
  /** The time (performance.now()). */
  readonly started: number;
}

/** Makes the result of a run. */
export async function makeResult(ended: Ended): Promise<Result> {
  const { inputs, options, session, judge, restoration, stopped, startedAt, started, recorder } = ended;
  const { only = [], skip = [], failOn = 'must', again, command, signal } = options;
  const { title, version } = contractDocument.info;
  const { target, users, workarounds } = session;
  const judgement = judge.conclude(stopped);
  const judged = await judgedBy(ended, judgement);
  const became = again && changesAgain(again, judged, failOn);
  const verdict = decide({ ...judged, failOn, restoration, again: became, interrupted: signal?.aborted === true });
  const message = stopped?.message ?? users.otherClient ?? messageOfMissing(inputs);
  const hints = await hintsFor({ inputs, exchanges: target.log, checks: judged.checks });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: { ...tool, command },
    contract: { title, version, digest: hash('sha256', contractText) },
    target: targetOf(inputs, recorder),
    selection: { only: [...only], skip: [...skip], failOn, baseline: baselineOf(options) },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - started),
    verdict,
    message: message && recorder.text(message),
    summary: {
      ...countsOf(checkItemsOf(judged)),
      requirements: countsOf(judged.requirements),
      requests: target.log.length,
      baselineProblems: judged.baselineProblems,
    },
    again: became,
    findings: judged.findings,
    requirements: judged.requirements,
    checks: judged.checks,
    workarounds: workaroundsOf(judgement.checks, workarounds.together),
    observations: observationsOf(target, recorder.text),
    restoration,
    hints: hints.map(({ id, text }) => ({ id, text: recorder.text(text) })),
  };
}

/** What was judged, with known failures marked. */
async function judgedBy({ options, startedAt, recorder, catalogue }: Ended, judgement: Judgement) {
  const isWhole = judgement.checks.length === catalogue.length;
  const judged = withoutKeys(requirementResultsOf(judgement), recorder.text);
  const found = {
    checks: withoutKeys(judgement.checks.map(checkResultOf), recorder.text),
    findings: await findingsOf(judgement, recorder),
    // In a selection, those that a check judges, or that a response broke.
    requirements: judged.filter((each) => isWhole || each.checks.length > 0 || each.outcome === 'failed'),
  };
  const today = startedAt.toISOString().slice(0, 10);
  const ids = new Set([...catalogue, ...requirements].map(({ id }) => id));
  const { baseline = [], baselineFile } = options;
  return withBaseline({ entries: baseline, file: baselineFile, today, ids }, found);
}

function baselineOf({ baseline, baselineFile: file }: ResultOptions): Result['selection']['baseline'] {
  return baseline && { file, entries: baseline.length };
}

function targetOf(inputs: Inputs, recorder: Recorder): Result['target'] {
  const { baseUrl, adminKey, restrictedKey, ...rest } = inputs;
  return {
    baseUrl: recorder.text(baseAddress(baseUrl)),
    ...rest,
    adminKey: adminKey !== undefined,
    restrictedKey: restrictedKey !== undefined,
  };
}

/** The outcomes of checks, or of requirements, by level. */
function countsOf(judged: readonly { readonly level: Level; readonly outcome: Outcome }[]) {
  const of = (level: Level) => countOutcomes(judged.filter((each) => each.level === level));
  return { must: of('must'), should: of('should') };
}

/** What to set first, where nothing or almost nothing can be checked. */
function messageOfMissing({ adminKey, userId }: Inputs): string | undefined {
  if (adminKey === undefined)
    return `Set ${variableOf('adminKey')}. Without a key that may do everything, the suite sends nothing.`;
  if (userId === undefined)
    return `Set ${variableOf('userId')}. Without a user that it may change, the suite sends no update.`;
  return undefined;
}

/** Withholds keys in what is told about checks, requirements or members. */
export function withoutKeys<T extends { detail?: string | undefined }>(
  told: readonly T[],
  text: Recorder['text'],
): T[] {
  return told.map((each) => ({ ...each, detail: each.detail && text(each.detail) }));
}
