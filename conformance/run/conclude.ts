import { hash } from 'node:crypto';
import { contractDocument, contractText, type Level } from '../../contract/document.ts';
import { explorationChecks } from '../checks/catalogue.ts';
import { observe } from '../checks/observations.ts';
import { atScoredLevel, digestOfScoredSet, scoredIds, type ScoredSet } from '../checks/scored-set.ts';
import { redactedValue } from '../http/redact.ts';
import type { Check } from '../judging/check.ts';
import { knownIds, markKnown } from '../result/baseline.ts';
import { diagnose } from '../result/hints.ts';
import { countOutcomes, type Counts, isScored, type Result, SCHEMA_VERSION } from '../result/result.ts';
import { groupFailures } from '../result/findings.ts';
import { type Judged, judgeRecording } from '../model/judge.ts';
import { refusalsOf } from '../checks/refused-changes-nothing.ts';
import { operations } from '../operations/index.ts';
import { presentChecks, presentFindings, presentRequirements } from '../result/scoring.ts';
import { applyBaseline, decide } from '../result/verdict.ts';
import type { Inputs } from '../target/inputs.ts';
import { SuiteError } from '../target/request-guard.ts';
import { isUnavailable, type Restoration } from '../traffic/restoration.ts';
import { RunRefused } from '../traffic/run-refused.ts';
import type { Collected } from './collect.ts';
import type { RunOptions } from './events.ts';
import { describeScope } from './plan.ts';
import type { Prepared } from './prepare.ts';
import { tool } from './tool.ts';

function describeTarget(inputs: Inputs, baseUrl: string): Result['target'] {
  const { adminKey, restrictedKey, ...told } = inputs;
  return { ...told, baseUrl, adminKey: adminKey !== undefined, restrictedKey: restrictedKey !== undefined };
}

function redactRestoration(restoration: Restoration, redact: (text: string) => string): Restoration {
  const users = restoration.users.map((user) => ({
    ...user,
    members: user.members.map((member) =>
      member.detail === undefined ? member : { ...member, detail: redact(member.detail) },
    ),
  }));
  return { ...restoration, users };
}

/** What the traffic threw as an error of the suite; an error of the file system (the journal) and a refusal are thrown on. */
function suiteErrorOf(thrown: Error | undefined): SuiteError | undefined {
  if (thrown === undefined || thrown instanceof SuiteError) return thrown;
  if ('syscall' in thrown || thrown instanceof RunRefused) throw thrown;
  return new SuiteError(thrown.message);
}

function describeContract(set: ScoredSet): Result['contract'] {
  const { title, version } = contractDocument.info;
  return { title, version, digest: hash('sha256', contractText), scoredSetDigest: digestOfScoredSet(set) };
}

/** What was observed, without keys. */
function describeObservations({ redact }: Prepared, { recording }: Collected): Result['observations'] {
  return observe(recording).map((observation) =>
    observation.detail === undefined
      ? observation
      : { ...observation, detail: redactedValue(observation.detail, redact) },
  );
}

/** Why a run sent many more requests than a conforming target gets; undefined if it did not. */
function moreRequests({ expected, sessions, requestCount }: Prepared, { recording }: Collected): string | undefined {
  if (requestCount() <= expected * 1.1) return undefined;
  const reasons = [
    ...(recording.more.has('refusals-again')
      ? ['a user changed while requests were sent that must change nothing, so these were sent again in groups']
      : []),
    ...(recording.more.has('side-effects')
      ? ['what requests that only read show changed, so others were sent again to find out which of them changes it']
      : []),
    ...(sessions.some((session) => session.stateProbes().length > 1)
      ? ['one request does not show the whole user, so each update was sent once for each way to read it']
      : []),
  ];
  return `${expected} requests were planned; ${reasons.join('; ') || 'the users had to be read and written more often'}.`;
}

