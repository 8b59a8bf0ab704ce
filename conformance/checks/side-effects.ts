import { route } from '../../contract/document.ts';
import { isAccepted, isSafe } from '../http/exchange.ts';
import type { Check, Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import {
  anyBlockedOrUnsent,
  failed,
  notObservable,
  passed,
  preconditionFailed,
  unlessWriteWasLost,
} from '../judging/outcomes.ts';
import { operations } from '../operations/index.ts';
import type { Operation, Snapshot } from '../traffic/operation.ts';
import { READING_CHECK } from '../target/user.ts';
import { judgeUnchanged } from './refused-changes-nothing.ts';

const WRITING = operations.filter(({ id }) => !isSafe(route(id)));
const WRITING_IDS = WRITING.map(({ id }) => id);
/** What is read beside updates: state that these do not change. */
const READING = operations.filter(({ snapshot }) => snapshot);

/** What a check has in common that looks at operations that read, beside all that write. */
function beside(
  reading: readonly Operation[],
  uses: Check['uses'] = [],
): Pick<Check, 'area' | 'level' | 'operations' | 'needs' | 'uses'> {
  const controls = [...reading, ...WRITING].map(({ control }) => control.traffic);
  return {
    area: 'side-effects',
    level: 'should',
    operations: [...reading.map(({ id }) => id), ...WRITING_IDS],
    needs: [...new Set(controls.flatMap(({ needs }) => needs))],
    uses: [...controls, ...uses],
  };
}

const readingChangesNoUser: Check = {
  id: READING_CHECK,
  ...beside(READING),
  requirements: ['side-effects.of-reading'],
  title: 'Requests that only read change no user',
  failureModes: {
    'changed-user': 'A request that only reads changed the user. A request with GET must change nothing.',
    'other-user-changed': 'A request that only reads changed the other user. A request with GET must change nothing.',
  },
  judge: (evidence) => {
    const isReading = (id: string): boolean => {
      const [exchange] = evidence.probes.get(id) ?? [];
      return exchange !== undefined && isSafe(exchange.request);
    };
    const ids = evidence.batches.flatMap((batch) => batch.probes.filter(isReading));
    const probes = [...new Set(ids)].map((id) => ({ id }));
    return unlessWriteWasLost(evidence, judgeUnchanged(evidence, WRITING_IDS, probes, true));
  },
};

function judgeKept(evidence: Evidence, { id, shown }: Operation, snapshot: Snapshot): Judgement {
  const snapshots = (evidence.probes.get(snapshot.probe.id) ?? []).filter(isAccepted);
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  const ids = [id, ...WRITING_IDS];
  if (!first || first === last || ids.some((each) => evidence.blocked[each]))
    return anyBlockedOrUnsent(evidence, ids, 'the run ended before the requests were sent');
  const [effect, ...others] = evidence.sideEffects?.get(id)?.found ?? [];
  if (effect) {
    const { cause, before, after } = effect;
    const difference = snapshot.difference(before, after) ?? '';
    const statuses = [cause, ...others.map((other) => other.cause)].map(
      ({ response }) => response?.status ?? 'nothing',
    );
    const also = [...new Set(statuses)].slice(1).join(', ');
    const more = also === '' ? '' : ` So do updates with the response ${also}.`;
    const message = `${cause.request.purpose}: the response is ${statuses[0] ?? ''}, and the ${shown} change each time that it is sent: ${difference}.${more}`;
    const mode = isAccepted(cause) ? 'changed-by-accepted' : 'changed-by-refused';
    const failure = { mode, expected: `the same ${shown}`, actual: difference, message };
    const judgement = failed(failure, before, cause, after);
    return { ...judgement, replay: [before, cause, after], alsoShownBy: others.map((other) => other.cause) };
  }
  const differs = snapshots.some((each, index) => snapshot.difference(snapshots[index - 1] ?? each, each));
  if (differs)
    return notObservable(`the ${shown} changed during the run, but not each time that a request was sent again`);
  const isWritten = evidence.exchanges.some(
    (exchange) =>
      WRITING_IDS.includes(exchange.request.operation) &&
      isAccepted(exchange) &&
      exchange.startedAt >= first.startedAt &&
      exchange.startedAt <= (last?.startedAt ?? 0),
  );
  return isWritten
    ? passed(snapshots)
    : preconditionFailed(`no update was accepted between two requests for the ${shown}`);
}

function keptByOthers(operation: Operation, snapshot: Snapshot): Check {
  const { slug, shown } = operation;
  return {
    id: `${slug}-kept-by-other-requests`,
    ...beside([operation], [snapshot.probe]),
    requirements: ['side-effects.of-updates'],
    title: `Updates, accepted or refused, leave the ${shown} as they are`,
    restsOn: snapshot.restsOn,
    failureModes: {
      'changed-by-accepted': `Each accepted update of a user changes the ${shown}. An update must change the user alone.`,
      'changed-by-refused': `Each update that is refused in this way changes the ${shown}. A refused request must change nothing.`,
    },
    judge: (evidence) => judgeKept(evidence, operation, snapshot),
  };
}

/** What requests must leave alone that they are not for. Source: the operations; RFC 9110, 9.2.1. */
export const sideEffectChecks: readonly Check[] = [
  readingChangesNoUser,
  ...READING.flatMap((operation) => (operation.snapshot ? [keptByOthers(operation, operation.snapshot)] : [])),
];
