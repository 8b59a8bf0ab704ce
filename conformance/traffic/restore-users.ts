import type { OperationId } from '../../contract/document.ts';
import type { HttpClient } from '../http/client.ts';
import { type Exchange, isAccepted, isSafe, type RequestSpec } from '../http/exchange.ts';
import { type Inputs, namedId } from '../target/inputs.ts';
import type { RequestBuilder } from '../target/requests.ts';
import { originals, written } from '../target/user-state.ts';
import { NAMED_USERS, type NamedUser, type UserHistory } from '../target/user.ts';
import type { OpenJournal } from './journal.ts';
import { isRestored, type Restoration } from './restoration.ts';
import { restoreUser } from './restore.ts';
import { EMPTY_BODY_PROBE, type UserSession } from './user-session.ts';

/** Adds an accepted request to the history of the user that it addresses. */
export function remember(histories: Readonly<Record<NamedUser, Exchange[]>>, exchange: Exchange): void {
  const { subject, meant } = exchange.request;
  if (meant.id !== 'valid' || !isAccepted(exchange) || isSafe(exchange.request)) return;
  if (subject === 'user' || subject === 'other-user') histories[subject].push(exchange);
}

/** The request with which a user is restored, or looked at. Its values were the target's own, so they are not held to the contract. */
export function restoringRequest(
  requests: RequestBuilder,
  operation: OperationId,
  subject: NamedUser,
  body: Readonly<Record<string, unknown>>,
): RequestSpec {
  const purpose = Object.keys(body).length === 0 ? 'Checking that the user is as before the run' : 'Restoring the user';
  return requests.build(operation, { subject, purpose, body: JSON.stringify(body), meantBody: 'unspecified' });
}

interface RestoreUsersOptions {
  /** The operation that writes users. */
  readonly operation: OperationId;
  readonly inputs: Inputs;
  /** What was accepted up to the end of the traffic. */
  readonly histories: Readonly<Record<NamedUser, UserHistory>>;
  /** Every exchange up to the end of the traffic. */
  readonly exchanges: readonly Exchange[];
  readonly sessions: readonly UserSession[];
  readonly requests: RequestBuilder;
  readonly journal: OpenJournal;
  readonly openClient: () => HttpClient;
}

/** Restores every user that was written to, and removes the journal if all of them are as before. */
export async function restoreUsers(options: RestoreUsersOptions): Promise<Restoration> {
  const { operation, inputs, histories, exchanges, sessions, requests, journal, openClient } = options;
  const writes = new Map(NAMED_USERS.map((subject) => [subject, written(exchanges, subject)]));
  const concerned = NAMED_USERS.filter((subject) => histories[subject].length + (writes.get(subject)?.length ?? 0) > 0);
  if (concerned.length === 0) {
    journal.remove();
    return { outcome: 'none', users: [] };
  }
  const client = openClient();
  const emptyBodyReads = (subject: NamedUser): boolean =>
    sessions.find((each) => each.subject === subject)?.stateProbes()[0] === EMPTY_BODY_PROBE;
  const users = await Promise.all(
    concerned.map((subject) =>
      restoreUser({
        subject,
        id: namedId(inputs, subject) ?? '',
        originals: originals(histories[subject]),
        touched: writes.get(subject) ?? [],
        roleIds: inputs.roleIds ?? [],
        emptyBodyReads: emptyBodyReads(subject),
        put: (body) => client.send(restoringRequest(requests, operation, subject, body)),
      }),
    ),
  );
  await client.close();
  const complete = users.every(isRestored);
  if (complete) journal.remove();
  const nothing = users.every(({ members }) => members.length === 0);
  const outcome = nothing ? 'none' : complete ? 'complete' : 'partial';
  return { outcome, users, ...(complete ? {} : { journal: journal.path }) };
}
