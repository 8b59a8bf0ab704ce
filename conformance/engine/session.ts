/** What all of a run works with: its target, the users there, and what is known of both. */
import type { Audit } from '../audit/audit.ts';
import type { Target } from '../http/target.ts';
import type { Users } from '../users/users.ts';
import type { Ledger } from './ledger.ts';
import type { Workarounds } from './workarounds.ts';

export interface Session {
  readonly target: Target;
  readonly users: Users;
  readonly audit: Audit;
  readonly workarounds: Workarounds;
  /** What was found so far. */
  readonly ledger: Ledger;
}
