import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../../contract/document.ts';
import { isRecord } from '../../../common/json.ts';
import type { HttpClient } from '../../http/client.ts';
import { type Due, UNSPECIFIED } from '../../http/due.ts';
import { type Exchange, isAccepted, isSafe, objectBody } from '../../http/exchange.ts';
import { compareMember, compareRoles } from '../../resources/user/comparison.ts';
import { namedId, type Writable } from '../../resources/inputs.ts';
import type { RequestBuilder } from '../../resources/requests.ts';
import { type Originals, written } from '../../resources/user/state.ts';
import {
  isForeign,
  isUpdatable,
  LASTING_MEMBERS,
  NAMED_USERS,
  type NamedUser,
  UPDATABLE,
  type Updatable,
  type UserHistory,
} from '../../resources/user/user.ts';
import type { OpenJournal } from './journal.ts';
import { type KeptSubject, restoreKept, sendBack, type Writer } from './kept.ts';
import type { UpdateDues } from '../send.ts';
import {
  isRestored,
  isSettled,
  type MemberRestoration,
  type Restoration,
  type UserRestoration,
} from './restoration.ts';
import { EMPTY_BODY_PROBE, type UserSession } from '../users/session.ts';

/**
 * Adds an accepted request to the history of the user that it addresses.
 *
 * @param showsUser whether the responses of its operation show the user
 */
export function remember(
  histories: Readonly<Record<NamedUser, Exchange[]>>,
  exchange: Exchange,
  showsUser: boolean,
): void {
  const { subject, meant } = exchange.request;
  if (!showsUser || meant.id !== 'valid' || !isAccepted(exchange) || isSafe(exchange.request)) return;
  if (subject === 'user' || subject === 'other-user') histories[subject].push(exchange);
}

/** What sends the requests that restore users: its values were the target's own, so they are not held to the contract. */
interface Sending {
  readonly client: HttpClient;
  /** Its inputs name the roles in the forms in which the target takes them. */
  readonly requests: RequestBuilder;
  /** The operation that writes users. */
  readonly operation: OperationId;
  /** What its updates are due, where they are judged. */
  readonly dues?: UpdateDues | undefined;
  /** The operations that write members of a user which no update can send. */
  readonly writers: readonly Writer[];
}

interface RestoreOptions {
  readonly subject: NamedUser;
  readonly id: string;
  /** The values before the first write, as far as they were shown. */
  readonly originals: Originals;
  /** The members that the suite may have written. Others are looked at too, where that changes nothing. */
  readonly touched: readonly Updatable[];
  /** Whether `{}` is known to change nothing on this target; else what was sent is sent again to see it. */
  readonly emptyBodyReads: boolean;
}

/** The form in which a role is sent that was shown in another one. */
function roleToSend(shown: unknown, roleIds: readonly unknown[]): unknown {
  const declared = roleIds.find((role) => compareRoles(role, shown) === 'same');
  if (declared !== undefined) return declared;
  const sample = roleIds[0];
  if (isRecord(shown) && Number.isInteger(shown.id) && Number.isInteger(sample)) return shown.id;
  return shown;
}

function sendable(member: Updatable, original: unknown, roleIds: readonly unknown[]): unknown {
  if (member === 'rootRole') return original === null ? undefined : roleToSend(original, roleIds);
  return typeof original === 'string' ? original : undefined;
}

function sameAsBefore(member: Updatable, before: unknown, now: unknown): boolean {
  if (member === 'email' && typeof before === 'string' && typeof now === 'string')
    return before.toLowerCase() === now.toLowerCase();
  return compareMember(member, before, now) === 'same';
}

function isShownOtherwise(member: Updatable, before: unknown, body: Record<string, unknown> | undefined): boolean {
  return body !== undefined && Object.hasOwn(body, member) && !sameAsBefore(member, before, body[member]);
}

/** The members that no update should change, and that have another value than before; or one now, if the suite brought them. */
function strays(originals: Originals, body: Record<string, unknown> | undefined): string[] {
  return LASTING_MEMBERS.filter((member) => {
    const isKnown = isForeign(member) || Object.hasOwn(originals, member);
    const isShown = body !== undefined && Object.hasOwn(body, member);
    return isKnown && isShown && compareMember(member, originals[member], body[member]) === 'different';
  });
}

/**
 * What came of the members that no update should change, where they changed all the same: they are sent back with the others.
 *
 * @param look shows the user
 */
async function restoreStrays(
  originals: Originals,
  look: Exchange | undefined,
  sendBack: (values: Originals) => Promise<Exchange>,
): Promise<MemberRestoration[]> {
  const changed = strays(originals, shownBody(look));
  const values = Object.fromEntries(
    changed.filter((member) => Object.hasOwn(originals, member)).map((member) => [member, originals[member]]),
  );
  const now = Object.keys(values).length > 0 ? (shownBody(await sendBack(values)) ?? shownBody(look)) : shownBody(look);
  const left = strays(originals, now);
  return changed.map((member): MemberRestoration => {
    if (!left.includes(member)) return { member, outcome: 'restored' };
    if (!Object.hasOwn(originals, member)) return { member, outcome: 'remains' };
    return { member, outcome: 'not-restored', detail: wasAndIs(originals[member], now?.[member]) };
  });
}

