import type * as FastCheck from 'fast-check';
import { type Exchange, inWords, isAccepted, sentBody } from '../../http/exchange.ts';
import type { Exploration, ExplorationFinding } from '../../model/recording/recording.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { shownUser } from '../../resources/user/state.ts';
import { UPDATABLE, type Updatable } from '../../resources/user/members.ts';
import type { ExploreOptions } from '../explore-options.ts';
import type { UserSession } from './session.ts';
import { subjectWords, type Writable } from '../../resources/inputs.ts';
import type { Explorer } from '../explorer.ts';

/** One step of a sequence: an update of some members, or a reading. */
interface Step {
  readonly user: number;
  /** Empty: a reading. */
  readonly members: readonly Updatable[];
  /** Added to the fresh part of a name, so that names differ in length. */
  readonly suffix: string;
}

/** The target broke the rule. */
class Counterexample extends Error {
  readonly finding: Omit<ExplorationFinding, 'exchanges'>;

  constructor(finding: Omit<ExplorationFinding, 'exchanges'>) {
    super(finding.message);
    this.finding = finding;
  }
}

/** A sequence could not go on; that proves nothing. */
class Aborted extends Error {}

const LONGEST_SEQUENCE = 12;
const MOST_WITNESSES = 2;

/** One sequence: what it sent, and what the users must have now. Its methods throw Counterexample or Aborted. */
class Sequence {
  /** Everything sent, in this order. */
  readonly exchanges: Exchange[] = [];
  readonly witnesses: Exchange[] = [];
  readonly #sessions: readonly UserSession[];
  /** The values that were sent last. */
  readonly #model = new Map<Writable, Partial<Record<Updatable, unknown>>>();
  #lastAddressed: Writable | undefined;

  constructor(sessions: readonly UserSession[]) {
    this.#sessions = sessions;
  }

  /** Gives all users known values; every sequence begins with this. */
  async resetUsers(): Promise<void> {
    for (const session of this.#sessions) {
      const exchange = await this.#send(session, session.updatable, '');
      if (!isAccepted(exchange)) throw new Aborted(`${exchange.request.purpose} was not accepted`);
    }
  }

  async take({ user, members, suffix }: Step): Promise<void> {
    const session = this.#sessions[user % this.#sessions.length];
    if (!session) return;
    if (members.length === 0) return this.#look(session);
    const exchange = await this.#send(session, members, suffix);
    this.#lastAddressed = session.subject;
    if (exchange.transportError) throw new Aborted(`${exchange.request.purpose} got no response`);
    const actual = exchange.response?.status;
    if (actual !== 200) {
      const message = `${exchange.request.purpose} got ${actual ?? ''}, expected 200.`;
      throw new Counterexample({ mode: 'refused', message, expected: 200, actual });
    }
    this.#judge(exchange, session.subject);
  }

  async lookAtAll(): Promise<void> {
    for (const session of this.#sessions) await this.#look(session);
  }

  async #send(session: UserSession, members: readonly Updatable[], suffix: string): Promise<Exchange> {
    const valueFor = (member: Updatable): unknown => {
      const value = session.valueFor(member);
      return member === 'name' ? `${String(value)}${suffix}` : value;
    };
    const body = Object.fromEntries(members.map((member) => [member, valueFor(member)]));
    const purpose = `An update of ${subjectWords(session.subject)} with ${members.join(' and ')}`;
    const exchange = await session.put(JSON.stringify(body), purpose);
    this.exchanges.push(exchange);
    this.#model.set(session.subject, { ...this.#model.get(session.subject), ...body });
    return exchange;
  }

  async #look(session: UserSession): Promise<void> {
    const [probe] = session.stateProbes;
    if (!probe) return;
    const exchange = await session.read(probe);
    this.exchanges.push(exchange);
    this.#judge(exchange, session.subject);
  }

  /** Each member that a response shows must have the value that was sent last. */
  #judge(exchange: Exchange, subject: Writable): void {
    const shown = shownUser(exchange) ?? {};
    const sent = sentBody(exchange.request) ?? {};
    let decisive = false;
    for (const member of UPDATABLE) {
      const expected = this.#model.get(subject)?.[member];
      if (expected === undefined || !Object.hasOwn(shown, member)) continue;
      const actual = shown[member];
      const wasSent = Object.hasOwn(sent, member);
      const compared = compareMember(member, expected, actual);
      decisive ||= compared === 'same' && !wasSent;
      if (compared !== 'different') continue;
      const mode = wasSent ? 'not-stored' : this.#lastAddressed === subject ? 'not-kept' : 'other-user-changed';
      const message = `${member} of ${subjectWords(subject)} is ${inWords(actual)}; ${inWords(expected)} was sent last.`;
      throw new Counterexample({ mode, message, member, expected, actual });
    }
    if (decisive) this.witnesses.push(exchange);
  }
}

/**
 * Tries random sequences of updates on the named users against the rule "an update changes what it sends and keeps the rest",
 * and shortens the first sequence that breaks it.
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
  let requests = 0;
  const witnesses: Exchange[] = [];
  let finding: ExplorationFinding | undefined;

  const toCommand = (step: Step): FastCheck.AsyncCommand<object, Sequence> => ({
    check: () => true,
    run: async (_model, sequence) => {
      if (running()) await sequence.take(step);
    },
    toString: () => `${step.user} ${step.members.join('+')}`,
  });
  const step = fc.record({
    user: fc.nat({ max: sessions.length - 1 }),
    members: fc.subarray([...(sessions[0]?.updatable ?? [])]),
    suffix: fc.stringMatching(/^( [a-z0-9-]{1,12}){0,4}$/),
  });
  const property = fc.asyncProperty(
    fc.commands([step.map(toCommand)], { maxCommands: LONGEST_SEQUENCE, size: 'max' }),
    async (commands) => {
      if (!running()) return;
      const sequence = new Sequence(sessions);
      try {
        await sequence.resetUsers();
        await fc.asyncModelRun(() => ({ model: {}, real: sequence }), commands);
        await sequence.lookAtAll();
      } catch (error) {
        if (error instanceof Counterexample) finding = { ...error.finding, exchanges: sequence.exchanges };
        throw error;
      } finally {
        requests += sequence.exchanges.length;
        witnesses.push(...sequence.witnesses.slice(0, MOST_WITNESSES - witnesses.length));
      }
    },
  );
  const { numRuns, failed, errorInstance } = await fc.check(property, { seed, numRuns: sequences });
  const found = { seed, sequences: numRuns, requests, witnesses };
  if (finding) return { ...found, finding };
  return failed ? { ...found, obstacle: errorInstance instanceof Error ? errorInstance.message : '' } : found;
}
