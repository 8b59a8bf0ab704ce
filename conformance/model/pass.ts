import { validators } from '../../contract/validators.ts';
import type { Operation } from '../traffic/operation.ts';
import { makeNotes, type Notes } from './facts.ts';
import { damageIn, judgeOutcomes } from './outcomes.ts';
import { type Recording, superseded, type View } from './record.ts';
import { judgeBodies, judgeErrors } from './responses.ts';
import { judgeUsers, type UserChecks } from './users.ts';

/** One pass over a recording. */
export function passOver(recording: Recording, operations: readonly Operation[], checks: UserChecks): Notes & { view: View } {
  const replaced = superseded(recording.exchanges);
  const exchanges = recording.exchanges
    .filter((each) => !replaced.has(each))
    .toSorted((one, other) => one.startedAt - other.startedAt);
  const view: View = { ...recording, exchanges, validators };
  const notes = makeNotes();
  const damage = damageIn(exchanges);
  judgeOutcomes(view, notes, damage);
  judgeErrors(view, notes);
  judgeBodies(view, operations, notes);
  judgeUsers(view, notes, damage, checks);
  for (const operation of operations) operation.judgeRun?.(view, notes);
  return { ...notes, view };
}