function wasAndIs(before: unknown, now: unknown): string {
  return `it was ${JSON.stringify(before)} and is ${JSON.stringify(now)}`;
}

function whyNotSendable(member: Updatable, originals: Originals): string {
  if (!Object.hasOwn(originals, member)) return 'the target did not show its value before the first write';
  const original = originals[member];
  return `it was ${JSON.stringify(original)} before, which an update cannot set`;
}

function responseText({ response, transportError }: Exchange): string {
  return response ? `the target responded ${response.status}` : (transportError?.detail ?? 'no response');
}

function refusalOutcome({ response }: Exchange): 'not-restored' | 'unavailable' {
  const status = response?.status;
  return status === undefined || status === 429 || status >= 500 ? 'unavailable' : 'not-restored';
}

/** The user in a response; an error, which has a `name` too, shows none. */
function shownBody(exchange: Exchange | undefined): Record<string, unknown> | undefined {
  return isAccepted(exchange) ? objectBody(exchange) : undefined;
}

/** The forms in which a server may store a text that it had before: without white space around it, and an e-mail address in lower case. */
function storedForms(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value, value.toLowerCase(), value.trim().replaceAll(/\s+/g, ' ')] : [value];
}

/** What an update is due that puts old values back: that of any valid one, where the values are such that an update may send. */
function dueOf(
  body: Readonly<Record<string, unknown>>,
  subject: NamedUser,
  { empty, valid }: UpdateDues,
  roleIds: readonly unknown[] = [],
): Due {
  const members = Object.keys(body);
  if (members.length === 0) return empty;
  const isRole = (value: unknown): boolean => roleIds.some((role) => JSON.stringify(role) === JSON.stringify(value));
  // An empty text may be refused (update.empty-text).
  if (Object.values(body).includes('')) return UNSPECIFIED;
  if (!members.every(isUpdatable) || (Object.hasOwn(body, 'rootRole') && !isRole(body.rootRole))) return UNSPECIFIED;
  const stores = Object.fromEntries(Object.entries(body).map(([member, value]) => [member, storedForms(value)]));
  return { ...valid(subject, members), stores };
}

/** Gives one user the values back that it had, and checks that they are there. Never throws for what the target does. */
export async function restoreUser(
  { client, requests, operation, dues, writers }: Sending,
  { subject, id, originals, touched, emptyBodyReads }: RestoreOptions,
): Promise<UserRestoration> {
  const put = (body: Readonly<Record<string, unknown>>): Promise<Exchange> => {
    const purpose =
      Object.keys(body).length === 0 ? 'Checking that the user is as before the run' : 'Restoring the user';
    const due = dues ? dueOf(body, subject, dues, requests.inputs.roleIds) : UNSPECIFIED;
    const options = { subject, purpose, body: JSON.stringify(body), meantBody: 'unspecified', due } as const;
    return client.send({ ...requests.build(operation, options), phase: 'restore' });
  };
  const other = UPDATABLE.some((member) => !touched.includes(member) && Object.hasOwn(originals, member));
  const current = emptyBodyReads && other ? shownBody(await put({})) : undefined;
  const differs = (member: Updatable): boolean =>
    current !== undefined &&
    Object.hasOwn(originals, member) &&
    !sameAsBefore(member, originals[member], current[member]);
  const concerned = UPDATABLE.filter((member) => touched.includes(member) || differs(member));
  const wanted = new Map<Updatable, unknown>();
  for (const member of concerned) {
    const value = sendable(member, originals[member], requests.inputs.roleIds ?? []);
    if (value !== undefined) wanted.set(member, value);
  }
  const responses = new Map<Updatable, Exchange>();
  if (wanted.size > 0) {
    const together = await put(Object.fromEntries(wanted));
    for (const [member, value] of wanted) {
      responses.set(member, isAccepted(together) || wanted.size === 1 ? together : await put({ [member]: value }));
    }
  }
  const acceptedValues = [...wanted].filter(([member]) => isAccepted(responses.get(member)));
  const lookAgain = (): Promise<Exchange> => put(emptyBodyReads ? {} : Object.fromEntries(acceptedValues));
  let look = acceptedValues.length > 0 ? await lookAgain() : undefined;
  const missing = acceptedValues.filter(([member]) => isShownOtherwise(member, originals[member], shownBody(look)));
  if (missing.length > 0 && acceptedValues.length > 1) {
    // Some store only one member of a body.
    for (const [member, value] of missing) responses.set(member, await put({ [member]: value }));
    look = await lookAgain();
  }
  const others = await restoreStrays(originals, look, async (values) => {
    const taken = await sendBack({ client, requests }, subject, writers, values);
    const left = Object.entries(values).filter(([member]) => !taken.includes(member));
    if (left.length > 0) await put(Object.fromEntries([...acceptedValues, ...left]));
    return lookAgain();
  });

  const members = concerned.map((member): MemberRestoration => {
    const response = responses.get(member);
    if (!response) return { member, outcome: 'not-restored', detail: whyNotSendable(member, originals) };
    if (!isAccepted(response)) return { member, outcome: refusalOutcome(response), detail: responseText(response) };
    const body = shownBody(look) ?? objectBody(response) ?? {};
    if (!Object.hasOwn(body, member)) return { member, outcome: 'sent' };
    const now = body[member];
    if (sameAsBefore(member, originals[member], now)) return { member, outcome: 'restored' };
    return { member, outcome: 'not-restored', detail: wasAndIs(originals[member], now) };
  });
  return { subject, id, members: [...members, ...others] };
}

