import type * as FastCheck from 'fast-check';
import { UPDATABLE, type Updatable } from '../judging/check.ts';
import { isAccepted, sentBody, type Exchange } from '../http/exchange.ts';
import type { UserSession } from './user-session.ts';
import { compareMember, shownUser, type NamedUser } from '../target/user-state.ts';

/** How many random sequences of updates are tried, and which. */
export interface ExploreOptions {
  /** How many random sequences of updates are tried. */
  readonly sequences: number;
  /** The same seed gives the same sequences; by default a random one. */
  readonly seed?: number;
}

/** What an exploration found. */
export interface Exploration {
  readonly seed: number;
  /** How many sequences were tried before it ended, without those that only shorten a finding. */
  readonly sequences: number;
  readonly requests: number;
  /** Some answers that showed a value which an earlier update had sent. */
  readonly witnesses: readonly Exchange[];
  /** The shortest sequence that was found to go wrong, from the first update that sets the stage; undefined if none does. */
  readonly finding?: Finding;
  /** Why nothing could be tried. */
  readonly obstacle?: string;
}

/** What the target did wrong at the end of a sequence. */
export interface Finding {
  readonly mode: 'refused' | 'not-kept' | 'not-stored' | 'other-user-changed';
  readonly message: string;
  readonly member?: Updatable;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly exchanges: readonly Exchange[];
}

/** The library for random sequences; it is loaded only where something is explored. */
export type Explorer = typeof FastCheck;

/** Random sequences need the optional dependency `fast-check`, and it is not installed. */
export class ExplorerMissing extends Error {}

/** @throws ExplorerMissing */
export async function loadExplorer(): Promise<Explorer> {
  try {
    return await import('fast-check');
  } catch {
    throw new ExplorerMissing('Random sequences need the package fast-check; install it beside this one.');
  }
}

/** What the users must have: the values that were sent last. */
type Model = Map<NamedUser, Partial<Record<Updatable, unknown>>>;

/** One step of a sequence: an update of some members, or a reading. */
interface Step {
  readonly user: number;
  /** Empty: a reading. */
  readonly members: readonly Updatable[];
  /** Stands behind the fresh part of a name, so that names differ in length. */
  readonly behind: string;
}

class Wrong extends Error {
  readonly finding: Omit<Finding, 'exchanges'>;

  constructor(finding: Omit<Finding, 'exchanges'>) {
    super(finding.message);
    this.finding = finding;
  }
}

class Obstacle extends Error {}

const WORDS: Readonly<Record<NamedUser, string>> = { user: 'the user', 'other-user': 'the other user' };
const LONGEST_SEQUENCE = 12;
const MOST_WITNESSES = 2;

/** Compares an answer with the model: what is shown must be what was sent last. Decisive if something shown was not sent with it. */
function compareWithModel(
  exchange: Exchange,
  subject: NamedUser,
  model: Model,
  addressed: readonly NamedUser[],
): { readonly decisive: boolean } {
  const shown = shownUser(exchange) ?? {};
  const sent = sentBody(exchange.request) ?? {};
  let decisive = false;
  for (const member of UPDATABLE) {
    const expected = model.get(subject)?.[member];
    if (expected === undefined || !Object.hasOwn(shown, member)) continue;
    const actual = shown[member];
    const compared = compareMember(member, expected, actual);
    decisive ||= compared === 'same' && !Object.hasOwn(sent, member);
    if (compared !== 'different') continue;
    const last = addressed.at(-1);
    const mode = Object.hasOwn(sent, member) ? 'not-stored' : last === subject ? 'not-kept' : 'other-user-changed';
    const message = `${member} of ${WORDS[subject]} is ${JSON.stringify(actual)}; ${JSON.stringify(expected)} was sent last.`;
    throw new Wrong({ mode, message, member, expected, actual });
  }
  return { decisive };
}

/**
 * Tries random sequences of updates on the named users against the rule "what is sent changes, all else stays", and shortens
 * the first one that breaks it.
 *
 * @param sessions the users that can be read, opened
 * @param running whether to go on
 */
