import type { ApiRequest } from '../../../reference-server/rules.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { breaking, named } from '../../table.ts';
import { answeredWith, sentId, sentMembers, takenAs, withId } from '../requests.ts';
import { allowing } from './permission.ts';
import { isUpdate, updating } from './updates.ts';

const membersOf = (body: object): string => Object.keys(body).sort().join();

/** Drops a member of a wrong type from some bodies instead of refusing them. */
function dropped(
  member: 'name' | 'email',
  isSo: (body: Record<string, unknown>, request: ApiRequest) => boolean,
): Behaviour {
  return takenAs((request) => {
    const body = sentMembers(request);
    if (!isUpdate(request) || !Object.hasOwn(body, member) || typeof body[member] === 'string') return request;
    if (!isSo(body, request)) return request;
    const rest = Object.entries(body).filter(([name]) => name !== member);
    return { ...request, body: Buffer.from(JSON.stringify(Object.fromEntries(rest))) };
  });
}

const types = (['name', 'email'] as const).flatMap((member) => {
  const right = member === 'name' ? 'email' : 'name';
  const beside = { [`body-${member}-invalid-beside-${right}`]: 'accepted' };
  return breaking([`request-body.${member}-type`])({
    [`null-as-${member}-alone-taken-for-nothing: The server reads a body with only null as \`${member}\` as an empty one.`]:
      [
        { [`body-${member}-null`]: 'accepted' },
        dropped(member, (body) => body[member] === null && membersOf(body) === member),
      ],
    [`boolean-as-${member}-dropped-beside-${right}: The server ignores a boolean as \`${member}\` if a valid \`${right}\` is sent too.`]:
      [beside, dropped(member, (body) => typeof body[member] === 'boolean' && typeof body[right] === 'string')],
    [`null-as-${member}-dropped-beside-${right}: The server ignores null as \`${member}\` if a valid \`${right}\` is sent too.`]:
      [beside, dropped(member, (body) => body[member] === null && typeof body[right] === 'string')],
    [`${member}-not-looked-at-beside-role: The server ignores \`${member}\` with a wrong type if a role is sent too.`]:
      [{ 'body-text-invalid-beside-role': 'accepted' }, dropped(member, (body) => Object.hasOwn(body, 'rootRole'))],
    [`${member}-not-looked-at-for-other-user: The server ignores \`${member}\` with a wrong type in updates of any user but the first.`]:
      [{ 'body-other-user-invalid': 'accepted' }, dropped(member, (_body, request) => sentId(request) === '2')],
  });
});

/** Source: Endpoints, PUT user; Authentication, 3. Each shows in only one kind of request. */
export const singleRequestsDefects: readonly Defect[] = [
  ...types,
  ...named<Defect>({
    'restricted-key-may-update-all-at-once: The restricted key may update name, e-mail address and role together.': {
      breaks: ['permission.refused'],
      killedBy: { 'permission-all': 'accepted' },
      behaviour: allowing((request) => membersOf(sentMembers(request)) === 'email,name,rootRole'),
    },
    'restricted-key-sees-user-by-empty-body: The server shows the user to the restricted key if it sends `{}`.': {
      breaks: ['permission.refused'],
      killedBy: { 'permission-empty-body': 'accepted' },
      behaviour: answeredWith(
        ({ request, status }) => status === 403 && request.body.toString() === '{}',
        ({ request, store }) => ({ status: 200, body: store.users.get(Number(sentId(request))) }),
      ),
    },
    'answer-to-name-and-email-is-stale-for-first-user: The response to an update of name and e-mail address shows the first user as it was before.':
      {
        breaks: ['update.answer-shows-user'],
        killedBy: { 'update-name-email-shown': 'stale-answer' },
        behaviour: updating(
          ({ body, before }) => before.id === 1 && membersOf(body) === 'email,name',
          ({ before: { name, email } }) => ({ name, email }),
          'in the response',
        ),
      },
    'answer-is-stale-for-other-user: The response to an update shows any user but the first as it was before.': {
      breaks: ['update.answer-shows-user'],
      killedBy: { 'update-other-user-shown': 'stale-answer' },
      behaviour: updating(
        ({ before }) => before.id === 2,
        ({ before: { name, email } }) => ({ name, email }),
        'in the response',
      ),
    },
    'role-of-first-user-reset-by-name-and-email: An update of name and e-mail address changes the role of the first user.':
      {
        breaks: ['update.unsent-fields-keep'],
        killedBy: { 'update-name-email-keeps-role': 'replaced' },
        behaviour: updating(
          ({ body, before }) => before.id === 1 && membersOf(body) === 'email,name' && before.name !== body.name,
          () => ({ rootRole: 9 }),
        ),
      },
    'role-of-other-user-reset: An update without a role changes the role of any user but the first.': {
      breaks: ['update.unsent-fields-keep'],
      killedBy: { 'update-other-user-keeps-role': 'replaced' },
      behaviour: updating(
        ({ body, before }) => before.id === 2 && membersOf(body) === 'email,name',
        () => ({ rootRole: 9 }),
      ),
    },
    'email-before-name-loses-name: A body with the e-mail address before the name changes only the e-mail address.': {
      breaks: ['update.sent-fields-change'],
      killedBy: { 'update-name-email-stored': 'not-stored' },
      behaviour: updating(
        ({ body }) => Object.keys(body).join() === 'email,name',
        ({ before: { name } }) => ({ name }),
      ),
    },
    'unknown-word-as-id-is-first-user: The server takes a path id that is neither an integer nor a username as that of the first user.':
      {
        breaks: ['path-id.integer'],
        killedBy: { 'path-id-word': 'accepted' },
        behaviour: takenAs((request) => (sentId(request) === 'abc' ? withId(request, 1) : request)),
      },
  }),
];
