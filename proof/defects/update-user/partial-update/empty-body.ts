import { randomUUID } from 'node:crypto';
import { UPDATABLE } from '../../../../conformance/target/user.ts';
import type { Defect } from '../../../defect.ts';
import { alike, tableOf } from '../../../table.ts';
import { type Which, all, sendsText, withKeyOf } from '../../requests.ts';
import { answering, hungUpOn } from '../../responses.ts';
import { anUpdate, isUpdate, updating, withNothing } from '../updates.ts';
import { DEFAULTS, shortOf, withStatus } from './shapes.ts';

const emptyUpdate: Which = all(anUpdate, sendsText(/^\{\}$/));

const seenAs = (mode: string) =>
  alike(['update.empty-body-changes-nothing'], { 'update-empty-body': mode }, 'empty-body-*: *');

/** The body `{}` does something. */
export const emptyBodyDefects: readonly Defect[] = [
  ...UPDATABLE.flatMap((member) => [
    ...seenAs('nulled')({
      [`nulls-${shortOf(member)}: The body \`{}\` sets \`${member}\` to null.`]: updating(withNothing, {
        [member]: null,
      }),
    }),
    ...seenAs('replaced')({
      [`resets-${shortOf(member)}: The body \`{}\` resets \`${member}\` to a default.`]: updating(withNothing, {
        [member]: DEFAULTS[member],
      }),
    }),
  ]),
  ...seenAs('wrong-status')(
    tableOf(
      [201, 202, 404, 409, 422, 500],
      (status) => `answered-${status}: The server responds ${status} to the body \`{}\`.`,
      (status) => answering(emptyUpdate, withStatus(status)),
    ),
  ),
  ...seenAs('removed')({
    'empties-user: The body `{}` removes name, e-mail address and role.': updating(withNothing, {
      ...{ name: undefined, email: undefined, rootRole: undefined },
    }),
  }),
  ...seenAs('no-answer')({
    'hung-up-on: The server closes the connection instead of responding to the body `{}`.': hungUpOn(
      all(isUpdate, sendsText(/^\{\}$/), withKeyOf('admin')),
    ),
  }),
  ...alike(['errors.name'], { 'error-name-400': 'wrong-error-name' })({
    'empty-body-refused-with-another-name: The 400 response to the body `{}` has an error name that is not documented.':
      answering(emptyUpdate, () => ({
        status: 400,
        body: { id: randomUUID(), name: 'EmptyBody', message: 'Send a member.' },
      })),
  }),
];
