import { breaking, type Defect } from '../server.ts';
import { anUpdate } from '../servers/requests.ts';
import { adding, listing, showing, showingBanners } from '../servers/responses.ts';
import { usersWith } from '../servers/updates.ts';

/** The name of a member, as in the ids of requirements. */
export function kebab(member: string): string {
  return member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`);
}

type Value = readonly [member: string, what: string, value: unknown];

/** What serializers, drivers and migrations show in place of a value, by the member of a user. */
const OF_USERS: readonly Value[] = [
  ['id', 'text', '1'],
  ['isAPI', 'number', 0],
  ['name', 'array', ['Grace']],
  ['email', 'object', { value: 'grace@example.com' }],
  ['email', 'null', null],
  ['username', 'number', 7],
  ['imageUrl', 'null', null],
  ['inviteLink', 'null', null],
  ['loginAttempts', 'fraction', 7.5],
  ['emailSent', 'text', 'false'],
  ['rootRole', 'text', '1'],
  ['rootRole', 'null', null],
  ['seenAt', 'date', '2025-06-01'],
  ['seenAt', 'impossible-day', '2025-02-30T08:00:00Z'],
  ['createdAt', 'time-of-sql', '2025-06-01 08:00:00'],
  ['createdAt', 'time-without-zone', '2025-06-01T08:00:00'],
  ['accountType', 'null', null],
  ['permissions', 'list-of-numbers', [1, 2]],
  ['scimId', 'array', ['scim-1']],
];

/** The same, by the member of a banner. */
const OF_BANNERS: readonly Value[] = [
  ['id', 'fraction', 7.5],
  ['message', 'number', 7],
  ['enabled', 'number', 1],
  ['variant', 'array', ['warning']],
  ['sticky', 'empty-text', ''],
  ['icon', 'number', 7],
  ['link', 'boolean', true],
  ['linkText', 'array', ['More']],
  ['dialogTitle', 'object', { value: 'More' }],
  ['dialog', 'number', 7],
  ['createdAt', 'time-without-zone', '2026-02-11T10:00:00'],
];

function shownAs(object: 'user' | 'banner', [member, what, value]: Value): Defect {
  const members = { [member]: value };
  return {
    id: `${object}-${kebab(member)}-shown-as-${what}`,
    title: `The \`${member}\` of a ${object} is ${JSON.stringify(value)}.`,
    breaks: [`${object}.${kebab(member)}`],
    behaviour: object === 'user' ? adding(anUpdate, members) : showingBanners((banner) => ({ ...banner, ...members })),
  };
}

const hash = '$2b$10$' + 'KixY0wq1Yd3vQe7uS9aBcO' + 'fGh1jKl2mNo3pQr4sTu5vWx6yZa7bC8';

/** Source: Resources. */
export const memberDefects: readonly Defect[] = [
  ...OF_USERS.map((each) => shownAs('user', each)),
  ...OF_BANNERS.map((each) => shownAs('banner', each)),
  ...breaking('user.id', {
    'user-id-left-out: A user has no `id`': adding(anUpdate, { id: undefined }),
  }),
  ...breaking('user.email', {
    'email-null-until-set: The second user has null as its e-mail address until it gets one': usersWith(
      ({ email }, index) => ({ email: index === 1 ? null : email }),
    ),
  }),
  ...breaking('user.object', {
    'user-body-wrapped-in-user: The user is inside the member `user`': showing(anUpdate, (user) => ({ user })),
  }),
  ...breaking('user.username-unique', {
    'username-of-two-users-stored: Two users have the same username': usersWith({ username: 'ada' }),
  }),
  ...breaking('user.no-secrets', {
    'user-shows-password-hash: A user shows the hash of its password': adding(anUpdate, { passwordHash: hash }),
  }),
  ...breaking('banner.id-unique', {
    'banners-doubled: A wrong join lists every banner twice': listing((banners) => ({
      banners: banners.flatMap((each) => [each, each]),
    })),
  }),
];
