import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../../contract/document.ts';
import type { HttpClient } from '../../http/client.ts';
import { type Exchange, inWords, isAccepted, type RequestSpec } from '../../http/exchange.ts';
import type { Writes } from '../../resources/effect.ts';
import type { Writable } from '../../resources/inputs.ts';
import type { RequestBuilder } from '../../resources/requests.ts';
import type { MemberRestoration, UserRestoration } from './restoration.ts';
import type { Originals } from '../../resources/resource.ts';

/** An operation with what it writes. */
export interface Writer {
  readonly operation: OperationId;
  readonly writes: Writes;
}

/** How a resource is kept that has no sessions: who shows it, and who writes it. */
export interface Kept {
  readonly writers: readonly Writer[];
  /** The members that the contract knows of it. */
  readonly members: readonly string[];
  /** Undefined if it cannot be read with these inputs. */
  readonly reading: (requests: RequestBuilder) => RequestSpec | undefined;
  /** What a response shows of the one with an id; undefined if it does not show it. */
  readonly shownIn: (exchange: Exchange, id: string) => Readonly<Record<string, unknown>> | undefined;
}

/** What was named, with its id and how it is kept. */
export interface KeptSubject extends Kept {
  readonly subject: Writable;
  readonly id: string;
}

/** The values of what has no sessions, as they were before anything of it was written. */
export function makeKeeper(kept: readonly KeptSubject[]) {
  const originals = new Map<string, Originals>();
  const written = new Set<string>();
  return {
    /** What was shown of a subject before it was written; undefined if nothing was. */
    originalsOf: (subject: Writable): Originals | undefined => originals.get(subject),
    /** Whether a request may have written a subject. */
    isWritten: (subject: Writable): boolean => written.has(subject),
    /** Takes an exchange, in the order of completion. */
    see: (exchange: Exchange): void => {
      const { subject: addressed, operation } = exchange.request;
      for (const { subject, id, writers, shownIn, members } of kept) {
        if (addressed === subject && writers.some((each) => each.operation === operation)) written.add(subject);
        const shown = written.has(subject) || originals.has(subject) ? undefined : shownIn(exchange, id);
        if (shown) originals.set(subject, pick(shown, members));
      }
    },
  };
}

function pick(values: Originals, members: readonly string[]): Originals {
  return Object.fromEntries(Object.entries(values).filter(([member]) => members.includes(member)));
}

/** Sends the values back that operations other than the update can give; those that none of them takes are left. */
export async function sendBack(
  { client, requests }: { readonly client: HttpClient; readonly requests: RequestBuilder },
  subject: Writable,
  writers: readonly Writer[],
  values: Originals,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const { operation, writes } of writers) {
    const own = pick(values, writes.members);
    const body = Object.keys(own).length === 0 ? undefined : writes.putBack(own);
    if (!body) continue;
    const options = { subject, purpose: `Restoring ${subject}`, body: JSON.stringify(body) } as const;
    const request = requests.build(operation, { ...options, meantBody: 'unspecified' });
    const exchange = await client.send({ ...request, phase: 'restore' });
    if (isAccepted(exchange)) taken.push(...Object.keys(own));
  }
  return taken;
}

/** Gives what has no sessions the values back that it had, and checks that they are there. */
export async function restoreKept(
  sending: { readonly client: HttpClient; readonly requests: RequestBuilder },
  { subject, id, writers, reading, shownIn }: KeptSubject,
  originals: Originals,
): Promise<UserRestoration> {
  const look = async (): Promise<Originals | undefined> => {
    const request = reading(sending.requests);
    return request && shownIn(await sending.client.send({ ...request, phase: 'restore' }), id);
  };
  const written = writers.flatMap(({ writes }) => writes.members);
  const differing = (shown: Originals | undefined): string[] =>
    Object.keys(originals).filter((member) =>
      shown ? !isDeepStrictEqual(shown[member], originals[member]) : written.includes(member),
    );
  const changed = differing(await look());
  if (changed.length === 0) return { subject, id, members: [] };
  const touched = writers.filter(({ writes }) => writes.members.some((member) => changed.includes(member)));
  await sendBack(sending, subject, touched, originals);
  const now = await look();
  const left = differing(now);
  const members = [...new Set([...changed, ...left])].map((member): MemberRestoration => {
    if (!left.includes(member)) return { member, outcome: 'restored' };
    if (!now) return { member, outcome: 'unavailable', detail: 'the target does not show it' };
    const detail = `it was ${inWords(originals[member])} and is ${inWords(now[member])}`;
    return { member, outcome: 'not-restored', detail };
  });
  return { subject, id, members };
}
