/** What all of a run works with: its target, the users there, and what is known of both. */
import { Audit } from '../audit/audit.ts';
import { type Target, withCutBody } from '../http/target.ts';
import type { Response } from '../facts/exchange.ts';
import { type KeepOriginals, Users } from '../users/users.ts';
import { Ledger } from './ledger.ts';
import { Workarounds } from './workarounds.ts';

export interface Session {
  readonly target: Target;
  readonly users: Users;
  readonly audit: Audit;
  readonly workarounds: Workarounds;
  /** What was found so far. */
  readonly ledger: Ledger;
  /** By user: how a rename was refused while the user had its address from before the run. A second try of the opening cannot see that. */
  readonly refusedAtFirst: Map<string, Response>;
  /** How many more runs of rows may look for what showed once. */
  moreTries: number;
}

/** Enough for three rows. */
const MORE_TRIES_OF_A_RUN = 24;

/**
 * Connects a target with what listens to its responses.
 *
 * @param keepOriginals keeps the users as they were before the first write
 */
export function openSession(target: Target, keepOriginals?: KeepOriginals): Session {
  const users = new Users(target, keepOriginals);
  const audit = new Audit(target.inputs, users);
  target.listeners.push((exchange) => audit.look(exchange, withCutBody(exchange)));
  const ledger = new Ledger({ target, users, audit });
  const workarounds = new Workarounds(users);
  const refusedAtFirst = new Map<string, Response>();
  return { target, users, audit, workarounds, ledger, refusedAtFirst, moreTries: MORE_TRIES_OF_A_RUN };
}
