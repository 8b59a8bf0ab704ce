import { createHash, randomBytes } from 'node:crypto';
import { contractDocument, contractText, requirements, type Level } from '../contract/document.ts';
import { compileValidators, type Validators } from '../contract/validators.ts';
import {
  isAttempt,
  UPDATABLE,
  type Attempt,
  type AttemptEvidence,
  type Blocked,
  type Check,
  type Evidence,
  type Judgement,
  type Lane,
  type Traffic,
  type Trial,
} from './check.ts';
import { checks as catalogue } from './checks/catalogue.ts';
import { BANNERS } from './checks/banners.ts';
import { DEFAULT_LIMITS, makeClient, type HttpClient, type Limits } from './client.ts';
import { badCredentials } from './credentials.ts';
import { isAccepted, sentBody, type Exchange, type RequestSpec } from './exchange.ts';
import { INPUT_HELP, missingInputs, type Inputs } from './inputs.ts';
import { defaultJournalPath, removeJournal, writeJournal, type Journal } from './journal.ts';
import { observationTraffic, observe } from './observations.ts';
import { makeRedactor, mapStrings, type Secret } from './redact.ts';
import { makeFreshValues, makeRequestBuilder, type RequestBuilder } from './requests.ts';
import { restoreUser, type UserRestoration } from './restore.ts';
import {
  countOutcomes,
  curlOf,
  SCHEMA_VERSION,
  toExchangeRecord,
  type CheckResult,
  type Restoration,
  type Result,
} from './result.ts';
import { selectChecks } from './selection.ts';
import {
  blockedBy,
  makeUserSession,
  mayBeOperatorsMistake,
  type UserSession,
  type WriteClock,
} from './user-session.ts';
import { tool } from './tool.ts';
import { originals, stored, written, type NamedUser, type UserHistory } from './user-state.ts';
import { runUsersLane } from './users-lane.ts';
import { applyBaseline, decide, worst, type BaselineEntry, type Outcome } from './verdict.ts';

/** What happens during a run, for whoever shows it. */
export type RunEvent =
  | { readonly type: 'planned'; readonly checks: number }
  | { readonly type: 'journal'; readonly path: string }
  | { readonly type: 'stage'; readonly lane: Lane | 'restore'; readonly text: string }
  | { readonly type: 'exchange'; readonly exchange: Exchange; readonly count: number }
  | { readonly type: 'restored'; readonly restoration: Restoration };

