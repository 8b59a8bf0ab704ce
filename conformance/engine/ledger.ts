import { groupedBy } from '../../common/text.ts';
import { requirements } from '../../contract/document.ts';
import type { Outcome } from '../facts/result.ts';
import { type Broken, isDisturbed, type Problem } from '../facts/outcome.ts';
import type { Target } from '../users/target.ts';
import { PLAIN } from './claims.ts';

const isServerError = ({ exchanges }: Problem): boolean => (exchanges.at(-1)?.response.status ?? 0) >= 500;

/** What a run has found so far. */
export class Ledger {
  readonly #broken = new Map<string, Problem[]>();
  /** What showed once and not again. */
  readonly unsteady: Problem[] = [];
  /** The requirements of the faults that showed only once in the run. */
  readonly #doubtful = new Set<string>();
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Notes problems that were found again. */
  break(problems: readonly Problem[]): void {
    for (const each of problems)
      this.#broken.set(each.requirement, [...(this.#broken.get(each.requirement) ?? []), each]);
  }

  /** Whether a requirement is broken: by a check, or by two responses. */
  isBroken(requirement: string): boolean {
    return this.#broken.has(requirement) || this.#violations(requirement).length > 1;
  }

  #violations(requirement: string): readonly Problem[] {
    return this.#target.audit.violations.get(requirement) ?? [];
  }

  /** What shows here once and there once comes now and then: a finding of the requirement of its aspect. */
  concludeUnsteady(): void {
    const { failedPlain, log } = this.#target;
    // A broken requirement about concurrency explains what is seen only under concurrent requests.
    const isCollision = requirements.some(({ id }) => id.startsWith('update.concurrent-') && this.isBroken(id));
    // A disturbance is not a symptom.
    const all = [...this.unsteady, ...failedPlain].filter((each) => !isDisturbed(each));
    const refusal = all.find(({ aspect }) => aspect === 'status')?.requirement;
    // What was special about the requests did not matter.
    const plainOf = (problem: Problem): string => {
      const { aspect, requirement } = problem;
      if (isServerError(problem)) return PLAIN.accepted;
      if (aspect === 'status') return refusal ?? requirement;
      return aspect === 'other' ? requirement : PLAIN[aspect];
    };
    for (const [requirement, problems] of groupedBy(all, plainOf)) {
      if (isCollision && problems.every(({ isTogether }) => isTogether)) continue;
      if (problems.length < 2) this.#doubtful.add(requirement);
      if (problems.length < 2 || this.isBroken(requirement)) continue;
      const seen = { times: problems.length, of: log.length, what: 'requests' };
      const exchanges = problems.flatMap((each) => each.exchanges.slice(-1)).slice(0, 3);
      const [{ title: first, actual } = { title: '', actual: '' }] = problems;
      const what = problems.every(isServerError) ? `a request got ${actual}; sent again, it did not` : first;
      const title = `Now and then (${seen.times} of ${seen.of} requests): ${what}`;
      this.break(problems.map((each) => ({ ...each, requirement, title, seen, exchanges, fix: undefined })));
    }
  }

  /** The broken requirements, in the order of the contract, each with its plainest evidence first. */
  get broken(): Broken[] {
    const broken = requirements.filter(({ id }) => this.isBroken(id));
    return broken.map(({ id: requirement }) => {
      return { requirement, problems: [...(this.#broken.get(requirement) ?? []), ...this.#violations(requirement)] };
    });
  }

  /** Whether a fault that breaks a requirement showed once, and not again. */
  isSeenOnce(requirement: string): boolean {
    return this.#doubtful.has(requirement) || this.#violations(requirement).length === 1;
  }

  /** The outcome of a requirement: the worst of its checks and of what else was seen of it. */
  outcomeOf(requirement: string, own: readonly Outcome[]): Outcome {
    if (own.includes('error')) return 'error';
    if (this.isBroken(requirement)) return 'failed';
    if (own.includes('inconclusive') || this.isSeenOnce(requirement)) return 'inconclusive';
    if (own.includes('passed') || this.#target.audit.looked.has(requirement)) return 'passed';
    // A member that no response showed.
    return own.includes('not-applicable') || /^(user|banner)\./.test(requirement) ? 'not-applicable' : 'inconclusive';
  }
}
