import type { OperationId } from '../../contract/document.ts';
import { isAccepted } from '../http/exchange.ts';
import type { BatchEvidence, Change, TrafficEvidence } from '../judging/evidence.ts';
import type { Probe } from '../judging/traffic.ts';
import { groupedBy } from '../../common/text.ts';
import { lastShown, seen } from '../target/user-state.ts';
import { UPDATABLE } from '../target/user.ts';
import { mayBeOperatorsMistake } from './blocked.ts';
import type { Operation, RunTraffic, TrafficContext } from './operation.ts';
import { makeProbeSender, type ProbeSender } from './probes.ts';
import { makeScenarioSender } from './scenario-traffic.ts';
import { tickAll } from './send.ts';
import { makeStateReader, type StateReader } from './state-reader.ts';

/** What a refused probe has in common with others: how it was refused, and whether it named a user. */
function kindOfRefusal({ id }: Probe, { collected }: ProbeSender): string {
  const [exchange] = collected.get(id)?.exchanges ?? [];
  return `${exchange?.response?.status ?? ''} ${exchange?.request.meant.id ?? ''}`;
}

/** Gives the first user values that the next requests might revert. */
async function writeAhead({ sessions: [user], requests }: TrafficContext): Promise<void> {
  const members = requests.inputs.roleIds ? UPDATABLE : (['name', 'email'] as const);
  await user?.update(members, 'An update that the next requests must not revert');
}

/** Whether the target has stopped to show a member that it showed: some leave out what is empty. */
function hidesMember({ sessions: [user] }: TrafficContext): boolean {
  const history = user?.history() ?? [];
  const last = history.at(-1);
  return (['name', 'email'] as const).some(
    (member) => last && seen(last, member, history).kind !== 'shown' && lastShown(history, member).kind === 'shown',
  );
}

/**
 * Finds refused probes that change something, by halving: all are sent again, then those that were refused alike, then half of
 * these, until one is left. Of probes that were refused alike, one is found.
 *
 * @returns what it changed when it was sent by itself
 */
async function findCulprits(
  context: TrafficContext,
  refused: readonly Probe[],
  { watched }: StateReader,
  sender: ProbeSender,
  index: number,
): Promise<Map<string, readonly Change[]>> {
  const changesOf = async (probes: readonly Probe[]): Promise<readonly Change[]> => {
    if (probes.length === 0 || !context.running()) return [];
    await writeAhead(context);
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
  // What may be fatal sends no value that the users might get, so whatever they show will do.
  const settled = !refusals.some(({ mayBeFatal, mayBreakUser }) => mayBeFatal ?? mayBreakUser);
  if (settled) await reader.settleAll(index, []);
  else if (hidesMember(context)) await writeAhead(context);
  const shown = await reader.watched(index, () => Promise.all(refusals.map(sender.sendProbe)), settled);
  const refused = refusals.filter(({ id }) => !sender.collected.get(id)?.exchanges.some(isAccepted));
  const batch = {
    operation,
    probes: refusals.map(({ id }) => id),
    ...shown,
    acceptedSome: refused.length < refusals.length,
    mayBreakUser: refusals.some(({ mayBreakUser }) => mayBreakUser),
  };
  if (shown.changes.length === 0) return batch;
  context.onStage('finding out which refused request changed something');
  return { ...batch, culprits: await findCulprits(context, refused, reader, sender, index) };
}

async function exploreIf(
  { explore, running, onStage, sessions }: TrafficContext,
  isPossible: boolean,
): Promise<Pick<TrafficEvidence, 'exploration'>> {
  if (!explore || !running() || !isPossible) return {};
  onStage('exploring random sequences of updates');
  return { exploration: await explore(sessions.filter((session) => !session.blocked())) };
}

/**
 * The traffic on users: first the updates, one scenario after the other; then all refusals concurrently between two readings
 * of the state, so that there is something they might revert; last what a target may refuse, what may
 * break a user, and what it may not survive.
 */
export const runUsersTraffic: RunTraffic = async (context, operation) => {
  const { probes, clock, sessions, running, onStage } = context;
  const [user] = sessions;
  const accepted = probes.filter((probe) => probe.mayBeAccepted === true || isControl(probe, operation));
  const refusals = probes.filter((probe) => !accepted.includes(probe) && !probe.mayBeFatal && !probe.mayBreakUser);
  const breaking = probes.filter(({ mayBreakUser }) => mayBreakUser);
  const fatal = probes.filter(({ mayBeFatal }) => mayBeFatal);
  const sender = makeProbeSender(context);
  const reader = makeStateReader(context);
  const passes = (): number => Math.max(1, user?.stateProbes().length ?? 0);
  const { scenarios, errors: scenarioErrors, sendAll } = makeScenarioSender(context, operation, reader, passes);
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
    return { evidence: evidence() };
  }

  const sendBatches = async (some: readonly Probe[]): Promise<void> => {
    for (let index = 0; index < passes() && some.length > 0 && running(); index += 1)
      batches.push(await runBatch(operation.id, context, reader, some, sender, index));
  };
  await sendAll(false);
  if (accepted.length > 0) {
    tickAll(clock);
    await Promise.all([...accepted.map(sender.sendProbe), ...refusals.map(sender.sendAhead)]);
  }
  await sendBatches(refusals);
  await sendAll(true);
  const explored = await exploreIf(context, !user?.blocked());
  const shown = (): TrafficEvidence => ({ ...evidence(), ...explored });
  // Together, for they come last one way or the other; what a target survives goes out first.
  const sendFatal = (): Promise<TrafficEvidence> => sendBatches([...breaking, ...fatal]).then(shown);
  return { evidence: shown(), sendFatal };
};