export interface RunOptions {
  /** Ids or globs of checks, requirements, areas. Empty: all. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly failOn?: Level;
  readonly baseline?: readonly BaselineEntry[];
  readonly limits?: Partial<Limits>;
  /** Where the journal is written; by default a file in the system's directory for temporary files. */
  readonly journal?: string;
  /** Ends the run early; the users are put back all the same. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/** The suite itself went wrong: what it meant as valid is not, or the reverse. It says nothing of the target. */
export class SuiteFault extends Error {}

const RESTORE_DEADLINE = 30_000;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The last look at a request before it is sent: what is meant as valid is valid, what is meant as invalid is not,
 * and only the users that the operator named are addressed.
 *
 * @throws SuiteFault otherwise
 */
export function verifyRequest(request: RequestSpec, inputs: Inputs, validators: Validators): void {
  const refuse = (why: string): never => {
    throw new SuiteFault(`${request.purpose}: ${why}`);
  };
  if (request.operation !== 'updateUser') return;
  const segment = request.path.split('/').at(-1) ?? '';
  const isInteger = /^-?\d+$/.test(segment);
  const named: Record<RequestSpec['subject'], string | undefined> = {
    user: inputs.userId,
    'other-user': inputs.otherUserId,
    'missing-user': inputs.missingUserId,
    'no-user': undefined,
  };
  const id = named[request.subject];
  if (request.meant.id === 'valid' && (id === undefined || segment !== id))
    refuse(`${segment} is no id that the operator named`);
  if (request.meant.id === 'invalid' && isInteger) refuse(`${segment} is an integer`);
  if (request.meant.id === 'open' && Number(segment) !== Number(id))
    refuse(`${segment} is not another spelling of ${id ?? ''}`);

  const parsed = ((): { value?: unknown } => {
    try {
      return { value: JSON.parse(request.body ?? '') as unknown };
    } catch {
      return {};
    }
  })();
  if (request.meant.body === 'invalid') {
    const valid = 'value' in parsed && validators.bodies.updateUserSchema(parsed.value).length === 0;
    if (valid) refuse('the body is valid');
    return;
  }
  const body = sentBody(request);
  if (!body) return refuse('the body is no JSON object');
  const { rootRole, ...rest } = body;
  const [violation] = validators.bodies.updateUserSchema(rest);
  if (violation) refuse(`the body is invalid: ${violation.pointer} ${violation.message}`);
  if (rootRole !== undefined && !inputs.roleIds?.some((role) => JSON.stringify(role) === JSON.stringify(rootRole))) {
    refuse('the body has a role that the operator did not declare');
  }
}

function uniqueTraffic(traffic: readonly Traffic[]): Traffic[] {
  return [...new Map(traffic.map((each) => [each.id, each])).values()];
}

interface BannersEvidence {
  readonly attempts: ReadonlyMap<string, AttemptEvidence>;
  readonly inexistent: ReadonlySet<string>;
  readonly blocked?: Blocked;
}

/** The traffic on banners: nothing there depends on anything else, so all of it goes out at once. */
async function runBannersLane(
  attempts: readonly Attempt[],
  requests: RequestBuilder,
  send: (request: RequestSpec) => Promise<Exchange>,
): Promise<BannersEvidence> {
  const collected = new Map<string, AttemptEvidence>();
  const inexistent = new Set<string>();
  await Promise.all(
    attempts.map(async ({ id, build }) => {
      const request = build(requests);
      if (request) collected.set(id, { exchanges: [await send(request)] });
      else inexistent.add(id);
    }),
  );
  const [control] = collected.get(BANNERS.id)?.exchanges ?? [];
  const refused = control && !isAccepted(control) && mayBeOperatorsMistake(control);
  return { attempts: collected, inexistent, ...(refused ? { blocked: blockedBy(control) } : {}) };
}

/** A list that is not found accuses the target only if the base URL is known to be right. */
function bannersBlock(blocked: Blocked | undefined, usersReached: boolean): Blocked | undefined {
  const isNotFound = blocked?.exchange?.response?.status === 404;
  return isNotFound && usersReached ? undefined : blocked;
}

function secretsOf({ adminKey, restrictedKey }: Inputs): Secret[] {
  const altered = adminKey === undefined ? [] : badCredentials.flatMap(({ make }) => make(adminKey) ?? []);
  return [
    { value: adminKey ?? '', label: 'admin key' },
    { value: restrictedKey ?? '', label: 'restricted key' },
    ...altered.map(({ header = '', label }) => ({ value: header, label })),
  ];
}

function judgeSafely(
  check: Check,
  evidence: Evidence,
  fault: SuiteFault | undefined,
): Judgement | { outcome: 'suite-fault'; detail: string } {
  const missing = missingInputs(evidence.inputs, check.needs);
  if (missing.length > 0) {
    const detail = missing.map((name) => `${INPUT_HELP[name].variable} (${INPUT_HELP[name].meaning})`).join(', ');
    return { outcome: 'could-not-run', reason: 'missing-input', detail: `not given: ${detail}`, exchanges: [] };
  }
  if (fault) return { outcome: 'suite-fault', detail: fault.message };
  try {
    return check.judge(evidence);
  } catch (error) {
    return { outcome: 'suite-fault', detail: (error as Error).message };
  }
}

const MAX_EXCHANGES_IN_RESULT = 4;

/**
 * Judges a target.
 *
 * @param inputs what the operator says of the target; what is missing makes the checks that need it `could-not-run`
 * @returns the result, whatever the target does
 * @throws InvalidSelection if `only` or `skip` match nothing; Error from node:fs if the journal cannot be written
 */
export async function run(inputs: Inputs, options: RunOptions = {}): Promise<Result> {
  const { only = [], skip = [], failOn = 'must', baseline = [], onEvent = () => undefined, signal } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const startedAt = new Date();
  const startedMs = performance.now();
  const selected = selectChecks(catalogue, only, skip);
  onEvent({ type: 'planned', checks: selected.length });
  const validators = compileValidators();
  const baseUrl = inputs.baseUrl.origin + inputs.baseUrl.pathname.replace(/\/+$/, '');
  const redact = makeRedactor(secretsOf(inputs));
  const runId = randomBytes(4).toString('hex');

  const deadline = AbortSignal.timeout(limits.deadline);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const running = (): boolean => !stop.aborted;

  const histories: Record<NamedUser, Exchange[]> = { user: [], 'other-user': [] };
  const history = (subject: NamedUser): UserHistory => histories[subject];
  let count = 0;
  const record = (exchange: Exchange): void => {
    count += 1;
    onEvent({ type: 'exchange', exchange, count });
    const { subject, meant, operation } = exchange.request;
    if (operation !== 'updateUser' || meant.id !== 'valid' || !isAccepted(exchange)) return;
    if (subject === 'user' || subject === 'other-user') histories[subject].push(exchange);
  };
  const openClient = (until: AbortSignal, within: Limits): HttpClient =>
    makeClient({ baseUrl: inputs.baseUrl, limits: within, signal: until, onExchange: record });
  const client = openClient(stop, limits);

  const ids: Record<NamedUser, string | undefined> = { user: inputs.userId, 'other-user': inputs.otherUserId };
  const subjects = (['user', 'other-user'] as const).filter((subject) => ids[subject] !== undefined);
  const journalPath = options.journal ?? defaultJournalPath(runId);
  let journalText: string | undefined;
  const keepJournal = (): void => {
    const journal: Journal = {
      journalVersion: 1,
      baseUrl,
      startedAt: startedAt.toISOString(),
      users: subjects.map((subject) => ({ subject, id: ids[subject] ?? '', originals: originals(history(subject)) })),
    };
    const text = JSON.stringify(journal);
    if (text === journalText) return;
    writeJournal(journalPath, journal);
    if (journalText === undefined) onEvent({ type: 'journal', path: journalPath });
    journalText = text;
  };

  const send = async (request: RequestSpec): Promise<Exchange> => {
    verifyRequest(request, inputs, validators);
    if (request.operation === 'updateUser') keepJournal();
    return client.send(request);
  };

  const traffic = uniqueTraffic([
    ...selected.flatMap(({ uses }) => uses),
    ...(only.length === 0 ? observationTraffic : []),
  ]).filter(({ needs }) => missingInputs(inputs, needs).length === 0);
  const attemptsOf = (lane: Lane): Attempt[] => traffic.filter(isAttempt).filter((attempt) => attempt.lane === lane);
  const trials = traffic.filter((each): each is Trial => !isAttempt(each));

  const fresh = makeFreshValues(runId, inputs.emailDomain);
  const storedOfUser = (): Record<string, unknown> =>
    Object.fromEntries(UPDATABLE.map((member) => [member, stored(history('user'), member)]));
  const requests = makeRequestBuilder(inputs, fresh, storedOfUser);
  const clock: WriteClock = { writes: 0 };
  const sessionOf = (subject: NamedUser): UserSession =>
    makeUserSession(subject, requests, send, () => history(subject), clock);
  const user = sessionOf('user');
  const other = inputs.otherUserId === undefined ? undefined : sessionOf('other-user');

  const stage = (lane: Lane) => (text: string) => {
    onEvent({ type: 'stage', lane, text });
  };
  const usersWanted = attemptsOf('users').length + trials.length > 0;
  const emptyLane = { attempts: new Map(), inexistent: new Set<string>(), trials: new Map(), batches: [] };
  const usersLane = usersWanted
    ? runUsersLane({
        attempts: attemptsOf('users'),
        trials,
        requests,
        send,
        clock,
        user,
        other,
        running,
        onStage: stage('users'),
      })
    : Promise.resolve(emptyLane);
  const bannersLane = runBannersLane(attemptsOf('banners'), requests, send);
  const [users, banners] = await Promise.allSettled([usersLane, bannersLane]);
  const seenExchanges = [...client.exchanges];
  const frozen = { user: [...histories.user], 'other-user': [...histories['other-user']] };

  const restoration = await restoreAll();
  await client.close();
  onEvent({ type: 'restored', restoration });

  async function restoreAll(): Promise<Restoration> {
    const touchedSubjects = subjects.filter((subject) => written(history(subject)).length > 0);
    const unknownWrites = journalText !== undefined && touchedSubjects.length === 0;
    if (touchedSubjects.length === 0) {
      if (unknownWrites) removeJournal(journalPath);
      return { outcome: 'none', users: [] };
    }
    onEvent({ type: 'stage', lane: 'restore', text: 'putting the users back' });
    const restoring = openClient(AbortSignal.timeout(RESTORE_DEADLINE), { ...limits, deadline: RESTORE_DEADLINE });
    const restored: UserRestoration[] = await Promise.all(
      touchedSubjects.map((subject) => {
        const session = subject === 'user' ? user : other;
        return restoreUser({
          subject,
          id: ids[subject] ?? '',
          originals: originals(frozen[subject]),
          touched: written(frozen[subject]),
          roleIds: inputs.roleIds ?? [],
          emptyBodyReads: session?.windows()[0]?.sends.length === 0,
          put: (body) =>
            restoring.send(
              requests.update({
                subject,
                purpose: 'putting the user back',
                body: JSON.stringify(body),
                meantBody: 'open',
              }),
            ),
        });
      }),
    );
    await restoring.close();
    const complete = restored.every(({ members }) => members.every(({ outcome }) => outcome === 'restored'));
    if (complete) removeJournal(journalPath);
    return {
      outcome: complete ? 'complete' : 'partial',
      users: restored,
      ...(complete ? {} : { journal: journalPath }),
    };
  }

  const fault = [users, banners].flatMap((lane) => (lane.status === 'rejected' ? [lane.reason as Error] : []))[0];
  if (fault && !(fault instanceof SuiteFault) && 'syscall' in fault) throw fault;
  const usersEvidence = users.status === 'fulfilled' ? users.value : emptyLane;
  const bannersEvidence: BannersEvidence = banners.status === 'fulfilled' ? banners.value : emptyLane;
  const usersBlocked = 'blocked' in usersEvidence ? usersEvidence.blocked : undefined;
  const bannersBlocked = bannersBlock(bannersEvidence.blocked, histories.user.length > 0);
  const evidence: Evidence = {
    inputs,
    validators,
    exchanges: seenExchanges,
    attempts: new Map([...usersEvidence.attempts, ...bannersEvidence.attempts]),
    inexistent: new Set([...usersEvidence.inexistent, ...bannersEvidence.inexistent]),
    trials: usersEvidence.trials,
    batches: usersEvidence.batches,
    blocked: {
      ...(usersBlocked ? { users: usersBlocked } : {}),
      ...(bannersBlocked ? { banners: bannersBlocked } : {}),
    },
    history: (subject) => frozen[subject],
  };

  const suiteFault = fault && new SuiteFault(fault.message);
  const judged = selected.map((check) => ({ check, judgement: judgeSafely(check, evidence, suiteFault) }));
  const scored = judged.map(({ check: { id, level }, judgement: { outcome } }) => ({ id, level, outcome }));
  const today = startedAt.toISOString().slice(0, 10);
  const excused = applyBaseline(baseline, scored, new Set(catalogue.map(({ id }) => id)), today);
  const verdict = decide(scored, { failOn, baseline: excused, interrupted: signal?.aborted ?? false });

  const results = judged
    .map(({ check, judgement }): CheckResult => {
      const exchanges = 'exchanges' in judgement ? judgement.exchanges : [];
      const curl = judgement.outcome === 'failed' ? curlOf(exchanges, baseUrl) : undefined;
      return {
        id: check.id,
        area: check.area,
        level: check.level,
        title: check.title,
        requirements: [...check.requirements].sort(),
        outcome: judgement.outcome,
        ...('reason' in judgement ? { reason: judgement.reason } : {}),
        ...('detail' in judgement ? { detail: redact(judgement.detail) } : {}),
        ...('failure' in judgement
          ? {
              failure: {
                ...redactFailure(judgement.failure),
                advice: check.failureModes[judgement.failure.mode] ?? '',
              },
            }
          : {}),
        waived: excused.waived.has(check.id),
        exchanges: exchanges
          .slice(0, MAX_EXCHANGES_IN_RESULT)
          .map((exchange) => toExchangeRecord(exchange, baseUrl, redact)),
        ...(curl === undefined ? {} : { curl }),
        durationMs: Math.round(exchanges.reduce((sum, { duration }) => sum + duration, 0) * 10) / 10,
      };
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));

  function redactFailure(
    failure: NonNullable<CheckResult['failure']> | Extract<Judgement, { outcome: 'failed' }>['failure'],
  ) {
    return {
      ...failure,
      message: redact(failure.message),
      expected: mapStrings(failure.expected, redact),
      actual: mapStrings(failure.actual, redact),
    };
  }

  const outcomeOf = new Map<string, Outcome>(results.map(({ id, outcome }) => [id, outcome]));
  const requirementResults = requirements
    .flatMap(({ id, level, text, source }) => {
      const own = catalogue
        .filter((check) => check.requirements.includes(id) && outcomeOf.has(check.id))
        .map((check) => check.id);
      if (own.length === 0) return [];
      const outcome = worst(own.flatMap((check) => outcomeOf.get(check) ?? []));
      return [{ id, level, text, source, outcome, checks: own.sort() }];
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));

  const { adminKey, restrictedKey, baseUrl: _url, ...told } = inputs;
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    contract: {
      title: contractDocument.info.title,
      version: contractDocument.info.version,
      digest: sha256(contractText),
      scoredSetDigest: sha256(JSON.stringify(scored.map(({ id, level }) => [id, level]).sort())),
    },
    target: { baseUrl, ...told, adminKey: adminKey !== undefined, restrictedKey: restrictedKey !== undefined },
    selection: { only: [...only], skip: [...skip], failOn },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - startedMs),
    verdict,
    summary: {
      must: countOutcomes(results.filter(({ level }) => level === 'must')),
      should: countOutcomes(results.filter(({ level }) => level === 'should')),
      requests: count,
      baselineProblems: excused.problems,
    },
    requirements: requirementResults,
    checks: results,
    observations: observe(evidence).map((observation) => mapStrings(observation, redact)),
    restoration: mapStrings(restoration, redact),
  };
}
