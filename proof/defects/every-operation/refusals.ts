import { isSafe } from '../../../conformance/http/exchange.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { documentedStatuses, route } from '../../../contract/document.ts';
import type { Defect } from '../../defect.ts';
import { changeUser, isTo, refusedYet, sentId, type WhichRefusal } from '../requests.ts';

/** The refusals of a group, an error status or `path-id`; undefined for a group with another name. */
function refusalsOf(group: string): WhichRefusal | undefined {
  if (group === 'path-id') return ({ status, request }) => status === 400 && !/^-?\d*$/.test(sentId(request));
  if (!/^\d+$/.test(group)) return undefined;
  return ({ status, request }) => String(status) === group && (group !== '400' || /^-?\d*$/.test(sentId(request)));
}

/**
 * Refused requests that change a user, for every operation that writes. The one that restores users has finer ones.
 * Source: Endpoints, PUT user, responses; Errors.
 */
export const refusalsOfEveryWrite: readonly Defect[] = operations
  .filter(({ id, restoresUsers }) => !isSafe(route(id)) && !restoresUsers)
  .flatMap(({ id: operation, slug, negativeChecks = {} }) => {
    const byStatus = ['401', '403'].filter((status) => documentedStatuses(operation).includes(Number(status)));
    return [...byStatus, ...Object.keys(negativeChecks)].flatMap((group): Defect[] => {
      const which = refusalsOf(group);
      if (!which) return [];
      return [
        {
          id: `refused-${slug}-${group}-renames-first-user`,
          title: `On \`${operation}\`, the server refuses a request (${group}), but changes the name of the first user.`,
          breaks: ['update.refused-changes-nothing'],
          killedBy: { [`refused-${slug}-${group}-changes-nothing`]: 'changed-user' },
          behaviour: refusedYet(
            (refusal) => isTo(operation)(refusal.request) && which(refusal),
            ({ store }) => {
              changeUser(store.users, 1, { name: 'Nobody' });
            },
          ),
        },
      ];
    });
  });
