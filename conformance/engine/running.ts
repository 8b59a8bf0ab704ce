import type { Exchange, Request, Response } from '../http/exchange.ts';
import type { Fresh } from './fresh.ts';
import type { Fault, Problem } from './outcome.ts';
import { kept, type RunInputs, type State, type Target } from './target.ts';

/** What identifies a check while it runs. */
export interface Named {
  readonly id: string;
  readonly requirement: string;
  readonly fix?: string;
  /** What is special about its requests, if their body does not tell. */
  readonly how?: string;
}

/** How a check runs at the same time as others: in the lane of a user, or in a group that reads the users once. */
export interface Beside {
  readonly lane?: string;
}

/** What a check may say of a problem, in place of the usual. */
export type Blame = Partial<Pick<Problem, 'requirement' | 'aspect' | 'seen'>>;

/** Exchanges that a problem shows. */
export const MOST_SHOWN = 3;

/** One run of one row of a check: what it sends, and what it finds. */
export class Running {
  readonly problems: Problem[] = [];
  readonly exchanges: Exchange[] = [];
  readonly target: Target;
  readonly check: Named;
  readonly #beside: Beside | undefined;

  constructor(target: Target, check: Named, beside?: Beside) {
    this.target = target;
    this.check = check;
    this.#beside = beside;
  }

  get inputs(): RunInputs {
    return this.target.inputs;
  }

  get fresh(): Fresh {
    return this.target.fresh;
  }

  get requirement(): string {
    return this.check.requirement;
  }

  /** Whether other requests are under way. */
  get isTogether(): boolean {
    return this.#beside !== undefined;
  }

  /** The users as they are now: in a lane its own alone, in a group none. */
  async state(): Promise<State> {
    if (!this.#beside) return this.target.state();
    return this.#beside.lane === undefined ? new Map() : this.target.state(this.#beside.lane);
  }

  /** Sends a request, and retries it if it is disturbed. */
  async send(request: Request): Promise<Response> {
    const exchange = await this.target.send(request, this.isTogether);
    this.exchanges.push(exchange);
    return exchange.response;
  }

  /** Sends a request that must be refused, or that a check is not about: the body of its 200 is no second fault. */
  attempt(request: Request): Promise<Response> {
    return this.send({ ...request, openBodies: [200, ...(request.openBodies ?? [])] });
  }

  /** Reports a fault, by default of the requirement of the check. */
  fail(fault: Fault, { requirement = this.requirement, aspect = 'other', ...more }: Blame = {}): void {
    const {
      check: { id: check, fix },
      isTogether,
    } = this;
    const own = requirement === this.requirement ? fix : undefined;
    const exchanges = this.exchanges.slice(-MOST_SHOWN).map(kept);
    this.problems.push({ fix: own, ...fault, ...more, check, requirement, aspect, isTogether, exchanges });
  }
}
