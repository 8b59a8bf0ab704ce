import { createHash, randomBytes } from 'node:crypto';
import { contractDocument, contractText, type Level, type OperationId } from '../../contract/document.ts';
import { retiredIds } from '../../contract/retired-ids.ts';
import { compileValidators } from '../../contract/validators.ts';
import { runBannersLane, type BannersLaneEvidence } from '../traffic/plain-traffic.ts';
import {
  isProbe,
  OPERATION_OF_LANE,
  UPDATABLE,
  type Probe,
  type Blocked,
  type Check,
  type Evidence,
  type Lane,
  type Scenario,
} from '../judging/check.ts';
import { checks as catalogue } from '../checks/catalogue.ts';
import { explorationCheck } from '../operations/update-user/exploration.ts';
import { makeClient, type HttpClient } from '../http/client.ts';
import { DEFAULT_LIMITS, type Limits } from '../http/limits.ts';
import { makeBadCredentials } from '../http/credentials.ts';
import { bearerProbe, isKeyRefused } from '../traffic/bearer-probe.ts';
import { diagnose } from '../result/hints.ts';
import { isAccepted, type Credential, type Exchange, type RequestSpec } from '../http/exchange.ts';
import { explore, loadExplorer, type ExploreOptions } from '../traffic/explore.ts';
import { baseAddress, missingInputs, type Inputs } from '../target/inputs.ts';
import { defaultJournalPath, openJournal, type OpenJournal } from '../traffic/journal.ts';
import { observationTraffic, observe } from '../checks/observations.ts';
import { makeRedactor, redactedValue, type Secret } from '../http/redact.ts';
import { guardRequest, SuiteError } from '../target/request-guard.ts';
import { makeFreshValues, makeRequestBuilder, type RequestBuilder } from '../target/requests.ts';
import { isRestored, restoreUser } from '../traffic/restore.ts';
import {
  countOutcomes,
  isScored,
  SCHEMA_VERSION,
  toExchangeRecord,
  type Counts,
  type ExchangeRecord,
  type Restoration,
  type Result,
  type Scope,
} from '../result/result.ts';
import { atScoredLevel, digestOfScoredSet, scoredIds, scoredSet, type ScoredSet } from '../checks/scored-set.ts';
import { judgeAll, presentChecks, presentRequirements, toScored } from '../result/scoring.ts';
import { laneScope, selectChecks, type LaneScope } from '../checks/selection.ts';
import { shuffle } from './shuffle.ts';
import { tool } from './tool.ts';
import {
  EMPTY_BODY_PROBE,
  makeUserSession,
  type Send,
  type UserSession,
  type WriteClock,
} from '../traffic/user-session.ts';
import { lastShown, originals, stored, written, type NamedUser, type UserHistory } from '../target/user-state.ts';
import { runUsersLane, type UsersLaneEvidence } from '../traffic/users-traffic.ts';
import { applyBaseline, decide, type BaselineEntry } from '../result/verdict.ts';

/** What happens during a run, for whoever shows it. */
export type RunEvent =
  /** `requests`: about how many there will be; a target that has to be read in several ways gets more. */
  | { readonly type: 'planned'; readonly checks: number; readonly requests: number }
  | { readonly type: 'journal'; readonly path: string }
  | { readonly type: 'stage'; readonly lane: Lane | 'restore'; readonly text: string }
  /** `record` shows it without keys. */
  | {
      readonly type: 'exchange';
      readonly exchange: Exchange;
      readonly record: () => ExchangeRecord;
      readonly count: number;
    }
  /** A request that is sent only if a target gives cause to; `when` completes "only if". */
  | { readonly type: 'conditional'; readonly request: RequestSpec; readonly when: string }
  | { readonly type: 'restored'; readonly restoration: Restoration }
  /** Nothing more is sent: these checks judge this evidence now. */
  | { readonly type: 'judging'; readonly checks: readonly Check[]; readonly evidence: Evidence };

