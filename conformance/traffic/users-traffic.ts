import {
  UPDATABLE,
  type Probe,
  type ProbeEvidence,
  type BatchEvidence,
  type Blocked,
  type Change,
  type Round,
  type Scenario,
  type ScenarioEvidence,
  type ScenarioStep,
} from '../judging/check.ts';
import { isAccepted, type Exchange } from '../http/exchange.ts';
import type { Exploration } from './explore.ts';
import type { RequestBuilder } from '../target/requests.ts';
import { mayBeOperatorsMistake, type Send, type UserSession, type WriteClock } from './user-session.ts';
import {
  compareSeen,
  seen,
  seenValue,
  UNTOUCHED_MEMBERS,
  type NamedUser,
  type UserHistory,
  type UserReading,
} from '../target/user-state.ts';

/** The members that a refused request must leave alone. */
const COMPARED_MEMBERS: readonly string[] = [...UPDATABLE, ...UNTOUCHED_MEMBERS];

export interface UsersLaneEvidence {
  readonly probes: ReadonlyMap<string, ProbeEvidence>;
  readonly notBuildable: ReadonlySet<string>;
  readonly scenarios: ReadonlyMap<string, ScenarioEvidence>;
  readonly batches: readonly BatchEvidence[];
  readonly blocked?: Blocked;
  readonly exploration?: Exploration;
}

export interface UsersLaneOptions {
  readonly probes: readonly Probe[];
  readonly scenarios: readonly Scenario[];
  readonly requests: RequestBuilder;
  readonly send: Send;
  readonly clock: WriteClock;
  readonly user: UserSession;
  /** The second user, if the operator named one. */
  readonly other: UserSession | undefined;
  /** Tries random sequences on the users that can be read; undefined if nothing is to be explored. */
  readonly explore: ((sessions: readonly UserSession[]) => Promise<Exploration>) | undefined;
  /** Whether to go on; asked between requests. */
  readonly running: () => boolean;
  /** Says what is being done, for the progress line. */
  readonly onStage: (stage: string) => void;
}

/** What a step of a scenario is for, in a few words for a person. */
export function stepPurpose({ purpose, subject, members }: ScenarioStep): string {
  const who = subject === 'user' ? 'the user' : 'the other user';
  return purpose ?? `An update of ${who} with ${members.join(' and ') || 'an empty object'}`;
}

/** What differs between two readings of a user. */
function changesBetween(earlier: UserReading, { subject, exchange }: UserReading, history: UserHistory): Change[] {
  return COMPARED_MEMBERS.flatMap((member) => {
    const before = seen(earlier.exchange, member, history);
    const after = seen(exchange, member, history);
    if (compareSeen(member, before, after) !== 'different') return [];
    return [{ subject, member, before: seenValue(before), after: seenValue(after), exchange }];
  });
}

/**
 * The traffic on users: the updates one after the other, then all refusals side by side between two readings of the state,
 * so that what they might take back is there; last what a target may refuse or not survive.
 */
