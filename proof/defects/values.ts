import type { User } from '../../contract/document.ts';
import { Refused } from '../../reference-server/rules.ts';
import { breaking, type Defect } from '../server.ts';
import { type Behaviour, replacingAll } from '../servers/behaviour.ts';
import { all, isUpdate, sentMembers } from '../servers/requests.ts';
import { hungUpOn } from '../servers/responses.ts';
import { type Body, applying, conflicting, refusing, sent, storing, unique, updating } from '../servers/updates.ts';

/** Stores something in place of what it finds in a name. */
function inName(found: RegExp, stored: (found: string) => string): Behaviour {
  return storing('name', (name) => name.replace(found, stored));
}

const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');
const FOUR_BYTES = /[\u{10000}-\u{10ffff}].*/u;
const isLong = ({ name }: Body): boolean => typeof name === 'string' && name.length > 255;

/** Names that a server may refuse, but must not damage. Source: Endpoints, PUT user, request body; Limits. */
export const nameDefects: readonly Defect[] = breaking('update.values-faithful', {
  'name-read-as-latin-1: It reads the bytes of a name as Latin-1': inName(/^.*$/s, asLatin1),
  'name-cut-before-emoji: It cuts a name before the first four-byte character': inName(FOUR_BYTES, () => ''),
  'name-escaped-for-html: It stores markup characters as entities': inName(
    /[&<>]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  ),
  'name-loses-control-characters: It removes control characters': inName(/\p{Cc}/gu, () => ''),
  'name-like-number-converted: A name like a number becomes one': inName(/^[\d.e]+$/, (text) => `${Number(text)}`),
  'name-like-date-converted: A name that is a date becomes a date-time': inName(/^\d{4}-\d\d-\d\d.*/, (date) =>
    new Date(date).toUTCString(),
  ),
  'name-of-blanks-replaced: A name of blanks becomes a default': inName(/^\s+$/, () => 'unknown'),
  'four-byte-name-fails: It fails on four-byte characters': refusing(({ name }) => FOUR_BYTES.test(name ?? ''), 500),
  'long-name-fails: It fails on a name of more than 255 characters': refusing(isLong, 500),
  'long-name-hung-up-on: It closes the connection on a name of more than 255 characters': hungUpOn(
    all(isUpdate, ({ request }) => isLong(sentMembers(request))),
  ),
  'name-of-letters-doubles-apostrophe: A name has letters, blanks and apostrophes, and these are doubled': replacingAll(
    refusing(({ name }) => !/^[a-z' ]*$/i.test(name ?? '')),
    inName(/'/g, () => "''"),
  ),
  'name-of-letters-loses-accents: A name has Latin letters and blanks, and loses its accents': replacingAll(
    refusing(({ name }) => !/^[\p{Script=Latin} ]*$/u.test(name ?? '')),
    storing('name', (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  ),
  'name-of-1000-cut-at-255: A name has at most 1,000 characters, of which 255 are stored': replacingAll(
    refusing(({ name = '' }) => name.length > 1_000),
    storing('name', (name) => name.slice(0, 255)),
  ),
  'name-escaped-by-later-update: An update without a name escapes the stored one for HTML once more': updating(
    ({ body }) => sent(body).length > 0 && !('name' in body),
    ({ before }) => ({ name: String(before.name).replaceAll('&', '&amp;') }),
  ),
});

const hasApostrophe = ({ email }: Body): boolean => String(email).includes("'");
const isInOtherCase = ({ email }: Body, user: User): boolean =>
  typeof email === 'string' && email !== user.email && email.toLowerCase() === user.email?.toLowerCase();

/** Addresses that a server may refuse, but must not damage. */
export const emailDefects: readonly Defect[] = breaking('update.email-faithful', {
  'email-cut-at-100: It cuts an address after 100 characters': storing('email', (text) => text.slice(0, 100)),
  'email-lowered-as-turkish: It lowers the letters of an address as in Turkish': storing('email', (text) =>
    text.toLocaleLowerCase('tr'),
  ),
  'email-index-ignores-case: An address that another user has in other letters passes the validation, and not the index':
    conflicting(({ email }, user, { users }) => {
      const others = [...users.values()].filter((each) => each.id !== user.id).map((each) => each.email);
      const isTaken = others.some((other) => other?.toLowerCase() === email?.toLowerCase());
      return email !== undefined && isTaken && !others.includes(email);
    }, 500),
  'email-in-other-case-conflicts: It compares the address with that of the user itself': conflicting(
    isInOtherCase,
    409,
  ),
  'email-of-other-user-fails: It fails on an address that another user has': unique('email', 500),
  'email-of-few-signs-loses-plus: An address has letters, dots and a plus sign, which becomes a blank': replacingAll(
    refusing(({ email }) => email !== undefined && !/^[a-z.+]+@[a-z.]+$/i.test(email)),
    storing('email', (email) => email.replaceAll('+', ' ')),
  ),
  'email-with-apostrophe-fails: It fails on an apostrophe in an address': refusing(hasApostrophe, 500),
});

const emptyName = ({ name }: Body): boolean => name === '';
const emptyEmail = ({ email }: Body): boolean => email === '';

/** Empty texts. */
export const emptyTextDefects: readonly Defect[] = breaking('update.empty-text', {
  'empty-name-ignored: An empty name counts as not sent': storing('name', (name, { name: old }) => name || String(old)),
  'empty-name-answered-422: An empty name gets 422': refusing(emptyName, 422),
  'empty-email-replaced: An empty address becomes a default': storing('email', (email) => email || 'unknown'),
  'empty-email-fails: It fails on an empty address': refusing(emptyEmail, 500),
  'empty-email-refused-and-stored: An empty address is refused, and stored': applying(({ body, after }) => {
    if (emptyEmail(body)) throw new Refused(400, 'The value is not allowed.');
    return after;
  }),
});
