import { setTimeout as sleep } from 'node:timers/promises';
import type { User } from '../../../contract/document.ts';
import { isRecord, parsedJson } from '../../../common/json.ts';
import { Refused } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { turnsOfTheLoop } from '../../wire/wire-server.ts';
import { UNTOUCHED_MEMBERS } from '../../../conformance/target/user.ts';
import { alike, breaking, rows } from '../../table.ts';
import { changeUser, hungUpOn, sentId, sentMembers } from '../requests.ts';
import { type Body, isUpdate, refusing, sent, updating, withAll } from './updates.ts';

const FAITHFUL = ['update.values-faithful'];

const HTML_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const LONG = 255;

function isLong({ name }: Body): boolean {
  return typeof name === 'string' && name.length > LONG;
}

/** Faults that store a name in another form, by the check that notices, and by `id: title`. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, (name: string) => unknown>>>> = {
  'update-name-letters': {
    'name-loses-letters-outside-its-code-page: The server replaces a letter that the code page of the database lacks with a question mark.':
      (name) => name.replaceAll(/[\u3400-\u9fff\uac00-\ud7a3]/g, '?'),
    'name-stored-as-ascii: The server removes everything that is not ASCII from a name.': (name) =>
      name.replaceAll(/[^ -~]/g, ''),
    'name-read-as-latin-1: The server reads the bytes of a name as Latin-1.': (name) =>
      Buffer.from(name).toString('latin1'),
  },
  'update-name-emoji': {
    'name-cut-before-emoji: The server cuts a name before the first four-byte character, as a three-byte column does.':
      (name) => name.replace(/[\u{10000}-\u{10ffff}].*/u, ''),
    'name-loses-joiners: The server removes the joiners inside emoji from a name.': (name) =>
      name.replaceAll('\u200d', ''),
  },
  'update-name-combining-marks': {
    'name-loses-combining-marks: The server removes combining marks from a name.': (name) =>
      name.replaceAll(/[\u0300-\u036f]/g, ''),
  },
  'update-name-right-to-left': {
    'name-loses-right-to-left-letters: The server removes right-to-left letters from a name.': (name) =>
      name.replaceAll(/[\u0590-\u06ff]/g, ''),
    'name-reversed-where-right-to-left: The server stores right-to-left words in display order.': (name) =>
      name.replaceAll(/[\u0590-\u06ff]+/g, (word) => Array.from(word).reverse().join('')),
  },
  'update-name-markup': {
    'name-escaped-for-html: The server stores the markup characters of a name as entities.': (name) =>
      name.replaceAll(/[&<>]/g, (sign) => HTML_SIGNS[sign] ?? sign),
    'name-loses-tags: The server removes tags from a name.': (name) => name.replaceAll(/<[^>]*>/g, ''),
    'name-loses-formatting: The server removes the tags of HTML elements from a name.': (name) =>
      name.replaceAll(/<\/?[a-z]+>/g, ''),
  },
  'update-name-escapes': {
    'name-loses-backslashes: The server reads a backslash in a name as an escape.': (name) => name.replaceAll('\\', ''),
    'name-percent-decoded: The server percent-decodes a name.': (name) => name.replaceAll('%41', 'A'),
    'name-filled-as-template: The server expands a name as a template.': (name) => name.replaceAll(/\{\{.*?\}\}/g, ''),
    'name-joined-by-query: The server writes a name into the text of a query, which joins `||` strings.': (name) =>
      name.replaceAll("'||'", ''),
    'name-guarded-for-spreadsheets: The server stores an apostrophe before a name that begins like a formula.': (
      name,
    ) => name.replace(/^=/, "'="),
  },
  'update-name-nul': {
    'name-cut-at-nul: The server cuts a name at a NUL character.': (name) => name.replace(/\0.*/s, ''),
  },
  'update-name-line-breaks': {
    'name-line-breaks-converted: The server stores CR LF in a name as LF.': (name) => name.replaceAll('\r\n', '\n'),
    'name-loses-control-characters: The server removes control characters from a name.': (name) =>
      name.replaceAll(/\p{Cc}/gu, ''),
  },
  'update-name-invisible': {
    'name-loses-invisible-characters: The server removes characters from a name that are not seen.': (name) =>
      name.replaceAll(/[\u00ad\u200b\u202c\u202e\ufeff]/g, ''),
  },
  'update-name-compatible': {
    'name-stored-in-nfkc: The server replaces compatible characters of a name.': (name) => name.normalize('NFKC'),
    'name-digits-lowered: The server stores a superscript digit of a name as a digit.': (name) =>
      name.replaceAll('\u00b2', '2'),
  },
  'update-name-like-number': {
    'name-like-number-converted: The server stores a name that looks like a number in the canonical form of that number.':
      (name) => (/^[\d.e]+$/.test(name) ? String(Number(name)) : name),
    'name-like-exponent-expanded: The server stores a name in exponential notation as the number that it stands for.': (
      name,
    ) => (/^\d+e\d+$/.test(name) ? String(Number(name)) : name),
  },
  'update-name-like-boolean': {
    'name-true-converted: The server reads the name "true" as a boolean.': (name) => (name === 'true' ? '1' : name),
  },
  'update-name-like-date': {
    'name-like-date-converted: The server stores a name that looks like a date as a date-time.': (name) =>
      /^\d{4}-\d\d-\d\d/.test(name) ? new Date(name).toUTCString() : name,
  },
  'update-name-long': {
    'name-cut-at-255: The server silently cuts a name after 255 characters.': (name) => name.slice(0, LONG),
  },
};

