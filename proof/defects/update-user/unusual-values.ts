import { Refused } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, mapped } from '../../table.ts';
import { all, sentMembers } from '../requests.ts';
import { hungUpOn } from '../responses.ts';
import { type Body, type WhichUpdate, isUpdate, refusing, sent, updating, withAll } from './updates.ts';

const HTML_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const LONG = 255;

function isLong({ name }: Body): boolean {
  return typeof name === 'string' && name.length > LONG;
}

/** Faults that store a name in another form. */
const SPELLINGS: Table<(name: string) => unknown> = {
  'name-loses-letters-outside-its-code-page: The server replaces a letter that the code page of the database lacks with a question mark.':
    (name) => name.replaceAll(/[\u3400-\u9fff\uac00-\ud7a3]/g, '?'),
  'name-stored-as-ascii: The server removes everything that is not ASCII from a name.': (name) =>
    name.replaceAll(/[^ -~]/g, ''),
  'name-read-as-latin-1: The server reads the bytes of a name as Latin-1.': (name) =>
    Buffer.from(name).toString('latin1'),
  'name-cut-before-emoji: The server cuts a name before the first four-byte character, as a three-byte column does.': (
    name,
  ) => name.replace(/[\u{10000}-\u{10ffff}].*/u, ''),
  'name-loses-joiners: The server removes the joiners inside emoji from a name.': (name) =>
    name.replaceAll('\u200d', ''),
  'name-loses-combining-marks: The server removes combining marks from a name.': (name) =>
    name.replaceAll(/[\u0300-\u036f]/g, ''),
  'name-loses-right-to-left-letters: The server removes right-to-left letters from a name.': (name) =>
    name.replaceAll(/[\u0590-\u06ff]/g, ''),
  'name-reversed-where-right-to-left: The server stores right-to-left words in display order.': (name) =>
    name.replaceAll(/[\u0590-\u06ff]+/g, (word) => Array.from(word).reverse().join('')),
  'name-escaped-for-html: The server stores the markup characters of a name as entities.': (name) =>
    name.replaceAll(/[&<>]/g, (sign) => HTML_SIGNS[sign] ?? sign),
  'name-loses-tags: The server removes tags from a name.': (name) => name.replaceAll(/<[^>]*>/g, ''),
  'name-loses-formatting: The server removes the tags of HTML elements from a name.': (name) =>
    name.replaceAll(/<\/?[a-z]+>/g, ''),
  'name-loses-backslashes: The server reads a backslash in a name as an escape.': (name) => name.replaceAll('\\', ''),
  'name-percent-decoded: The server percent-decodes a name.': (name) => name.replaceAll('%41', 'A'),
  'name-filled-as-template: The server expands a name as a template.': (name) => name.replaceAll(/\{\{.*?\}\}/g, ''),
  'name-joined-by-query: The server writes a name into the text of a query, which joins `||` strings.': (name) =>
    name.replaceAll("'||'", ''),
  'name-guarded-for-spreadsheets: The server stores an apostrophe before a name that begins like a formula.': (name) =>
    name.replace(/^=/, "'="),
  'name-cut-at-nul: The server cuts a name at a NUL character.': (name) => name.replace(/\0.*/s, ''),
  'name-line-breaks-converted: The server stores CR LF in a name as LF.': (name) => name.replaceAll('\r\n', '\n'),
  'name-loses-control-characters: The server removes control characters from a name.': (name) =>
    name.replaceAll(/\p{Cc}/gu, ''),
  'name-loses-invisible-characters: The server removes characters from a name that are not seen.': (name) =>
    name.replaceAll(/[\u00ad\u200b\u202c\u202e\ufeff]/g, ''),
  'name-stored-in-nfkc: The server replaces compatible characters of a name.': (name) => name.normalize('NFKC'),
  'name-digits-lowered: The server stores a superscript digit of a name as a digit.': (name) =>
    name.replaceAll('\u00b2', '2'),
  'name-like-number-converted: The server stores a name that looks like a number in the canonical form of that number.':
    (name) => (/^[\d.e]+$/.test(name) ? String(Number(name)) : name),
  'name-like-exponent-expanded: The server stores a name in exponential notation as the number that it stands for.': (
    name,
  ) => (/^\d+e\d+$/.test(name) ? String(Number(name)) : name),
  'name-true-converted: The server reads the name "true" as a boolean.': (name) => (name === 'true' ? '1' : name),
  'name-like-date-converted: The server stores a name that looks like a date as a date-time.': (name) =>
    /^\d{4}-\d\d-\d\d/.test(name) ? new Date(name).toUTCString() : name,
  'name-quotes-straightened: The server stores typographic quotation marks as straight ones.': (name) =>
    name.replaceAll(/[\u2018\u2019]/g, "'").replaceAll(/[\u201c\u201d]/g, '"'),
  'name-loses-euro-sign: The server stores a name in Latin-1, with a question mark for what that lacks.': (name) =>
    name.replaceAll(/[\u2014\u20ac\u2116]/g, '?'),
  'name-dotless-i-lowered: The server stores the dotless i of a name as i.': (name) => name.replaceAll('\u0131', 'i'),
  'name-entities-decoded: The server decodes the numeric entities of a name.': (name) => name.replaceAll('&#65;', 'A'),
  'name-dollars-replaced: The server uses a name as a replacement text, in which `$$` stands for a dollar sign.': (
    name,
  ) => name.replaceAll('$$', '$'),
  'name-cut-at-comma: The server stores a name up to the first comma.': (name) => name.replace(/,.*/s, ''),
  'name-zero-is-no-name: The server takes the name "0" for none.': (name) => (name === '0' ? '' : name),
  'name-no-converted: The server reads the name "no" as a boolean.': (name) => (name === 'no' ? '0' : name),
  'name-of-digits-rounded: The server stores a name of many digits as the nearest floating-point number.': (name) =>
    /^\d{17,}$/.test(name) ? String(Number(name)) : name,
  'name-like-json-parsed: The server stores a name that looks like a JSON object without its punctuation.': (name) =>
    /^\{.*\}$/.test(name) ? name.replaceAll(/\W/g, '') : name,
  'name-loses-quotation-marks: The server removes the quotation marks around a name.': (name) =>
    name.replace(/^"([^"]*)"$/, '$1'),
  'name-of-blanks-replaced: The server stores a default in place of a name of blanks.': (name) =>
    name !== '' && name.trim() === '' ? 'unknown' : name,
  'name-rendered-as-markdown: The server removes the asterisks around a word of a name.': (name) =>
    name.replaceAll(/\*(\w+)\*/g, '$1'),
  'name-loses-parentheses: The server removes what a name has in parentheses.': (name) =>
    name.replaceAll(/ ?\(\w+\)/g, ''),
  'name-ends-with-other-sigma: The server writes every sigma of a name as within a word.': (name) =>
    name.replaceAll('\u03c2', '\u03c3'),
  'name-cut-at-255: The server silently cuts a name after 255 characters.': (name) => name.slice(0, LONG),
};

