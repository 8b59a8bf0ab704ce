import { setTimeout as sleep } from 'node:timers/promises';
import type { User } from '../../../contract/document.ts';
import { isRecord } from '../../../common/json.ts';
import { Refused, type Rules } from '../../../reference-server/rules.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { turnsOfTheLoop } from '../../wire/wire-server.ts';
import { rows } from '../../table.ts';
import { changeUser, hungUpOn, parsed, sentId, sentMembers } from '../requests.ts';
import { type Body, isUpdate, refusing, sent, updating, withAll } from './updates.ts';

type Row = readonly [id: string, title: string, check: string, mode: string, behaviour: Behaviour];

function defects(requirement: string, rows: readonly Row[]): Defect[] {
  return rows.map(([id, title, check, mode, behaviour]) => ({
    id,
    title,
    breaks: [requirement],
    killedBy: { [check]: mode },
    behaviour,
  }));
}

/** Stores a name other than the one that was sent. */
function naming(change: (name: string) => unknown): Behaviour {
  return updating(withAll('name'), ({ body }) => ({ name: change(String(body.name)) }));
}

const HTML_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function spelledAsNumber(name: string): string {
  return /^[\d.e]+$/.test(name) ? String(Number(name)) : name;
}

function spelledAsTime(name: string): string {
  return /^\d{4}-\d\d-\d\d/.test(name) ? new Date(name).toUTCString() : name;
}

const LONG = 255;

function isLong({ name }: Body): boolean {
  return typeof name === 'string' && name.length > LONG;
}

const names = defects(
  'update.values-faithful',
  rows({
    'name-loses-letters-outside-its-code-page: The server replaces a letter that the code page of the database lacks with a question mark.':
      ['update-name-letters', 'altered', naming((name) => name.replaceAll(/[\u3400-\u9fff\uac00-\ud7a3]/g, '?'))],
    'name-stored-as-ascii: The server removes everything that is not ASCII from a name.': [
      'update-name-letters',
      'altered',
      naming((name) => name.replaceAll(/[^ -~]/g, '')),
    ],
    'name-read-as-latin-1: The server reads the bytes of a name as Latin-1.': [
      'update-name-letters',
      'altered',
      naming((name) => Buffer.from(name).toString('latin1')),
    ],
    'name-cut-before-emoji: The server cuts a name before the first four-byte character, as a three-byte column does.':
      ['update-name-emoji', 'altered', naming((name) => name.replace(/[\u{10000}-\u{10ffff}].*/u, ''))],
    'name-loses-joiners: The server removes the joiners inside emoji from a name.': [
      'update-name-emoji',
      'altered',
      naming((name) => name.replaceAll('\u200d', '')),
    ],
    'name-loses-combining-marks: The server removes combining marks from a name.': [
      'update-name-combining-marks',
      'altered',
      naming((name) => name.replaceAll(/[\u0300-\u036f]/g, '')),
    ],
    'name-loses-right-to-left-letters: The server removes right-to-left letters from a name.': [
      'update-name-right-to-left',
      'altered',
      naming((name) => name.replaceAll(/[\u0590-\u06ff]/g, '')),
    ],
    'name-reversed-where-right-to-left: The server stores right-to-left words in display order.': [
      'update-name-right-to-left',
      'altered',
      naming((name) => name.replaceAll(/[\u0590-\u06ff]+/g, (word) => Array.from(word).reverse().join(''))),
    ],
    'name-escaped-for-html: The server stores the markup characters of a name as entities.': [
      'update-name-markup',
      'altered',
      naming((name) => name.replaceAll(/[&<>]/g, (sign) => HTML_SIGNS[sign] ?? sign)),
    ],
    'name-loses-tags: The server removes tags from a name.': [
      'update-name-markup',
      'altered',
      naming((name) => name.replaceAll(/<[^>]*>/g, '')),
    ],
    'name-loses-backslashes: The server reads a backslash in a name as an escape.': [
      'update-name-escapes',
      'altered',
      naming((name) => name.replaceAll('\\', '')),
    ],
    'name-percent-decoded: The server percent-decodes a name.': [
      'update-name-escapes',
      'altered',
      naming((name) => name.replaceAll('%41', 'A')),
    ],
    'name-filled-as-template: The server expands a name as a template.': [
      'update-name-escapes',
      'altered',
      naming((name) => name.replaceAll(/\{\{.*?\}\}/g, '')),
    ],
    'name-like-number-converted: The server stores a name that looks like a number in the canonical form of that number.':
      ['update-name-like-number', 'altered', naming(spelledAsNumber)],
    'name-true-converted: The server reads the name "true" as a boolean.': [
      'update-name-like-boolean',
      'altered',
      naming((name) => (name === 'true' ? '1' : name)),
    ],
    'name-null-ignored: The server treats the name "null" as not sent.': [
      'update-name-like-boolean',
      'ignored',
      updating(
        ({ body }) => body.name === 'null',
        ({ before }) => ({ name: before.name }),
      ),
    ],
    'name-like-date-converted: The server stores a name that looks like a date as a date-time.': [
      'update-name-like-date',
      'altered',
      naming(spelledAsTime),
    ],
    'name-cut-at-255: The server silently cuts a name after 255 characters.': [
      'update-name-long',
      'altered',
      naming((name) => name.slice(0, LONG)),
    ],
    'long-name-fails: The server fails on a name of more than 255 characters.': [
      'update-name-long',
      'wrong-status',
      refusing(isLong, 'value too long', 500),
    ],
    'long-name-ignored: The server responds 200 to a name of more than 255 characters, but does not store it.': [
      'update-name-long',
      'ignored',
      updating(
        ({ body }) => isLong(body),
        ({ before }) => ({ name: before.name }),
      ),
    ],
    'long-name-empties-email: A name of more than 255 characters overflows into the e-mail address.': [
      'update-name-long',
      'other-member-changed',
      updating(
        ({ body }) => isLong(body),
        ({ body }) => ({ email: String(body.name).slice(LONG) }),
      ),
    ],
    'long-name-hung-up-on: The server closes the connection instead of responding to a name of more than 255 characters.':
      ['update-name-long', 'no-answer', hungUpOn((request) => isUpdate(request) && request.body.length > LONG + 40)],
  }),
);

