import { isRecord } from '../../common/json.ts';
import { type Exchange, isAccepted, objectBody } from '../http/exchange.ts';
import { compareMember, compareRoles } from '../target/comparison.ts';
import { type NamedUser, UPDATABLE, type Updatable } from '../target/user.ts';
import type { MemberRestoration, UserRestoration } from './restoration.ts';

interface RestoreOptions {
  readonly subject: NamedUser;
  readonly id: string;
  /** The values before the first write, as far as they were shown. */
  readonly originals: Readonly<Partial<Record<Updatable, unknown>>>;
  /** The members that the suite may have written. Others are looked at too, where that changes nothing. */
  readonly touched: readonly Updatable[];
  /** The forms in which the target takes roles. */
  readonly roleIds: readonly unknown[];
  /** Sends an update of this user. */
  readonly put: (body: Record<string, unknown>) => Promise<Exchange>;
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

function whyNotSendable(member: Updatable, originals: RestoreOptions['originals']): string {
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

/** Gives one user the values back that it had, and checks that they are there. Never throws for what the target does. */
export async function restoreUser(options: RestoreOptions): Promise<UserRestoration> {
  const { subject, id, originals, touched, roleIds, put, emptyBodyReads } = options;
  const other = UPDATABLE.some((member) => !touched.includes(member) && Object.hasOwn(originals, member));
  const current = emptyBodyReads && other ? shownBody(await put({})) : undefined;
  const differs = (member: Updatable): boolean =>
    current !== undefined &&
    Object.hasOwn(originals, member) &&
    !sameAsBefore(member, originals[member], current[member]);
  const concerned = UPDATABLE.filter((member) => touched.includes(member) || differs(member));
  const wanted = new Map<Updatable, unknown>();
  for (const member of concerned) {
    const value = sendable(member, originals[member], roleIds);
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

  const members = concerned.map((member): MemberRestoration => {
    const response = responses.get(member);
    if (!response) return { member, outcome: 'not-restored', detail: whyNotSendable(member, originals) };
    if (!isAccepted(response)) return { member, outcome: refusalOutcome(response), detail: responseText(response) };
    const body = shownBody(look) ?? objectBody(response) ?? {};
    if (!Object.hasOwn(body, member)) return { member, outcome: 'sent' };
    const now = body[member];
    if (sameAsBefore(member, originals[member], now)) return { member, outcome: 'restored' };
    const detail = `it was ${JSON.stringify(originals[member])} and is ${JSON.stringify(now)}`;
    return { member, outcome: 'not-restored', detail };
  });
  return { subject, id, members };
}
