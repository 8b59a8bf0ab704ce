/** Makes the result of a run: from what was judged, restored and observed. */
import { hash } from 'node:crypto';
import { contractDocument, contractText, type Level, requirements } from '../../contract/document.ts';
import type { Check } from '../engine/check.ts';
import type { Judgement } from '../engine/judge.ts';
import type { Exchange } from '../facts/exchange.ts';
import type { Stopped } from '../facts/outcome.ts';
import { type Outcome, type Restoration, type Result, SCHEMA_VERSION } from '../facts/result.ts';
import type { Recorder } from '../http/record.ts';
import { baseAddress, type Inputs, variableOf } from '../inputs.ts';
import { tool } from '../tool.ts';
import { type BaselineEntry, withBaseline } from './baseline.ts';
import { checkResultsOf, requirementResultsOf } from './check-results.ts';
import { changesAgain } from './compare.ts';
import { findingsOf } from './findings.ts';
import { hintsFor } from './hints.ts';
import { observationsOf } from './observations.ts';
import { countOutcomes, decide } from './verdict.ts';
import { workaroundsOf } from './workarounds.ts';

/** What a result is made of. */
export interface Ended {
  readonly inputs: Inputs;
  readonly options: {
    readonly only?: readonly string[];
    readonly skip?: readonly string[];
    readonly failOn?: Level | undefined;
    readonly baseline?: readonly BaselineEntry[] | undefined;
    readonly baselineFile?: string | undefined;
    readonly again?: Result | undefined;
    readonly command?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  };
  readonly catalogue: readonly Check[];
  readonly judgement: Judgement;
  /** The members that each update sent where a workaround had all of them sent. */
  readonly together: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly restoration: Restoration;
  /** Why the run ended before its end. */
  readonly stopped: Stopped | undefined;
  /** What another run of this suite was seen to do, in a sentence. */
  readonly otherClient: string | undefined;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly recorder: Recorder;
}

/** Makes the result of a run. */
export async function makeResult(ended: Ended): Promise<Result> {
  const { inputs, options, judgement, restoration, startedAt, recorder, exchanges } = ended;
  const { only = [], skip = [], failOn = 'must', again, command, signal } = options;
  const { title, version } = contractDocument.info;
  const judged = await judgedBy(ended);
  const became = again && changesAgain(again, judged, failOn);
  const verdict = decide({ ...judged, failOn, restoration, again: became, interrupted: signal?.aborted === true });
  const message = messageOf(ended);
  const runInputs = { ...inputs, adminKey: inputs.adminKey ?? '', userId: inputs.userId ?? '' };
  const hints = await hintsFor({ inputs, exchanges, checks: judged.checks });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: { ...tool, command },
    contract: { title, version, digest: hash('sha256', contractText) },
    target: targetOf(inputs, recorder),
    selection: { only: [...only], skip: [...skip], failOn, ...baselineOf(options) },
    startedAt: startedAt.toISOString(),
    durationMs: ended.durationMs,
    verdict,
    message: message && recorder.text(message),
    summary: { ...summaryOf(judged), requests: exchanges.length, baselineProblems: judged.baselineProblems },
    again: became,
    findings: judged.findings,
    requirements: judged.requirements,
    checks: judged.checks,
    workarounds: workaroundsOf(judgement.checks, ended.together),
    observations: observationsOf(runInputs, exchanges, recorder.text),
    restoration,
    hints: hints.map(({ id, text }) => ({ id, text: recorder.text(text) })),
  };
}

/** What was judged, with known failures marked. */
async function judgedBy({ judgement, options, startedAt, recorder, catalogue }: Ended) {
  const checks = withoutKeys(checkResultsOf(judgement.checks), recorder);
  const isWhole = judgement.checks.length === catalogue.length;
  const found = {
    checks,
    findings: await findingsOf(judgement, recorder),
    // In a selection, those that a check judges, or that a response broke.
    requirements: requirementResultsOf(judgement).filter(
      (each) => isWhole || each.checks.length > 0 || each.outcome === 'failed',
    ),
  };
  const today = startedAt.toISOString().slice(0, 10);
  const ids = new Set([...catalogue, ...requirements].map(({ id }) => id));
  const { baseline = [], baselineFile } = options;
  return withBaseline({ entries: baseline, file: baselineFile, today, ids }, found);
}

function baselineOf({ baseline, baselineFile: file }: Ended['options']): Pick<Result['selection'], 'baseline'> {
  return baseline ? { baseline: { ...(file !== undefined && { file }), entries: baseline.length } } : {};
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

function summaryOf({ checks, requirements: judged }: Pick<Result, 'checks' | 'requirements'>) {
  return { ...countsOf(checks), requirements: countsOf(judged) };
}

/** The outcomes of checks, or of requirements, by level. */
function countsOf(judged: readonly { readonly level: Level; readonly outcome: Outcome }[]) {
  const of = (level: Level) => countOutcomes(judged.filter((each) => each.level === level));
  return { must: of('must'), should: of('should') };
}

/** What to know first: why the run stopped, what to set, or what was not restored. */
const messageOf = ({ stopped, otherClient, inputs }: Ended): string | undefined =>
  stopped?.message ?? otherClient ?? messageOfMissing(inputs);

/** What to set first, where nothing or almost nothing can be checked. */
function messageOfMissing({ adminKey, userId }: Inputs): string | undefined {
  if (adminKey === undefined)
    return `Set ${variableOf('adminKey')}. Without a key that may do everything, the suite sends nothing.`;
  if (userId === undefined)
    return `Set ${variableOf('userId')}. Without a user that it may change, the suite sends no update.`;
  return undefined;
}

/** Withholds keys in what is told about checks, or about members. */
export function withoutKeys<T extends { detail?: string | undefined }>(told: readonly T[], { text }: Recorder): T[] {
  return told.map((each) => ({ ...each, ...(each.detail !== undefined && { detail: text(each.detail) }) }));
}
