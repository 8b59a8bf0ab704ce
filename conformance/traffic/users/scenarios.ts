import { type Due, UNSPECIFIED } from '../../http/due.ts';
import { type Exchange, isAccepted, sentBody } from '../../http/exchange.ts';
import {
  type Combination,
  type Scenario,
  type ScenarioStep,
  type StepInputs,
  combinedTraffic,
} from '../../model/recording/items.ts';
import { missingInputs, subjectWords, type Writable } from '../../resources/inputs.ts';
import { isSendable } from '../../resources/requests.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { lastShown, shownUser, stored } from '../../resources/user/state.ts';
import { NAMED_USERS, UNTOUCHED_MEMBERS, isUpdatable } from '../../resources/user/members.ts';
import { isFlawless } from './combinations.ts';
import type { Operation } from '../operation.ts';
import { sparingOthers } from '../probes.ts';
import type { StateReader } from './state-reader.ts';
import { EMPTY_BODY_PROBE, type UserSession, type Round, type UsersContext } from './session.ts';
import { compareRoles } from '../../resources/roles.ts';

/** The purpose of a step of a scenario, in words. */
export function stepPurpose({ purpose, subject, members }: ScenarioStep): string {
  return purpose ?? `An update of ${subjectWords(subject)} with ${members.join(' and ') || 'an empty object'}`;
}

type Sequence = Pick<Scenario, 'id' | 'steps' | 'phase' | 'concurrent'>;

/** What a step is due whose body is made of fresh values. */
function dueOf({ concurrent, phase }: Sequence, subject: Writable, round: number): Due | undefined {
  if (concurrent) return concurrent.due(subject, round);
  return phase === 'unusual' ? UNSPECIFIED : undefined;
}

/** What is stored of a user, as far as that is known; its role in the form that the operator named. */
function storedOf({ history }: UserSession, { inputs: { roleIds } }: UsersContext['requests']): StepInputs['stored'] {
  const [name, email] = (['name', 'email'] as const).map((member) => {
    const value = stored(history(), member);
    return isSendable(value) ? value : undefined;
  });
  const role = stored(history(), 'rootRole');
  const rootRole = roleIds?.find((each) => compareRoles(each, role) === 'same');
  return { name, email, ...(rootRole === undefined ? {} : { rootRole }) };
}

/** The members that no update touches, as a user showed them last; without long texts. */
function shownMembers({ history }: UserSession): Readonly<Record<string, unknown>> {
  const shown = UNTOUCHED_MEMBERS.flatMap((member) => {
    const state = lastShown(history(), member);
    const isLong = state.kind === 'shown' && typeof state.value === 'string' && !isSendable(state.value);
    return state.kind === 'shown' && !isLong ? [[member, state.value] as const] : [];
  });
  return Object.fromEntries(shown);
}

/** Sends one step of a scenario, if its user was named. */
function takeStep(
  { sessions, requests }: UsersContext,
  scenario: Sequence,
  step: ScenarioStep,
  sent: readonly Exchange[],
  before: ReadonlyMap<UserSession, ReturnType<typeof shownMembers>>,
  round: number,
): Promise<Exchange>[] {
  const { subject, members, extra, body, headers, query, credential, meant, due, needs = [] } = step;
  const session = sessions.find((each) => each.subject === subject);
  const purpose = stepPurpose(step);
  const item = scenario.id;
  // A user that could not be read is not written either: nothing could restore it.
  if (!session || session.blocked?.exchange?.transportError || missingInputs(requests.inputs, needs).length > 0)
    return [];
  const ofAll = dueOf(scenario, subject, round);
  if (body) {
    const other = sessions.find((each) => each.subject !== subject);
    const given: StepInputs = {
      ...{ fresh: requests.fresh, round, first: sent[0], previous: sent.at(-1) },
      ...{ before: before.get(session) ?? {}, now: shownMembers(session), stored: storedOf(session, requests) },
      storedOfOther: other ? storedOf(other, requests) : {},
    };
    const text = body(given);
    if (text === undefined) return [];
    const meantBody = meant ?? 'unspecified';
    const options = {
      due: due?.(text) ?? ofAll,
      item,
      headers,
      query: query?.(given),
      credential: credential?.(requests),
      meantBody,
    } as const;
    return [session.put(text, purpose, options)];
  }
  const meantBody = scenario.phase === 'unusual' ? 'unspecified' : 'valid';
  const own = due?.('') ?? ofAll;
  const options = { meantBody, item, due: own, extra: extra?.(requests.inputs) } as const;
  return [session.update(members.filter(isUpdatable), purpose, options)];
}