export async function runUsersLane(options: UsersLaneOptions): Promise<UsersLaneEvidence> {
  const { requests, send, clock, user, other, running, onStage } = options;
  const sessions = other ? [user, other] : [user];
  const refusals = options.probes.filter(({ mayBeAccepted }) => !mayBeAccepted);
  const probes = options.probes.filter(({ mayBeAccepted }) => mayBeAccepted);
  const collected = new Map<string, ProbeEvidence>();
  const notBuildable = new Set<string>();

  const probeOnce = async (probe: Probe): Promise<void> => {
    for (let time = 0; time < (probe.times ?? 1) && running(); time += 1) {
      const request = probe.build(requests, time);
      if (!request) {
        notBuildable.add(probe.id);
        return;
      }
      const exchange = await send(request);
      collected.set(probe.id, { exchanges: [...(collected.get(probe.id)?.exchanges ?? []), exchange] });
      if (probe.untilAccepted && isAccepted(exchange)) return;
    }
  };

  /** The index-th way to read each user; a user that can be read in fewer ways is read in its last one. */
  const readAll = (index: number): Promise<UserReading[]> =>
    Promise.all(
      sessions.flatMap((session) => {
        const window = session.windows()[index] ?? session.windows().at(-1);
        return window ? [session.read(window)] : [];
      }),
    );

  /** Gives the users values that are known. One that is not going to be addressed is read after that, to compare with. */
  const settleAll = async (index: number, addressed: readonly NamedUser[]): Promise<void> => {
    for (const session of sessions) {
      const window = session.windows()[index] ?? session.windows().at(-1);
      if (!window) continue;
      const { wrote } = await session.settle(window);
      if (wrote && !addressed.includes(session.subject)) await session.read(window);
    }
  };

  /**
   * Does something that must change nothing between two readings, and gives what changed all the same. Both are readings, so
   * that a target on which reading itself changes something is not accused of this.
   */
  const watched = async (
    index: number,
    act: () => Promise<unknown>,
  ): Promise<Pick<BatchEvidence, 'after' | 'changes'>> => {
    const before = await readAll(index);
    clock.writes += 1;
    await act();
    const after = await readAll(index);
    const changes = after.flatMap((reading) => {
      const session = sessions.find(({ subject }) => subject === reading.subject);
      const earlier = before.find(({ subject }) => subject === reading.subject);
      return session && earlier ? changesBetween(earlier, reading, session.history()) : [];
    });
    return { after, changes };
  };

  const findCulprits = async (index: number): Promise<Map<string, readonly Change[]>> => {
    const culprits = new Map<string, readonly Change[]>();
    for (const probe of refusals) {
      if (!running()) break;
      await user.update(
        requests.inputs.roleIds ? UPDATABLE : ['name', 'email'],
        'An update that the next request may not take back',
      );
      const { changes } = await watched(index, () => probeOnce(probe));
      culprits.set(probe.id, changes);
    }
    return culprits;
  };

  const runBatch = async (index: number): Promise<BatchEvidence> => {
    await settleAll(index, []);
    const seenAfter = await watched(index, () => Promise.all(refusals.map(probeOnce)));
    const acceptedSome = refusals.some(({ id }) => collected.get(id)?.exchanges.some(isAccepted));
    if (seenAfter.changes.length === 0) return { ...seenAfter, acceptedSome };
    onStage('finding out which refused request changed something');
    return { ...seenAfter, acceptedSome, culprits: await findCulprits(index) };
  };

  /** Sends one step of a scenario, if its user was named. */
  const takeStep = (step: ScenarioStep, scenario: Scenario, previous: Exchange | undefined): Promise<Exchange>[] => {
    const { subject, members, extra, body } = step;
    const session = subject === 'user' ? user : other;
    const purpose = stepPurpose(step);
    if (!session) return [];
    if (body) return [session.tryBody(body(requests.fresh, previous), purpose)];
    const mayBeRefused = scenario.runLast === true;
    return [session.update(members, purpose, { mayBeRefused, ...(extra ? { extra: extra(requests.inputs) } : {}) })];
  };

  const runRound = async (scenario: Scenario, index: number): Promise<Round> => {
    await settleAll(
      index,
      scenario.steps.map(({ subject }) => subject),
    );
    const answers: Exchange[] = [];
    if (scenario.concurrent) {
      answers.push(...(await Promise.all(scenario.steps.flatMap((step) => takeStep(step, scenario, undefined)))));
    } else {
      for (const step of scenario.steps) answers.push(...(await Promise.all(takeStep(step, scenario, answers.at(-1)))));
    }
    return { answers, after: await readAll(index) };
  };

  const scenarios = new Map<string, ScenarioEvidence>();
  const batches: BatchEvidence[] = [];
  const evidence = (): UsersLaneEvidence => {
    const blocked = user.blocked();
    return { probes: collected, notBuildable, scenarios, batches, ...(blocked ? { blocked } : {}) };
  };

  onStage('reading the users');
  await Promise.all(sessions.map((session) => session.open()));
  const refusal = user.blocked();
  if (refusal?.exchange && mayBeOperatorsMistake(refusal.exchange)) {
    await Promise.all(options.probes.filter(({ alsoWhenBlocked }) => alsoWhenBlocked).map(probeOnce));
    return evidence();
  }

  const passes = Math.max(1, user.windows().length);
  const runScenario = async (scenario: Scenario): Promise<void> => {
    const rounds: Round[] = [];
    onStage(`update: ${scenario.id}`);
    const times = passes * (scenario.concurrent?.rounds ?? 1);
    for (let time = 0; time < times && running(); time += 1) rounds.push(await runRound(scenario, time % passes));
    scenarios.set(scenario.id, { rounds });
  };
  for (const scenario of options.scenarios) if (!scenario.runLast) await runScenario(scenario);
  for (let index = 0; index < passes && refusals.length > 0 && running(); index += 1) {
    onStage(`${refusals.length} requests that must change nothing`);
    batches.push(await runBatch(index));
  }
  clock.writes += 1;
  await Promise.all(probes.map(probeOnce));
  for (const scenario of options.scenarios) if (scenario.runLast) await runScenario(scenario);
  if (!options.explore || !running() || user.blocked()) return evidence();
  onStage('exploring random sequences of updates');
  const exploration = await options.explore(sessions.filter((session) => !session.blocked()));
  return { ...evidence(), exploration };
}
