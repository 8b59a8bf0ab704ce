import { operations } from '../../../conformance/operations/index.ts';
import type { WrittenDefect } from '../../defect.ts';
import { named } from '../../table.ts';
import { all, allowing, answered, isTo } from '../requests.ts';
import { refusedWith } from '../responses.ts';

/** Of every operation that requires a permission. Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly WrittenDefect[] = operations.flatMap(
  ({ id: operation, slug, permission = [] }) =>
    permission.slice(0, 1).flatMap((): WrittenDefect[] =>
      named<WrittenDefect>({
        [`${slug}-without-permission-accepted: The server accepts \`${operation}\` with every valid key.`]: {
          breaks: ['permission.refused'],
          behaviour: allowing(isTo(operation)),
        },
        [`${slug}-without-permission-is-404: The server responds 404 to \`${operation}\` with a key without the permission.`]:
          {
            breaks: ['permission.refused'],
            behaviour: refusedWith(all(answered(403), isTo(operation)), 404),
          },
      }),
    ),
);