async function runRound(
  context: UsersContext,
  { settleAll, readAll }: StateReader,
  scenario: Sequence,
  index: number,
  number: number,
): Promise<Round> {
  const { steps, concurrent } = scenario;
  const addressed = steps.map(({ subject }) => subject);
  const subjects = scenario.phase === 'unusual' ? addressed : NAMED_USERS;
  await settleAll(index, addressed, subjects);
  const before = new Map(context.sessions.map((session) => [session, shownMembers(session)]));
  const updates: Exchange[] = [];
  if (concurrent) {
    updates.push(
      ...(await Promise.all(steps.flatMap((step) => takeStep(context, scenario, step, [], before, number)))),
    );
  } else {
    for (const step of steps)
      updates.push(...(await Promise.all(takeStep(context, scenario, step, updates, before, number))));
  }
  return { updates, after: await readAll(index, subjects) };
}

interface Work extends Sequence, Pick<Scenario, 'anyUser'> {
  readonly send: (subject?: Writable) => Promise<unknown>;
}

/** Sends sequences of updates, and tells whether all that they showed is as it must be. */
function makeSending(context: UsersContext, reader: StateReader, passes: () => number) {
  const { errors } = context.log;
  let flawless = true;
  const history = (subject: Writable): readonly Exchange[] =>
    context.sessions.find((session) => session.subject === subject)?.history() ?? [];
  /**
   * Sends one, and gives its rounds: one for each way to read the users, or as many as it says; as many again of concurrent
   * updates of which one went wrong, since what happens by chance shows its cause where less was beside it.
   */
  const send = async (sequence: Sequence, ways: number, subject?: Writable): Promise<readonly Round[]> => {
    const rounds: Round[] = [];
    await sparingOthers(errors, sequence.id, async () => {
      context.onStage(`update: ${sequence.id}`);
      const planned = ways * (sequence.concurrent?.rounds(context.requests.inputs) ?? 1);
      for (let times = planned; rounds.length < times && context.running();) {
        const round = rounds.length;
        rounds.push(await runRound(context, reader, addressedTo(sequence, subject), round % ways, round));
        if (sequence.concurrent && !areAllStored(rounds)) times = 2 * planned;
      }
    });
    flawless &&= rounds.every((round) => isFlawless(round, history));
    return rounds;
  };
  const sendOne = (scenario: Scenario, subject?: Writable): Promise<readonly Round[]> =>
    send(scenario, passes(), subject);
  /** Also sends the scenarios in whose place it is sent, unless all is as it must be. */
  const sendCombined = async (combination: Combination, subject?: Writable): Promise<void> => {
    const [round] = await send(combination, 1, subject);
    if (round && isFlawless(round, history)) return;
    // What went wrong must not be right before the first of them.
    await reader.settleAll(0, [], [subject ?? 'user']);
    for (const scenario of combination.insteadOf) await sendOne(scenario, subject);
  };
  return { history, sendOne, sendCombined, isFlawlessSoFar: () => flawless };
}

/**
 * Makes what sends the scenarios of an operation.
 *
 * @param passes how many ways there are to read the first user
 */
