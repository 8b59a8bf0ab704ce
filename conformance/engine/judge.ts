import { requirements } from '../../contract/document.ts';
import { inputShape, variableOf } from '../inputs.ts';
import type { CheckResult, RequirementResult } from '../facts/result.ts';
import { type RowResult, judgeRow } from './alone.ts';
import { type Check, rowsOf, type Schedule, scheduleOf } from './check.ts';
import { Ledger } from './ledger.ts';
import { Attempt } from './attempt.ts';
import { type Broken, type CheckOutcome, Inconclusive, outcomeOf, Stopped } from '../facts/outcome.ts';
import type { Target } from '../users/target.ts';
import { type ScheduledRow, runTogether } from './together.ts';

/** What a run found. */
export interface Judgement {
  /** In their order. */
  readonly checks: CheckResult[];
  readonly broken: readonly Broken[];
  /** In the order of the contract. */
  readonly requirements: RequirementResult[];
}

/** Judges a target by checks, in their order. */
export class Judge {
  readonly ledger: Ledger;
  readonly checks: readonly Check[];
  readonly #target: Target;
  readonly #outcomes = new Map<string, CheckOutcome>();

  /** @param checks those that were selected */
  constructor(target: Target, checks: readonly Check[]) {
    this.#target = target;
    this.checks = checks;
    this.ledger = new Ledger(target);
  }

  /**
   * Runs the checks.
   *
   * @param onStage is told the area of the checks that follow
   * @throws Stopped if nothing more may be sent
   */
  async run(onStage: (area: string) => void): Promise<void> {
    for (const [way, checks] of stretchesOf(this.checks)) {
      onStage(checks[0]?.area ?? '');
      const entries = checks.filter((each) => !this.#obstacle(each)).flatMap((each) => this.#entriesOf(each));
      await runTogether(this.#target, way, entries);
      for (const each of checks) {
        const own = entries.filter(({ check }) => check === each);
        this.#outcomes.set(each.id, this.#obstacle(each) ?? (await this.#decide(each, own)));
      }
    }
  }

  #entriesOf(check: Check): ScheduledRow[] {
    return rowsOf(check, new Attempt(this.#target, check)).map((row) => ({
      check,
      row,
      hasPassed: false,
      requests: [],
    }));
  }

  /** Why a check is not run; undefined if it is. */
  #obstacle({ id, inputs: needs, requires: after = [], standalone }: Check): CheckOutcome | undefined {
    const missing = needs.filter((each) => !this.#target.inputs[each]);
    if (missing.length > 0) {
      const named = missing.map((each) => `${variableOf(each)} (${inputShape[each].description?.split(';')[0] ?? ''})`);
      const detail = `${named.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
      return { outcome: 'inconclusive', reason: 'missing-input', detail };
    }
    const blockedBy = after.find((each) => this.ledger.isBroken(each));
    if (blockedBy !== undefined)
      return { outcome: 'inconclusive', reason: 'blocked', detail: `\`${blockedBy}\` is broken`, blockedBy };
    if (standalone || this.#target.isUsable || id === this.checks[0]?.id) return undefined;
    return { outcome: 'inconclusive', reason: 'no-user', detail: 'no update of the user was accepted' };
  }

  /** Runs the rows of a check that did not pass together with others, each alone. */
  async #decide(check: Check, entries: readonly ScheduledRow[]): Promise<CheckOutcome> {
    let unclear: RowResult['unclear'];
    try {
      for (const { row, symptom } of entries.filter(({ hasPassed }) => !hasPassed)) {
        const attempt = await judgeRow(this.#target, check, row);
        this.ledger.break(attempt.problems);
        if (attempt.problems.length > 0) return { outcome: 'failed' };
        // What the check explains when it runs alone, such as an unknown restricted key, is not intermittent.
        const isExplained = attempt.unclear instanceof Inconclusive && attempt.unclear.reason === 'not-shown';
        const unsteady = [...attempt.unsteady, ...(symptom && !isExplained ? [symptom] : [])];
        this.ledger.unsteady.push(...unsteady);
        const [once] = unsteady;
        unclear ??= attempt.unclear ?? (once && new Inconclusive('unsteady', `Once, and not again: ${once.title}`));
      }
    } catch (error) {
      // Without a journal, nothing may be sent.
      const isOfJournal = (error as NodeJS.ErrnoException).syscall !== undefined;
      if (error instanceof Stopped || isOfJournal) throw error;
      return outcomeOf(error);
    }
    return unclear ? outcomeOf(unclear) : { outcome: 'passed' };
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
    const checks = this.checks.map(({ id, area, level, title, requirement }): CheckResult => {
      const found = isNothing ? undefined : this.#outcomes.get(id);
      const { outcome, ...more } = found ?? ({ outcome: 'inconclusive', reason, detail } as const);
      return { id, area, level, title, requirement, outcome, knownFailure: false, ...more };
    });
    return {
      checks,
      broken: isNothing ? [] : this.ledger.broken,
      requirements: requirements.map(({ id, level, text }): RequirementResult => {
        const own = checks.filter(({ requirement }) => requirement === id);
        const outcomes = own.map(({ outcome }) => outcome);
        const outcome = isNothing ? 'inconclusive' : this.ledger.outcomeOf(id, outcomes);
        const isOnce = outcome === 'inconclusive' && !isNothing && this.ledger.isSeenOnce(id);
        return { id, level, text, outcome, ...(isOnce && { seenOnce: true }), checks: own.map((each) => each.id) };
      }),
    };
  }
}

/** The checks in their order: those in a row whose rows may be sent together. */
function stretchesOf(checks: readonly Check[]): readonly (readonly [Schedule, readonly Check[]])[] {
  const stretches: [Schedule, Check[]][] = [];
  for (const each of checks) {
    const last = stretches.at(-1);
    const way = scheduleOf(each);
    if (way !== 'alone' && last?.[0] === way) last[1].push(each);
    else stretches.push([way, [each]]);
  }
  return stretches;
}
