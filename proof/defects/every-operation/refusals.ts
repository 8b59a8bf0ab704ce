import { isSafe } from '../../../conformance/http/exchange.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { documentedStatuses, route } from '../../../contract/document.ts';
import type { WrittenDefect } from '../../defect.ts';
import { breaking } from '../../table.ts';
import { type Which, all, allowing, anError, answered, isTo, not, withId } from '../requests.ts';
import { changes, followedBy, type Keeping, refusedWith } from '../responses.ts';
import type { ResourceId } from '../../../conformance/resources/resource.ts';

const INTEGER = withId(/^-?\d*$/);

/** The refusals of a group, an error status or `path-id`; undefined for a group with another name. */
function refusalsOf(group: string): Which | undefined {
  if (group === 'path-id') return all(answered(400), not(INTEGER));
  if (group === '400') return all(answered(400), INTEGER);
  return /^\d+$/.test(group) ? answered(Number(group)) : undefined;
}

/** Of every operation that requires a permission. Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly WrittenDefect[] = operations
  .filter(({ permission = [] }) => permission.length > 0)
  .flatMap(({ id, slug }) =>
    breaking('permission.refused', {
      [`${slug}-without-permission-accepted: accepts \`${id}\` with every valid key`]: allowing(isTo(id)),
      [`${slug}-without-permission-is-404: responds 404 to \`${id}\` with a key without the permission`]: refusedWith(
        all(answered(403), isTo(id)),
        404,
      ),
    }),
  );

/** Changes the first of a resource, beside all rules. */
const CHANGED: Readonly<Record<ResourceId, (seen: Keeping) => void>> = {
  user: changes(1, { name: 'Nobody' }),
  banner: ({ store: { banners } }) => {
    banners[0] = { ...banners[0], message: 'Nothing' };
  },
};

/**
 * Refused requests that change what they address, for every operation that writes. The update has finer ones.
 * Source: Endpoints, PUT user, responses; Errors.
 */
export const refusalsOfEveryWrite: readonly WrittenDefect[] = operations
  .filter(({ id, updates }) => !isSafe(route(id)) && !updates)
  .flatMap(({ id, slug, effect, negativeChecks = {} }) => {
    const byStatus = ['401', '403'].filter((status) => documentedStatuses(id).includes(Number(status)));
    return [...byStatus, ...Object.keys(negativeChecks)].flatMap((group) => {
      const which = refusalsOf(group);
      if (!which || !effect?.refused) return [];
      return breaking(effect.refused.requirement, {
        [`refused-${slug}-${group}-changes-first-${effect.resource}: On \`${id}\`, the server refuses a request (${group}), but changes the first ${effect.resource}.`]:
          followedBy(all(anError, isTo(id), which), CHANGED[effect.resource]),
      });
    });
  });
