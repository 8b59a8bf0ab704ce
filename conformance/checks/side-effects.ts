import { route } from '../../contract/document.ts';
import { isSafe } from '../http/exchange.ts';
import type { Check } from '../model/check.ts';
import { effectOf, operations, updating } from '../operations/index.ts';
import type { Operation } from '../traffic/operation.ts';
import { updatedResource } from '../resources/index.ts';

const { id: RESOURCE } = updatedResource;
/** What writes what only updates show: its traffic reads that, and goes on beside what only reads. */
const WRITING = operations.filter(({ id, effect }) => !isSafe(route(id)) && effect?.resource === RESOURCE);
/** What is read beside updates: state that these do not change. */
const READING = operations.filter(({ snapshot }) => snapshot);

/** What a check has in common that looks at operations that read, beside all that write. */
function beside(
  reading: readonly Operation[],
  uses: Check['uses'] = [],
): Pick<Check, 'area' | 'level' | 'alongside' | 'operations' | 'needs' | 'uses'> {
  const controls = [...reading, ...WRITING].map(({ control }) => control.traffic);
  return {
    area: 'side-effects',
    alongside: 'all',
    level: 'should',
    operations: [...reading, ...WRITING].map(({ id }) => id),
    needs: [...new Set(controls.flatMap(({ needs }) => needs))],
    uses: [...controls, ...uses],
  };
}

/** What requests must leave alone that they are not for. Source: the operations; RFC 9110, 9.2.1. */
export const sideEffectChecks: readonly Check[] = [
  {
    id: `reading-changes-no-${RESOURCE}`,
    ...beside(READING),
    requirements: ['side-effects.of-reading'],
    title: `Requests that only read change no ${RESOURCE}`,
    parts: effectOf(updating.id)?.refused?.parts ?? [],
    failureModes: {
      [`changed-${RESOURCE}`]: `A request that only reads changed the ${RESOURCE}. A request with GET must change nothing.`,
      [`other-${RESOURCE}-changed`]: `A request that only reads changed the other ${RESOURCE}. A request with GET must change nothing.`,
    },
  },
  ...READING.map(({ snapshot, ...operation }): Check => ({
    id: `${operation.slug}-kept-by-other-requests`,
    ...beside([operation], snapshot ? [snapshot.probe] : []),
    requirements: ['side-effects.of-updates'],
    title: `Updates, accepted or refused, leave the ${operation.shown} as they are`,
    failureModes: {
      'changed-by-accepted': `Each accepted update of a ${RESOURCE} changes the ${operation.shown}. An update must change the ${RESOURCE} alone.`,
      'changed-by-refused': `Each update that is refused in this way changes the ${operation.shown}. A refused request must change nothing.`,
    },
  })),
];
