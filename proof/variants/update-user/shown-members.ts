import { updatableMembers } from '../../../reference-server/seed.ts';
import type { Variant } from '../../variant.ts';
import { hiding, notSeen, showing, showingOnly } from '../freedoms.ts';
import { kebab } from '../../defects/every-operation/members.ts';
import { named } from '../../table.ts';

/** The checks that are inconclusive if no later response shows the role. */
const ROLE_UNSEEN_LATER = notSeen('update-*role-stored', 'update-*-keeps-role', 'update-*role-keeps-*');
/** The checks that are inconclusive if the role is never shown. */
const ROLE_UNSEEN = { ...ROLE_UNSEEN_LATER, ...notSeen('update-*role-shown') };

/** The checks that are inconclusive if no effect of an accepted or refused update can be observed. */
const EFFECTS_UNSEEN = notSeen(
  'refused-*-changes-nothing',
  'reading-changes-no-user',
  'update-*-stored',
  'update-*-keeps-*',
  'update-*spares-*',
  'update-empty-body',
  'update-concurrent-*',
);
const NAMES_UNSEEN = notSeen('update-name-*', 'update-member-*', 'update-escapes-read');
const EMAIL_UNSEEN = notSeen('update-email-empty', 'update-email-unusual', 'update-member-in-capitals');
const ANSWERS_UNSEEN = notSeen('update-*-shown');
/** The checks that are inconclusive if nobody can observe that name and e-mail address are stored, and so what an update leaves alone. */
const UNTOUCHED_UNSEEN = notSeen('update-keeps-*');

/** Members that a server need not show, and that no check needs. */
const HIDDEN = [
  ...['isAPI', 'username', 'imageUrl', 'inviteLink', 'loginAttempts', 'emailSent'],
  ...['seenAt', 'createdAt', 'accountType', 'permissions', 'scimId'],
];

/** Choices of which members of a user are shown. Source: Resources, User. */
export const shownMembersVariants: readonly Variant[] = [
  ...named<Variant>({
    'role-hidden: Responses never show `rootRole`.': {
      about: ['open.shown-members', 'open.root-role-response'],
      inconclusive: ROLE_UNSEEN,
      notRestored: true,
      behaviour: hiding('rootRole'),
    },
    'role-shown-only-when-sent: Responses show `rootRole` only if the request sent it.': {
      about: ['open.shown-members', 'open.root-role-response'],
      inconclusive: ROLE_UNSEEN_LATER,
      notRestored: true,
      behaviour: showing(({ rootRole, ...user }, sent) => ({
        ...user,
        ...(Object.hasOwn(sent, 'rootRole') ? { rootRole } : {}),
      })),
    },
    'members-shown-only-with-a-value: Responses leave out each member that is null or empty.': {
      about: ['open.shown-members', 'user.name'],
      inconclusive: notSeen('update-name-empty', 'update-email-empty'),
      behaviour: showing((user) =>
        Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null && value !== '')),
      ),
    },
    'shows-id-only: Responses show only the `id` of a user.': {
      about: ['open.shown-members', 'user.object', 'user.id'],
      inconclusive: {
        ...EFFECTS_UNSEEN,
        ...ANSWERS_UNSEEN,
        ...NAMES_UNSEEN,
        ...EMAIL_UNSEEN,
        ...notSeen('update-repeated'),
      },
      notRestored: true,
      behaviour: showingOnly('id'),
    },
    'shows-sent-members-only: Responses show only the `id` and the members that were sent.': {
      about: ['open.shown-members', 'update.answer-shows-user'],
      inconclusive: { ...EFFECTS_UNSEEN, ...notSeen('update-repeated') },
      notRestored: true,
      behaviour: showing(({ id }, sent) => ({ ...sent, id })),
    },
    'shows-unsent-members-only: Responses show all members except those that were sent.': {
      about: ['open.shown-members', 'update.answer-shows-user'],
      inconclusive: ANSWERS_UNSEEN,
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
      inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...EMAIL_UNSEEN },
      notRestored: true,
      behaviour: showingOnly('id', 'name'),
    },
    'shows-email-only: Responses show only `id` and `email`.': {
      about: ['open.shown-members'],
      inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...NAMES_UNSEEN },
      notRestored: true,
      behaviour: showingOnly('id', 'email'),
    },
    'name-hidden: Responses never show `name`.': {
      about: ['open.shown-members', 'user.name'],
      inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...UNTOUCHED_UNSEEN, ...NAMES_UNSEEN },
      notRestored: true,
      behaviour: hiding('name'),
    },
    'email-hidden: Responses never show `email`, for privacy.': {
      about: ['open.shown-members', 'user.email'],
      inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...UNTOUCHED_UNSEEN, ...EMAIL_UNSEEN },
      notRestored: true,
      behaviour: hiding('email'),
    },
    'shows-all-to-an-empty-body-only: The response to `{}` shows the whole user; the response to an update shows only its `id`.':
      {
        about: ['open.shown-members', 'open.empty-body'],
        inconclusive: ANSWERS_UNSEEN,
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
  ...HIDDEN.map((member): Variant => ({
    id: `hides-${kebab(member)}`,
    title: `Responses never show \`${member}\`.`,
    about: ['open.shown-members', `user.${kebab(member)}`],
    behaviour: hiding(member),
  })),
];
