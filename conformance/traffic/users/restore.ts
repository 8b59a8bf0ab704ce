import { isRecord } from '../../../common/json.ts';
import { type Due, UNSPECIFIED } from '../../http/due.ts';
import { type Exchange, inWords, isAccepted, objectBody } from '../../http/exchange.ts';
import type { Originals } from '../../resources/resource.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { isForeign, isUpdatable, LASTING_MEMBERS, UPDATABLE, type Updatable } from '../../resources/user/members.ts';
import type { Writable } from '../../resources/inputs.ts';
import { sendBack } from '../keeping/kept.ts';
import { type MemberRestoration, NEVER_SHOWN, type UserRestoration } from '../keeping/restoration.ts';
import type { Restoring, ToRestore } from '../keeping/restore.ts';
import type { UpdateDues } from './session.ts';
import { compareRoles } from '../../resources/roles.ts';

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

/**
 * The members that no update should change, and that have another value than before; or one now, if the suite brought them.
 *
 * @param written those that other operations write: where they are not shown, they may be changed
 */
function strays(originals: Originals, body: Record<string, unknown> | undefined, written: readonly string[]): string[] {
  return LASTING_MEMBERS.filter((member) => {
    const isKnown = isForeign(member) || Object.hasOwn(originals, member);
    const isShown = body !== undefined && Object.hasOwn(body, member);
    if (!isShown) return Object.hasOwn(originals, member) && written.includes(member);
    return isKnown && compareMember(member, originals[member], body[member]) === 'different';
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
  written: readonly string[],
  sendBack: (values: Originals) => Promise<Exchange>,
): Promise<MemberRestoration[]> {
  const changed = strays(originals, shownBody(look), written);
  const values = Object.fromEntries(
    changed.filter((member) => Object.hasOwn(originals, member)).map((member) => [member, originals[member]]),
  );
  const now = Object.keys(values).length > 0 ? (shownBody(await sendBack(values)) ?? shownBody(look)) : shownBody(look);
  const left = strays(originals, now, written);
  return changed.map((member): MemberRestoration => {
    if (!left.includes(member)) return { member, outcome: 'restored' };
    if (!Object.hasOwn(originals, member)) return { member, outcome: 'remains' };
    if (now && !Object.hasOwn(now, member)) return { member, outcome: 'sent' };
    return { member, outcome: 'not-restored', detail: wasAndIs(originals[member], now?.[member]) };
  });
}

function wasAndIs(before: unknown, now: unknown): string {
  return `it was ${inWords(before)} and is ${inWords(now)}`;
}

function whyNotSendable(member: Updatable, originals: Originals): string {
  if (!Object.hasOwn(originals, member)) return NEVER_SHOWN;
  const original = originals[member];
  return `it was ${inWords(original)} before, which an update cannot set`;
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
  subject: Writable,
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
  { client, requests, operation, writers }: Restoring,
  { subject, id, originals, touched = Object.keys(originals), isReadable = false }: ToRestore,
  dues: UpdateDues,
): Promise<UserRestoration> {
  const put = (body: Readonly<Record<string, unknown>>): Promise<Exchange> => {
    const purpose =
      Object.keys(body).length === 0 ? 'Checking that the user is as before the run' : 'Restoring the user';
    const due = dueOf(body, subject, dues, requests.inputs.roleIds);
    const options = { subject, purpose, body: JSON.stringify(body), meantBody: 'unspecified', due } as const;
    return client.send({ ...requests.build(operation, options), phase: 'restore' });
  };
  const other = UPDATABLE.some((member) => !touched.includes(member) && Object.hasOwn(originals, member));
  const current = isReadable && other ? shownBody(await put({})) : undefined;
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
  const lookAgain = (): Promise<Exchange> => put(isReadable ? {} : Object.fromEntries(acceptedValues));
  let look = acceptedValues.length > 0 ? await lookAgain() : undefined;
  const missing = acceptedValues.filter(([member]) => isShownOtherwise(member, originals[member], shownBody(look)));
  if (missing.length > 0 && acceptedValues.length > 1) {
    // Some store only one member of a body.
    for (const [member, value] of missing) responses.set(member, await put({ [member]: value }));
    look = await lookAgain();
  }
  const written = writers.flatMap(({ writes }) => writes.members).filter((member) => touched.includes(member));
  const others = await restoreStrays(originals, look, written, async (values) => {
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
