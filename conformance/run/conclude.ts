import { type Exchange, membersSent } from '../http/exchange.ts';
import { hash } from 'node:crypto';
import { contractDocument, contractText, type Level } from '../../contract/document.ts';
import { explorationChecks } from '../checks/catalogue.ts';
import { observe } from '../checks/observations.ts';
import { atScoredLevel, digestOfScoredSet, scoredIds, scoredSet, type ScoredSet } from '../checks/scored-set.ts';
import { type Redact, redactedText, redactedValue } from '../http/redact.ts';
import type { Check } from '../model/check.ts';
import { AGAIN, comparedAgain, type EarlierFinding } from '../result/again.ts';
import { knownIds, markKnown } from '../result/baseline.ts';
import { diagnose, type Hint } from '../result/hints/hints.ts';
import { countOutcomes, type Counts, isScored, type Result, SCHEMA_VERSION } from '../result/result.ts';
import { groupFailures } from '../result/findings.ts';
import { type Judged, judgeRecording } from '../model/judge.ts';
import { isProbe } from '../model/recording/items.ts';
import { refusalsOf } from '../checks/refused-changes-nothing.ts';
import { operations } from '../operations/index.ts';
import { presentChecks, presentFindings, presentRequirements } from '../result/scoring.ts';
import { applyBaseline, decide, worstVerdict } from '../result/verdict.ts';
import { baseAddress, type Inputs } from '../resources/inputs.ts';
import { SuiteError } from '../resources/request-guard.ts';
import { isUnavailable, type Restoration } from '../traffic/keeping/restoration.ts';
import { RunRefused } from '../traffic/run-refused.ts';
import type { Collected } from './collect.ts';
import type { RunOptions } from './events.ts';
import { describeScope, type Selected } from './plan.ts';
import type { Prepared } from './prepare.ts';
import type { RunRecord } from './recording.ts';
import { tool } from './tool.ts';

function describeTarget(inputs: Inputs, baseUrl: string): Result['target'] {
  const { adminKey, restrictedKey, ...told } = inputs;
  return { ...told, baseUrl, adminKey: adminKey !== undefined, restrictedKey: restrictedKey !== undefined };
}