export function makeScenarioSender(
  context: UsersContext,
  { combinations = [] }: Operation,
  reader: StateReader,
  passes: () => number,
) {
  const { sessions } = context;
  const { history, isFlawlessSoFar, sendOne, sendCombined } = makeSending(context, reader, passes);
  const readsEmptyBody = (session: UserSession | undefined): boolean =>
    session?.blocked === undefined && session?.stateProbes[0] === EMPTY_BODY_PROBE;

  /** Whether opening the user did what a scenario does. */
  const isOpening = ({ steps: [step, ...more] }: Scenario): boolean => {
    const round = sessions[0]?.opening;
    const [update] = round?.updates ?? [];
    return !!round && !!update && !!step && more.length === 0 && isPlain(step, update) && isFlawless(round, history);
  };
  /** Sends those of one phase. */
  const sendAll = async (phase: 'update' | 'unusual'): Promise<void> => {
    const planned = context.scenarios.filter((each) => (each.phase ?? 'update') === phase && !isOpening(each));
    const { combined, single } = combinedTraffic(readsEmptyBody(sessions[0]) ? combinations : [], planned);
    // Two users are written concurrently only where nothing before speaks against it.
    const flawless = isFlawlessSoFar();
    const concurrent: Round[] = [];
    for (const each of single.filter((some) => some.concurrent)) concurrent.push(...(await sendOne(each)));
    const apart = flawless && areAllStored(concurrent);
    const other = apart && readsEmptyBody(sessions[0]) ? sessions.slice(1).find(readsEmptyBody) : undefined;
    const work = (movable: boolean): Work[] =>
      [
        ...single.map((each): Work => ({ ...each, send: (subject) => sendOne(each, subject) })),
        ...combined.map((each): Work => ({ ...each, send: (subject) => sendCombined(each, subject) })),
      ].filter(({ anyUser = false, concurrent: sent }) => !sent && anyUser === movable);
    // The longest first, so that the users are done at about the same time.
    const queue = work(true).toSorted((left, right) => right.steps.length - left.steps.length);
    const drain = async (subject?: Writable): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await next.send(subject);
    };
    const ofUser = async (): Promise<void> => {
      for (const each of work(false)) await each.send();
      await drain();
    };
    await Promise.all([ofUser(), ...(other ? [drain(other.subject)] : [])]);
  };
  return sendAll;
}

/** Whether an update is what a step sends, with fresh values and no more. */
function isPlain({ subject, members, extra, body }: ScenarioStep, { request }: Exchange): boolean {
  const sent = Object.keys(sentBody(request) ?? {});
  const same = sent.length === members.length && members.every((member) => sent.includes(member));
  return same && request.subject === subject && !extra && !body;
}

function addressedTo<T extends Sequence>(sequence: T, subject: Writable | undefined): T {
  return subject ? { ...sequence, steps: sequence.steps.map((step) => ({ ...step, subject })) } : sequence;
}

/** Whether all concurrent updates were accepted, and the readings show what was sent for their user. */
function areAllStored(rounds: readonly Round[]): boolean {
  const showsSent = (reading: Exchange, updates: Round['updates']): boolean => {
    const own = updates.filter(({ request }) => request.subject === reading.request.subject);
    const user = shownUser(reading);
    const sent = own.flatMap(({ request }) => Object.entries(sentBody(request) ?? {}));
    const isShown = ([member]: [string, unknown]): boolean =>
      (member === 'rootRole' && user?.[member] === undefined) ||
      sent.some(([other, value]) => other === member && compareMember(member, value, user?.[member]) !== 'different');
    return user !== undefined && sent.every(isShown);
  };
  const isStored = ({ updates, after }: Round): boolean => {
    const valid = updates.filter(({ request }) => request.due.class !== 'refuse');
    return valid.every(isAccepted) && after.every((reading) => showsSent(reading, valid));
  };
  return rounds.length > 0 && rounds.every(isStored);
}
