import type { UpdateUser, User } from '../../../contract/document.ts';
import { Refused } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking } from '../../table.ts';
import { all, sentMembers } from '../requests.ts';
import { hungUpOn } from '../responses.ts';
import { type Body, type WhichUpdate, isUpdate, refusing, sent, updating, withAll } from './updates.ts';

const LONG = 255;

function isLong({ name }: Body): boolean {
  return typeof name === 'string' && name.length > LONG;
}

/** What a server finds in a name, and what it stores in its place. */
type Spelling = readonly [found: RegExp, stored: string | ((found: string) => string)];

const nothing = '';
const asNumber = (text: string): string => String(Number(text));

/** Faults that store a name in another form; the title completes "In a name, the server …". */
const SPELLINGS: Table<Spelling> = {
  'loses-letters-outside-its-code-page: replaces letters that its code page lacks': [
    /[\u3400-\u9fff\uac00-\ud7a3]/g,
    '?',
  ],
  'stored-as-ascii: removes everything that is not ASCII': [/[^ -~]/g, nothing],
  'read-as-latin-1: reads the bytes as Latin-1': [/^.*$/s, (name) => Buffer.from(name).toString('latin1')],
  'cut-before-emoji: cuts before the first four-byte character': [/[\u{10000}-\u{10ffff}].*/u, nothing],
  'loses-joiners: removes the joiners inside emoji': [/\u200d/g, nothing],
  'loses-combining-marks: removes combining marks': [/[\u0300-\u036f]/g, nothing],
  'loses-right-to-left-letters: removes right-to-left letters': [/[\u0590-\u06ff]/g, nothing],
  'reversed-where-right-to-left: stores right-to-left words in display order': [
    /[\u0590-\u06ff]+/g,
    (word) => Array.from(word).reverse().join(''),
  ],
  'escaped-for-html: stores markup characters as entities': [/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`],
  'loses-tags: removes tags': [/<[^>]*>/g, nothing],
  'loses-formatting: removes the tags of HTML elements': [/<\/?[a-z]+>/g, nothing],
  'loses-backslashes: reads a backslash as an escape': [/\\/g, nothing],
  'percent-decoded: decodes percent signs': [/%41/g, 'A'],
  'filled-as-template: expands templates': [/\{\{.*?\}\}/g, nothing],
  'joined-by-query: joins `||` strings, as in the text of a query': [/'\|\|'/g, nothing],
  'guarded-for-spreadsheets: stores an apostrophe before what begins like a formula': [/^=/, "'="],
  'cut-at-nul: cuts at a NUL character': [/\0.*/s, nothing],
  'line-breaks-converted: stores CR LF as LF': [/\r\n/g, '\n'],
  'loses-control-characters: removes control characters': [/\p{Cc}/gu, nothing],
  'loses-invisible-characters: removes characters that are not seen': [/[\u00ad\u200b\u202c\u202e\ufeff]/g, nothing],
  'stored-in-nfkc: replaces compatible characters': [/^.*$/s, (name) => name.normalize('NFKC')],
  'digits-lowered: stores a superscript digit as a digit': [/\u00b2/g, '2'],
  'like-number-converted: writes what looks like a number as this number': [/^[\d.e]+$/, asNumber],
  'like-exponent-expanded: expands exponential notation': [/^\d+e\d+$/, asNumber],
  'like-hex-converted: stores a hexadecimal number as that number': [/^0x[\da-f]+$/i, asNumber],
  'loses-blank-behind-colon: loses the blank after a colon, as in a line of YAML': [/: /, ':'],
  'true-converted: reads "true" as a boolean': [/^true$/, '1'],
  'like-date-converted: stores a date as a date-time': [/^\d{4}-\d\d-\d\d.*/, (date) => new Date(date).toUTCString()],
  'quotes-straightened: stores typographic quotation marks as straight ones': [/[\u2018\u2019\u201c\u201d]/g, "'"],
  'loses-euro-sign: stores what Latin-1 lacks as a question mark': [/[\u2014\u20ac\u2116]/g, '?'],
  'dotless-i-lowered: stores the dotless i as i': [/\u0131/g, 'i'],
  'entities-decoded: decodes numeric entities': [/&#65;/g, 'A'],
  'dollars-replaced: stores `$$` as a dollar sign, as in a replacement text': [/\$\$/g, '$'],
  'cut-at-comma: cuts at the first comma': [/,.*/s, nothing],
  'zero-is-no-name: takes "0" for no name': [/^0$/, nothing],
  'no-converted: reads "no" as a boolean': [/^no$/, '0'],
  'of-digits-rounded: rounds a long number to a floating-point number': [/^\d{17,}$/, asNumber],
  'like-json-parsed: loses the punctuation of a JSON object': [/^\{.*\}$/, (name) => name.replaceAll(/\W/g, '')],
  'loses-quotation-marks: removes the quotation marks around it': [/^"([^"]*)"$/, '$1'],
  'of-blanks-replaced: stores a default in place of blanks': [/^\s+$/, 'unknown'],
  'rendered-as-markdown: removes the asterisks around a word': [/\*(\w+)\*/g, '$1'],
  'loses-parentheses: removes what is in parentheses': [/ ?\(\w+\)/g, nothing],
  'ends-with-other-sigma: writes every sigma as within a word': [/\u03c2/g, '\u03c3'],
  'cut-at-4000: cuts after 4,000 characters': [/(?<=^.{4000}).*/s, nothing],
};

const spelled = (text: unknown, [found, stored]: Spelling): string =>
  typeof stored === 'string' ? String(text).replace(found, stored) : String(text).replace(found, stored);

/** Names that count as equal if these forms of them are; the title completes "… is not stored". */
const EQUAL: Table<(name: string) => string> = {
  'only-case-differs: differs from the stored one only in case': (name) => name.toLowerCase(),
  'only-accents-differ: differs only in accents': (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  'compatible: has the same normalization form NFKC': (name) => name.normalize('NFKC'),
  'only-order-differs: has the same sum of characters': (name) => Array.from(name).sort().join(''),
  'equal-as-number: is equal as a number': (name) => (/^[\d.e]+$/.test(name) ? String(Number(name)) : name),
};

/** Faults that store an e-mail address in another form; the title completes "In an e-mail address, the server …". */
const EMAILS: Table<Spelling> = {
  'cut-at-100: cuts after 100 characters': [/(?<=^.{100}).*/s, nothing],
  'loses-plus: removes what follows a plus sign': [/\+.*(?=@)/, nothing],
  'lowered-as-turkish: lowers the letters as in Turkish': [/^.*$/, (email) => email.toLocaleLowerCase('tr')],
  'percent-decoded: decodes percent signs': [/%41/g, 'A'],
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

/** Stores something else of an update with an e-mail address that another user has. */
function takenEmail(instead: (user: User) => Body): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    const { email } = body;
    const isTaken = email !== '' && [...store.users.values()].some((each) => each !== user && each.email === email);
    return apply(store, user, email !== undefined && isTaken ? { ...body, ...(instead(user) as UpdateUser) } : body);
  });
}

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
  ...breaking('update.values-faithful', SPELLINGS, 'name-*: In a name, the server *.', (spelling) =>
    updating(withAll('name'), ({ body }) => ({ name: spelled(body.name, spelling) })),
  ),
  ...breaking('update.values-faithful', EQUAL, 'name-ignored-if-*: A name that * is not stored.', ignoringEqual),
  ...breaking('update.email-faithful', EMAILS, 'email-*: In an e-mail address, the server *.', (spelling) =>
    updating(withAll('email'), ({ body }) => ({ email: spelled(body.email, spelling) })),
  ),
  ...breaking('update.values-faithful', {
    'name-escaped-by-later-update: An update without a name escapes the stored one for HTML once more.': updating(
      ({ body }) => sent(body).length > 0 && !('name' in body),
      ({ before }) => ({ name: String(before.name).replaceAll('&', '&amp;') }),
    ),
    'name-with-nul-fails: fails on a NUL character in a name, because the database has no such texts': refusing(
      ({ name }) => String(name).includes('\0'),
      500,
    ),
    'name-null-ignored: treats the name "null" as not sent': ignoring('name', ({ name }) => name === 'null'),
    'four-byte-name-fails: fails on a name with a character of four bytes': refusing(
      ({ name }) => typeof name === 'string' && /[\u{10000}-\u{10ffff}]/u.test(name),
      500,
    ),
    'long-name-fails: fails on a name of more than 255 characters': refusing(isLong, 500),
    'long-name-ignored: responds 200 to a name of more than 255 characters, but does not store it': ignoring(
      'name',
      isLong,
    ),
    'long-name-empties-email: A name of more than 255 characters overflows into the e-mail address.': updating(
      ({ body }) => isLong(body),
      ({ body }) => ({ email: String(body.name).slice(LONG) }),
    ),
    'long-name-hung-up-on: closes the connection instead of responding to a name of more than 255 characters': hungUpOn(
      all(isUpdate, ({ request }) => isLong(sentMembers(request))),
    ),
    'name-like-own-address-ignored: The server takes a name that is the e-mail address of the user for none.': updating(
      ({ before, body }) => body.name !== undefined && body.name === before.email,
      ({ before }) => ({ name: before.name }),
    ),
    'name-like-username-ignored: takes a name that is the username of the user for none': updating(
      ({ before, body }) => body.name !== undefined && body.name === before.username,
      ({ before }) => ({ name: before.name }),
    ),
  }),
  ...breaking('update.email-faithful', {
    'email-in-other-case-conflicts: finds the user itself when it looks for another one with an e-mail address':
      replacing('applyUpdate', (apply) => (store, user, body) => {
        const { email } = body;
        if (email !== undefined && email !== user.email && email.toLowerCase() === user.email?.toLowerCase())
          throw new Refused(409, 'This e-mail address is taken.');
        return apply(store, user, body);
      }),
    'email-of-other-user-fails: The server fails on an e-mail address that another user has, since the index of the database is unique.':
      takenEmail(() => {
        throw new Refused(500, 'duplicate key value violates a constraint');
      }),
    'email-of-other-user-ignored: The server responds 200 to an e-mail address that another user has, and keeps the old one.':
      takenEmail(({ email }) => ({ email })),
    'email-with-apostrophe-fails: fails on an e-mail address with an apostrophe': refusing(
      ({ email }) => String(email).includes("'"),
      500,
    ),
  }),
  ...empties,
];