/** How a run is made. */
export interface RunOptions {
  /** Ids or globs (`*`) of checks, requirements, areas; or `users`, `banners`. Empty: all checks. */
  readonly only?: readonly string[];
  /** What is taken away from that, named in the same way. */
  readonly skip?: readonly string[];
  /** The least level whose failure fails the run; default `must`. */
  readonly failOn?: Level;
  /** Checks that are known not to pass. An entry that does not hold (any more) makes the verdict `failed`. */
  readonly baseline?: readonly BaselineEntry[];
  /** Bounds of the HTTP client that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<Limits>;
  /** An integer. The traffic of the checks goes out in an order that it decides; by default in that of the catalogue. */
  readonly orderSeed?: number;
  /** Tries random sequences of updates besides; by default none. */
  readonly explore?: ExploreOptions;
  /** Where the journal is written, in a folder that is there; by default a file in the system's directory for temporary files. */
  readonly journal?: string;
  /** Ends the run early: no more is sent than what puts the users back, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told what happens, while it happens. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** ms. Putting the users back has its own deadline, so that it also happens after that of the run. */
const RESTORE_DEADLINE = 30_000;

const SUBJECTS: readonly NamedUser[] = ['user', 'other-user'];
const NO_TRAFFIC = { probes: new Map(), notBuildable: new Set<string>(), scenarios: new Map(), batches: [] };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The keys, and what was made of them; a part of a key is as secret as the whole. */
function secretsOf({ adminKey = '', restrictedKey = '' }: Inputs, bad: ReadonlyMap<string, Credential>): Secret[] {
  return [
    { value: adminKey, label: 'admin key' },
    { value: adminKey.slice(1), label: 'part of the admin key' },
    { value: adminKey.slice(0, -1), label: 'part of the admin key' },
    { value: restrictedKey, label: 'restricted key' },
    ...[...bad.values()].map(({ header = '', label }) => ({ value: header, label })),
  ];
}

/** What was accepted of each named user, in the order of sending. */
type Histories = Readonly<Record<NamedUser, Exchange[]>>;

function remember(histories: Histories, exchange: Exchange): void {
  const { subject, meant, operation } = exchange.request;
  if (operation !== 'updateUser' || meant.id !== 'valid' || !isAccepted(exchange)) return;
  if (subject === 'user' || subject === 'other-user') histories[subject].push(exchange);
}

function idsOf({ userId, otherUserId }: Inputs): Readonly<Record<NamedUser, string | undefined>> {
  return { user: userId, 'other-user': otherUserId };
}

/** A target may show a key as the name of a user; the journal on the disk does not take it over. */
function withoutSecrets<T extends object>(values: T, redact: (text: string) => string): T {
  const clean = Object.entries(values).filter(([, value]) => redact(JSON.stringify(value)) === JSON.stringify(value));
  return Object.fromEntries(clean) as T;
}

interface Traffic {
  readonly users: readonly Probe[];
  readonly banners: readonly Probe[];
  readonly scenarios: readonly Scenario[];
}

/** The traffic that the selected checks need, and the inputs and the scope allow; observations are made unless checks were picked. */
function trafficFor(checks: readonly Check[], inputs: Inputs, { leftOut, observed }: LaneScope): Traffic {
  const wanted = [
    ...checks.flatMap(({ uses }) => uses).filter(({ lane }) => !leftOut.has(lane)),
    ...observationTraffic.filter(({ lane }) => observed.has(lane)),
  ];
  const unique = [...new Map(wanted.map((each) => [each.id, each])).values()];
  const possible = unique.filter(({ needs }) => missingInputs(inputs, needs).length === 0);
  const probes = possible.filter(isProbe);
  return {
    users: probes.filter(({ lane }) => lane === 'users'),
    banners: probes.filter(({ lane }) => lane === 'banners'),
    scenarios: possible.filter((each): each is Scenario => !isProbe(each)),
  };
}

/** About how many requests a target gets that shows its state in answer to `{}`. */
function expectedRequests({ users, banners, scenarios }: Traffic, { otherUserId }: Inputs): number {
  const subjects = otherUserId === undefined ? 1 : 2;
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const probes = sum([...users, ...banners].map(({ times = 1 }) => times));
  const ofScenario = ({ steps, concurrent }: Scenario): number => (steps.length + subjects) * (concurrent?.rounds ?? 1);
  const aroundUsers = users.length + scenarios.length === 0 ? 0 : subjects * (1 + 2 + 3);
  return probes + sum(scenarios.map(ofScenario)) + aroundUsers;
}

interface RestoreAll {
  readonly inputs: Inputs;
  /** What was seen up to the end of the lanes. */
  readonly histories: Histories;
  readonly exchanges: readonly Exchange[];
  readonly sessions: Readonly<Record<NamedUser, UserSession | undefined>>;
  readonly requests: RequestBuilder;
  readonly journal: OpenJournal;
  readonly openClient: () => HttpClient;
}

async function restoreAll({
  inputs,
  histories,
  exchanges,
  sessions,
  requests,
  journal,
  openClient,
}: RestoreAll): Promise<Restoration> {
  const writes = new Map(SUBJECTS.map((subject) => [subject, written(exchanges, subject)]));
  const concerned = SUBJECTS.filter((subject) => histories[subject].length + (writes.get(subject)?.length ?? 0) > 0);
  if (concerned.length === 0) {
    journal.remove();
    return { outcome: 'none', users: [] };
  }
  const client = openClient();
  const users = await Promise.all(
    concerned.map((subject) =>
      restoreUser({
        subject,
        id: idsOf(inputs)[subject] ?? '',
        originals: originals(histories[subject]),
        touched: writes.get(subject) ?? [],
        roleIds: inputs.roleIds ?? [],
        emptyBodyReads: sessions[subject]?.windows()[0] === EMPTY_BODY_PROBE,
        put: (body) => client.send(requests.putBack(subject, body)),
      }),
    ),
  );
  await client.close();
  const complete = users.every(isRestored);
  if (complete) journal.remove();
  const nothing = users.every(({ members }) => members.length === 0);
  const outcome = nothing ? 'none' : complete ? 'complete' : 'partial';
  return { outcome, users, ...(complete ? {} : { journal: journal.path }) };
}

/** A fault of the suite from lanes that threw; an error of the file system (the journal) is thrown on. */
function faultOf(lanes: readonly PromiseSettledResult<unknown>[]): SuiteError | undefined {
  const [reason] = lanes.flatMap((lane) => (lane.status === 'rejected' ? [lane.reason as Error] : []));
  if (reason === undefined || reason instanceof SuiteError) return reason;
  if ('syscall' in reason) throw reason;
  return new SuiteError(reason.message);
}

/** A list that is not found accuses the target only if the base URL is known to be right. */
function bannersBlocked({ blocked }: BannersLaneEvidence, usersReached: boolean): Blocked | undefined {
  return usersReached && blocked?.exchange?.response?.status === 404 ? undefined : blocked;
}

function describeScope(selected: readonly Check[], all: readonly Check[], { leftOut }: LaneScope): Scope {
  const operationsOf = (has: (lane: Lane) => boolean): OperationId[] =>
    (Object.keys(OPERATION_OF_LANE) as Lane[]).filter(has).map((lane) => OPERATION_OF_LANE[lane]);
  return {
    operations: operationsOf((lane) => selected.some((check) => check.lane === lane)),
    leftOut: operationsOf((lane) => leftOut.has(lane)),
    checks: selected.length,
    of: all.length,
  };
}

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

/**
 * Judges a target.
 *
 * @param inputs what the operator says of the target; what is missing makes the checks that need it `inconclusive`
 * @param set the checks that count; others are run and reported all the same
 * @returns the result, whatever the target does
 * @throws InvalidSelection if `only` or `skip` match nothing; ExplorerMissing if sequences are to be explored without
 *   fast-check; Error from node:fs if the journal cannot be written
 */
export async function run(inputs: Inputs, options: RunOptions = {}, set: ScoredSet = scoredSet): Promise<Result> {
  const { only = [], skip = [], failOn = 'must', baseline = [], onEvent = () => undefined, signal } = options;
  const offered = options.explore ? [...catalogue, explorationCheck] : catalogue;
  const selected = selectChecks(offered, only, skip);
  const exploring = selected.includes(explorationCheck) ? options.explore : undefined;
  const explorer = exploring && (await loadExplorer());
  const startedAt = new Date();
  const started = performance.now();
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const validators = compileValidators();
  const baseUrl = baseAddress(inputs.baseUrl);
  const runId = randomBytes(4).toString('hex');
  const deadline = AbortSignal.timeout(limits.deadline);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;

  const bad = makeBadCredentials(inputs.adminKey, inputs.restrictedKey);
  const redact = makeRedactor(secretsOf(inputs, bad));
  const histories: Histories = { user: [], 'other-user': [] };
  let requestCount = 0;
  const onExchange = (exchange: Exchange): void => {
    requestCount += 1;
    remember(histories, exchange);
    const record = (): ExchangeRecord => toExchangeRecord(exchange, baseUrl, redact);
    onEvent({ type: 'exchange', exchange, record, count: requestCount });
  };
  const client = makeClient({ baseUrl: inputs.baseUrl, limits, signal: stop, onExchange });
  const journal = openJournal(options.journal ?? defaultJournalPath(runId), (path) => {
    onEvent({ type: 'journal', path });
  });
  const history = (subject: NamedUser): UserHistory => histories[subject];
  const send: Send = (request) => {
    guardRequest(request, inputs, validators);
    if (request.operation === 'updateUser') {
      const named = SUBJECTS.flatMap((subject) => {
        const id = idsOf(inputs)[subject];
        return id === undefined
          ? []
          : [{ subject, id, originals: withoutSecrets(originals(history(subject)), redact) }];
      });
      journal.keep({ journalVersion: 1, baseUrl, startedAt: startedAt.toISOString(), users: named });
    }
    return client.send(request);
  };
  const storedOfUser = (): Record<string, unknown> => {
    const username = lastShown(history('user'), 'username');
    return {
      ...Object.fromEntries(UPDATABLE.map((member) => [member, stored(history('user'), member)])),
      // A target may show a key as username; a path never carries one.
      ...(username.kind === 'shown' ? withoutSecrets({ username: username.value }, redact) : {}),
    };
  };
  const requests = makeRequestBuilder(inputs, makeFreshValues(runId, inputs.emailDomain), storedOfUser, bad);

  const { orderSeed } = options;
  const inOrder = orderSeed === undefined ? selected : shuffle(selected, ({ id }) => id, orderSeed);
  const lanesInScope = laneScope(selected, only, skip);
  const traffic = trafficFor(inOrder, inputs, lanesInScope);
  onEvent({ type: 'planned', checks: selected.length, requests: expectedRequests(traffic, inputs) });
  const addressed = new Set<OperationId>([
    ...(traffic.users.length + traffic.scenarios.length > 0 || exploring ? (['updateUser'] as const) : []),
    ...(traffic.banners.length > 0 ? (['listBanners'] as const) : []),
  ]);
  const probe = addressed.size === 0 ? undefined : bearerProbe(requests, addressed);
  if (probe) onEvent({ type: 'conditional', request: probe, when: 'the admin key is refused with 401 each time' });
  const clock: WriteClock = { writes: 0 };
  const sessionOf = (subject: NamedUser): UserSession =>
    makeUserSession(subject, requests, send, () => history(subject), clock);
  const user = sessionOf('user');
  const other = inputs.otherUserId === undefined ? undefined : sessionOf('other-user');
  const usersLane = async (): Promise<UsersLaneEvidence> => {
    if (traffic.users.length + traffic.scenarios.length === 0 && !exploring) return NO_TRAFFIC;
    return runUsersLane({
      probes: traffic.users,
      scenarios: traffic.scenarios,
      requests,
      send,
      clock,
      user,
      other,
      explore: explorer && ((sessions) => explore(explorer, sessions, exploring, () => !stop.aborted)),
      running: () => !stop.aborted,
      onStage: (text) => {
        onEvent({ type: 'stage', lane: 'users', text });
      },
    });
  };
  const lanes = await Promise.allSettled([usersLane(), runBannersLane(traffic.banners, requests, send)]);

  const frozen: Histories = { user: [...histories.user], 'other-user': [...histories['other-user']] };
  const exchanges = [...client.exchanges];
  // No check judges it: it is sent for the hints alone.
  const bearer = probe && isKeyRefused(exchanges) && !stop.aborted ? await send(probe) : undefined;
  await client.close();
  onEvent({ type: 'stage', lane: 'restore', text: 'putting the users back' });
  const restoration = await restoreAll({
    inputs,
    histories: frozen,
    exchanges,
    sessions: { user, 'other-user': other },
    requests,
    journal,
    openClient: () =>
      makeClient({
        baseUrl: inputs.baseUrl,
        limits: { ...limits, deadline: RESTORE_DEADLINE, concurrency: 1 },
        signal: AbortSignal.timeout(RESTORE_DEADLINE),
        onExchange,
      }),
  });
  onEvent({ type: 'restored', restoration });

  const fault = faultOf(lanes);
  const users: UsersLaneEvidence = lanes[0].status === 'fulfilled' ? lanes[0].value : NO_TRAFFIC;
  const banners: BannersLaneEvidence = lanes[1].status === 'fulfilled' ? lanes[1].value : NO_TRAFFIC;
  const blockedBanners = bannersBlocked(banners, frozen.user.length > 0);
  const evidence: Evidence = {
    inputs,
    validators,
    exchanges,
    probes: new Map([...users.probes, ...banners.probes]),
    notBuildable: new Set([...users.notBuildable, ...banners.notBuildable]),
    scenarios: users.scenarios,
    batches: users.batches,
    blocked: {
      ...(users.blocked ? { users: users.blocked } : {}),
      ...(blockedBanners ? { banners: blockedBanners } : {}),
    },
    stopped: stop.aborted,
    ...(users.exploration ? { exploration: users.exploration } : {}),
    history: (subject) => frozen[subject],
  };

  const judging = selected.map((check) => atScoredLevel(check, set));
  onEvent({ type: 'judging', checks: judging, evidence });
  const judged = judgeAll(judging, evidence, fault);
  // Exploration is in no set: it is no part of a run unless the operator asks for it, and then it counts.
  const counting = scoredIds(set).add(explorationCheck.id);
  const counts = ({ id }: Check): boolean => counting.has(id);
  const unscored = new Set(selected.filter((check) => !counts(check)).map(({ id }) => id));
  const scored = toScored(judged.filter(({ check }) => counts(check)));
  const known = {
    ids: new Set([...catalogue, explorationCheck].map(({ id }) => id)),
    retired: Object.fromEntries(retiredIds.map(({ id, replacedBy }) => [id, replacedBy])),
  };
  const excused = applyBaseline(baseline, scored, known, startedAt.toISOString().slice(0, 10));
  const checks = presentChecks(judged, { baseUrl, redact, knownFailure: excused.knownFailure, unscored });
  const countOf = (wanted: Level): Counts =>
    countOutcomes(checks.filter((check) => isScored(check) && check.level === wanted));
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    contract: {
      title: contractDocument.info.title,
      version: contractDocument.info.version,
      digest: sha256(contractText),
      scoredSetDigest: digestOfScoredSet(set),
    },
    target: describeTarget(inputs, baseUrl),
    selection: {
      only: [...only],
      skip: [...skip],
      failOn,
      scope: describeScope(selected.filter(counts), offered.filter(counts), lanesInScope),
    },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - started),
    verdict: decide(scored, { failOn, baseline: excused, interrupted: signal?.aborted ?? false }),
    summary: {
      must: countOf('must'),
      should: countOf('should'),
      requests: requestCount,
      baselineProblems: excused.problems,
    },
    requirements: presentRequirements(checks),
    checks,
    observations: observe(evidence).map((observation) =>
      observation.detail === undefined
        ? observation
        : { ...observation, detail: redactedValue(observation.detail, redact) },
    ),
    restoration: redactRestoration(restoration, redact),
    hints: diagnose({ inputs, exchanges, bearer, timeout: limits.timeout }).map(({ id, text }) => ({
      id,
      text: redact(text),
    })),
  };
}