const spellings = Object.entries(SPELLINGS).flatMap(([check, faults]) => {
  const behaviours = Object.entries(faults).map(([key, spelled]) => [
    key,
    updating(withAll('name'), ({ body }) => ({ name: spelled(String(body.name)) })),
  ]);
  return alike(FAITHFUL, { [check]: 'altered' })(Object.fromEntries(behaviours) as Record<string, Behaviour>);
});

/** Does not store a member in some updates, as if it had not been sent. */
function ignoring(member: 'name' | 'email', which: (body: Body) => boolean): Behaviour {
  return updating(
    ({ body }) => which(body),
    ({ before }) => ({ [member]: before[member] }),
  );
}

/** Does not store a name that counts as equal to the stored one. */
function ignoringEqual(form: (name: string) => string): Behaviour {
  return updating(
    ({ before, body }) =>
      typeof body.name === 'string' && typeof before.name === 'string' && form(body.name) === form(before.name),
    ({ before }) => ({ name: before.name }),
  );
}

const nearlySame = alike(FAITHFUL, { 'update-name-nearly-same': 'ignored' })({
  'name-ignored-if-only-case-differs: The server does not store a name that differs from the stored one only in case.':
    ignoringEqual((name) => name.toLowerCase()),
  'name-ignored-if-only-accents-differ: The server compares names without accents before it stores them.':
    ignoringEqual((name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  'name-ignored-if-compatible: The server compares names in normalization form NFKC before it stores them.':
    ignoringEqual((name) => name.normalize('NFKC')),
  'name-ignored-if-equal-as-number: The server compares names that look like numbers as numbers before it stores them.':
    ignoringEqual((name) => (/^[\d.]+$/.test(name) ? String(Number(name)) : name)),
});

/** Whether a text has half of a surrogate pair. */
function isBroken(text: unknown): boolean {
  return typeof text === 'string' && Buffer.from(text).toString() !== text;
}

const jsonFaithful: readonly Defect[] = [
  ...alike(['update.json-faithful'], { 'update-name-lone-surrogate': 'altered' })({
    'lone-surrogate-replaced: The server replaces half of a surrogate pair by U+FFFD.': updating(
      ({ body }) => isBroken(body.name),
      ({ body }) => ({ name: Buffer.from(String(body.name)).toString() }),
    ),
  }),
  ...alike(['update.json-faithful'], { 'update-name-lone-surrogate': 'wrong-status' })({
    'lone-surrogate-fails: The server fails on half of a surrogate pair.': refusing(
      ({ name }) => isBroken(name),
      'surrogates not allowed',
      500,
    ),
    'lone-surrogate-stored-before-it-fails: The server stores half of a surrogate pair, fails on it, and on the next update, too.':
      failingOnStored((before, after) => isBroken(before.name) || isBroken(after.name)),
  }),
  ...alike(['update.json-faithful'], { 'update-name-lone-surrogate': 'damaged' })({
    'lone-surrogate-fails-later: The server stores half of a surrogate pair, and fails whenever it has to show it.':
      failingOnStored((before, _after, body) => isBroken(before.name) && body.name === undefined),
  }),
  ...alike(['update.json-faithful'], { 'update-escapes-read': 'altered' })({
    'escaped-pair-split: The server reads each half of an escaped surrogate pair as a character of its own.': updating(
      ({ body }) => String(body.name).includes('\u00e9\u00df'),
      ({ body }) => ({ name: String(body.name).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd') }),
    ),
  }),
  ...alike(['update.json-faithful'], { 'update-escapes-read': 'ignored' })({
    'escaped-member-name-missed: The server compares member names before it reads their escapes.': reading(
      (value, text) => (text.includes('n\\u0061me') ? {} : value),
    ),
  }),
  ...alike(['update.json-faithful'], { 'update-after-byte-order-mark': 'wrong-status' })({
    'byte-order-mark-fails: The server fails on a byte order mark.': replacing('parseBody', (parse) => (body) => {
      if (body[0] === 0xef) throw new Refused(500, 'Unexpected token.');
      return parse(body);
    }),
  }),
  ...alike(['update.json-faithful'], { 'update-after-byte-order-mark': 'ignored' })({
    'byte-order-mark-read-as-no-body: The server reads a body after a byte order mark as `{}`.': replacing(
      'parseBody',
      (parse) => (body) => (body[0] === 0xef ? {} : parse(body)),
    ),
  }),
];

const emails = [
  ...alike(['update.email-faithful'], { 'update-email-unusual': 'altered' })({
    'email-loses-plus: The server removes what follows a plus sign in an e-mail address.': emailSpelled((email) =>
      email.replace(/\+.*(?=@)/, ''),
    ),
    'email-loses-dots: The server removes the dots before the at sign of an e-mail address.': emailSpelled((email) =>
      email.replaceAll(/\.(?=.*@)/g, ''),
    ),
    'email-percent-decoded: The server percent-decodes an e-mail address.': emailSpelled((email) =>
      email.replaceAll('%41', 'A'),
    ),
  }),
  ...alike(['update.email-faithful'], { 'update-email-unusual': 'wrong-status' })({
    'email-with-apostrophe-fails: The server fails on an e-mail address with an apostrophe.': refusing(
      ({ email }) => String(email).includes("'"),
      'unterminated string',
      500,
    ),
  }),
];

function emailSpelled(spelled: (email: string) => string): Behaviour {
  return updating(withAll('email'), ({ body }) => ({ email: spelled(String(body.email)) }));
}

/** Stores an update first, and then fails because of what was or is stored. */
function failingOnStored(fails: (before: User, after: User, body: Body) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => (store, before, body) => {
    const after = apply(store, before, body);
    if (fails(before, after, body)) throw new Refused(500, 'The user cannot be written.');
    return after;
  });
}

/** Stores some members that clients cannot set. */
function applying(...members: readonly string[]): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    const all = Object.entries(body).filter(([member]) => members.includes(member));
    const after = { ...apply(store, user, body), ...Object.fromEntries(all) };
    store.users.set(user.id, after);
    return after;
  });
}

