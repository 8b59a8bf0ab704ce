import { randomUUID } from 'node:crypto';
import { UPDATABLE } from '../../../../conformance/target/user.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { breaking, tableOf } from '../../../table.ts';
import { type Which, all, sendsText, withKeyOf } from '../../requests.ts';
import { answering, hungUpOn } from '../../responses.ts';
import { anUpdate, isUpdate, updating, withNothing } from '../updates.ts';
import { DEFAULTS, shortOf, withStatus } from './shapes.ts';

const emptyUpdate: Which = all(anUpdate, sendsText(/^\{\}$/));

const doing = breaking(['update.empty-body-changes-nothing'], 'empty-body-*: *');

/** The body `{}` does something. */
export const emptyBodyDefects: readonly WrittenDefect[] = [
  ...UPDATABLE.flatMap((member) => [
    ...doing({
      [`nulls-${shortOf(member)}: The body \`{}\` sets \`${member}\` to null.`]: updating(withNothing, {
        [member]: null,
      }),
    }),
    ...doing({
      [`resets-${shortOf(member)}: The body \`{}\` resets \`${member}\` to a default.`]: updating(withNothing, {
        [member]: DEFAULTS[member],
      }),
    }),
  ]),
  ...doing(
    tableOf(
      [201, 202, 404, 409, 422, 500],
      (status) => `answered-${status}: The server responds ${status} to the body \`{}\`.`,
      (status) => answering(emptyUpdate, withStatus(status)),
    ),
  ),
  ...doing({
    'empties-user: The body `{}` removes name, e-mail address and role.': updating(withNothing, {
      ...{ name: undefined, email: undefined, rootRole: undefined },
    }),
  }),
  ...doing({
    'hung-up-on: The server closes the connection instead of responding to the body `{}`.': hungUpOn(
      all(isUpdate, sendsText(/^\{\}$/), withKeyOf('admin')),
    ),
  }),
  ...breaking(['errors.name'])({
    'empty-body-refused-with-another-name: The 400 response to the body `{}` has an error name that is not documented.':
      answering(emptyUpdate, () => ({
        status: 400,
        body: { id: randomUUID(), name: 'EmptyBody', message: 'Send a member.' },
      })),
  }),
];
