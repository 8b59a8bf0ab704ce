import { setTimeout as sleep } from 'node:timers/promises';
import type { User } from '../../contract/document.ts';
import { isRecord } from '../../common/json.ts';
import { Refused, type Rules } from '../../reference-server/rules.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Defect } from '../defect.ts';
import { turnsOfTheLoop } from '../wire/wire-server.ts';
import { changeUser, hungUpOn, isUpdate, parsed, sentId, sentMembers } from './requests.ts';
import { refusing, sent, updating, withAll, type Body } from './updates.ts';

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

/** Stores another name than was sent. */
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

const names = defects('update.values-faithful', [
  [
    'name-loses-letters-outside-its-code-page',
    'A letter that has no place in the code page of the database becomes a question mark.',
    'update-name-letters',
    'altered',
    naming((name) => name.replaceAll(/[\u3400-\u9fff\uac00-\ud7a3]/g, '?')),
  ],
  [
    'name-stored-as-ascii',
    'Whatever is not ASCII is left out of a name.',
    'update-name-letters',
    'altered',
    naming((name) => name.replaceAll(/[^ -~]/g, '')),
  ],
  [
    'name-read-as-latin-1',
    'The bytes of a name are read as if they were Latin-1.',
    'update-name-letters',
    'altered',
    naming((name) => Buffer.from(name).toString('latin1')),
  ],
  [
    'name-cut-before-emoji',
    'A name ends before the first character of four bytes, as in a column of three.',
    'update-name-emoji',
    'altered',
    naming((name) => name.replace(/[\u{10000}-\u{10ffff}].*/u, '')),
  ],
  [
    'name-loses-joiners',
    'The joiners within emoji are taken out of a name.',
    'update-name-emoji',
    'altered',
    naming((name) => name.replaceAll('\u200d', '')),
  ],
  [
    'name-loses-combining-marks',
    'Combining marks are taken out of a name.',
    'update-name-combining-marks',
    'altered',
    naming((name) => name.replaceAll(/[\u0300-\u036f]/g, '')),
  ],
  [
    'name-loses-right-to-left-letters',
    'Letters that run from right to left are taken out of a name.',
    'update-name-right-to-left',
    'altered',
    naming((name) => name.replaceAll(/[\u0590-\u06ff]/g, '')),
  ],
  [
    'name-reversed-where-right-to-left',
    'Words that run from right to left are stored in the order in which they are drawn.',
    'update-name-right-to-left',
    'altered',
    naming((name) => name.replaceAll(/[\u0590-\u06ff]+/g, (word) => Array.from(word).reverse().join(''))),
  ],
  [
    'name-escaped-for-html',
    'The signs of markup in a name are stored as entities.',
    'update-name-markup',
    'altered',
    naming((name) => name.replaceAll(/[&<>]/g, (sign) => HTML_SIGNS[sign] ?? sign)),
  ],
  [
    'name-loses-tags',
    'Tags are taken out of a name.',
    'update-name-markup',
    'altered',
    naming((name) => name.replaceAll(/<[^>]*>/g, '')),
  ],
  [
    'name-loses-backslashes',
    'A backslash in a name is taken for an escape.',
    'update-name-escapes',
    'altered',
    naming((name) => name.replaceAll('\\', '')),
  ],
  [
    'name-percent-decoded',
    'A name is percent-decoded.',
    'update-name-escapes',
    'altered',
    naming((name) => name.replaceAll('%41', 'A')),
  ],
  [
    'name-filled-as-template',
    'A name is filled in as a template.',
    'update-name-escapes',
    'altered',
    naming((name) => name.replaceAll(/\{\{.*?\}\}/g, '')),
  ],
  [
    'name-like-number-converted',
    'A name that looks like a number is stored as that number is written.',
    'update-name-like-number',
    'altered',
    naming(spelledAsNumber),
  ],
  [
    'name-true-converted',
    'The name "true" is taken for a flag.',
    'update-name-like-boolean',
    'altered',
    naming((name) => (name === 'true' ? '1' : name)),
  ],
  [
    'name-null-ignored',
    'The name "null" counts as not sent.',
    'update-name-like-boolean',
    'ignored',
    updating(
      ({ body }) => body.name === 'null',
      ({ before }) => ({ name: before.name }),
    ),
  ],
  [
    'name-like-date-converted',
    'A name that looks like a date is stored as a time.',
    'update-name-like-date',
    'altered',
    naming(spelledAsTime),
  ],
  [
    'name-cut-at-255',
    'A name is cut after 255 characters without a word.',
    'update-name-long',
    'altered',
    naming((name) => name.slice(0, LONG)),
  ],
  [
    'long-name-fails',
    'A name of more than 255 characters makes the server fail.',
    'update-name-long',
    'wrong-status',
    refusing(isLong, 'value too long', 500),
  ],
  [
    'long-name-ignored',
    'A name of more than 255 characters is not stored, and the update is answered 200.',
    'update-name-long',
    'ignored',
    updating(
      ({ body }) => isLong(body),
      ({ before }) => ({ name: before.name }),
    ),
  ],
  [
    'long-name-empties-email',
    'A name of more than 255 characters runs over into the e-mail address.',
    'update-name-long',
    'other-member-changed',
    updating(
      ({ body }) => isLong(body),
      ({ body }) => ({ email: String(body.name).slice(LONG) }),
    ),
  ],
  [
    'long-name-hung-up-on',
    'The connection is closed in place of an answer to a name of more than 255 characters.',
    'update-name-long',
    'no-answer',
    hungUpOn(({ method, body }) => method === 'PUT' && body.length > LONG + 40),
  ],
]);

