import { operations } from '../../../conformance/operations/index.ts';
import type { Defect } from '../../defect.ts';
import { named } from '../../table.ts';
import { all, allowing, answered, isTo } from '../requests.ts';
import { refusedWith } from '../responses.ts';

/** Of every operation that requires a permission. Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly Defect[] = operations.flatMap(({ id: operation, slug, permission = [] }) =>
  permission.slice(0, 1).flatMap(({ id: check }): Defect[] =>
    named<Defect>({
      [`${slug}-without-permission-accepted: The server accepts \`${operation}\` with every valid key.`]: {
        breaks: ['permission.refused'],
        killedBy: { [`permission-${check}`]: 'accepted' },
        behaviour: allowing(isTo(operation)),
      },
      [`${slug}-without-permission-is-404: The server responds 404 to \`${operation}\` with a key without the permission.`]:
        {
          breaks: ['permission.refused'],
          killedBy: { [`permission-${check}`]: 'wrong-status' },
          behaviour: refusedWith(all(answered(403), isTo(operation)), 404),
        },
    }),
  ),
);