/** Names that count as equal if these forms of them are. */
const EQUAL: Table<(name: string) => string> = {
  'name-ignored-if-only-case-differs: The server does not store a name that differs from the stored one only in case.':
    (name) => name.toLowerCase(),
  'name-ignored-if-only-accents-differ: The server compares names without accents before it stores them.': (name) =>
    name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  'name-ignored-if-compatible: The server compares names in normalization form NFKC before it stores them.': (name) =>
    name.normalize('NFKC'),
  'name-ignored-if-only-order-differs: The server compares names by a sum over their characters before it stores them.':
    (name) => Array.from(name).sort().join(''),
  'name-ignored-if-equal-as-number: The server compares names that look like numbers as numbers before it stores them.':
    (name) => (/^[\d.e]+$/.test(name) ? String(Number(name)) : name),
};

const EMAILS: Table<(email: string) => string> = {
  'email-cut-at-100: The server silently cuts an e-mail address after 100 characters.': (email) => email.slice(0, 100),
  'email-loses-plus: The server removes what follows a plus sign in an e-mail address.': (email) =>
    email.replace(/\+.*(?=@)/, ''),
  'email-percent-decoded: The server percent-decodes an e-mail address.': (email) => email.replaceAll('%41', 'A'),
};

/** Does not store a member in some updates, as if it had not been sent. */
function ignoring(member: 'name' | 'email', which: (body: Body) => boolean): Behaviour {
  const isIgnored: WhichUpdate = ({ body }) => which(body);
  return updating(isIgnored, ({ before }) => ({ [member]: before[member] }));
}

/** Does not store a name that counts as equal to the stored one. */
function ignoringEqual(form: (name: string) => string): Behaviour {
  return updating(
    ({ before, body }) =>
      typeof body.name === 'string' && typeof before.name === 'string' && form(body.name) === form(before.name),
    ({ before }) => ({ name: before.name }),
  );
}

/** Refuses correctly, but only after it has stored what was sent. */
function storedAndRefused(which: (body: Body) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    const after = apply(store, user, body);
    if (which(body)) throw new Refused(400, 'The value is not allowed.');
    return after;
  });
}

