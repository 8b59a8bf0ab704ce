/** One run of one row of a check, without the users that it addresses: sends requests, and reports what is wrong. */
import type { OperationId } from '../../contract/document.ts';
import { readOperations } from '../../contract/document.ts';
import { present } from '../../common/text.ts';
import { type Exchange, type Request, type Response, sentIn } from '../facts/exchange.ts';
import {
  type Fault,
  type MemberChange,
  type MemberFault,
  type Problem,
  statusFault,
  type ToldRequest,
} from '../facts/fault.ts';
import { type Sending, withCutBody } from '../http/target.ts';
import type { RunInputs } from '../inputs.ts';
import { COMPARED_MEMBERS, differences, idIn, isEmpty, type User, type Visibility } from '../users/differences.ts';
import type { Fresh } from '../users/fresh.ts';
import type { State, Users } from '../users/users.ts';
import type { Session } from './session.ts';
import type { Workaround } from './workarounds.ts';

/** What identifies a check while it runs. */
interface Named {
  readonly id: string;
  readonly requirement: string;
  readonly about?: string | undefined;
  readonly fix?: string;
  readonly how?: string;
}

/** How a row is run. */
export interface Circumstances {
  /** How it lives with what is broken. */
  readonly around: ReadonlySet<Workaround>;
  /** Whether it is one of a group of requests that are under way at once: the users are read before and after all of them. */
  readonly isInGroup?: boolean;
  /** The id of the only user that it may send to, while a row of the other user is under way. */
  readonly lane?: string;
}

/** What a check may say of a problem, in place of the usual. */
export interface Blame extends Partial<Pick<Problem, 'requirement' | 'aspect' | 'seen' | 'absent'>> {
  /** The responses that show it: first the one to the request that is to blame. By default, the last one. */
  readonly of?: readonly Response[];
  /** An earlier exchange whose request is to blame. */
  readonly cause?: Exchange | undefined;
  /** The id of the user whose last reading shows it, too. */
  readonly readingOf?: string | undefined;
  /** The responses to requests that must be sent before it. */
  readonly before?: readonly Response[];
  /** Earlier updates of the run that must be sent before it. */
  readonly earlier?: readonly Exchange[];
}

/** The same for a wrong status, with what is special about the request. */
export type StatusBlame = Blame & Omit<ToldRequest, 'request'>;

/** The exchange of each response: an attempt may report what an earlier one saw. */
const exchangeOf = new WeakMap<Response, Exchange>();

/** How many exchanges a problem shows. */
const MOST_SHOWN = 3;

/** What a user is compared with. */
export interface Comparison {
  readonly expected: User;
  /** The user as a response shows it; nothing is compared if none does. */
  readonly shown: User | undefined;
  readonly members: readonly string[];
  /** What the absence of a member means; default: that it is lost, if the target would show it. */
  readonly visibility?: Visibility;
}

/** Changes for which somebody is blamed, unless the value is one that the user should have had before. */
const SEEN_LATE: readonly MemberChange[] = [
  'changed',
  'changed-by-refused',
  'changed-with-other-user',
  'changed-by-reading',
];
/** The same where the target shows old values beside new ones. */
const SEEN_TWOFOLD: readonly MemberChange[] = [
  'not-stored',
  'only-shown',
  'reverted',
  'undone',
  'rolled-back',
  'mixed-up',
];
/** The statuses by which a server says that a request does not fit to what it has: that depends on earlier updates. */
const CONFLICTS: readonly number[] = [409, 412];
const LATE = { requirement: 'update.sent-fields-change', aspect: 'stored' } as const;

/** How a member of a user changed, and what is special about the request that changed it. */
export type Changed = Pick<MemberFault, 'change' | 'user'> & Omit<ToldRequest, 'request'>;

/** One run of one row of a check. */
export class BareAttempt {
  readonly session: Session;
  readonly check: Named;
  readonly problems: Problem[] = [];
  readonly exchanges: Exchange[] = [];
  readonly #circumstances: Circumstances;

  constructor(session: Session, check: Named, circumstances: Circumstances = { around: new Set() }) {
    this.session = session;
    this.check = check;
    this.#circumstances = circumstances;
  }

