import { type Exchange, isAccepted } from '../../http/exchange.ts';
import type { Exploration } from '../../model/recording/recording.ts';
import type { Phase, Probe } from '../../model/recording/items.ts';
import { lastShown, seen } from '../../resources/user/state.ts';
import { blockedBy, isPage, mayBeOperatorsMistake } from '../blocked.ts';
import type { RunTraffic, Operation } from '../operation.ts';
import { makeProbeSender, type ProbeSender } from '../probes.ts';
import { makeScenarioSender } from './scenarios.ts';
import { type Candidate, findCulprits, findSideEffects, kindOf } from '../side-effects.ts';
import { makeStateReader, type StateReader, type Change } from './state-reader.ts';
import { type UserSession, tickAll, type UsersContext } from './session.ts';
import { explore } from './explore.ts';

/** Gives a user values that the next requests might revert. */
async function writeAhead(
  user: UserSession | undefined,
  purpose = 'An update that the next requests must not revert',
): Promise<Exchange | undefined> {
  return user?.update(user.updatable, purpose);
}

/** Whether the target has stopped to show a member that it showed: some leave out what is empty. */
function hidesMember({ sessions: [user] }: UsersContext): boolean {
  const history = user?.history() ?? [];
  const last = history.at(-1);
  return (['name', 'email'] as const).some(
    (member) => last && seen(last, member, history).kind !== 'shown' && lastShown(history, member).kind === 'shown',
  );
}

/** The requests of a batch, to be sent again: those that were refused, and those that only read. */
function candidatesOf(
  { reads }: Pick<UsersContext, 'reads'>,
  sent: readonly Probe[],
  sender: ProbeSender,
): Candidate[] {
  const refused = sent.filter((probe) => !sender.exchangesOf(probe).some(isAccepted));
  const refusals = refused.map((probe) => ({ probe, of: sender }));
  const readings = reads.flatMap((of) => of.probes.map((probe) => ({ probe, of })));
  const single = [...refusals, ...readings].map(({ probe, of }) => ({
    id: probe.id,
    kind: kindOf(of.exchangesOf(probe)),
    send: () => of.sendProbe(probe).then(() => of.exchangesOf(probe).at(-1)),
  }));
  const snapshots = reads.flatMap(({ operation, exchangesOf, takeSnapshots }) => {
    const { probe } = operation.snapshot ?? {};
    return probe ? [{ id: probe.id, kind: kindOf(exchangesOf(probe)), send: () => takeSnapshots(1) }] : [];
  });
  return [...single, ...snapshots];
}

/**
 * Sends all refusals concurrently, and what only reads; if they changed a user, finds out which of those that were refused or
 * only read did.
 *
 * @returns whether requests were sent again for that
 */
async function runBatch(
  context: UsersContext,
  reader: StateReader,
  refusals: readonly Probe[],
  sender: ProbeSender,
  index: number,
): Promise<boolean> {
  const { reads, running, sessions } = context;
  context.onStage(`${refusals.length} requests that must change nothing`);
  // What may be fatal sends no value that the users might get, so whatever they show will do.
  const settled = refusals.every(({ phase = 'refuse' }) => phase === 'refuse');
  const takeSnapshots = (): Promise<unknown> => Promise.all(reads.map((read) => read.takeSnapshots(1)));
  if (settled) await reader.settleAll(index, []);
  else if (hidesMember(context)) await writeAhead(sessions[0]);
  const sendAll = (): Promise<unknown> =>
    Promise.all([
      sender.sendAll(refusals),
      ...reads.map((read) => read.sendOthers()),
      // Concurrently: one after the other would make the run longer.
      ...[takeSnapshots(), takeSnapshots()],
    ]).then(() => sender.sendContendedAlone(refusals));
  const changes = await reader.watched(index, sendAll, settled, takeSnapshots);
  if (changes.length === 0) return false;
  context.onStage('finding out which request changed a user that it must not change');
  const changesOf = async (some: readonly Candidate[]): Promise<readonly Change[]> => {
    if (some.length === 0 || !running()) return [];
    for (const session of sessions) await writeAhead(session);
    const sent = refusals.filter(({ id }) => some.some((each) => each.id === id));
    const sendAgain = (): Promise<unknown> =>
      Promise.all(some.map(({ send }) => send())).then(() => sender.sendContendedAlone(sent));
    return reader.watched(index, sendAgain);
  };
  await findCulprits(candidatesOf(context, refusals, sender), changesOf);
  return true;
}

