import type { OperationId } from '../../contract/document.ts';
import { type Exchange, isAccepted } from '../http/exchange.ts';
import type { BatchEvidence, Change, Round, ScenarioEvidence, TrafficEvidence } from '../judging/evidence.ts';
import type { Probe, Scenario, ScenarioStep } from '../judging/traffic.ts';
import { groupedBy } from '../../common/text.ts';
import { compareSeen, lastShown, seen, seenValue } from '../target/user-state.ts';
import {
  type NamedUser,
  NAMED_USERS,
  UNTOUCHED_MEMBERS,
  UPDATABLE,
  USER_WORDS,
  type UserHistory,
  type UserReading,
} from '../target/user.ts';
import { mayBeOperatorsMistake } from './blocked.ts';
import type { Operation, RunTraffic, TrafficContext } from './operation.ts';
import { makeProbeSender, type ProbeSender, sparingOthers } from './probes.ts';
import type { StateProbe, UserSession } from './user-session.ts';

/** The members that a refused request must not change. */
const COMPARED_MEMBERS: readonly string[] = [...UPDATABLE, ...UNTOUCHED_MEMBERS];

/** The purpose of a step of a scenario, in words. */
export function stepPurpose({ purpose, subject, members }: ScenarioStep): string {
  return purpose ?? `An update of ${USER_WORDS[subject]} with ${members.join(' and ') || 'an empty object'}`;
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

/** The index-th way to read a user; the last one of a user that can be read in fewer ways. */
function stateProbeAt(session: UserSession, index: number): StateProbe | undefined {
  return session.stateProbes()[index] ?? session.stateProbes().at(-1);
}

interface StateReader {
  /** Reads each user, or each of some. */
  readonly readAll: (index: number, subjects?: readonly NamedUser[]) => Promise<UserReading[]>;
  /** Gives these users values that are known. A user that will not be addressed is read after that, to compare with. */
  readonly settleAll: (
    index: number,
    addressed: readonly NamedUser[],
    subjects?: readonly NamedUser[],
  ) => Promise<void>;
  /** Does something that must change nothing between two readings, and gives what changed all the same. */
  readonly watched: (index: number, act: () => Promise<unknown>) => Promise<Pick<BatchEvidence, 'after' | 'changes'>>;
}

function makeStateReader({ sessions, clock }: Pick<TrafficContext, 'sessions' | 'clock'>): StateReader {
  const among = (subjects: readonly NamedUser[]): UserSession[] =>
    sessions.filter(({ subject }) => subjects.includes(subject));
  const readAll: StateReader['readAll'] = (index, subjects = NAMED_USERS) =>
    Promise.all(
      among(subjects).flatMap((session) => {
        const probe = stateProbeAt(session, index);
        return probe ? [session.read(probe)] : [];
      }),
    );
  return {
    readAll,
    settleAll: async (index, addressed, subjects = NAMED_USERS) => {
      for (const session of among(subjects)) {
        const probe = stateProbeAt(session, index);
        if (!probe) continue;
        const { wrote } = await session.settle(probe);
        if (wrote && !addressed.includes(session.subject)) await session.read(probe);
      }
    },
    // Both ends are readings: a target on which reading itself changes something is not blamed for this.
    watched: async (index, act) => {
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
    },
  };
}

/** What a refused probe has in common with others: how it was refused, and whether it named a user. */
function kindOfRefusal({ id }: Probe, { collected }: ProbeSender): string {
  const [exchange] = collected.get(id)?.exchanges ?? [];
  return `${exchange?.response?.status ?? ''} ${exchange?.request.meant.id ?? ''}`;
}

/**
 * Finds refused probes that change something, by halving: all are sent again, then those that were refused alike, then half of
 * these, until one is left. Of probes that were refused alike, one is found.
 *
 * @returns what it changed when it was sent by itself
 */
async function findCulprits(
  { sessions: [user], requests, running }: TrafficContext,
  refused: readonly Probe[],
  { watched }: StateReader,
  sender: ProbeSender,
  index: number,
): Promise<Map<string, readonly Change[]>> {
  const changesOf = async (probes: readonly Probe[]): Promise<readonly Change[]> => {
    if (probes.length === 0 || !running()) return [];
    const members = requests.inputs.roleIds ? UPDATABLE : (['name', 'email'] as const);
    await user?.update(members, 'An update that the next requests must not revert');
    return (await watched(index, () => Promise.all(probes.map(sender.sendProbe)))).changes;
  };
  const culpritAmong = async (
    probes: readonly Probe[],
    changes: readonly Change[],
  ): Promise<readonly [string, readonly Change[]] | undefined> => {
    const [first] = probes;
    if (!first || changes.length === 0) return undefined;
    if (probes.length === 1) return [first.id, changes];
    const middle = Math.ceil(probes.length / 2);
    const [half, rest] = [probes.slice(0, middle), probes.slice(middle)];
    return (await culpritAmong(half, await changesOf(half))) ?? culpritAmong(rest, await changesOf(rest));
  };
  const culprits = new Map<string, readonly Change[]>();
  if ((await changesOf(refused)).length === 0) return culprits;
  for (const [, alike] of groupedBy(refused, (probe) => kindOfRefusal(probe, sender))) {
    const culprit = await culpritAmong(alike, await changesOf(alike));
    if (culprit) culprits.set(...culprit);
  }
  return culprits;
}

/** Whether the target must accept this probe. Among the refusals it would hide what they change. */
function isControl(probe: Probe, { control, authentication, permission = [] }: Operation): boolean {
  return [control, ...authentication.controls, ...permission.map((each) => each.control)].some(
    ({ traffic }) => traffic === probe,
  );
}

interface ShownMembers {
  readonly subject: NamedUser;
  /** The members that no update touches, as they were shown last. */
  readonly members: Readonly<Record<string, unknown>>;
}

function shownMembers({ subject, history }: UserSession): ShownMembers {
  const shown = UNTOUCHED_MEMBERS.flatMap((member) => {
    const state = lastShown(history(), member);
    return state.kind === 'shown' ? [[member, state.value] as const] : [];
  });
  return { subject, members: Object.fromEntries(shown) };
}

/** Sends one step of a scenario, if its user was named. */
function takeStep(
  { sessions, requests }: TrafficContext,
  scenario: Scenario,
  step: ScenarioStep,
  previous: Exchange | undefined,
  before: readonly ShownMembers[],
): Promise<Exchange>[] {
  const { subject, members, extra, body } = step;
  const session = sessions.find((each) => each.subject === subject);
  const purpose = stepPurpose(step);
  if (!session) return [];
  if (body) {
    const shown = before.find((each) => each.subject === subject)?.members ?? {};
    const given = { fresh: requests.fresh, previous, before: shown, now: shownMembers(session).members };
    const text = body(given);
    return text === undefined ? [] : [session.tryBody(text, purpose)];
  }
  const mayBeRefused = scenario.runLast === true;
  return [session.update(members, purpose, { mayBeRefused, ...(extra ? { extra: extra(requests.inputs) } : {}) })];
}

async function runRound(
  context: TrafficContext,
  { settleAll, readAll }: StateReader,
  scenario: Scenario,
  index: number,
): Promise<Round> {
  const { steps, concurrent } = scenario;
  const addressed = steps.map(({ subject }) => subject);
  const subjects = scenario.runLast ? addressed : NAMED_USERS;
  await settleAll(index, addressed, subjects);
  const before = context.sessions.map(shownMembers);
  const updates: Exchange[] = [];
  if (concurrent) {
    updates.push(...(await Promise.all(steps.flatMap((step) => takeStep(context, scenario, step, undefined, before)))));
  } else {
    for (const step of steps)
      updates.push(...(await Promise.all(takeStep(context, scenario, step, updates.at(-1), before))));
  }
  return { updates, after: await readAll(index, subjects) };
}

/** Sends a scenario once for each way to read the users, or as often as it says. */
async function runScenario(
  context: TrafficContext,
  reader: StateReader,
  scenario: Scenario,
  passes: number,
): Promise<ScenarioEvidence> {
  context.onStage(`update: ${scenario.id}`);
  const rounds: Round[] = [];
  const times = passes * (scenario.concurrent?.rounds ?? 1);
  for (let time = 0; time < times && context.running(); time += 1)
    rounds.push(await runRound(context, reader, scenario, time % passes));
  return { rounds };
}

/** Sends all refusals concurrently; if they changed something, finds out which of those that were refused did. */
async function runBatch(
  operation: OperationId,
  context: TrafficContext,
  reader: StateReader,
  refusals: readonly Probe[],
  sender: ProbeSender,
  index: number,
): Promise<BatchEvidence> {
  context.onStage(`${refusals.length} requests that must change nothing`);
  await reader.settleAll(index, []);
  const shown = await reader.watched(index, () => Promise.all(refusals.map(sender.sendProbe)));
  const refused = refusals.filter(({ id }) => !sender.collected.get(id)?.exchanges.some(isAccepted));
  const batch = { operation, ...shown, acceptedSome: refused.length < refusals.length };
  if (shown.changes.length === 0) return batch;
  context.onStage('finding out which refused request changed something');
  return { ...batch, culprits: await findCulprits(context, refused, reader, sender, index) };
}

/**
 * The traffic on users: first the updates, one scenario after the other; then all refusals concurrently between two readings
 * of the state, so that there is something they might revert; last what a target may refuse or not survive.
 */
export const runUsersTraffic: RunTraffic = async (context, operation) => {
  const { probes, clock, sessions, running, onStage } = context;
  const [user] = sessions;
  const accepted = probes.filter((probe) => probe.mayBeAccepted === true || isControl(probe, operation));
  const refusals = probes.filter((probe) => !accepted.includes(probe));
  const sender = makeProbeSender(context);
  const reader = makeStateReader(context);
  const scenarios = new Map<string, ScenarioEvidence>();
  const scenarioErrors = new Map<string, Error>();
  const batches: BatchEvidence[] = [];
  const evidence = (): TrafficEvidence => {
    const blocked = user?.blocked();
    const { collected, notBuildable } = sender;
    const errors = new Map([...sender.errors, ...scenarioErrors]);
    return { probes: collected, notBuildable, errors, scenarios, batches, ...(blocked ? { blocked } : {}) };
  };

  onStage('reading the users');
  context.mayChange(await Promise.all(sessions.map((session) => session.look())));
  await Promise.all(sessions.map((session) => session.open()));
  const refusal = user?.blocked();
  if (refusal?.exchange && mayBeOperatorsMistake(refusal.exchange)) {
    await Promise.all(probes.filter(({ alsoWhenBlocked }) => alsoWhenBlocked).map(sender.sendProbe));
    return evidence();
  }

  const passes = Math.max(1, user?.stateProbes().length ?? 0);
  const runScenarios = async (last: boolean): Promise<void> => {
    for (const scenario of context.scenarios) {
      if ((scenario.runLast ?? false) !== last) continue;
      await sparingOthers(scenarioErrors, scenario.id, async () => {
        scenarios.set(scenario.id, await runScenario(context, reader, scenario, passes));
      });
    }
  };
  await runScenarios(false);
  for (let index = 0; index < passes && refusals.length > 0 && running(); index += 1)
    batches.push(await runBatch(operation.id, context, reader, refusals, sender, index));
  clock.writes += 1;
  await Promise.all(accepted.map(sender.sendProbe));
  await runScenarios(true);
  if (!context.explore || !running() || user?.blocked()) return evidence();
  onStage('exploring random sequences of updates');
  const exploration = await context.explore(sessions.filter((session) => !session.blocked()));
  return { ...evidence(), exploration };
};
