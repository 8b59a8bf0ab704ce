import { UPDATABLE, type Blocked, type Updatable } from '../judging/check.ts';
import {
  isAccepted,
  transportErrorText,
  type Exchange,
  type Meant,
  type RequestSpec,
  type TransportError,
} from '../http/exchange.ts';
import { SuiteError } from '../target/request-guard.ts';
import type { RequestBuilder } from '../target/requests.ts';
import {
  compareMember,
  compareRoles,
  lastSent,
  lastShown,
  seen,
  stored,
  type NamedUser,
  type UserHistory,
  type UserReading,
} from '../target/user-state.ts';

/** A body that changes nothing and whose answer shows the state of the members that it does not send. */
export interface StateProbe {
  readonly sends: readonly Updatable[];
  /** A member that the contract does not know, for targets that want at least one. */
  readonly extra?: true;
}

/** The body `{}`. */
export const EMPTY_BODY_PROBE: StateProbe = { sends: [] };
const EXTRA: StateProbe = { sends: [], extra: true };

/** The name of the member that the contract does not know. */
export const UNKNOWN_MEMBER = 'conformanceProbe';

export type Send = (request: RequestSpec) => Promise<Exchange>;

export interface OwnUpdate {
  /** Members that the contract does not list, sent beside the others. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Whether a lawful target may refuse it for when it comes. */
  readonly mayBeRefused?: boolean;
}

/** One of the users that the operator named, over the run. */
export interface UserSession {
  readonly subject: NamedUser;
  /** Whether the operator declared roles, so that they can be sent. */
  readonly roles: boolean;
  /** A value for a member that is not stored yet. */
  readonly valueFor: (member: Updatable) => unknown;
  readonly history: () => UserHistory;
  /** How the state of this user can be read; empty if it cannot. */
  readonly windows: () => readonly StateProbe[];
  /** Set if the first requests were not accepted. */
  readonly blocked: () => Blocked | undefined;
  /** Finds out how this user can be read. */
  readonly open: () => Promise<void>;
  /** The state through a window; the last reading if no writing request was sent since. */
  readonly read: (window: StateProbe) => Promise<UserReading>;
  /** Sends the members with values that are not stored yet. */
  readonly update: (members: readonly Updatable[], purpose: string, options?: OwnUpdate) => Promise<Exchange>;
  /** Sends a body that a lawful target may refuse. */
  readonly tryBody: (body: string, purpose: string) => Promise<Exchange>;
  /** Makes sure that the members have values of the suite's own, if the target shows them at all. */
  readonly settle: (window: StateProbe) => Promise<{ readonly wrote: boolean }>;
}

const REASON_OF_FAULT: Record<TransportError, Blocked['reason']> = {
  unreachable: 'target-unreachable',
  closed: 'target-unreachable',
  timeout: 'target-unreachable',
  protocol: 'limit-exceeded',
  limit: 'limit-exceeded',
  throttled: 'throttled',
  aborted: 'deadline',
};

/** Why a check was inconclusive that rests on a request without an answer. */
export function transportErrorReason(kind: TransportError): Blocked['reason'] {
  return REASON_OF_FAULT[kind];
}

const REFUSED_CREDENTIAL = [401, 403, 404];

/** What a refused first request with the admin key means, in words for the operator. */
export function blockedBy(exchange: Exchange): Blocked {
  const { transportError, response } = exchange;
  if (transportError) {
    return { reason: transportErrorReason(transportError.kind), detail: transportErrorText(transportError), exchange };
  }
  const status = response?.status ?? 0;
  const meaning: Record<number, string> = {
    401: 'the admin key is not valid there; check CONFORMANCE_ADMIN_KEY',
    403: 'the admin key lacks the permission; are the admin key and the restricted key exchanged?',
    404:
      exchange.request.operation === 'listBanners'
        ? 'check the base URL; it stands for what comes before /api/admin'
        : 'check the user id, and the base URL (what comes before /api/admin)',
  };
  const why = meaning[status] ?? 'a valid request was not accepted';
  return { reason: 'control-refused', detail: `${exchange.request.purpose} was answered ${status}: ${why}`, exchange };
}

/** Whether a refusal can be the operator's mistake (wrong key, wrong id, wrong base URL) rather than a fault of the target. */
export function mayBeOperatorsMistake({ response, transportError }: Exchange): boolean {
  return transportError !== undefined || REFUSED_CREDENTIAL.includes(response?.status ?? 0);
}

/** Counts the requests that may change some user, whichever it is: what was read before is stale then. */
export interface WriteClock {
  writes: number;
}

/**
 * @param send sends a request and adds what was accepted to the history that `history` gives
 */
