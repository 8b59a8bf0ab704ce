import { operations } from '../../../conformance/operations/index.ts';
import type { Defect } from '../../defect.ts';
import { isTo, refusedWith, sentKey, takenAs, withKey } from '../requests.ts';

/** Of every operation that requires a permission. Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly Defect[] = operations.flatMap(({ id: operation, slug, permission = [] }) =>
  permission.slice(0, 1).flatMap((request): Defect[] => {
    const breaks = ['permission.refused'];
    const check = `permission-${request.id}`;
    return [
      {
        id: `${slug}-without-permission-accepted`,
        title: `The server accepts \`${operation}\` with every valid key.`,
        breaks,
        killedBy: { [check]: 'accepted' },
        behaviour: takenAs((sent, { keys }) =>
          isTo(operation)(sent) && sentKey(sent) === keys.restricted ? withKey(sent, keys.admin) : sent,
        ),
      },
      {
        id: `${slug}-without-permission-is-404`,
        title: `The server responds 404 to \`${operation}\` with a key without the permission.`,
        breaks,
        killedBy: { [check]: 'wrong-status' },
        behaviour: refusedWith((refusal) => refusal.status === 403 && isTo(operation)(refusal.request), 404),
      },
    ];
  }),
);
