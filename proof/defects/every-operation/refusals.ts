import { isSafe } from '../../../conformance/http/exchange.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { documentedStatuses, route } from '../../../contract/document.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Which, all, anError, answered, isTo, not, withId } from '../requests.ts';
import { changes, followedBy } from '../responses.ts';

const INTEGER = withId(/^-?\d*$/);

/** The refusals of a group, an error status or `path-id`; undefined for a group with another name. */
function refusalsOf(group: string): Which | undefined {
  if (group === 'path-id') return all(answered(400), not(INTEGER));
  if (group === '400') return all(answered(400), INTEGER);
  return /^\d+$/.test(group) ? answered(Number(group)) : undefined;
}

/**
 * Refused requests that change a user, for every operation that writes. The one that restores users has finer ones.
 * Source: Endpoints, PUT user, responses; Errors.
 */
export const refusalsOfEveryWrite: readonly WrittenDefect[] = operations
  .filter(({ id, restoresUsers }) => !isSafe(route(id)) && !restoresUsers)
  .flatMap(({ id: operation, slug, negativeChecks = {} }) => {
    const byStatus = ['401', '403'].filter((status) => documentedStatuses(operation).includes(Number(status)));
    return [...byStatus, ...Object.keys(negativeChecks)].flatMap((group): WrittenDefect[] => {
      const which = refusalsOf(group);
      if (!which) return [];
      return [
        {
          id: `refused-${slug}-${group}-renames-first-user`,
          title: `On \`${operation}\`, the server refuses a request (${group}), but changes the name of the first user.`,
          breaks: ['update.refused-changes-nothing'],
          behaviour: followedBy(all(anError, isTo(operation), which), changes(1, { name: 'Nobody' })),
        },
      ];
    });
  });