function redactRestoration(restoration: Restoration, redact: Redact): Restoration {
  const users = restoration.users.map((user) => ({
    ...user,
    members: user.members.map((member) =>
      member.detail === undefined ? member : { ...member, detail: redactedText(member.detail, redact) },
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

/** Why a run sent many more requests than a conforming target gets; undefined if it did not. */
function moreRequests({ expected, updated, requestCount }: Prepared, { recording }: Collected): string | undefined {
  if (requestCount() <= expected * 1.1) return undefined;
  const reasons = [
    ...(recording.more.has('refusals-again')
      ? ['a user changed while requests were sent that must change nothing, so these were sent again in groups']
      : []),
    ...(recording.more.has('side-effects')
      ? ['what requests that only read show changed, so others were sent again to find out which of them changes it']
      : []),
    ...(updated.isReadInParts()
      ? ['one request does not show the whole user, so each update was sent once for each way to read it']
      : []),
  ];
  return `${expected} requests were planned; ${reasons.join('; ') || 'the users had to be read and written more often'}.`;
}

/** What a run leaves, without keys but for those in the recording. */
export function describeRun(
  prepared: Prepared,
  collected: Collected,
  restoration: Restoration,
  { only = [], skip = [], failOn = 'must', explore, route, signal, again }: RunOptions,
): RunRecord {
  const { inputs, redact, startedAt, started, requestCount, limits } = prepared;
  const { recording, thrown, bearer } = collected;
  const { exchanges, disturbed } = recording;
  const symptoms = { inputs, exchanges, disturbed, restoration, timeout: limits.timeout, bearer };
  const { hints, isAnother } = diagnose({ ...symptoms, insecure: route?.insecure === true });
  const more = moreRequests(prepared, collected);
  const error = suiteErrorOf(thrown);
  return {
    recording,
    selection: { only, skip, failOn },
    ...(again && {
      again: again.map(({ id, level, requirement, title, checks, sporadic }) => ({
        ...{ id, level, requirement, title, checks },
        ...(sporadic === undefined ? {} : { sporadic }),
      })),
    }),
    explores: explore !== undefined,
    restoration: redactRestoration(restoration, redact),
    hints: hints.map(({ id, text }) => ({ id, text: redactedText(text, redact) })),
    isAnother,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - started),
    requests: requestCount(),
    ...(more === undefined ? {} : { moreRequests: more }),
    interrupted: signal?.aborted ?? false,
    ...(error && { error: error.message }),
  };
}

/** Judges what was recorded. What responds in place of the API has no judgement. */
function judgeSelected(
  { recording, error, isAnother }: RunRecord,
  checks: readonly Check[],
  onEvent: RunOptions['onEvent'] = () => undefined,
): Judged {
  onEvent({ type: 'judging', checks, recording });
  const rows = { refusals: (item: string) => refusalsOf.get(item) };
  const thrown = error === undefined ? undefined : new SuiteError(error);
  const judged = judgeRecording(recording, checks, operations, rows, thrown);
  if (!isAnother) return judged;
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

/** What to do where the users show that another client changes them. */
function foreignHint(what = '', redact: Redact): Hint {
  const text = `During this run ${what}. Judge again when nobody else uses these users.`;
  return { id: 'disturbed', text: redactedText(text, redact) };
}

/** What is judged of a run, and how: its own selection, unless another one is wanted. */
export interface Judging {
  readonly baseline?: RunOptions['baseline'] | undefined;
  readonly onEvent?: RunOptions['onEvent'] | undefined;
  readonly selected: Selected;
  readonly selection: RunRecord['selection'];
  readonly redact: Redact;
  readonly set?: ScoredSet;
}

/** Counts the exchanges in which an earlier finding might show again. */
function requestsFor(selected: readonly Check[], { exchanges }: RunRecord['recording']) {
  return ({ checks: ids, sporadic = false }: EarlierFinding): number => {
    const own = selected.filter(({ id }) => ids.includes(id));
    const uses = own.flatMap((check) => check.uses);
    const items = new Set<string | undefined>(uses.map(({ id }) => id));
    const isAny = ({ alongside }: Check): boolean => alongside === 'all' || sporadic;
    const all = new Set(own.flatMap((check) => (isAny(check) ? check.operations : [])));
    const updates = uses.flatMap((each) =>
      isProbe(each) ? [] : each.steps.map(({ subject, members }) => `${subject} ${members.toSorted().join()}`),
    );
    // What stands for several scenarios has an id of its own; it says which checks judge its requests, or sends the same updates.
    const isOwn = (exchange: Exchange): boolean => {
      const { item, operation, due, subject } = exchange.request;
      const update = `${subject} ${membersSent(exchange)}`;
      return (
        items.has(item) ||
        all.has(operation) ||
        due.checks.some((check) => ids.includes(check)) ||
        (due.class === 'accept' && updates.includes(update))
      );
    };
    return exchanges.filter(isOwn).length;
  };
}

/** Judges what a run left, and makes the result. */
export function conclude(run: RunRecord, judging: Judging): Result {
  const { recording, restoration, moreRequests: more, hints, isAnother, startedAt } = run;
  const { selection, redact, baseline = [], set = scoredSet } = judging;
  const { offered, selected, scope } = judging.selected;
  const { failOn } = selection;
  const baseUrl = baseAddress(recording.inputs.baseUrl);
  const inSet = selected.map((check) => atScoredLevel(check, set));
  const judged = judgeSelected(run, inSet, judging.onEvent);
  // Exploration is in no set: it is no part of a run unless the operator asks for it.
  const counting = new Set([...scoredIds(set), ...explorationChecks.map(({ id }) => id)]);
  const counts = ({ id }: Check): boolean => counting.has(id);
  const unscored = new Set(selected.filter((check) => !counts(check)).map(({ id }) => id));
  const presentation = { baseUrl, redact, unscored };
  const presented = presentChecks(judged.checks, presentation);
  const shown = presentFindings(groupFailures(judged), presented, selected, presentation);
  const known = knownIds((id) => counting.has(id));
  const today = startedAt.slice(0, 10);
  const { knownFailures, problems } = applyBaseline(baseline, presented.filter(isScored), shown, known, today);
  const { checks, findings } = markKnown({ checks: presented, findings: shown }, knownFailures);
  const scored = checks.filter(isScored);
  const countOf = (wanted: Level): Counts => countOutcomes(scored.filter(({ level }) => level === wanted));
  const isRefusedBack = judged.facts.deviations.some(
    ({ kind, x }) => ['outcome', 'not-stored'].includes(kind) && recording.restoring.includes(x),
  );
  const isCutOff = judged.disturbed !== undefined || recording.givenUp !== undefined;
  const inDoubt = isCutOff || isUnavailable(restoration) || isRefusedBack;
  const again = run.again && comparedAgain(run.again, { checks, findings }, requestsFor(selected, recording));
  const verdict = decide(scored, { failOn, problems, interrupted: run.interrupted, inDoubt });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    contract: describeContract(set),
    target: describeTarget(recording.inputs, baseUrl),
    selection: { ...selection, scope: describeScope(selected.filter(counts), offered.filter(counts), scope) },
    startedAt,
    durationMs: run.durationMs,
    verdict: worstVerdict([verdict, ...(again ?? []).map(({ outcome }) => AGAIN[outcome].verdict)]) ?? verdict,
    summary: {
      must: countOf('must'),
      should: countOf('should'),
      requests: run.requests,
      ...(more === undefined ? {} : { moreRequests: more }),
      baselineProblems: problems,
    },
    ...(again && { again }),
    findings,
    requirements: presentRequirements(checks),
    checks,
    observations: isAnother
      ? []
      : observe(recording).map(({ detail, ...told }) =>
          detail === undefined ? told : { ...told, detail: redactedValue(detail, redact) },
        ),
    restoration,
    hints: judged.disturbed === recording.disturbed ? hints : [foreignHint(judged.disturbed, redact), ...hints],
  };
}