function isEmpty(member: 'name' | 'email'): (body: Body) => boolean {
  return (body) => body[member] === '';
}

/** Refuses correctly, but only after it has stored what was sent. */
function storedAndRefused(which: (body: Body) => boolean): Behaviour {
  return {
    replace: (rules) => ({
      applyUpdate: (store, user, body) => {
        const after = rules.applyUpdate(store, user, body);
        if (which(body)) throw new Refused(400, 'The value is not allowed.');
        return after;
      },
    }),
  };
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

const empties = defects(
  'update.empty-text',
  (['name', 'email'] as const).flatMap((member): Row[] => {
    const empty = isEmpty(member);
    const check = `update-${member}-empty`;
    const other = member === 'name' ? 'email' : 'name';
    const row = (fault: string, title: string, mode: string, behaviour: Behaviour): Row => [
      `empty-${member}-${fault}`,
      `An empty string as \`${member}\` ${title}.`,
      check,
      mode,
      behaviour,
    ];
    return [
      row(
        'ignored',
        'is treated as not sent',
        'ignored',
        updating(
          ({ body }) => empty(body),
          ({ before }) => ({ [member]: before[member] }),
        ),
      ),
      row(
        'replaced',
        'is replaced by a default',
        'altered',
        updating(
          ({ body }) => empty(body),
          () => ({ [member]: 'unknown' }),
        ),
      ),
      row(
        'resets-other',
        `resets \`${other}\` as well`,
        'other-member-changed',
        updating(
          ({ body }) => empty(body),
          () => ({ [other]: 'unknown' }),
        ),
      ),
      row('answered-422', 'is refused with 422', 'wrong-status', refusing(empty, 'The value is empty.', 422)),
      row('fails', 'makes the server fail', 'wrong-status', refusing(empty, 'The value is empty.', 500)),
      row('refused-and-stored', 'is refused, but stored', 'refused-yet-changed', storedAndRefused(empty)),
      row(
        'refused-under-another-name',
        'is refused with an error name that is not documented',
        'wrong-error-name',
        refusedAs('EmptyValue', empty),
      ),
    ];
  }),
);

/** Reads a body in another way. */
function reading(read: (value: unknown, text: string) => unknown): Behaviour {
  return {
    replace: (rules: Rules) => ({ parseBody: (body) => read(rules.parseBody(body), body.toString('utf8')) }),
  };
}

function namesIn(text: string): unknown[] {
  return [...text.matchAll(/"name":("[^"]*")/g)].map(([, name = '']) => parsed(name));
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

const unusualMembers = defects(
  'update.unusual-members',
  rows({
    'member-twice-joined: The server stores a member that is sent twice as both values, separated by a comma.': [
      'update-member-twice',
      'altered',
      reading((value, text) => (isTwice(text) ? { ...(value as object), name: namesIn(text).join(',') } : value)),
    ],
    'member-twice-fails: The server fails on a member that is sent twice.': [
      'update-member-twice',
      'wrong-status',
      reading((value, text) => {
        if (isTwice(text)) throw new Refused(500, 'duplicate key');
        return value;
      }),
    ],
    'member-twice-taken-for-email: If two names are sent, the server stores the second one as the e-mail address.': [
      'update-member-twice',
      'other-member-changed',
      reading((value, text) => (isTwice(text) ? { ...(value as object), email: namesIn(text)[1] } : value)),
    ],
    'proto-merged: The server merges a member `__proto__` into the body, without replacing members of the body.': [
      'update-member-proto',
      'other-member-changed',
      reading((value) => ({ ...protoOf(value), ...(value as object) })),
    ],
    'proto-wins: The server replaces members of the body with those of a member `__proto__`.': [
      'update-member-proto',
      'altered',
      reading((value) => (protoOf(value) ? { ...(value as object), ...protoOf(value) } : value)),
    ],
    'proto-fails: The server fails on a member `__proto__`.': [
      'update-member-proto',
      'wrong-status',
      reading((value) => {
        if (protoOf(value)) throw new Refused(500, 'Cannot set the prototype.');
        return value;
      }),
    ],
  }),
);

/** Whether an update sends, of these members, only values that are already stored. */
function repeats(before: User, body: Body): boolean {
  return sent(body).length > 0 && sent(body).every((member) => body[member] === before[member]);
}

function repeatedRefused(status: number, which: (body: Body) => boolean = () => true): Behaviour {
  return {
    replace: (rules) => ({
      applyUpdate: (store, user, body) => {
        if (repeats(user, body) && which(body)) throw new Refused(status, 'Nothing was changed.');
        return rules.applyUpdate(store, user, body);
      },
    }),
  };
}

const repetition = defects(
  'update.repeatable',
  rows({
    'repeated-update-conflicts: The server responds 409 to an update that changes nothing.': [
      'update-repeated',
      'refused',
      repeatedRefused(409),
    ],
    'repeated-update-invalid: The server responds 400 to an update that changes nothing.': [
      'update-repeated',
      'refused',
      repeatedRefused(400),
    ],
    'own-email-counts-as-taken: The server refuses the e-mail address that the user already has, as if it were taken.':
      ['update-repeated', 'refused', repeatedRefused(400, (body) => 'email' in body)],
    'repeated-update-fails: The server fails on an update that changes no row.': [
      'update-repeated',
      'refused',
      repeatedRefused(500),
    ],
    'repeated-name-numbered: The server appends a number to a name that is in use, even by the user itself.': [
      'update-repeated',
      'changed',
      updating(
        ({ before, body }) => body.name === before.name,
        ({ after }) => ({ name: `${String(after.name)} (2)` }),
      ),
    ],
    'repeated-email-emptied: An update of only the e-mail address that the user already has removes it.': [
      'update-repeated',
      'changed',
      updating(
        ({ before, body }) => sent(body).join() === 'email' && body.email === before.email,
        () => ({ email: '' }),
      ),
    ],
  }),
);

/** What a server does between the reading of a user and its writing: long enough for a concurrent update to arrive. */
async function work(): Promise<void> {
  await sleep(5);
  await turnsOfTheLoop();
}

const concurrency = [
  ...defects('update.concurrent-fields', [
    [
      'update-writes-whole-user-back',
      'An update reads the user, takes some time, and then writes the whole user.',
      'update-concurrent-fields',
      'lost-update',
      {
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
    ],
  ]),
  ...defects('update.concurrent-users', [
    [
      'update-keeps-body-in-one-place',
      'All requests share one place for the body of an update while the server works.',
      'update-concurrent-users',
      'cross-user-mix',
      {
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
    ],
  ]),
];

/** Source: Endpoints, PUT user, request body and rule; Limits. */
export const unusualUpdatesDefects: readonly Defect[] = [
  ...names,
  ...empties,
  ...unusualMembers,
  ...repetition,
  ...concurrency,
];