export async function explore(
  fc: Explorer,
  sessions: readonly UserSession[],
  { sequences, seed = Math.floor(Math.random() * 2 ** 31) }: ExploreOptions,
  running: () => boolean,
): Promise<Exploration> {
  const members: readonly Updatable[] = sessions.some(({ roles }) => roles) ? UPDATABLE : ['name', 'email'];
  const valueFor = (session: UserSession, member: Updatable, behind: string): unknown => {
    const value = session.valueFor(member);
    return member === 'name' ? `${String(value)}${behind}` : value;
  };
  let requests = 0;
  let recorded: Exchange[] = [];
  let last: Finding | undefined;
  const witnesses: Exchange[] = [];
  const judge = (exchange: Exchange, subject: NamedUser, model: Model, addressed: readonly NamedUser[]): void => {
    if (compareWithModel(exchange, subject, model, addressed).decisive && witnesses.length < MOST_WITNESSES)
      witnesses.push(exchange);
  };

  const send = async (session: UserSession, sent: readonly Updatable[], behind: string, model: Model) => {
    const body = Object.fromEntries(sent.map((member) => [member, valueFor(session, member, behind)]));
    const purpose = `An update of ${WORDS[session.subject]} with ${sent.join(' and ')}`;
    const exchange = await session.tryBody(JSON.stringify(body), purpose);
    requests += 1;
    recorded.push(exchange);
    model.set(session.subject, { ...model.get(session.subject), ...body });
    return exchange;
  };

  /** Every sequence begins with values that are known. */
  const setStage = async (): Promise<Model> => {
    const model: Model = new Map();
    for (const session of sessions) {
      const exchange = await send(session, members, '', model);
      if (!isAccepted(exchange)) throw new Obstacle(`${exchange.request.purpose} was not accepted`);
    }
    return model;
  };

  const look = async (session: UserSession, model: Model, addressed: readonly NamedUser[]): Promise<void> => {
    const [window] = session.windows();
    if (!window) return;
    const { exchange } = await session.read(window);
    requests += 1;
    recorded.push(exchange);
    judge(exchange, session.subject, model, addressed);
  };

  const take = async (step: Step, model: Model, addressed: NamedUser[]): Promise<void> => {
    const session = sessions[step.user % sessions.length];
    if (!session || !running()) return;
    if (step.members.length === 0) {
      await look(session, model, addressed);
      return;
    }
    const exchange = await send(session, step.members, step.behind, model);
    addressed.push(session.subject);
    if (exchange.transportError) throw new Obstacle(`${exchange.request.purpose} got no answer`);
    const actual = exchange.response?.status;
    if (actual !== 200) {
      const message = `${exchange.request.purpose} was answered ${actual ?? ''}, expected 200.`;
      throw new Wrong({ mode: 'refused', message, expected: 200, actual });
    }
    judge(exchange, session.subject, model, addressed);
  };

  interface Real {
    readonly addressed: NamedUser[];
  }

  const toCommand = (step: Step): FastCheck.AsyncCommand<{ readonly model: Model }, Real> => ({
    check: () => true,
    run: ({ model }, { addressed }) => take(step, model, addressed),
    toString: () => `${step.user} ${step.members.join('+')}`,
  });

  const step = fc.record({
    user: fc.nat({ max: sessions.length - 1 }),
    members: fc.subarray([...members]),
    behind: fc.stringMatching(/^( [a-z0-9-]{1,12}){0,4}$/),
  });
  const property = fc.asyncProperty(
    fc.commands([step.map(toCommand)], { maxCommands: LONGEST_SEQUENCE, size: 'max' }),
    async (commands) => {
      if (!running()) return;
      recorded = [];
      const model = await setStage();
      const addressed: NamedUser[] = [];
      try {
        await fc.asyncModelRun(() => ({ model: { model }, real: { addressed } }), commands);
        for (const session of sessions) await look(session, model, addressed);
      } catch (error) {
        if (error instanceof Wrong) last = { ...error.finding, exchanges: [...recorded] };
        throw error;
      }
    },
  );
  const details = await fc.check(property, { seed, numRuns: sequences });
  const found = { seed, sequences: details.numRuns, requests, witnesses };
  if (last) return { ...found, finding: last };
  const { errorInstance } = details;
  return details.failed ? { ...found, obstacle: errorInstance instanceof Error ? errorInstance.message : '' } : found;
}
