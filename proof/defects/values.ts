import type { User } from '../../contract/document.ts';
import { Refused } from '../../reference-server/rules.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import { all, sentMembers } from '../servers/requests.ts';
import { hungUpOn } from '../servers/responses.ts';
import { type Body, isUpdate, refusing, sent, updating, withAll } from '../servers/updates.ts';

type Text = 'name' | 'email';

/** Stores a text in another form. */
function respelled(member: Text, change: (text: string) => string): Behaviour {
  return updating(withAll(member), ({ body }) => ({ [member]: change(String(body[member])) }));
}

/** Stores something in place of what it finds in a name. */
function inName(found: RegExp, stored: string | ((found: string) => string) = ''): Behaviour {
  return respelled('name', (name) =>
    typeof stored === 'string' ? name.replace(found, stored) : name.replace(found, stored),
  );
}

/** Does not store a member in some updates, as if it had not been sent. */
function ignoring(member: Text, which: (body: Body, before: User) => boolean): Behaviour {
  return updating(
    ({ body, before }) => which(body, before),
    ({ before }) => ({ [member]: before[member] }),
  );
}

const asNumber = (text: string): string => String(Number(text));
const isLong = ({ name }: Body): boolean => typeof name === 'string' && name.length > 255;
const failsOn = (form: RegExp): Behaviour => refusing(({ name }) => name != null && form.test(name), 500);

/** Names that a server may refuse, but must not damage. Source: Endpoints, PUT user, request body; Limits. */
export const nameDefects: readonly Defect[] = breaking('update.values-faithful', {
  'name-read-as-latin-1: The server reads the bytes of a name as Latin-1': inName(/^.*$/s, (name) =>
    Buffer.from(name).toString('latin1'),
  ),
  'name-cut-before-emoji: The server cuts a name before the first four-byte character':
    inName(/[\u{10000}-\u{10ffff}].*/u),
  'name-escaped-for-html: The server stores markup characters as entities': inName(
    /[&<>]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  ),
  'name-loses-control-characters: The server removes control characters': inName(/\p{Cc}/gu),
  'name-like-number-converted: A name that looks like a number becomes one': inName(/^[\d.e]+$/, asNumber),
  'name-like-date-converted: A name that is a date becomes a date-time': inName(/^\d{4}-\d\d-\d\d.*/, (date) =>
    new Date(date).toUTCString(),
  ),
  'name-of-blanks-replaced: A name of blanks becomes a default': inName(/^\s+$/, 'unknown'),
  'four-byte-name-fails: The server fails on four-byte characters': failsOn(/[\u{10000}-\u{10ffff}]/u),
  'long-name-fails: The server fails on a name of more than 255 characters': refusing(isLong, 500),
  'long-name-hung-up-on: The server closes the connection on a name of more than 255 characters': hungUpOn(
    all(isUpdate, ({ request }) => isLong(sentMembers(request))),
  ),
  'name-escaped-by-later-update: An update without a name escapes the stored one for HTML once more': updating(
    ({ body }) => sent(body).length > 0 && !('name' in body),
    ({ before }) => ({ name: String(before.name).replaceAll('&', '&amp;') }),
  ),
});

/** Stores something else of an update with an e-mail address that another user has. */
function takenEmail(instead: (user: User) => Body): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    const { email } = body;
    const isTaken = email !== '' && [...store.users.values()].some((each) => each !== user && each.email === email);
    return apply(store, user, email !== undefined && isTaken ? ({ ...body, ...instead(user) } as typeof body) : body);
  });
}

const caseConflicts = replacing('applyUpdate', (apply) => (store, user, body) => {
  const { email } = body;
  if (email !== undefined && email !== user.email && email.toLowerCase() === user.email?.toLowerCase())
    throw new Refused(409, 'This e-mail address is taken.');
  return apply(store, user, body);
});

/** Addresses that a server may refuse, but must not damage. */
export const emailDefects: readonly Defect[] = breaking('update.email-faithful', {
  'email-cut-at-100: The server cuts an address after 100 characters': respelled('email', (text) => text.slice(0, 100)),
  'email-lowered-as-turkish: The server lowers the letters of an address as in Turkish': respelled('email', (text) =>
    text.toLocaleLowerCase('tr'),
  ),
  'email-in-other-case-conflicts: The server finds the user itself when it looks for another one with an address':
    caseConflicts,
  'email-of-other-user-fails: The server fails on an address that another user has, since the index of the database is unique':
    takenEmail(() => {
      throw new Refused(500, 'duplicate key value violates a constraint');
    }),
  'email-with-apostrophe-fails: The server fails on an apostrophe in an address': refusing(
    ({ email }) => String(email).includes("'"),
    500,
  ),
});

/** Refuses correctly, but only after it has stored what was sent. */
function storedAndRefused(which: (body: Body) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    const after = apply(store, user, body);
    if (which(body)) throw new Refused(400, 'The value is not allowed.');
    return after;
  });
}

const emptyName = ({ name }: Body): boolean => name === '';
const emptyEmail = ({ email }: Body): boolean => email === '';
const onEmpty = (which: (body: Body) => boolean, change: Body): Behaviour =>
  updating(({ body }) => which(body), change);

/** Empty texts. */
export const emptyTextDefects: readonly Defect[] = [
  ...breaking('update.empty-text', {
    'empty-name-ignored: An empty name counts as not sent': ignoring('name', emptyName),
    'empty-name-becomes-null: An empty name becomes null': onEmpty(emptyName, { name: null }),
    'empty-name-answered-422: An empty name gets 422': refusing(emptyName, 422),
    'empty-email-replaced: An empty address becomes a default': onEmpty(emptyEmail, { email: 'unknown' }),
    'empty-email-resets-other: An empty address resets the name': onEmpty(emptyEmail, { name: 'unknown' }),
    'empty-email-fails: The server fails on an empty address': refusing(emptyEmail, 500),
    'empty-email-refused-and-stored: An empty address is refused, and stored': storedAndRefused(emptyEmail),
  }),
  ...breaking(['update.empty-text', 'user.email'], {}),
];
