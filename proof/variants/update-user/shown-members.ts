import { updatableMembers } from '../../../reference-server/seed.ts';
import type { WrittenVariant } from '../../variant.ts';
import { hiding, showing, showingOnly, unrestored } from '../freedoms.ts';
import { kebab } from '../../defects/every-operation/members.ts';
import { about } from '../../table.ts';

/** Members that a server need not show, and that no check needs. */
const HIDDEN = [
  ...['isAPI', 'username', 'imageUrl', 'inviteLink', 'loginAttempts', 'emailSent'],
  ...['seenAt', 'createdAt', 'accountType', 'permissions', 'scimId'],
];

/** Choices of which members of a user are shown. Source: Resources, User. */
export const shownMembersVariants: readonly WrittenVariant[] = [
  ...about(['open.shown-members', 'open.account-type-values', 'update.other-members-keep'], {
    'shows-what-can-be-sent: Responses show only `id`, `name`, `email` and `rootRole`.': showingOnly(
      'id',
      'name',
      'email',
      'rootRole',
    ),
  }),
  ...about(['open.shown-members', 'update.other-members-keep', 'user.invite-link', 'user.image-url'], {
    'shows-members-by-turns: Each response shows a different selection of the members that cannot be sent.': showing(
      (user, _sent, turn) =>
        Object.fromEntries(
          Object.entries(user).filter(
            ([name], index) => ['id', 'name', 'email', 'rootRole'].includes(name) || (index + turn) % 3 === 0,
          ),
        ),
    ),
  }),
  ...about(['open.shown-members', 'user.name'], {
    'members-shown-only-with-a-value: Responses leave out each member that is null or empty.': showing((user) =>
      Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null && value !== '')),
    ),
  }),
  ...about(['open.shown-members', 'update.answer-shows-user'], {
    'shows-unsent-members-only: Responses show all members except those that were sent.': showing(
      ({ id, ...user }, sent) => ({
        id,
        ...Object.fromEntries(Object.entries(user).filter(([member]) => !Object.hasOwn(sent, member))),
      }),
    ),
  }),
  ...about(['open.shown-members', 'open.empty-body'], {
    'shows-all-to-an-empty-body-only: The response to `{}` shows the whole user; the response to an update shows only its `id`.':
      showing((user, sent) => (Object.keys(sent).length === 0 ? user : { id: user.id })),
  }),
  ...unrestored(['open.shown-members', 'open.root-role-response'], {
    'role-hidden: Responses never show `rootRole`.': hiding('rootRole'),
    'role-shown-only-when-sent: Responses show `rootRole` only if the request sent it.': showing(
      ({ rootRole, ...user }, sent) => ({ ...user, ...(Object.hasOwn(sent, 'rootRole') ? { rootRole } : {}) }),
    ),
  }),
  ...unrestored(['open.shown-members', 'user.object', 'user.id'], {
    'shows-id-only: Responses show only the `id` of a user.': showingOnly('id'),
  }),
  ...unrestored(['open.shown-members', 'update.answer-shows-user'], {
    'shows-sent-members-only: Responses show only the `id` and the members that were sent.': showing(
      ({ id }, sent) => ({
        ...sent,
        id,
      }),
    ),
  }),
  ...unrestored(['open.shown-members'], {
    'shows-name-only: Responses show only `id` and `name`.': showingOnly('id', 'name'),
    'shows-email-only: Responses show only `id` and `email`.': showingOnly('id', 'email'),
  }),
  ...unrestored(['open.shown-members', 'user.name'], {
    'name-hidden: Responses never show `name`.': hiding('name'),
  }),
  ...unrestored(['open.shown-members', 'user.email'], {
    'email-hidden: Responses never show `email`, for privacy.': hiding('email'),
  }),
  ...unrestored(['open.shown-members', 'open.empty-body'], {
    'shows-id-only-to-an-empty-body: The response to `{}` shows only the `id`; the response to an update shows the whole user.':
      showing((user, sent) =>
        updatableMembers.some((member) => Object.hasOwn(sent, member)) ? user : { id: user.id },
      ),
  }),
  ...[0, 1].flatMap((half) => {
    const hidden = HIDDEN.filter((_member, at) => at % 2 === half);
    return about(['open.shown-members', ...hidden.map((member) => `user.${kebab(member)}`)], {
      [`hides-half-${half + 1}: Responses never show ${hidden.map((member) => `\`${member}\``).join(', ')}.`]: showing(
        (user) => Object.fromEntries(Object.entries(user).filter(([member]) => !hidden.includes(member))),
      ),
    });
  }),
];
