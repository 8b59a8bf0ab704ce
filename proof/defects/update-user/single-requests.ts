import { without } from '../../../common/json.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { breaking } from '../../table.ts';
import {
  type WhichRequest,
  all,
  allowing,
  answered,
  not,
  namesOf,
  sends,
  sendsOnly,
  sentMembers,
  sendsText,
  takenAs,
  withId,
} from '../requests.ts';
import { answeredWith } from '../responses.ts';
import { sendsA } from './json-types.ts';
import { unchanged } from './permission.ts';
import { type Update, type WhichUpdate, isUpdate, ofOther, ofUser, updating } from './updates.ts';

/** Drops a member of a wrong type from some updates instead of refusing them. */
function dropped(member: string, which: WhichRequest): Behaviour {
  return takenAs(all(isUpdate, sends(member), not(sendsA('string', member)), which), (request) => ({
    ...request,
    body: Buffer.from(JSON.stringify(without(sentMembers(request), member))),
  }));
}

const types = (['name', 'email'] as const).flatMap((member) => {
  const right = member === 'name' ? 'email' : 'name';
  return breaking([`request-body.${member}-type`])({
    [`null-as-${member}-alone-taken-for-nothing: The server reads a body with only null as \`${member}\` as an empty one.`]:
      dropped(member, all(sendsA('null', member), sendsOnly(member))),
    [`boolean-as-${member}-dropped-beside-${right}: The server ignores a boolean as \`${member}\` if a valid \`${right}\` is sent too.`]:
      dropped(member, all(sendsA('boolean', member), sendsA('string', right))),
    [`null-as-${member}-dropped-beside-${right}: The server ignores null as \`${member}\` if a valid \`${right}\` is sent too.`]:
      dropped(member, all(sendsA('null', member), sendsA('string', right))),
    [`${member}-not-looked-at-beside-role: The server ignores \`${member}\` with a wrong type if a role is sent too.`]:
      dropped(member, sends('rootRole')),
    [`${member}-not-looked-at-for-other-user: The server ignores \`${member}\` with a wrong type in updates of any user but the first.`]:
      dropped(member, withId(/^2$/)),
  });
});

const both: WhichUpdate = ({ body }) => namesOf(body) === 'email,name';
const texts = ({ before: { name, email } }: Update) => ({ name, email });

/** Source: Endpoints, PUT user; Authentication, 3. Each shows in only one kind of request. */
export const singleRequestsDefects: readonly WrittenDefect[] = [
  ...types,
  ...breaking(['permission.refused'])({
    'restricted-key-may-update-all-at-once: The restricted key may update name, e-mail address and role together.':
      allowing(all(isUpdate, sendsOnly('name', 'email', 'rootRole'))),
    'restricted-key-sees-user-by-empty-body: The server shows the user to the restricted key if it sends `{}`.':
      answeredWith(all(answered(403), sendsText(/^\{\}$/)), unchanged),
  }),
  ...breaking(['update.answer-shows-user'])({
    'answer-to-name-and-email-is-stale-for-first-user: The response to an update of name and e-mail address shows the first user as it was before.':
      updating(all(ofUser, both), texts, 'in the response'),
    'answer-is-stale-for-other-user: The response to an update shows any user but the first as it was before.':
      updating(ofOther, texts, 'in the response'),
  }),
  ...breaking(['update.unsent-fields-keep'])({
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
  ...breaking(['update.sent-fields-change'])({
    'email-before-name-loses-name: A body with the e-mail address before the name changes only the e-mail address.':
      updating(
        ({ body }) => Object.keys(body).join() === 'email,name',
        ({ before: { name } }) => ({ name }),
      ),
  }),
];