const empties = (['name', 'email'] as const).flatMap((member) => {
  const empty = (body: Body): boolean => body[member] === '';
  const setting = (changed: string, value: string | null = 'unknown'): Behaviour =>
    updating(({ body }) => empty(body), { [changed]: value });
  const other = member === 'name' ? 'email' : 'name';
  const faults: Table<Behaviour> = {
    'ignored: is treated as not sent': ignoring(member, empty),
    'replaced: is replaced by a default': setting(member),
    [`resets-other: resets \`${other}\` as well`]: setting(other),
    'answered-422: is refused with 422': refusing(empty, 422),
    'fails: makes the server fail': refusing(empty, 500),
    'refused-and-stored: is refused, but stored': storedAndRefused(empty),
  };
  return [
    ...breaking(['update.empty-text', ...(member === 'email' ? ['user.email'] : [])], {
      [`empty-${member}-becomes-null: An empty string as \`${member}\` is stored as null.`]: setting(member, null),
    }),
    ...breaking('update.empty-text', faults, `empty-${member}-*: An empty string as \`${member}\` *.`),
    ...breaking('errors.name', {
      [`empty-${member}-refused-under-another-name: An empty string as \`${member}\` is refused with an error name that is not documented.`]:
        namedOtherwise(member),
    }),
  ];
});

/** Refuses an empty string, whatever else is wrong with the request, under another name. */
function namedOtherwise(member: string): Behaviour {
  return {
    around: (handle, _store, rules) => (request) => {
      if (sentMembers(request)[member] !== '') return handle(request);
      const { status, body } = rules.refuse(400, 'The value is empty.');
      return { status, body: { ...(body as object), name: 'EmptyValue' } };
    },
  };
}

/** Values that a server may refuse, but must not damage. Source: Endpoints, PUT user, request body; Limits. */
export const unusualValuesDefects: readonly WrittenDefect[] = [
  ...breaking('update.values-faithful', {
    ...mapped(SPELLINGS, (spelled) => updating(withAll('name'), ({ body }) => ({ name: spelled(String(body.name)) }))),
    'name-escaped-by-later-update: An update without a name escapes the stored one for HTML once more.': updating(
      ({ body }) => sent(body).length > 0 && !('name' in body),
      ({ before }) => ({ name: String(before.name).replaceAll('&', '&amp;') }),
    ),
    'name-with-nul-fails: The server fails on a NUL character in a name, because the database has no such texts.':
      refusing(({ name }) => String(name).includes('\0'), 500),
    'name-null-ignored: The server treats the name "null" as not sent.': ignoring(
      'name',
      ({ name }) => name === 'null',
    ),
    'long-name-fails: The server fails on a name of more than 255 characters.': refusing(isLong, 500),
    'long-name-ignored: The server responds 200 to a name of more than 255 characters, but does not store it.':
      ignoring('name', isLong),
    'long-name-empties-email: A name of more than 255 characters overflows into the e-mail address.': updating(
      ({ body }) => isLong(body),
      ({ body }) => ({ email: String(body.name).slice(LONG) }),
    ),
    'long-name-hung-up-on: The server closes the connection instead of responding to a name of more than 255 characters.':
      hungUpOn(all(isUpdate, ({ request }) => isLong(sentMembers(request)))),
    ...mapped(EQUAL, ignoringEqual),
    'name-ignored-if-it-begins-the-stored-one: The server compares as many characters as the new name has.': updating(
      ({ before, body }) => body.name !== '' && before.name?.startsWith(String(body.name)) === true,
      ({ before }) => ({ name: before.name }),
    ),
    'name-like-username-ignored: The server takes a name that is the username of the user for none.': updating(
      ({ before, body }) => body.name !== undefined && body.name === before.username,
      ({ before }) => ({ name: before.name }),
    ),
    'name-like-address-taken-for-email: The server stores a name that is an e-mail address as the e-mail address.':
      updating(
        ({ body }) => /^\S+@\S+$/.test(String(body.name)),
        ({ before, body }) => ({ name: before.name, email: body.name }),
      ),
  }),
  ...breaking('update.email-faithful', {
    ...mapped(EMAILS, (spelled) => updating(withAll('email'), ({ body }) => ({ email: spelled(String(body.email)) }))),
    'email-in-other-case-conflicts: The server finds the user itself when it looks for another one with an e-mail address.':
      replacing('applyUpdate', (apply) => (store, user, body) => {
        const { email } = body;
        if (email !== undefined && email !== user.email && email.toLowerCase() === user.email?.toLowerCase())
          throw new Refused(409, 'This e-mail address is taken.');
        return apply(store, user, body);
      }),
    'email-with-apostrophe-fails: The server fails on an e-mail address with an apostrophe.': refusing(
      ({ email }) => String(email).includes("'"),
      500,
    ),
  }),
  ...empties,
];
