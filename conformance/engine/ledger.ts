import { groupedBy } from '../../common/text.ts';
import { requirements } from '../../contract/document.ts';
import type { Outcome } from '../result/result.ts';
import type { Violation } from './audit.ts';
import { levelOf } from './check.ts';
import type { Broken, CheckOutcome, Down, Problem } from './outcome.ts';
import { isDisturbance, type Target } from './target.ts';
import { statusInWords } from './words.ts';

/** The requirement of a fault that showed once and not again: what was special about its request did not matter. */
const PLAIN_OF: Readonly<Partial<Record<Problem['aspect'], string>>> = {
  accepted: 'update.success-is-200',
  stored: 'update.sent-fields-change',
  shown: 'update.answer-shows-user',
  kept: 'update.unsent-fields-keep',
};

const DOWN = { check: '', requirement: 'update.success-is-200', aspect: 'accepted' } as const;
const isServerError = ({ exchanges }: Problem): boolean => (exchanges.at(-1)?.response.status ?? 0) >= 500;

/** The requirements about concurrent requests. */
const CONCURRENT = ['update.concurrent-fields', 'update.concurrent-users', 'update.concurrent-refusals'];

/** What a run has found so far. */
export class Ledger {
  readonly outcomes: CheckOutcome[] = [];
  readonly #broken = new Map<string, Problem[]>();
  /** What showed once and not again. */
  readonly #unsteady: Problem[] = [];
  /** The requirements of what showed once in the whole run. */
  readonly #doubtful = new Set<string>();
  /** Wrong statuses that were seen only under concurrent requests. */
  readonly #symptoms: Problem[] = [];
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Notes that every update fails from some time on. */
  noteDown({ message, exchange }: Down): void {
    const actual = statusInWords(exchange.response);
    const [title = ''] = message.split(';');
    const problem: Problem = { title, expected: '200', actual, ...DOWN, exchanges: [exchange] };
    this.break([problem]);
  }

  /** Notes problems that were found again. */
  break(problems: readonly Problem[]): void {
    for (const each of problems)
      this.#broken.set(each.requirement, [...(this.#broken.get(each.requirement) ?? []), each]);
  }

  /** Notes a wrong status that was seen under concurrent requests, and not when the request was sent alone. */
  noteSymptom(problem: Problem | undefined): void {
    if (problem) this.#symptoms.push(problem);
  }

  /** Notes a problem that showed once and not again. */
  noteUnsteady(problem: Problem | undefined): void {
    if (problem) this.#unsteady.push(problem);
  }

  /** Whether a requirement is broken: by a check, or by two responses. */
  isBroken(requirement: string): boolean {
    return this.#broken.has(requirement) || this.#violations(requirement).length > 1;
  }

  /** Whether no requirement is broken so far. */
  get isClean(): boolean {
    return requirements.every(({ id }) => !this.isBroken(id));
  }

  #violations(requirement: string): readonly Violation[] {
    return this.#target.audit.violations.get(requirement) ?? [];
  }

  /** What shows here once and there once comes now and then: a finding of the requirement of its aspect. */
  concludeUnsteady(): void {
    const { failedPlain, log } = this.#target;
    const plain = failedPlain.map((exchange): Problem => {
      const actual = statusInWords(exchange.response);
      const title = `A plain update got ${actual}`;
      const fault = { title, expected: '200', actual };
      return { ...fault, check: 'first-updates', requirement: '', aspect: 'accepted', exchanges: [exchange] };
    });
    // A disturbance is not a symptom.
    const isOwn = ({ exchanges }: Problem): boolean => !exchanges.some(({ response }) => isDisturbance(response));
    // A broken requirement about concurrency explains what is seen only under concurrent requests.
    const symptoms = [
      ...(this.isBroken('update.concurrent-users') ? [] : plain),
      ...(CONCURRENT.some((each) => this.isBroken(each)) ? [] : this.#symptoms),
    ];
    const own = [...this.#unsteady, ...symptoms].filter(isOwn);
    const refusal = own.find(({ aspect }) => aspect === 'status')?.requirement;
    const plainOf = (problem: Problem): string => {
      const { aspect, requirement } = problem;
      if (isServerError(problem)) return 'update.success-is-200';
      return PLAIN_OF[aspect] ?? (aspect === 'status' ? refusal : undefined) ?? requirement;
    };
    const found = groupedBy(own, plainOf);
    for (const [requirement, problems] of found) {
      if (problems.length < 2) this.#doubtful.add(requirement);
      if (problems.length < 2 || this.isBroken(requirement)) continue;
      const seen = { times: problems.length, of: log.length, what: 'requests' };
      const exchanges = problems.flatMap((each) => each.exchanges.slice(-1)).slice(0, 3);
      const [{ title: first, actual } = { title: '', actual: '' }] = problems;
      // What was special about the request did not matter.
      const what = problems.every(isServerError) ? `a request got ${actual}; sent again, it did not` : first;
      const title = `Now and then (${seen.times} of ${seen.of} requests): ${what}`;
      this.break(problems.map((each) => ({ ...each, requirement, title, seen, exchanges, fix: undefined })));
    }
  }

  /** The broken requirements, in the order of the contract, each with its plainest evidence first. */
  get broken(): Broken[] {
    return requirements.flatMap(({ id }): Broken[] => {
      const problems = this.#broken.get(id) ?? [];
      const violations = problems.length > 0 || this.isBroken(id) ? this.#violations(id) : [];
      const ofResponses = violations.map(({ exchange, ...fault }): Problem => {
        return { ...fault, check: '', aspect: 'other', exchanges: [exchange] };
      });
      const all = [...problems, ...ofResponses];
      return all.length === 0 ? [] : [{ requirement: id, problems: all }];
    });
  }

  /** What came of a requirement: the worst of its checks, and of what was seen of it elsewhere. */
  outcomeOf(requirement: string, own: readonly Outcome[]): Outcome {
    if (own.includes('error')) return 'error';
    if (this.isBroken(requirement)) return 'failed';
    if (own.includes('inconclusive') || this.#doubtful.has(requirement) || this.#violations(requirement).length === 1)
      return 'inconclusive';
    const { audit, observed } = this.#target;
    if (own.includes('passed') || audit.looked.has(requirement) || observed.has(requirement)) return 'passed';
    // A member that no response showed.
    return own.includes('not-applicable') || /^(user|banner)\./.test(requirement) ? 'not-applicable' : 'inconclusive';
  }
}

/** Whether a requirement is at least as strict as another one. */
export function isAsGrave(one: { readonly requirement: string }, other: { readonly requirement: string }): boolean {
  return levelOf(one.requirement) === 'must' || levelOf(other.requirement) === 'should';
}