interface RestoreUsersOptions extends Omit<Sending, 'client'> {
  /** What was accepted up to the end of the traffic. */
  readonly histories: Readonly<Record<NamedUser, UserHistory>>;
  /** Every exchange up to the end of the traffic. */
  readonly exchanges: readonly Exchange[];
  readonly sessions: readonly UserSession[];
  readonly journal: OpenJournal;
  /** The values before the first write, as far as they are known. */
  readonly originalsOf: (subject: NamedUser) => Originals | undefined;
  /** What has no sessions and may have been written, with how it is kept and its values before. */
  readonly kept: readonly { readonly kept: KeptSubject; readonly originals: Originals }[];
  readonly openClient: () => HttpClient;
}

/** ms. How long restoring is tried again at a target that responds, and how long it rests in between. */
const TRY_AGAIN_FOR = 5_000;
const REST = 500;

const isMissed = ({ members }: UserRestoration): boolean => members.some(({ outcome }) => outcome === 'unavailable');

/** Restores users again that could not be restored because the target was not available. */
async function again(
  restored: readonly UserRestoration[],
  client: HttpClient,
  restore: (subject: Writable) => Promise<UserRestoration>,
): Promise<readonly UserRestoration[]> {
  let users = restored;
  const end = performance.now() + TRY_AGAIN_FOR;
  while (users.some(isMissed) && client.givenUp() === undefined && performance.now() < end) {
    await sleep(REST);
    users = await Promise.all(users.map(async (user) => (isMissed(user) ? restore(user.subject) : user)));
  }
  return users;
}

/** What came of restoring the users, and the exchanges that did it. */
export interface Restored {
  readonly restoration: Restoration;
  readonly exchanges: readonly Exchange[];
}

/** Restores every user that was written to, and removes the journal if all of them are as before. */
export async function restoreUsers(options: RestoreUsersOptions): Promise<Restored> {
  const { histories, exchanges, sessions, requests, journal, originalsOf, kept, openClient } = options;
  const writes = new Map(NAMED_USERS.map((subject) => [subject, written(exchanges, subject)]));
  const concerned = NAMED_USERS.filter((subject) => histories[subject].length + (writes.get(subject)?.length ?? 0) > 0);
  if (concerned.length + kept.length === 0) {
    journal.remove();
    return { restoration: { outcome: 'none', users: [] }, exchanges: [] };
  }
  const client = openClient();
  const emptyBodyReads = (subject: NamedUser): boolean =>
    sessions.find((each) => each.subject === subject)?.stateProbes()[0] === EMPTY_BODY_PROBE;
  // Before the requests that restore them are part of what was seen.
  const known = new Map(concerned.map((subject) => [subject, originalsOf(subject) ?? {}]));
  const restore = (subject: Writable): Promise<UserRestoration> => {
    const id = namedId(requests.inputs, subject) ?? '';
    const other = kept.find((each) => each.kept.subject === subject);
    if (other) return restoreKept({ client, requests }, other.kept, other.originals);
    const user = concerned.find((each) => each === subject) ?? 'user';
    return restoreUser(
      { ...options, client },
      {
        subject: user,
        id,
        originals: known.get(user) ?? {},
        touched: writes.get(user) ?? [],
        emptyBodyReads: emptyBodyReads(user),
      },
    );
  };
  const all = [...concerned, ...kept.map((each) => each.kept.subject)];
  const users = await again(await Promise.all(all.map(restore)), client, restore);
  await client.close();
  const complete = users.every(isRestored);
  const settled = users.every(isSettled);
  if (settled) journal.remove();
  const nothing = users.every(({ members }) => members.length === 0);
  const outcome = nothing ? 'none' : complete ? 'complete' : 'partial';
  const restoration: Restoration = {
    ...{ outcome, users },
    ...(settled || journal.path === undefined ? {} : { journal: journal.path }),
  };
  return { restoration, exchanges: client.exchanges };
}