const unlisted: readonly Defect[] = [
  ...alike(['update.unlisted-members'], { 'update-unlisted-members': 'applied' })({
    'every-member-applied: The server stores every member of a user that the body contains.': applying(
      ...UNTOUCHED_MEMBERS,
    ),
    'username-applied: The server stores a `username` in the body.': applying('username'),
    'is-api-applied: The server stores `isAPI` in the body.': applying('isAPI'),
    'login-attempts-applied: The server stores `loginAttempts` in the body.': applying('loginAttempts'),
  }),
  ...alike(['update.unlisted-members'], { 'update-unlisted-members': 'wrong-status' })({
    'unlisted-members-fail: The server fails on members that its query does not know.': refusing(
      (body) => 'loginAttempts' in body,
      'unknown column',
      500,
    ),
  }),
];

const names = [
  ...spellings,
  ...breaking(FAITHFUL)({
    'name-with-nul-fails: The server fails on a NUL character in a name, because the database has no such texts.': [
      { 'update-name-nul': 'wrong-status' },
      refusing(({ name }) => String(name).includes('\0'), 'invalid byte sequence', 500),
    ],
    'name-null-ignored: The server treats the name "null" as not sent.': [
      { 'update-name-like-boolean': 'ignored' },
      ignoring('name', ({ name }) => name === 'null'),
    ],
    'long-name-fails: The server fails on a name of more than 255 characters.': [
      { 'update-name-long': 'wrong-status' },
      refusing(isLong, 'value too long', 500),
    ],
    'long-name-ignored: The server responds 200 to a name of more than 255 characters, but does not store it.': [
      { 'update-name-long': 'ignored' },
      ignoring('name', isLong),
    ],
    'long-name-empties-email: A name of more than 255 characters overflows into the e-mail address.': [
      { 'update-name-long': 'other-member-changed' },
      updating(
        ({ body }) => isLong(body),
        ({ body }) => ({ email: String(body.name).slice(LONG) }),
      ),
    ],
    'long-name-hung-up-on: The server closes the connection instead of responding to a name of more than 255 characters.':
      [{ 'update-name-long': 'no-answer' }, hungUpOn((request) => isUpdate(request) && isLong(sentMembers(request)))],
  }),
];

