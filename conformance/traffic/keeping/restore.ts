import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../../contract/document.ts';
import type { HttpClient } from '../../http/client.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Writable } from '../../resources/inputs.ts';
import type { RequestBuilder } from '../../resources/requests.ts';
import type { Originals } from '../../resources/resource.ts';
import type { OpenJournal } from './journal.ts';
import type { Writer } from './kept.ts';
import { isRestored, isSettled, type Restoration, type UserRestoration } from './restoration.ts';

/** What sends the requests that restore: their values were the target's own, so they are not held to the contract. */
export interface Sending {
  readonly client: HttpClient;
  /** Its inputs name the roles in the forms in which the target takes them. */
  readonly requests: RequestBuilder;
}

/** What restores a resource by its updates. */
export interface Restoring extends Sending {
  /** The operation that updates it. */
  readonly operation: OperationId;
  /** The operations that write members of it which no update can send. */
  readonly writers: readonly Writer[];
}

/** What a run may have written. */
export interface Written {
  readonly subject: Writable;
  /** The members that the suite may have written; default: those with a value. Others are looked at too, where that changes nothing. */
  readonly touched?: readonly string[];
  /** Whether an update that sends nothing is known to change nothing on this target; else what was sent is sent again to see it. */
  readonly isReadable?: boolean;
}

/** What is to be restored, with the values before the first write, as far as they were shown. */
export interface ToRestore extends Written {
  readonly id: string;
  readonly originals: Originals;
}

interface RestoreOptions {
  readonly requests: RequestBuilder;
  readonly all: readonly ToRestore[];
  /** Restores one of them. */
  readonly restore: (sending: Sending, what: ToRestore) => Promise<UserRestoration>;
  readonly journal: OpenJournal;
  readonly openClient: () => HttpClient;
}

/** ms. How long restoring is tried again at a target that responds, and how long it rests in between. */
const TRY_AGAIN_FOR = 5_000;
const REST = 500;

const isMissed = ({ members }: UserRestoration): boolean => members.some(({ outcome }) => outcome === 'unavailable');

/** What came of restoring the users, and the exchanges that did it. */
export interface Restored {
  readonly restoration: Restoration;
  readonly exchanges: readonly Exchange[];
}

/**
 * Restores everything that was written to, again where the target was not available, and removes the journal if all of it is as
 * before.
 */
export async function restoreAll({ requests, all, restore, journal, openClient }: RestoreOptions): Promise<Restored> {
  if (all.length === 0) {
    journal.remove();
    return { restoration: { outcome: 'none', users: [] }, exchanges: [] };
  }
  const client = openClient();
  const sending = { client, requests };
  let users = await Promise.all(all.map((each) => restore(sending, each)));
  const end = performance.now() + TRY_AGAIN_FOR;
  while (users.some(isMissed) && client.givenUp() === undefined && performance.now() < end) {
    await sleep(REST);
    const again = async (user: UserRestoration, what: ToRestore | undefined): Promise<UserRestoration> =>
      what && isMissed(user) ? restore(sending, what) : user;
    users = await Promise.all(users.map((user, index) => again(user, all[index])));
  }
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