export function makeUserSession(
  subject: NamedUser,
  requests: RequestBuilder,
  send: Send,
  history: () => UserHistory,
  clock: WriteClock,
): UserSession {
  const who = subject === 'user' ? 'the user' : 'the other user';
  let windows: readonly StateProbe[] = [];
  let blocked: Blocked | undefined;
  let last: { reading: UserReading; window: StateProbe; writes: number } | undefined;
  let settled = false;

  const put = (body: string, purpose: string, meantBody: Meant): Promise<Exchange> => {
    clock.writes += 1;
    return send(requests.update({ subject, purpose, body, meantBody }));
  };

  /** A server with rules of its own may refuse the user's own values; only `{}` has a ruling. */
  const look = (body: Record<string, unknown>): Promise<Exchange> => {
    const meantBody = Object.keys(body).length === 0 ? 'valid' : 'open';
    return send(
      requests.update({ subject, purpose: `Reading the state of ${who}`, body: JSON.stringify(body), meantBody }),
    );
  };

  const valueFor = (member: Updatable): unknown => {
    if (member !== 'rootRole') return requests.fresh[member]();
    const current = stored(history(), 'rootRole');
    const other = requests.inputs.roleIds?.find((role) => compareRoles(role, current) !== 'same');
    if (other === undefined) throw new SuiteError('There is no role to send that is not stored.');
    return other;
  };

  const update: UserSession['update'] = (members, purpose, { extra = {}, mayBeRefused = false } = {}) => {
    const body = { ...extra, ...Object.fromEntries(members.map((member) => [member, valueFor(member)])) };
    return put(JSON.stringify(body), purpose, mayBeRefused ? 'open' : 'valid');
  };

  /** What is stored of a member; a fresh value if that could not be sent back (a broken target may have made it null). */
  const currentText = (member: Updatable): unknown => {
    const current = stored(history(), member);
    return typeof current === 'string' ? current : valueFor(member);
  };

  const bodyOf = ({ sends, extra }: StateProbe): Record<string, unknown> => ({
    ...Object.fromEntries(sends.map((member) => [member, currentText(member)])),
    ...(extra ? { [UNKNOWN_MEMBER]: true } : {}),
  });

  const readFresh = async (window: StateProbe): Promise<UserReading> => ({
    subject,
    exchange: await look(bodyOf(window)),
  });

  const read: UserSession['read'] = async (window) => {
    if (last?.window === window && last.writes === clock.writes) return last.reading;
    const reading = await readFresh(window);
    last = { reading, window, writes: clock.writes };
    return reading;
  };

  const tells = (exchange: Exchange, member: Updatable): boolean => seen(exchange, member, history()).kind !== 'unseen';

  const showsText = (exchange: Exchange, member: Updatable): boolean => {
    const state = seen(exchange, member, history());
    return state.kind === 'shown' && typeof state.value === 'string';
  };

  /** The windows through which, together, as many updatable members as possible are seen. */
  const chooseStateProbes = async (wide: StateProbe | undefined): Promise<readonly StateProbe[]> => {
    const chosen: StateProbe[] = [];
    const visible = new Set<Updatable>();
    for (const window of [...(wide ? [wide] : []), { sends: ['name'] }, { sends: ['email'] }] satisfies StateProbe[]) {
      const sendable = window.sends.every((member) => typeof stored(history(), member) === 'string');
      if (!sendable || ['name', 'email'].every((member) => visible.has(member as Updatable))) continue;
      const { exchange } = await readFresh(window);
      const gained = UPDATABLE.filter(
        (member) => !visible.has(member) && !window.sends.includes(member) && tells(exchange, member),
      );
      if (isAccepted(exchange) && gained.length > 0) {
        chosen.push(window);
        for (const member of gained) visible.add(member);
      }
    }
    return chosen;
  };

  const open = async (): Promise<void> => {
    const first = await readFresh(EMPTY_BODY_PROBE);
    if (isAccepted(first.exchange) && showsText(first.exchange, 'name') && showsText(first.exchange, 'email')) {
      windows = [EMPTY_BODY_PROBE];
      last = { reading: first, window: EMPTY_BODY_PROBE, writes: clock.writes };
      return;
    }
    // Nothing is written blind; a connection closed on `{}` alone may be a fault that the other updates show.
    if (first.exchange.transportError && first.exchange.transportError.kind !== 'closed') {
      blocked = blockedBy(first.exchange);
      return;
    }
    let wide: StateProbe | undefined = isAccepted(first.exchange) ? EMPTY_BODY_PROBE : undefined;
    if (first.exchange.response?.status === 400 && isAccepted((await readFresh(EXTRA)).exchange)) wide = EXTRA;
    const writes = [
      await update(['name'], `An update of ${who} with a name alone`),
      await update(['email'], `An update of ${who} with an e-mail address alone`),
    ];
    if (!writes.some(isAccepted))
      writes.push(await update(['name', 'email'], `An update of ${who} with a name and an e-mail address`));
    const decisive = writes.find(isAccepted) ?? writes[0];
    if (decisive && !isAccepted(decisive)) {
      blocked = blockedBy(decisive);
      return;
    }
    windows = await chooseStateProbes(wide);
  };

  /** Whether an answer shows the value that the suite sent last; then it is known, and no server's default. */
  const showsOwnValue = (exchange: Exchange, member: Updatable): boolean => {
    const state = seen(exchange, member, history());
    const sent = lastSent(history(), member);
    const known = sent !== undefined && sent !== '';
    return state.kind === 'shown' && known && compareMember(member, sent, state.value) !== 'different';
  };

  const settle: UserSession['settle'] = async (window) => {
    const { exchange } = await read(window);
    const members: Updatable[] = requests.inputs.roleIds === undefined ? ['name', 'email'] : [...UPDATABLE];
    const wanting = members.filter((member) => !window.sends.includes(member) && !showsOwnValue(exchange, member));
    if (wanting.length === 0) return { wrote: false };
    const hopeless = wanting.every((member) => lastShown(history(), member).kind === 'unseen');
    if (hopeless && settled) return { wrote: false };
    settled = true;
    const taken = await update(members, `Giving ${who} values that are known`);
    if (!isAccepted(taken)) await update(['name', 'email'], `Giving ${who} values that are known`);
    return { wrote: true };
  };

  const tryBody: UserSession['tryBody'] = (body, purpose) => put(body, purpose, 'open');

  const roles = requests.inputs.roleIds !== undefined;
  return {
    subject,
    roles,
    valueFor,
    history,
    windows: () => windows,
    blocked: () => blocked,
    open,
    read,
    update,
    tryBody,
    settle,
  };
}