/** Finds out which updates change what the reads show, if that changed. */
async function findSideEffectsOn(
  context: UsersContext,
  refusals: readonly Probe[],
  sender: ProbeSender,
): Promise<boolean> {
  const { reads, running, sessions, clock } = context;
  const [user] = sessions.filter((session) => !session.blocked);
  const update = user && {
    id: 'update',
    kind: 'update',
    send: () => writeAhead(user, 'An update that must change the user alone'),
  };
  const refused = candidatesOf({ reads: [] }, refusals, sender);
  let isFound = false;
  for (const read of reads) isFound = (await findSideEffects(read, update, refused, running)) || isFound;
  if (isFound) tickAll(clock);
  return isFound;
}

async function exploreIf(
  { explore: wanted, running, onStage, sessions }: UsersContext,
  isPossible: boolean,
): Promise<Exploration | undefined> {
  if (!wanted || !running() || !isPossible) return undefined;
  onStage('exploring random sequences of updates');
  const readable = sessions.filter((session) => !session.blocked);
  return explore(wanted.explorer, readable, wanted.options, running);
}

/**
 * The traffic on users: first the updates, one scenario after the other; then all refusals concurrently between two readings
 * of the state, so that there is something they might revert; last what a target may refuse, what may
 * break a user, and what it may not survive.
 */
export async function runUsersTraffic(context: UsersContext, operation: Operation): ReturnType<RunTraffic> {
  const { probes, clock, sessions, reads, running, onStage, enter, log } = context;
  const [user] = sessions;
  const inPhase = (wanted: Phase): readonly Probe[] => probes.filter(({ phase = 'refuse' }) => phase === wanted);
  const [accepted, refusals] = [inPhase('control'), inPhase('refuse')];
  const [damaging, fatal] = [inPhase('damaging'), inPhase('fatal')];
  const sender = makeProbeSender(context);
  const reader = makeStateReader(context);
  const passes = (): number => Math.max(1, user?.stateProbes.length ?? 0);
  const sendAll = makeScenarioSender(context, operation, reader, passes);

  onStage('reading the users');
  const firstSnapshots = Promise.all(reads.map((read) => read.takeSnapshots(1)));
  await Promise.all([...sessions.map((session) => session.look()), firstSnapshots]);
  const readings: Exchange[] = [];
  // A user whose first reading failed is read alone before it is written.
  for (const session of sessions) readings.push(await session.look());
  context.mayChange(readings);
  const page = readings.find((each) => isPage(each));
  // One after the other: who changed a user is plain while nothing else is sent.
  for (const session of page ? [] : sessions) await session.open();
  const refusal = page ? blockedBy(page) : user?.blocked;
  if (refusal?.exchange && mayBeOperatorsMistake(refusal.exchange)) {
    await Promise.all(probes.filter(({ due }) => due?.exists !== undefined).map((each) => sender.sendProbe(each)));
    return { blocked: refusal };
  }

  for (const [index, exchange] of readings.entries()) {
    const history = sessions[index]?.history() ?? [];
    const unshown = operation.effect?.writes?.members.find((member) => lastShown(history, member).kind !== 'shown');
    if (unshown === undefined) continue;
    const detail = `the target does not show \`${unshown}\`, so what ${operation.id} would write of it could not be restored`;
    return { blocked: { reason: 'not-observable', detail, exchange } };
  }

  const sendBatches = async (some: readonly Probe[], within = context): Promise<void> => {
    const isAny = some.length > 0 || within.reads.length > 0;
    for (let index = 0; index < passes() && isAny && running(); index += 1)
      if (await runBatch(within, reader, some, sender, index)) log.more.add('refusals-again');
  };
  enter('update');
  await sendAll('update');
  enter('control');
  if (accepted.length > 0) {
    tickAll(clock);
    await Promise.all([...accepted.map((each) => sender.sendProbe(each)), ...refusals.map(sender.sendAhead)]);
    await sender.sendContendedAlone(accepted);
  }
  enter('refuse');
  await sendBatches(refusals);
  if (await findSideEffectsOn(context, refusals, sender)) log.more.add('side-effects');
  enter('unusual');
  await sendAll('unusual');
  enter('explore');
  const exploration = await exploreIf(context, operation.updates !== undefined && !user?.blocked);
  // Together, for they come last one way or the other; what a target survives goes out first.
  const sendFatal = (): Promise<void> => {
    enter('damaging');
    return sendBatches([...damaging, ...fatal], { ...context, reads: [] });
  };
  return { blocked: user?.blocked, exploration, sendFatal };
}
