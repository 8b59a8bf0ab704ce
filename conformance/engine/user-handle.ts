/** A user as checks address it: makes the updates of it, sends them, and judges what became of them. */
import { isRecord } from '../../common/json.ts';
import { isSuccess, type Request, type Response } from '../facts/exchange.ts';
import { Inconclusive } from '../facts/outcome.ts';
import type { Sending } from '../http/target.ts';
import { UPDATABLE_MEMBERS, type Updatable, type User } from '../users/differences.ts';
import type { State } from '../users/users.ts';
import type { BareAttempt } from './bare-attempt.ts';
import { type Claims, claiming, PLAIN } from './claims.ts';
import { judgeUpdate, type Stored, storedBy } from './update-judgement.ts';
import { completedBody, membersIn, withoutLeftOut } from './workarounds.ts';

/** A request that must be refused, and the requirement that says so. */
export interface Refusal {
  readonly request: Request;
  readonly requirement: string;
  readonly refusedWith: readonly number[];
  /** What is special about it. */
  readonly how: string;
}

/** How an update is sent, and what must come of it, if not the usual. */
interface Expecting extends Sending {
  readonly claims?: Claims;
  /** The statuses of a refusal, if the update may be refused; default 400. */
  readonly refusedWith?: readonly number[];
  /** A request that must be refused, and is sent right before the update. */
  readonly precededBy?: Refusal;
  /** The responses to requests without which a fault would not show. */
  readonly before?: readonly Response[];
  /** What is special about it, if its body does not tell. */
  readonly how?: string;
}

/** A user, and what can be asked of it. */
export class UserHandle {
  readonly id: string;
  readonly #attempt: BareAttempt;

  constructor(attempt: BareAttempt, id: string) {
    this.#attempt = attempt;
    this.id = id;
  }

  /** An update; with all members where that is how the run lives with a fault. */
  update(body: unknown, sending?: Sending): Request {
    const given = body === undefined ? undefined : JSON.stringify(body);
    const text = sending?.text ?? given;
    const sent = text !== undefined && this.#isCompleted(text) ? this.#completed(body, sending?.text) : text;
    return this.#attempt.session.target.request('updateUser', this.id, { ...sending, text: sent });
  }

  send(body: unknown, sending?: Sending): Promise<Response> {
    return this.#attempt.send(this.update(body, sending));
  }