/** Refuses correctly, but only after it has stored what was sent. */
function storedAndRefused(which: (body: Body) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    const after = apply(store, user, body);
    if (which(body)) throw new Refused(400, 'The value is not allowed.');
    return after;
  });
}

/** Refuses with 400 and another error name. */
function refusedAs(name: string, which: (body: Body) => boolean): Behaviour {
  return {
    replace: (rules) => ({
      validateUpdate: (value) => {
        const body = rules.validateUpdate(value);
        if (which(body)) throw new Refused(400, name);
        return body;
      },
      refuse: (status, message) => {
        const answer = rules.refuse(status, message);
        return message === name ? { ...answer, body: { ...(answer.body as object), name } } : answer;
      },
    }),
  };
}

const NO_EMPTY = 'The value is empty.';

const empties = (['name', 'email'] as const).flatMap((member) => {
  const empty = (body: Body): boolean => body[member] === '';
  const setting = (changed: string): Behaviour =>
    updating(
      ({ body }) => empty(body),
      () => ({ [changed]: 'unknown' }),
    );
  const other = member === 'name' ? 'email' : 'name';
  const faults = rows<readonly [fault: string, title: string, mode: string, behaviour: Behaviour]>({
    'ignored: is treated as not sent': ['ignored', ignoring(member, empty)],
    'replaced: is replaced by a default': ['altered', setting(member)],
    [`resets-other: resets \`${other}\` as well`]: ['other-member-changed', setting(other)],
    'answered-422: is refused with 422': ['wrong-status', refusing(empty, NO_EMPTY, 422)],
    'fails: makes the server fail': ['wrong-status', refusing(empty, NO_EMPTY, 500)],
    'refused-and-stored: is refused, but stored': ['refused-yet-changed', storedAndRefused(empty)],
  });
  return faults.map(([fault, title, mode, behaviour]): Defect => ({
    id: `empty-${member}-${fault}`,
    title: `An empty string as \`${member}\` ${title}.`,
    breaks: ['update.empty-text'],
    killedBy: { [`update-${member}-empty`]: mode },
    behaviour,
  }));
});

const emptiesNamedOtherwise: readonly Defect[] = (['name', 'email'] as const).map((member) => ({
  id: `empty-${member}-refused-under-another-name`,
  title: `An empty string as \`${member}\` is refused with an error name that is not documented.`,
  breaks: ['errors.name'],
  killedBy: { 'error-name-400': 'wrong-error-name' },
  behaviour: refusedAs('EmptyValue', (body) => body[member] === ''),
}));

/** Reads a body in another way. */
function reading(read: (value: unknown, text: string) => unknown): Behaviour {
  return replacing('parseBody', (parse) => (body) => read(parse(body), body.toString('utf8')));
}

function namesIn(text: string): unknown[] {
  return [...text.matchAll(/"name":("[^"]*")/g)].map(([, name = '']) => parsedJson(name));
}

const PROTO = '__proto__';

function isTwice(text: string): boolean {
  return namesIn(text).length > 1 && !text.includes(PROTO);
}

function protoOf(value: unknown): object | undefined {
  if (!isRecord(value) || !Object.hasOwn(value, PROTO)) return undefined;
  const proto = Object.getOwnPropertyDescriptor(value, PROTO)?.value as unknown;
  return isRecord(proto) ? proto : undefined;
}

/** Reads a body with the member `name` twice in another way. */
function readingTwice(read: (body: object, names: readonly unknown[]) => unknown): Behaviour {
  return reading((value, text) => (isTwice(text) ? read(value as object, namesIn(text)) : value));
}

/** Reads a body with a member `__proto__` in another way. */
function readingProto(read: (body: object, proto: object) => unknown): Behaviour {
  return reading((value) => {
    const proto = protoOf(value);
    return proto ? read(value as object, proto) : value;
  });
}

function failing(message: string): () => never {
  return () => {
    throw new Refused(500, message);
  };
}

const unusualMembers = breaking(['update.unusual-members'])({
  'member-twice-joined: The server stores a member that is sent twice as both values, separated by a comma.': [
    { 'update-member-twice': 'altered' },
    readingTwice((body, both) => ({ ...body, name: both.join(',') })),
  ],
  'member-twice-fails: The server fails on a member that is sent twice.': [
    { 'update-member-twice': 'wrong-status' },
    readingTwice(failing('duplicate key')),
  ],
  'member-twice-taken-for-email: If two names are sent, the server stores the second one as the e-mail address.': [
    { 'update-member-twice': 'other-member-changed' },
    readingTwice((body, [, second]) => ({ ...body, email: second })),
  ],
  'members-read-in-any-case: The server compares member names without regard to case.': [
    { 'update-member-in-capitals': 'other-member-changed' },
    reading((value, text) =>
      text.includes('"NAME"') && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
        : value,
    ),
  ],
  'proto-merged: The server merges a member `__proto__` into the body, without replacing members of the body.': [
    { 'update-member-proto': 'other-member-changed' },
    readingProto((body, proto) => ({ ...proto, ...body })),
  ],
  'proto-wins: The server replaces members of the body with those of a member `__proto__`.': [
    { 'update-member-proto': 'altered' },
    readingProto((body, proto) => ({ ...body, ...proto })),
  ],
  'proto-fails: The server fails on a member `__proto__`.': [
    { 'update-member-proto': 'wrong-status' },
    readingProto(failing('Cannot set the prototype.')),
  ],
});

/** Whether an update sends, of these members, only values that are already stored. */
function repeats(before: User, body: Body): boolean {
  return sent(body).length > 0 && sent(body).every((member) => body[member] === before[member]);
}

function repeatedRefused(status: number, which: (body: Body) => boolean = () => true): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    if (repeats(user, body) && which(body)) throw new Refused(status, 'Nothing was changed.');
    return apply(store, user, body);
  });
}

