/** Judges a target by checks, in their order: what blocks a check, how it is run in spite of that, and what came of it. */
import { present } from '../../common/text.ts';
import { readOperations, requirements } from '../../contract/document.ts';
import type { Broken, Problem } from '../facts/fault.ts';
import { type CheckOutcome, Inconclusive, outcomeOf, Stopped } from '../facts/outcome.ts';
import type { Outcome } from '../facts/result.ts';
import { judgeRow, judgeRowOnceMore, type RowResult } from './alone.ts';
import { Attempt } from './attempt.ts';
import { type Check, rowsOf, type Schedule, scheduleOf } from './check.ts';
import type { Ledger } from './ledger.ts';
import type { Session } from './session.ts';
import { runTogether, type ScheduledRow } from './together.ts';
import type { Workaround } from './workarounds.ts';

/** What came of a check. */
export interface JudgedCheck {
  readonly check: Check;
  readonly outcome: CheckOutcome;
  /** How long it took; ms. Undefined if it did not run. */
  readonly durationMs?: number | undefined;
}

/** What came of a requirement. */
interface JudgedRequirement {
  readonly id: string;
  readonly outcome: Outcome;
  /** What broke it once, and not again. */
  readonly once?: Problem | undefined;
}

/** What a run found. */
export interface Judgement {
  /** In their order. */
  readonly checks: readonly JudgedCheck[];
  readonly broken: readonly Broken[];
  /** In the order of the contract. */
  readonly requirements: readonly JudgedRequirement[];
}

/** How a check is to be run. */
interface Plan {
  /** Why it is not run at all. */
  readonly obstacle?: CheckOutcome | undefined;
  /** The broken requirement that blocks it, whose fault it lives with: it can only fail. */
  readonly blockedBy?: string | undefined;
  readonly around: ReadonlySet<Workaround>;
}

const PLAINLY: ReadonlySet<Workaround> = new Set();

/** How a run goes on. */
export type JudgeEvent =
  /** The run does something else from here on; of checks, the text is their area. */
  | { readonly type: 'stage'; readonly text: string }
  /** So many of the checks have an outcome. */
  | { readonly type: 'progress'; readonly done: number; readonly of: number; readonly failed: number };

/** Judges a target by checks, in their order. */
export class Judge {
  readonly checks: readonly Check[];
  readonly #session: Session;
  readonly #preparation: readonly Check[];
  readonly #outcomes = new Map<string, CheckOutcome>();
  /** How long each check took, by its id; ms. */
  readonly #durations = new Map<string, number>();

  /**
   * @param checks those that were selected
   * @param preparation those that run before all others; they count only if they were selected, too
   */
  constructor(session: Session, checks: readonly Check[], preparation: readonly Check[] = []) {
    this.#session = session;
    this.checks = checks;
    this.#preparation = preparation;
  }

  /** What was found so far. */
  get ledger(): Ledger {
    return this.#session.ledger;
  }

  get #progress(): JudgeEvent {
    const outcomes = [...this.#outcomes.values()];
    const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
    return { type: 'progress', done: outcomes.length, of: this.checks.length, failed };
  }