  /** The members of an update that can be stored, where some have to be left out; empty if none is left. */
  storable(body: User): User {
    if (!this.#isCompleted(JSON.stringify(body))) return body;
    return withoutLeftOut(body, this.#attempt.session.workarounds.together);
  }

  /** The user as it was shown last; empty if it never was. */
  get last(): User {
    return this.#attempt.known.shown.lastOf(this.id);
  }

  /** A new value of each of these members; by default of each that the operator's inputs allow to send. */
  newValues(members?: readonly Updatable[]): User {
    return this.#attempt.known.newValues(this.id, members);
  }

  /** The user as a response shows it. */
  shownIn(response: Response): User | undefined {
    return this.#attempt.known.userIn(response, this.id);
  }

  /** The user as it is now. Gives up where it cannot be read. */
  async known(): Promise<User> {
    const user = (await this.#attempt.state()).get(this.id);
    if (!user) throw new Inconclusive('no-reading', 'No request shows the user without changing it.');
    return user;
  }

  /** An update that must be accepted: 200, shown, stored, and nothing else changes. */
  accepts(body: User, { claims = PLAIN, ...sending }: Omit<Expecting, 'refusedWith'> = {}): Promise<Response> {
    return this.#update(body, { ...sending, claims, refusedWith: [] });
  }

  /** An unusual update: stored as sent, or refused and nothing changes. */
  storesOrRefuses(stored: Stored, expecting: Expecting = {}): Promise<Response> {
    const usual = { refusedWith: [400], claims: claiming(this.#attempt.check.requirement) };
    return this.#update(stored, { ...usual, ...expecting });
  }

  async #update(
    wanted: Stored,
    {
      precededBy,
      before,
      claims,
      refusedWith,
      how = this.#attempt.check.how,
      ...sending
    }: Expecting & { claims: Claims; refusedWith: readonly number[] },
  ): Promise<Response> {
    const attempt = this.#attempt;
    const stored = this.#possible(wanted, sending);
    const was = await this.#stateBefore();
    const when = precededBy && 'after-refusal';
    const preceding = precededBy ? [await this.#refused(precededBy)] : before;
    const response = await this.send(storedBy(stored), sending);
    const after = await attempt.state();
    const special = { when, how, isUnusual: refusedWith.length > 0 } as const;
    const blame = { of: [response], before: preceding ?? [] };
    const update = { response, claims, told: { user: this.id, ...special }, blame };
    if (refusedWith.includes(response.status)) {
      judgeUpdate(attempt, { ...update, stored: {}, isRefused: true }, was, after);
      return response;
    }
    if (!attempt.isAccepted(response)) {
      const isIncomplete =
        response.status === 400 && Object.keys(storedBy(stored)).length < attempt.known.sendable.length;
      const requirement = (isIncomplete ? claims.incomplete : undefined) ?? claims.accepted;
      attempt.failStatus(response, [200, ...refusedWith], { ...blame, ...special, requirement, aspect: 'accepted' });
    }
    // What a client can still use is judged as well.
    if (attempt.known.form.statuses.includes(response.status))
      judgeUpdate(attempt, { ...update, stored, isRefused: false }, was, after);
    return response;
  }

  /** Sends a request that must be refused. If it is accepted, that breaks its own requirement. */
  async #refused({ request, requirement, refusedWith, how }: Refusal): Promise<Response> {
    const response = await this.#attempt.probe(request);
    if (isSuccess(response))
      this.#attempt.failStatus(response, refusedWith, { requirement, how, aspect: 'status', when: 'between-updates' });
    return response;
  }

  /** If no request reads the user, the last response is all that is known of it. */
  async #stateBefore(): Promise<State> {
    const read = await this.#attempt.state();
    return read.size > 0 ? read : new Map([[this.id, this.last]]);
  }

  /** Whether all members are to be sent with the members of this text. */
  #isCompleted(text: string | Buffer): boolean {
    if (!this.#attempt.worksAround('all-members')) return false;
    return this.#attempt.session.workarounds.isBrokenForm(membersIn(text.toString(), UPDATABLE_MEMBERS));
  }

  /** A body with all members; as it is if it is no object that has any. */
  #completed(body: unknown, text: string | Buffer | undefined): string | Buffer | undefined {
    const { together } = this.#attempt.session.workarounds;
    const possible = isRecord(body) ? withoutLeftOut(body, together) : body;
    const sent = text ?? JSON.stringify(possible);
    return completedBody(sent, this.#allMembers()) ?? sent;
  }

  /** What can be stored of an update where some members must be left out. Gives up if nothing is left. */
  #possible(stored: Stored, { text }: Sending): Stored {
    const body = storedBy(stored);
    if (!this.#isCompleted(text ?? JSON.stringify(body))) return stored;
    const left = withoutLeftOut(body, this.#attempt.session.workarounds.together);
    const isWhole = Object.keys(left).length === Object.keys(body).length;
    const isPlain = typeof stored !== 'function' && text === undefined;
    if (Object.keys(left).length === 0 || !(isWhole || isPlain))
      throw new Inconclusive('blocked', 'It cannot be sent with all members.');
    return isWhole ? stored : left;
  }

  /** The members that are stored together, as the user was shown last; new values for a user that does not exist. */
  #allMembers(): User {
    const { known, session } = this.#attempt;
    const { together } = session.workarounds;
    const last = known.ids.includes(this.id) ? known.lastValues(this.id) : {};
    return withoutLeftOut({ ...known.newValues(this.id, together), ...last }, together);
  }
}
