import { validators } from '../../contract/validators.ts';
import { type OperationId, route } from '../../contract/document.ts';
import { type Exchange, isSafe } from '../http/exchange.ts';
import type { Recording } from './recording/recording.ts';
import { withoutAccidents } from './recording/accidents.ts';
import { makeNotes, type Notes } from './facts.ts';
import { damageIn, judgeOutcomes } from './outcomes.ts';
import { NAMED, namedId } from '../resources/inputs.ts';
import type { ResourceId } from '../resources/resource.ts';
import { judgeKept } from './kept.ts';
import { superseded, type View } from './recording/view.ts';
import { judgeBodies, type JudgedOperation, judgeErrors, type Rows } from './responses.ts';

/** A target that ends at a request closes every connection from then on: that request is judged, and none that follows. */
function untilTheEnd(sent: readonly Exchange[]) {
  const last = sent.findLastIndex(({ response }) => response) + 1;
  const unanswered = sent.slice(last);
  const hasEnded = last > 0 && unanswered.every(({ transportError }) => transportError?.kind === 'closed');
  if (!hasEnded) return { exchanges: sent, afterEnd: [] };
  // What reads or restores the users said enough of itself before.
  const isJudged = ({ request }: Exchange): boolean => request.phase !== 'restore' && request.due.role !== 'reading';
  return { exchanges: sent.slice(0, last + 1), afterEnd: unanswered.slice(1).filter(isJudged) };
}

/** What one pass found, and the recording as it is judged. */
export interface Passed extends Notes {
  readonly view: View;
  /** The operations that show what the run writes: another run may have changed that. */
  readonly showWritten: ReadonlySet<OperationId>;
}

function showWrittenOf(operations: readonly JudgedOperation[]): ReadonlySet<OperationId> {
  const isWritten = (resource?: ResourceId): boolean =>
    operations.some(({ id, effect }) => effect && effect.resource === resource && !isSafe(route(id)));
  return new Set(operations.filter(({ shows }) => isWritten(shows.resource)).map(({ id }) => id));
}

/** One pass over a recording. */
export function passOver(
  recording: Recording,
  operations: readonly JudgedOperation[],
  { refusals }: Pick<Rows, 'refusals'>,
): Passed {
  const all = [...recording.exchanges, ...recording.restoring];
  const replaced = superseded(all);
  const kept = all.filter((each) => !replaced.has(each)).toSorted((one, other) => one.startedAt - other.startedAt);
  const sent = withoutAccidents(kept);
  const { exchanges, afterEnd } = untilTheEnd(sent);
  const view: View = { ...recording, exchanges, validators };
  const notes = makeNotes();
  const detail = 'the target had closed every connection since an earlier request';
  for (const x of afterEnd)
    notes.doubtful(x.request.due.checks, { reason: 'target-unreachable', detail, exchanges: [x] });
  const damage = damageIn(exchanges);
  judgeOutcomes(view, notes, damage);
  judgeErrors(view, notes);
  judgeBodies(view, operations, notes);
  const rows: Rows = { refusals, operationOf: (id) => operations.find((each) => each.id === id) };
  for (const operation of operations) operation.judgeState?.(view, notes, damage, rows);
  for (const { subject, resource } of NAMED) {
    const id = namedId(view.inputs, subject);
    const own = operations.filter(({ effect }) => effect?.resource === resource);
    const isKept = own.some(({ effect }) => effect?.writes) && !own.some(({ judgeState }) => judgeState);
    if (isKept && id !== undefined) judgeKept(view, notes, { subject, resource, id }, rows);
  }
  for (const operation of operations) operation.judgeRun?.(view, notes);
  return { ...notes, view, showWritten: showWrittenOf(operations) };
}
