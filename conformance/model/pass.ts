import { validators } from '../../contract/validators.ts';
import type { Recording } from '../judging/evidence.ts';
import { makeNotes, type Notes } from './facts.ts';
import { damageIn, judgeOutcomes } from './outcomes.ts';
import { superseded, type View } from './record.ts';
import { judgeBodies, type JudgedOperation, judgeErrors } from './responses.ts';
import { judgeUsers, type UserChecks } from './users.ts';

/** One pass over a recording. */
export function passOver(
  recording: Recording,
  operations: readonly JudgedOperation[],
  checks: UserChecks,
): Notes & { view: View } {
  const all = [...recording.exchanges, ...recording.restoring];
  const replaced = superseded(all);
  const exchanges = all.filter((each) => !replaced.has(each)).toSorted((one, other) => one.startedAt - other.startedAt);
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
