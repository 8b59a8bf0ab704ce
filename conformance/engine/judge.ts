import { requirements } from '../../contract/document.ts';
import { variableOf } from '../inputs.ts';
import type { Outcome } from '../result/result.ts';
import { type Attempt, judgeRow } from './alone.ts';
import { type Check, rowsOf, type Way, wayOf } from './check.ts';
import { Ledger } from './ledger.ts';
import { On } from './on.ts';
import { type Broken, type CheckOutcome, Inconclusive, NotApplicable, Stopped } from './outcome.ts';
import type { Target } from './target.ts';
import { keyOf, runTogether, type Together } from './together.ts';

/** What a run found. */
export interface Judgement {
  /** In the order of the checks. */
  readonly checks: readonly CheckOutcome[];
  readonly broken: readonly Broken[];
  readonly requirements: ReadonlyMap<string, Outcome>;
}

/** Checks in a row whose rows may be sent together. */
interface Stretch {
  readonly way: Way;
  readonly checks: Check[];
}

/** Judges a target by checks, in their order. */
export class Judge {
  readonly ledger: Ledger;
  readonly #target: Target;
  readonly checks: readonly Check[];

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
    for (const { way, checks } of stretchesOf(this.checks)) {
      onStage(checks[0]?.area ?? '');
      this.#target.stopIfHanging();
      const together = await runTogether(
        this.#target,
        way,
        checks.filter((each) => !this.#obstacle(each)),
      );
      for (const each of checks) this.ledger.outcomes.push(await this.#decide(each, together));
    }
  }

  /** Why a check is not run; undefined if it is. */
  #obstacle({ id, needs, after = [], standalone }: Check): CheckOutcome | undefined {
    const missing = needs.filter((each) => !this.#target.inputs[each]);
    if (missing.length > 0) {
      const names = missing.map(variableOf);
      const detail = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not set`;
      return { id, outcome: 'inconclusive', reason: 'missing-input', detail };
    }
    const blockedBy = after.find((each) => this.ledger.isBroken(each));
    if (blockedBy !== undefined)
      return { id, outcome: 'inconclusive', reason: 'blocked', detail: `${blockedBy} is broken`, blockedBy };
    if (standalone || this.#target.isUsable || id === this.checks[0]?.id) return undefined;
    return { id, outcome: 'inconclusive', reason: 'no-user', detail: 'no update of the user was accepted' };
  }

  async #decide(check: Check, { passed, symptoms }: Together): Promise<CheckOutcome> {
    const { id } = check;
    const obstacle = this.#obstacle(check);
    if (obstacle) return obstacle;
    this.#target.stopIfHanging();
    let unclear: Attempt['unclear'];
    try {
      for (const [index, row] of rowsOf(check, new On(this.#target, check)).entries()) {
        const key = keyOf(check, index);
        if (passed.has(key)) continue;
        const attempt = await judgeRow(this.#target, check, row, this.ledger);
        if (attempt.problems.length > 0) {
          this.ledger.break(attempt.problems);
          return { id, outcome: 'failed' };
        }
        const symptom = symptoms.get(key);
        // What the check explains when it runs alone, such as an unknown restricted key, is not intermittent.
        const isExplained = attempt.unclear instanceof Inconclusive && attempt.unclear.reason === 'not-shown';
        if (!isExplained) this.ledger.noteSymptom(symptom);
        unclear ??=
          attempt.unclear ?? (symptom && new Inconclusive('unsteady', `Once, and not again: ${symptom.title}`));
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      return { id, outcome: 'error', detail: error instanceof Error ? error.message : String(error) };
    }
    if (!unclear) return { id, outcome: 'passed' };
    if (unclear instanceof NotApplicable) return { id, outcome: 'not-applicable', detail: unclear.message };
    return { id, outcome: 'inconclusive', reason: unclear.reason, detail: unclear.message };
  }

  /**
   * What was found. Checks that did not run are inconclusive.
   *
   * @param stopped why the run ended before its end
   */
  conclude(stopped?: Stopped): Judgement {
    if (stopped?.reason === 'no-user') return this.#nothingJudged(stopped);
    this.ledger.concludeUnsteady();
    const done = new Map(this.ledger.outcomes.map((each) => [each.id, each]));
    const checks = this.checks.map(
      ({ id }): CheckOutcome =>
        done.get(id) ?? {
          id,
          outcome: 'inconclusive',
          reason: stopped?.reason ?? 'stopped',
          detail: stopped?.message ?? 'the run ended before it',
        },
    );
    const outcomes = new Map(checks.map(({ id, outcome }) => [id, outcome]));
    const outcomeOf = (requirement: string): Outcome => {
      const own = this.checks.filter((each) => each.requirement === requirement);
      return this.ledger.outcomeOf(
        requirement,
        own.flatMap(({ id }) => outcomes.get(id) ?? []),
      );
    };
    return {
      checks,
      broken: this.ledger.broken,
      requirements: new Map(requirements.map(({ id }) => [id, outcomeOf(id)])),
    };
  }

  /** If there is no API at the address, nothing that was seen there counts. */
  #nothingJudged({ reason, message: detail }: Stopped): Judgement {
    const checks = this.checks.map(({ id }): CheckOutcome => ({ id, outcome: 'inconclusive', reason, detail }));
    return { checks, broken: [], requirements: new Map(requirements.map(({ id }) => [id, 'inconclusive'])) };
  }
}

function stretchesOf(checks: readonly Check[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const each of checks) {
    const last = stretches.at(-1);
    const way = wayOf(each);
    if (way !== 'alone' && last?.way === way) last.checks.push(each);
    else stretches.push({ way, checks: [each] });
  }
  return stretches;
}
