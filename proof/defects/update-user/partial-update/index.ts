import type { WrittenDefect } from '../../../defect.ts';
import { breaking } from '../../../table.ts';
import { all, namesOf } from '../../requests.ts';
import { type Update, type WhichUpdate, ofOther, ofUser, updating } from '../updates.ts';
import { acceptanceDefects, emptyBodyDefects } from './acceptance.ts';
import { otherMembersDefects, otherUsersDefects } from './others.ts';
import { sentMembersDefects } from './sent-members.ts';
import { unsentMembersDefects } from './unsent-members.ts';

const defects: readonly WrittenDefect[] = [
  ...unsentMembersDefects,
  ...sentMembersDefects,
  ...acceptanceDefects,
  ...otherMembersDefects,
  ...otherUsersDefects,
  ...emptyBodyDefects,
];

const both: WhichUpdate = ({ body }) => namesOf(body) === 'email,name';
const texts = ({ before: { name, email } }: Update) => ({ name, email });

/** Roles that no user has and no fault sets, so that a role that is sent is never there by chance. */
const inputs = { roleIds: [21, 22] };

/** Source: What the service does, 1; Endpoints, PUT user, rule. */
export const partialUpdateDefects: readonly WrittenDefect[] = [
  ...defects.map((defect) => ({ ...defect, inputs })),
  ...breaking('update.answer-shows-user', {
    'answer-to-name-and-email-is-stale-for-first-user: The response to an update of name and e-mail address shows the first user as it was before.':
      updating(all(ofUser, both), texts, 'in the response'),
    'answer-is-stale-for-other-user: The response to an update shows any user but the first as it was before.':
      updating(ofOther, texts, 'in the response'),
  }),
  ...breaking('update.unsent-fields-keep', {
    'role-of-first-user-reset-by-name-and-email: An update of name and e-mail address changes the role of the first user.':
      updating(
        all(ofUser, both, ({ body, before }) => before.name !== body.name),
        { rootRole: 9 },
      ),
    'role-of-other-user-reset: An update without a role changes the role of any user but the first.': updating(
      all(ofOther, both),
      { rootRole: 9 },
    ),
  }),
  ...breaking('update.sent-fields-change', {
    'email-before-name-loses-name: A body with the e-mail address before the name changes only the e-mail address.':
      updating(
        ({ body }) => Object.keys(body).join() === 'email,name',
        ({ before: { name } }) => ({ name }),
      ),
  }),
];
