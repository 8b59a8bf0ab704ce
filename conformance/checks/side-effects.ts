import { route } from '../../contract/document.ts';
import { isSafe } from '../http/exchange.ts';
import type { Check } from '../model/check.ts';
import { operations } from '../operations/index.ts';
import { READING_CHECK } from '../resources/user/user.ts';
import type { Operation } from '../traffic/operation.ts';

/** What writes users: their traffic reads them, and goes on beside what only reads. */
const WRITING = operations.filter(({ id, effect }) => !isSafe(route(id)) && effect?.resource === 'user');
/** What is read beside updates: state that these do not change. */
const READING = operations.filter(({ snapshot }) => snapshot);

/** What a check has in common that looks at operations that read, beside all that write users. */
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
    id: READING_CHECK,
    ...beside(READING),
    requirements: ['side-effects.of-reading'],
    title: 'Requests that only read change no user',
    parts: ['name', 'email'],
    failureModes: {
      'changed-user': 'A request that only reads changed the user. A request with GET must change nothing.',
      'other-user-changed': 'A request that only reads changed the other user. A request with GET must change nothing.',
    },
  },
  ...READING.map(({ snapshot, ...operation }): Check => ({
    id: `${operation.slug}-kept-by-other-requests`,
    ...beside([operation], snapshot ? [snapshot.probe] : []),
    requirements: ['side-effects.of-updates'],
    title: `Updates, accepted or refused, leave the ${operation.shown} as they are`,
    failureModes: {
      'changed-by-accepted': `Each accepted update of a user changes the ${operation.shown}. An update must change the user alone.`,
      'changed-by-refused': `Each update that is refused in this way changes the ${operation.shown}. A refused request must change nothing.`,
    },
  })),
];
