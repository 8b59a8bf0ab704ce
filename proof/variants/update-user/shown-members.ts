import { updatableMembers } from '../../../reference-server/seed.ts';
import type { WrittenVariant } from '../../variant.ts';
import { hiding, showing, showingOnly } from '../freedoms.ts';
import { kebab } from '../../defects/every-operation/members.ts';
import { named } from '../../table.ts';

/** Members that a server need not show, and that no check needs. */
const HIDDEN = [
  ...['isAPI', 'username', 'imageUrl', 'inviteLink', 'loginAttempts', 'emailSent'],
  ...['seenAt', 'createdAt', 'accountType', 'permissions', 'scimId'],
];

/** Choices of which members of a user are shown. Source: Resources, User. */
export const shownMembersVariants: readonly WrittenVariant[] = [
  ...named<WrittenVariant>({
    'role-hidden: Responses never show `rootRole`.': {
      about: ['open.shown-members', 'open.root-role-response'],
      notRestored: true,
      behaviour: hiding('rootRole'),
    },
    'role-shown-only-when-sent: Responses show `rootRole` only if the request sent it.': {
      about: ['open.shown-members', 'open.root-role-response'],
      notRestored: true,
      behaviour: showing(({ rootRole, ...user }, sent) => ({
        ...user,
        ...(Object.hasOwn(sent, 'rootRole') ? { rootRole } : {}),
      })),
    },
    'members-shown-only-with-a-value: Responses leave out each member that is null or empty.': {
      about: ['open.shown-members', 'user.name'],
      behaviour: showing((user) =>
        Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null && value !== '')),
      ),
    },
    'shows-id-only: Responses show only the `id` of a user.': {
      about: ['open.shown-members', 'user.object', 'user.id'],
      notRestored: true,
      behaviour: showingOnly('id'),
    },
    'shows-sent-members-only: Responses show only the `id` and the members that were sent.': {
      about: ['open.shown-members', 'update.answer-shows-user'],
      notRestored: true,
      behaviour: showing(({ id }, sent) => ({ ...sent, id })),
    },
    'shows-unsent-members-only: Responses show all members except those that were sent.': {
      about: ['open.shown-members', 'update.answer-shows-user'],
      behaviour: showing(({ id, ...user }, sent) => ({
        id,
        ...Object.fromEntries(Object.entries(user).filter(([member]) => !Object.hasOwn(sent, member))),
      })),
    },
    'shows-what-can-be-sent: Responses show only `id`, `name`, `email` and `rootRole`.': {
      about: ['open.shown-members', 'open.account-type-values', 'update.other-members-keep'],
      behaviour: showingOnly('id', 'name', 'email', 'rootRole'),
    },
    'shows-name-only: Responses show only `id` and `name`.': {
      about: ['open.shown-members'],
      notRestored: true,
      behaviour: showingOnly('id', 'name'),
    },
    'shows-email-only: Responses show only `id` and `email`.': {
      about: ['open.shown-members'],
      notRestored: true,
      behaviour: showingOnly('id', 'email'),
    },
    'name-hidden: Responses never show `name`.': {
      about: ['open.shown-members', 'user.name'],
      notRestored: true,
      behaviour: hiding('name'),
    },
    'email-hidden: Responses never show `email`, for privacy.': {
      about: ['open.shown-members', 'user.email'],
      notRestored: true,
      behaviour: hiding('email'),
    },
    'shows-all-to-an-empty-body-only: The response to `{}` shows the whole user; the response to an update shows only its `id`.':
      {
        about: ['open.shown-members', 'open.empty-body'],
        behaviour: showing((user, sent) => (Object.keys(sent).length === 0 ? user : { id: user.id })),
      },
    'shows-id-only-to-an-empty-body: The response to `{}` shows only the `id`; the response to an update shows the whole user.':
      {
        about: ['open.shown-members', 'open.empty-body'],
        notRestored: true,
        behaviour: showing((user, sent) =>
          updatableMembers.some((member) => Object.hasOwn(sent, member)) ? user : { id: user.id },
        ),
      },
    'shows-members-by-turns: Each response shows a different selection of the members that cannot be sent.': {
      about: ['open.shown-members', 'update.other-members-keep', 'user.invite-link', 'user.image-url'],
      behaviour: showing((user, _sent, turn) =>
        Object.fromEntries(
          Object.entries(user).filter(
            ([name], index) => ['id', 'name', 'email', 'rootRole'].includes(name) || (index + turn) % 3 === 0,
          ),
        ),
      ),
    },
  }),
  ...HIDDEN.map((member): WrittenVariant => ({
    id: `hides-${kebab(member)}`,
    title: `Responses never show \`${member}\`.`,
    about: ['open.shown-members', `user.${kebab(member)}`],
    behaviour: hiding(member),
  })),
];