  /** The id of the user that it updates: in a lane, that of the lane. */
  get userId(): string {
    return this.#circumstances.lane ?? this.inputs.userId;
  }

  get inputs(): RunInputs {
    return this.session.target.inputs;
  }

  /** What is known of the users. */
  get known(): Users {
    return this.session.users;
  }

  get fresh(): Fresh {
    return this.known.fresh;
  }

  /** Whether other requests are under way. */
  get isTogether(): boolean {
    const { isInGroup = false, lane } = this.#circumstances;
    return isInGroup || lane !== undefined;
  }

  /** Whether it lives with what is broken in this way. */
  worksAround(way: Workaround): boolean {
    return this.#circumstances.around.has(way);
  }

  /** Whether a response accepts an update: with 200, or with the status that this target gives if that is worked around. */
  isAccepted({ status }: Response): boolean {
    return status === 200 || (this.worksAround('status') && this.known.form.statuses.includes(status));
  }

  /** The users as they are now: in a lane its own alone, in a group none. */
  async state(): Promise<State> {
    const { isInGroup, lane } = this.#circumstances;
    return isInGroup ? new Map() : this.known.state(lane);
  }

  /** Sends a request, and retries it if it is disturbed. */
  async send(request: Request): Promise<Response> {
    const exchange = await this.session.target.send(request, this.isTogether);
    const kept = withCutBody(exchange);
    this.exchanges.push(kept);
    exchangeOf.set(exchange.response, kept);
    return exchange.response;
  }

  /** The exchange of a response, as it is kept for reports. */
  exchangeOf(response: Response): Exchange {
    const exchange = exchangeOf.get(response) ?? this.exchanges.at(-1);
    if (!exchange) throw new Error('Nothing was sent.');
    return exchange;
  }

  /** Sends a request that must be refused, or that a check is not about: the body of its 200 is no second fault. */
  probe(request: Request): Promise<Response> {
    return this.send({ ...request, openBodies: [200, ...(request.openBodies ?? [])] });
  }

  /** Reports a fault, by default of the requirement of the check. */
  fail(fault: Fault, blame: Blame = {}): void {
    const { requirement = this.check.requirement, aspect = 'other', of, cause, readingOf, ...others } = blame;
    const { before = [], earlier = [], ...more } = others;
    const { id: check, fix, about, requirement: usual } = this.check;
    const own = of === undefined ? this.exchanges.slice(-1) : this.#exchangesOf(of);
    const reading = readingOf === undefined ? undefined : this.known.lastReadingOf(readingOf);
    const exchanges = present([...new Set([cause, ...own, reading])]).slice(0, MOST_SHOWN);
    this.problems.push({
      fault,
      check,
      requirement,
      aspect,
      about,
      exchanges,
      before: [...earlier, ...this.#exchangesOf(before)],
      isTogether: this.isTogether,
      fix: requirement === usual ? fix : undefined,
      ...more,
    });
  }

  /** Reports that a request got another status than it should. */
  failStatus(
    response: Response,
    due: readonly number[],
    { how = this.check.how, when, isUnusual, ...blame }: StatusBlame = {},
  ): void {
    const exchange = this.exchangeOf(response);
    const fault = statusFault(exchange, due, { how, when, isUnusual });
    const earlier = CONFLICTS.includes(response.status) ? [this.known.lastUpdateOf(idIn(exchange.request))] : [];
    this.fail(fault, { of: [response], earlier: present(earlier), ...blame });
  }

  /**
   * Reports each member that is shown with another value than expected.
   *
   * @returns these members
   */
  failIfDifferent(
    { expected, shown, members, visibility = this.known.shown.inReadings }: Comparison,
    changed: Changed,
    blame: Blame = {},
  ): string[] {
    const different = differences(expected, shown, members, visibility);
    if (different.length === 0) return [];
    const request = this.#requestToBlame(changed, blame);
    for (const member of different) {
      const absent = shown && !Object.hasOwn(shown, member) ? member : undefined;
      const values = { member, due: expected[member], came: shown?.[member] };
      const fault = { kind: 'member', how: this.check.how, request, ...changed, ...values } as const;
      if (this.#isLate(fault)) {
        this.known.areShownLate = true;
        const [due, came] = this.known.inTurn(fault.user, member, fault.due, fault.came);
        const cause = this.known.acceptedWith(fault.user, member, came);
        // What was sent in between is not to blame, if a reading shows the old value.
        const own = cause && blame.readingOf !== undefined ? { of: [] } : {};
        this.fail({ ...fault, change: 'shown-late', due, came }, { ...blame, ...LATE, cause, ...own });
      } else this.fail(...this.#blamed(fault, { ...blame, absent, earlier: this.#storersOf(fault) }));
    }
    return different;
  }

  /**
   * The updates that stored what a member should have kept, and what it has in place of that: without them, the request shows
   * nothing. What a request sends itself, it shows alone.
   */
  #storersOf({ user, member, change, due, came, request }: MemberFault): Exchange[] {
    const isSent = JSON.stringify(sentIn(request)[member]) === JSON.stringify(came);
    // A role that is not stored is often one that was sent before.
    if (isEmpty(came) || isSent || (change === 'not-stored' && typeof came !== 'string')) return [];
    const { known } = this;
    const ofUser = [due, came].map((value) => known.acceptedWith(user, member, value));
    const ofOthers = ofUser[1] ? [] : known.ids.map((id) => known.acceptedWith(id, member, came));
    const storers = new Set(present([...ofUser, ...ofOthers]));
    return this.session.target.log.filter((each) => storers.has(each) && each.request !== request);
  }

  /** A fault, and who is to blame: of a text that only refused requests sent, the last one of these. */
  #blamed(fault: MemberFault, blame: Blame): [MemberFault, Blame] {
    const cause = this.known.refusedWith(fault.user, fault.member, fault.came);
    if (!cause || cause.request === fault.request) return [fault, blame];
    const { request } = cause;
    return [
      { ...fault, change: 'changed-by-refused', request, when: undefined },
      { ...blame, requirement: 'update.refused-changes-nothing', aspect: 'other', cause },
    ];
  }