  /**
   * Runs the checks.
   *
   * @throws Stopped if nothing more may be sent
   */
  async run(onEvent: (event: JudgeEvent) => void = () => undefined): Promise<void> {
    await this.#prepare();
    const open = this.checks.filter(({ id }) => !this.#outcomes.has(id));
    for (const [schedule, checks] of stretchesOf(open)) {
      onEvent({ type: 'stage', text: checks[0]?.area ?? '' });
      const started = performance.now();
      const rows: ScheduledRow[] = [];
      for (const check of checks) rows.push(...this.#rowsOf(check, await this.#planFor(check)));
      await runTogether(this.#session, schedule, rows);
      const share = (performance.now() - started) / checks.length;
      for (const check of checks) {
        const own = rows.filter((row) => row.check === check);
        this.#outcomes.set(check.id, await this.#timed(check, own, share));
        onEvent(this.#progress);
      }
    }
  }

  /** Runs what comes before the selected checks: what it finds may block them, and counts only if it is selected itself. */
  async #prepare(): Promise<void> {
    if (this.#preparation.length === 0) return;
    for (const check of this.#preparation) {
      const outcome = await this.#timed(check, []);
      if (this.checks.includes(check)) this.#outcomes.set(check.id, outcome);
      // Without an update that is accepted, the others show nothing.
      if (outcome.reason === 'no-user') break;
    }
    const counted = new Set(this.#outcomes.keys());
    this.ledger.holdBack(counted);
    if (counted.size === 0) this.#session.audit.forget();
  }

  #rowsOf(check: Check, { obstacle, around }: Plan): ScheduledRow[] {
    if (obstacle) return [];
    const rows = rowsOf(check, new Attempt(this.#session, check, { around }));
    return rows.map((row) => ({ check, row, around, hasPassed: false, requests: [] }));
  }

  /** How a check is run, with what is broken so far. */
  async #planFor(check: Check): Promise<Plan> {
    const { inputs, requires = [] } = check;
    const missing = inputs.filter((each) => !this.#session.target.inputs[each]);
    if (missing.length > 0) return notRun({ outcome: 'inconclusive', reason: 'missing-input', missing });
    const broken = requires.filter((each) => this.ledger.isBroken(each));
    return broken.length > 0 ? this.#planAround(check, broken) : this.#plainPlan(check);
  }

  /** How a check is run that broken requirements block. */
  async #planAround({ inputs, notAround = [] }: Check, broken: readonly string[]): Promise<Plan> {
    const [blockedBy = ''] = broken;
    const problems = broken.map((each): [string, readonly Problem[]] => [each, this.ledger.problemsOf(each)]);
    const around = await this.#session.workarounds.around(new Map(problems), inputs.includes('otherUserId'));
    if (!around || notAround.some((each) => around.has(each))) return notRun(blocked(blockedBy));
    return { around, blockedBy };
  }

  #plainPlan(check: Check): Plan {
    const isFirst = check === (this.#preparation[0] ?? this.checks[0]);
    if (check.standalone || this.#session.users.areUpdatable || isFirst) return { around: PLAINLY };
    const detail = 'no update of the user was accepted';
    // In a selection, an operation that reads can be judged before there are updates.
    const isReading = this.#preparation.length > 0 && readOperations.includes(check.operation);
    if (isReading) return notRun({ outcome: 'not-applicable', detail });
    return notRun({ outcome: 'inconclusive', reason: 'no-user', detail });
  }

  /** Does the same as `#outcomeOf`, and notes how long the check took in all. */
  async #timed(check: Check, scheduled: readonly ScheduledRow[], share = 0): Promise<CheckOutcome> {
    const started = performance.now();
    const outcome = await this.#outcomeOf(check, scheduled);
    this.#durations.set(check.id, share + performance.now() - started);
    return outcome;
  }

  /** Runs the rows of a check that did not pass together with others, each alone. */
  async #outcomeOf(check: Check, scheduled: readonly ScheduledRow[]): Promise<CheckOutcome> {
    try {
      // What an earlier check of the same stretch found may block it now.
      const plan = await this.#planFor(check);
      if (plan.obstacle) return plan.obstacle;
      const isAsPlanned = scheduled.every(({ around }) => isSameSet(around, plan.around)) && scheduled.length > 0;
      const outcome = await this.#decide(isAsPlanned ? scheduled : this.#rowsOf(check, plan));
      const { blockedBy, around } = plan;
      const told = blockedBy === undefined || outcome.outcome === 'failed' ? outcome : blocked(blockedBy);
      return around.size > 0 ? { ...told, around: [...around] } : told;
    } catch (error) {
      // Without a journal, nothing may be sent.
      const isOfJournal = (error as NodeJS.ErrnoException).syscall !== undefined;
      if (error instanceof Stopped || isOfJournal) throw error;
      return outcomeOf(error);
    }
  }

  /** Runs each row alone that did not pass, so that a finding can list all that failed. */
  async #decide(rows: readonly ScheduledRow[]): Promise<CheckOutcome> {
    let hasFailed = false;
    let unclear: CheckOutcome | undefined;
    for (const row of rows.filter(({ hasPassed }) => !hasPassed)) {
      const result = await this.#judge(row, hasFailed);
      this.ledger.break(result.problems);
      hasFailed ||= result.problems.length > 0;
      const why = this.#whyUnclear(row, result);
      unclear ??= why;
    }
    return hasFailed ? { outcome: 'failed' } : (unclear ?? { outcome: 'passed' });
  }

  /** Once a row has failed, another one that failed beside others needs to fail only once more. */
  #judge(row: ScheduledRow, hasFailed: boolean): Promise<RowResult> {
    return hasFailed && row.symptom ? judgeRowOnceMore(this.#session, row) : judgeRow(this.#session, row);
  }

  #whyUnclear({ symptom }: ScheduledRow, { problems, unclear, unsteady }: RowResult): CheckOutcome | undefined {
    if (problems.length > 0) return undefined;
    // What the check explains when it runs alone, such as an unknown restricted key, is not intermittent.
    const isExplained = unclear instanceof Inconclusive && unclear.reason === 'not-shown';
    const symptoms = present([...unsteady, !isExplained && symptom]);
    this.ledger.unsteady.push(...symptoms);
    const [once] = symptoms;
    if (unclear) return outcomeOf(unclear);
    return once && { outcome: 'inconclusive', reason: 'unsteady', once };
  }

  /**
   * What was found. Checks that did not run are inconclusive.
   *
   * @param stopped why the run ended before its end
   */
  conclude(stopped = new Stopped('the run ended before it')): Judgement {
    const { reason, message: detail } = stopped;
    // If there is no API at the address, nothing that was seen there counts.
    const isNothing = reason === 'no-user';
    if (!isNothing) this.ledger.concludeUnsteady();
    const checks = this.checks.map((check): JudgedCheck => {
      const outcome = isNothing ? undefined : this.#outcomes.get(check.id);
      const durationMs = this.#durations.get(check.id);
      return { check, outcome: outcome ?? { outcome: 'inconclusive', reason, detail }, durationMs };
    });
    return {
      checks,
      broken: isNothing ? [] : this.ledger.broken,
      requirements: requirements.map(({ id }): JudgedRequirement => {
        if (isNothing) return { id, outcome: 'inconclusive' };
        const own = checks.filter(({ check }) => check.requirement === id);
        const outcome = this.ledger.outcomeOf(id, own.map(shownBy));
        return { id, outcome, once: outcome === 'inconclusive' ? this.ledger.seenOnce(id) : undefined };
      }),
    };
  }
}

/** What a check shows of its requirement. Around a fault, one that finds another requirement broken shows nothing. */
function shownBy({ outcome: { outcome, around } }: JudgedCheck): Outcome {
  return outcome === 'failed' && around !== undefined ? 'inconclusive' : outcome;
}

const notRun = (obstacle: CheckOutcome): Plan => ({ obstacle, around: PLAINLY });

const blocked = (blockedBy: string): CheckOutcome => ({ outcome: 'inconclusive', reason: 'blocked', blockedBy });

const isSameSet = (one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));

/** The checks in their order: those in a row whose rows may be sent together. */
function stretchesOf(checks: readonly Check[]): readonly (readonly [Schedule, readonly Check[]])[] {
  const stretches: [Schedule, Check[]][] = [];
  for (const each of checks) {
    const last = stretches.at(-1);
    const schedule = scheduleOf(each);
    if (schedule !== 'alone' && last?.[0] === schedule) last[1].push(each);
    else stretches.push([schedule, [each]]);
  }
  return stretches;
}
