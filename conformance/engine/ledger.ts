/** What a run has found so far, by requirement. */
import { groupedBy } from '../../common/text.ts';
import { requirementOf, requirements } from '../../contract/document.ts';
import type { Audit } from '../audit/audit.ts';
import type { Target } from '../http/target.ts';
import type { Users } from '../users/users.ts';
import { type Broken, isDisturbed, type Problem } from '../facts/fault.ts';
import type { Outcome } from '../facts/result.ts';
import { PLAIN } from './claims.ts';

/** Where faults show, besides in checks. */
interface Observed {
  readonly target: Target;
  readonly users: Users;
  readonly audit: Audit;
}

/** Requirements whose breach shows in other ways, too, while several updates are under way. */
const SEEN_TOGETHER = [
  'update.addressed-user-only',
  'update.concurrent-fields',
  'update.concurrent-users',
  'update.concurrent-refusals',
];

/** What a run has found so far. */
export class Ledger {
  #broken = new Map<string, Problem[]>();
  /** What was found in preparation: it may block checks, and does not count. */
  #heldBack: ReadonlyMap<string, readonly Problem[]> = new Map();
  /** What showed once and not again. */
  readonly unsteady: Problem[] = [];
  /** The requirements of the faults that showed only once in the run. */
  readonly #doubtful = new Map<string, Problem>();
  readonly #session: Observed;

  constructor(session: Observed) {
    this.#session = session;
  }

  get #audit(): Audit {
    return this.#session.audit;
  }

  /** Notes problems that were found again. */
  break(problems: readonly Problem[]): void {
    for (const each of problems)
      this.#broken.set(each.requirement, [...(this.#broken.get(each.requirement) ?? []), each]);
  }

  /**
   * Tells members as shown late that were taken for not stored: restoring the users saw that they show after a while.
   *
   * @param members each behind the id of its user
   */
  tellAsLate(members: ReadonlySet<string>): void {
    for (const [requirement, problems] of this.#broken)
      this.#broken.set(
        requirement,
        problems.map((each) => asLate(each, members)),
      );
  }

  /** Holds back what was found so far by other checks than these: it may still block checks, and does not count. */
  holdBack(counted: ReadonlySet<string>): void {
    const isCounted = ({ check = '' }: Problem): boolean => counted.has(check);
    const found = [...this.#broken.values()].flat();
    this.#heldBack = new Map(groupedBy(found, ({ requirement }) => requirement));
    this.#broken = new Map();
    this.break(found.filter(isCounted));
    this.unsteady.splice(0, Infinity, ...this.unsteady.filter(isCounted));
  }

  /** Whether a requirement is broken: by a check, or by two responses. */
  isBroken(requirement: string): boolean {
    return this.#isFound(requirement) || this.#heldBack.has(requirement);
  }

  #isFound(requirement: string): boolean {
    return this.#broken.has(requirement) || this.#violations(requirement).length > 1;
  }

  /** What breaks a requirement: first what checks found, the plainest first, then responses. */
  problemsOf(requirement: string): readonly Problem[] {
    const ofChecks = this.#broken.get(requirement) ?? this.#heldBack.get(requirement) ?? [];
    return [...ofChecks, ...this.#violations(requirement)];
  }

  #violations(requirement: string): readonly Problem[] {
    return this.#audit.violations.get(requirement) ?? [];
  }

  /** What shows here once and there once comes now and then: a finding of the requirement of its aspect. */
  concludeUnsteady(): void {
    const { users, target } = this.#session;
    const isCollision = SEEN_TOGETHER.some((id) => this.isBroken(id));
    // A disturbance is not a symptom.
    const all = [...this.unsteady, ...users.failedPlain].filter(
      (each) => !isDisturbed(each) && !this.#isExplained(each),
    );
    const refusal = all.find(({ aspect }) => aspect === 'status')?.requirement;
    for (const [requirement, problems] of groupedBy(all, (each) => plainRequirementOf(each, refusal))) {
      const areTogether = problems.every(({ isTogether }) => isTogether);
      if (isCollision && areTogether) continue;
      // Where the run no longer sends several requests at once, nobody can tell a collision from chance.
      const isDoubtful = problems.length < 2 || (areTogether && !target.takesSeveral);
      if (isDoubtful && problems[0]) this.#doubtful.set(requirement, problems[0]);
      if (isDoubtful || this.isBroken(requirement)) continue;
      const seen = { times: problems.length, of: target.log.length, what: 'requests' } as const;
      const exchanges = problems.flatMap((each) => each.exchanges.slice(0, 1)).slice(0, 3);
      this.break(problems.map((each) => ({ ...each, requirement, seen, exchanges, fix: undefined })));
    }
  }

  /** Whether it is known that a member changes without being sent, which may be seen at any request. */
  #isExplained({ fault }: Problem): boolean {
    const known = this.#broken.get(PLAIN.others) ?? [];
    return (
      fault.kind === 'member' &&
      known.some((each) => each.fault.kind === 'member' && each.fault.member === fault.member)
    );
  }

  /** The broken requirements, in the order of the contract, each with its plainest evidence first. */
  get broken(): Broken[] {
    const broken = requirements.filter(({ id }) => this.#isFound(id));
    return broken.map(({ id: requirement }) => ({ requirement, problems: this.problemsOf(requirement) }));
  }

  /** The fault that breaks a requirement and showed once, and not again. */
  seenOnce(requirement: string): Problem | undefined {
    const violations = this.#violations(requirement);
    return this.#doubtful.get(requirement) ?? (violations.length === 1 ? violations[0] : undefined);
  }

  /** The outcome of a requirement: the worst of its checks and of what else was seen of it. */
  outcomeOf(requirement: string, own: readonly Outcome[]): Outcome {
    if (own.includes('error')) return 'error';
    if (this.#isFound(requirement)) return 'failed';
    const isDoubtful = this.seenOnce(requirement) !== undefined || this.#audit.doubtful.has(requirement);
    if (own.includes('inconclusive') || isDoubtful) return 'inconclusive';
    if (own.includes('passed') || this.#audit.looked.has(requirement)) return 'passed';
    return own.includes('not-applicable') || isOfMember(requirement) ? 'not-applicable' : 'inconclusive';
  }
}

/** A problem of one of the members, told as a value that shows late. */
function asLate(problem: Problem, members: ReadonlySet<string>): Problem {
  const { fault } = problem;
  if (fault.kind !== 'member' || fault.change !== 'not-stored' || !members.has(`${fault.user} ${fault.member}`))
    return problem;
  return { ...problem, fault: { ...fault, change: 'shown-late', due: fault.came, came: fault.due } };
}

/** Whether a requirement is about a member of a schema, which no response has to show. */
function isOfMember(requirement: string): boolean {
  const { pointer } = requirementOf(requirement);
  return (
    pointer.startsWith('/components/schemas/createUserResponseSchema') ||
    pointer.startsWith('/components/schemas/bannerSchema')
  );
}

/** The requirement of the aspect in which something went wrong: what was special about the request did not matter. */
function plainRequirementOf({ aspect, requirement, exchanges: [cause] }: Problem, refusal: string | undefined): string {
  if (cause && cause.response.status >= 500) return PLAIN.accepted;
  if (aspect === 'status') return refusal ?? requirement;
  return aspect === 'other' ? requirement : PLAIN[aspect];
}