/** Judges what was collected. */
function judgeSelected(
  { selected }: Prepared,
  { recording, thrown }: Collected,
  { onEvent = () => undefined }: RunOptions,
  set: ScoredSet,
): Judged {
  const checks = selected.map((check) => atScoredLevel(check, set));
  onEvent({ type: 'judging', checks, recording });
  const rows = { refusals: (item: string) => refusalsOf.get(item) };
  return judgeRecording(recording, checks, operations, rows, suiteErrorOf(thrown));
}

/** What responds in place of the API has no judgement. */
function ofAnother(judged: Judged): Judged {
  const detail = 'what responds does not look like the API, so nothing can be said of it; see the hint';
  return {
    ...judged,
    checks: judged.checks.map((each) => {
      if (each.said.outcome === 'not-applicable' || each.said.outcome === 'error') return each;
      return {
        ...each,
        said: { outcome: 'inconclusive', reason: 'control-refused', detail, exchanges: [], causes: [] },
      };
    }),
  };
}

/** Judges what was collected, and makes the result. */
export function conclude(
  prepared: Prepared,
  collected: Collected,
  restoration: Restoration,
  options: RunOptions,
  set: ScoredSet,
): Result {
  const { inputs, offered, selected, scope, baseUrl, redact, startedAt, started, requestCount } = prepared;
  const { only = [], skip = [], failOn = 'must', baseline = [], signal } = options;
  const found = judgeSelected(prepared, collected, options, set);
  const { disturbed } = found;
  const { exchanges } = collected.recording;
  const { timeout } = prepared.limits;
  const symptoms = { inputs, exchanges, disturbed, restoration, timeout, bearer: collected.bearer };
  const { hints, isAnother } = diagnose({ ...symptoms, insecure: options.route?.insecure === true });
  const judged = isAnother ? ofAnother(found) : found;
  // Exploration is in no set: it is no part of a run unless the operator asks for it.
  const counting = new Set([...scoredIds(set), ...explorationChecks.map(({ id }) => id)]);
  const counts = ({ id }: Check): boolean => counting.has(id);
  const unscored = new Set(selected.filter((check) => !counts(check)).map(({ id }) => id));
  const presentation = { baseUrl, redact, unscored };
  const presented = presentChecks(judged.checks, presentation);
  const shown = presentFindings(groupFailures(judged), presented, selected, presentation);
  const known = knownIds((id) => counting.has(id));
  const today = startedAt.toISOString().slice(0, 10);
  const { knownFailures, problems } = applyBaseline(baseline, presented.filter(isScored), shown, known, today);
  const { checks, findings } = markKnown({ checks: presented, findings: shown }, knownFailures);
  const scored = checks.filter(isScored);
  const countOf = (wanted: Level): Counts => countOutcomes(scored.filter(({ level }) => level === wanted));
  const selectedScope = describeScope(selected.filter(counts), offered.filter(counts), scope);
  const isRefusedBack = judged.facts.deviations.some(
    ({ kind, x }) => ['outcome', 'not-stored'].includes(kind) && collected.recording.restoring.includes(x),
  );
  const inDoubt = disturbed !== undefined || isUnavailable(restoration) || isRefusedBack;
  const more = moreRequests(prepared, collected);
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    contract: describeContract(set),
    target: describeTarget(inputs, baseUrl),
    selection: { only: [...only], skip: [...skip], failOn, scope: selectedScope },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - started),
    verdict: decide(scored, { failOn, problems, interrupted: signal?.aborted ?? false, inDoubt }),
    summary: {
      must: countOf('must'),
      should: countOf('should'),
      requests: requestCount(),
      ...(more === undefined ? {} : { moreRequests: more }),
      baselineProblems: problems,
    },
    findings,
    requirements: presentRequirements(checks),
    checks,
    observations: isAnother ? [] : describeObservations(prepared, collected),
    restoration: redactRestoration(restoration, redact),
    hints: hints.map(({ id, text }) => ({ id, text: redact(text) })),
  };
}