  /** Whether what looks like a change is a value that the target accepted before, which shows only now, or still. */
  #isLate({ change, user, member, due, came }: MemberFault): boolean {
    const seen = this.known.areShownTwofold ? [...SEEN_LATE, ...SEEN_TWOFOLD] : SEEN_LATE;
    return seen.includes(change) && this.known.isLate(user, member, came, due);
  }

  /** Reports each user that a request changed; whether there is one. */
  failIfChanged(
    before: readonly [id: string, user: User][],
    after: State,
    changed: Omit<Changed, 'user'>,
    blame: Blame,
  ): boolean {
    const ids = before.filter(([id, expected]) => {
      const comparison = { expected, shown: after.get(id), members: COMPARED_MEMBERS };
      return this.failIfDifferent(comparison, { ...changed, user: id }, { ...blame, readingOf: id }).length > 0;
    });
    return ids.length > 0;
  }

  /** A request that reads; where the path has an id, it is that of the user. */
  read(operation: OperationId, sending?: Sending): Request {
    return this.session.target.request(operation, this.userId, sending);
  }

  banners(sending?: Sending): Request {
    return this.read('listBanners', sending);
  }

  /** A request that must be refused: the status is as documented, and no user changes. */
  async refuses(request: Request, statuses: readonly number[]): Promise<void> {
    const before = await this.state();
    const response = await this.probe(request);
    const after = await this.state();
    if (!statuses.includes(response.status)) {
      this.failStatus(response, statuses, { aspect: 'status' });
      return;
    }
    const isReading = readOperations.includes(request.operation);
    const requirement = isReading ? 'side-effects.of-reading' : 'update.refused-changes-nothing';
    this.failIfChanged([...before], after, { change: 'changed-by-refused' }, { requirement, of: [response] });
    if (after.size > 0) this.session.audit.looked.add('update.refused-changes-nothing');
  }

  /** By default the last request that was sent; where the check sent none, a reading that shows the fault. */
  #requestToBlame({ user }: Changed, { cause, of: [response] = [] }: Blame): Request {
    if (cause) return cause.request;
    if (response) return this.exchangeOf(response).request;
    return this.exchanges.at(-1)?.request ?? this.known.readingOf(user);
  }

  #exchangesOf(responses: readonly Response[]): Exchange[] {
    return responses.map((each) => this.exchangeOf(each));
  }
}