const repetition = [
  ...alike(['update.repeatable'], { 'update-repeated': 'refused' })({
    'repeated-update-conflicts: The server responds 409 to an update that changes nothing.': repeatedRefused(409),
    'repeated-update-invalid: The server responds 400 to an update that changes nothing.': repeatedRefused(400),
    'own-email-counts-as-taken: The server refuses the e-mail address that the user already has, as if it were taken.':
      repeatedRefused(400, (body) => 'email' in body),
    'repeated-update-fails: The server fails on an update that changes no row.': repeatedRefused(500),
  }),
  ...alike(['update.repeatable'], { 'update-repeated': 'changed' })({
    'repeated-name-numbered: The server appends a number to a name that is in use, even by the user itself.': updating(
      ({ before, body }) => body.name === before.name,
      ({ after }) => ({ name: `${String(after.name)} (2)` }),
    ),
    'repeated-email-emptied: An update of only the e-mail address that the user already has removes it.': updating(
      ({ before, body }) => sent(body).join() === 'email' && body.email === before.email,
      () => ({ email: '' }),
    ),
  }),
];

/** What a server does between the reading of a user and its writing: long enough for a concurrent update to arrive. */
async function work(): Promise<void> {
  await sleep(5);
  await turnsOfTheLoop();
}

const concurrency = [
  ...alike(['update.concurrent-fields'], { 'update-concurrent-fields': 'lost-update' })({
    'update-writes-whole-user-back: An update reads the user, takes some time, and then writes the whole user.': {
      around:
        (handle, { users }) =>
        async (request) => {
          const id = Number(sentId(request));
          const copy = users.get(id);
          await work();
          const answer = handle(request);
          const members = Object.entries(sentMembers(request)).filter(
            ([member]) => sent({ [member]: null }).length > 0,
          );
          if (copy && isUpdate(request) && answer.status === 200 && members.length > 0)
            users.set(id, { ...copy, ...Object.fromEntries(members) });
          return answer;
        },
    },
  }),
  ...alike(['update.concurrent-users'], { 'update-concurrent-users': 'cross-user-mix' })({
    'update-keeps-body-in-one-place: All requests share one place for the body of an update while the server works.': {
      around: (handle, { users }) => {
        let kept: Record<string, unknown> = {};
        return async (request) => {
          kept = sentMembers(request);
          await work();
          const answer = handle(request);
          const { name, email } = kept;
          const isText = typeof name === 'string' && typeof email === 'string';
          if (isUpdate(request) && answer.status === 200 && isText)
            changeUser(users, Number(sentId(request)), { name, email });
          return answer;
        };
      },
    },
  }),
];

/** Source: Endpoints, PUT user, request body and rule; Limits. */
export const unusualUpdatesDefects: readonly Defect[] = [
  ...names,
  ...nearlySame,
  ...emails,
  ...jsonFaithful,
  ...unlisted,
  ...empties,
  ...emptiesNamedOtherwise,
  ...unusualMembers,
  ...repetition,
  ...concurrency,
];