function isEmpty(member: 'name' | 'email'): (body: Body) => boolean {
  return (body) => body[member] === '';
}

/** Refuses as it should, after it has stored what was sent. */
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

/** Refuses with 400 under another error name. */
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
      `An empty text as \`${member}\` ${title}.`,
      check,
      mode,
      behaviour,
    ];
    return [
      row(
        'ignored',
        'counts as not sent',
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
      row('refused-and-stored', 'is refused, and stored all the same', 'refused-yet-changed', storedAndRefused(empty)),
      row(
        'refused-under-another-name',
        'is refused with an error name of its own',
        'wrong-error-name',
        refusedAs('EmptyValue', empty),
      ),
    ];
  }),
);

/** Reads a body otherwise. */
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

const unusualMembers = defects('update.unusual-members', [
  [
    'member-twice-joined',
    'A member that stands there twice is stored as both values with a comma between them.',
    'update-member-twice',
    'altered',
    reading((value, text) => (isTwice(text) ? { ...(value as object), name: namesIn(text).join(',') } : value)),
  ],
  [
    'member-twice-fails',
    'A member that stands there twice makes the server fail.',
    'update-member-twice',
    'wrong-status',
    reading((value, text) => {
      if (isTwice(text)) throw new Refused(500, 'duplicate key');
      return value;
    }),
  ],
  [
    'member-twice-taken-for-email',
    'The second one of two names is stored as the e-mail address.',
    'update-member-twice',
    'other-member-changed',
    reading((value, text) => (isTwice(text) ? { ...(value as object), email: namesIn(text)[1] } : value)),
  ],
  [
    'proto-merged',
    'What stands in a member `__proto__` is merged into the body, where the body does not have it.',
    'update-member-proto',
    'other-member-changed',
    reading((value) => ({ ...protoOf(value), ...(value as object) })),
  ],
  [
    'proto-wins',
    'What stands in a member `__proto__` replaces what the body has.',
    'update-member-proto',
    'altered',
    reading((value) => (protoOf(value) ? { ...(value as object), ...protoOf(value) } : value)),
  ],
  [
    'proto-fails',
    'A member `__proto__` makes the server fail.',
    'update-member-proto',
    'wrong-status',
    reading((value) => {
      if (protoOf(value)) throw new Refused(500, 'Cannot set the prototype.');
      return value;
    }),
  ],
]);

/** An update that sends, of these members, nothing but what is stored already. */
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

const repetition = defects('update.repeatable', [
  [
    'repeated-update-conflicts',
    'An update that changes nothing is refused with 409.',
    'update-repeated',
    'refused',
    repeatedRefused(409),
  ],
  [
    'repeated-update-invalid',
    'An update that changes nothing is refused with 400.',
    'update-repeated',
    'refused',
    repeatedRefused(400),
  ],
  [
    'own-email-counts-as-taken',
    'The e-mail address that the user has already counts as taken.',
    'update-repeated',
    'refused',
    repeatedRefused(400, (body) => 'email' in body),
  ],
  [
    'repeated-update-fails',
    'An update that changes no row makes the server fail.',
    'update-repeated',
    'refused',
    repeatedRefused(500),
  ],
  [
    'repeated-name-numbered',
    'A name that is in use, also by the user itself, gets a number behind it.',
    'update-repeated',
    'changed',
    updating(
      ({ before, body }) => body.name === before.name,
      ({ after }) => ({ name: `${String(after.name)} (2)` }),
    ),
  ],
  [
    'repeated-email-emptied',
    'The e-mail address that the user has already, sent by itself, is taken away.',
    'update-repeated',
    'changed',
    updating(
      ({ before, body }) => sent(body).join() === 'email' && body.email === before.email,
      () => ({ email: '' }),
    ),
  ],
]);

/** What a server does between the reading of a user and its writing: long enough for a concurrent update to arrive. */
async function work(): Promise<void> {
  await sleep(5);
  await turnsOfTheLoop();
}

const concurrency = [
  ...defects('update.concurrent-fields', [
    [
      'update-writes-whole-user-back',
      'An update reads the user, works for some time, and writes the whole user back.',
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
      'The body of an update is kept in one place for all requests while the server works.',
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
