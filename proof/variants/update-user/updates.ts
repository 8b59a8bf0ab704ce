import { setTimeout as sleep } from 'node:timers/promises';
import { percentDecoded } from '../../../common/text.ts';
import { replacing, type Behaviour, type Replacing } from '../../servers/behaviour.ts';
import { Refused, type ApiRequest, type Rules } from '../../../reference-server/rules.ts';
import { defaultSeed, updatableMembers } from '../../../reference-server/seed.ts';
import { NOT_SENDABLE } from '../../../conformance/resources/user/members.ts';
import type { WrittenVariant } from '../../variant.ts';
import { type Around, sentId } from '../../defects/requests.ts';
import { isUpdate, refusing } from '../../defects/update-user/updates.ts';
import type { UpdateUser } from '../../../contract/document.ts';
import { answering, htmlTexts, storing, unrestored, usersWith } from '../freedoms.ts';
import { withHeader } from '../../wire/deliveries.ts';
import { type Table, about, named, tableOf } from '../../table.ts';

const isEmpty = (update: object): boolean => Object.keys(update).length === 0;
const isKnown = (member: string): boolean => updatableMembers.includes(member);

const hasUnknown = (update: object): boolean => !Object.keys(update).every(isKnown);

/** Choices for the whole body. */
const bodies: readonly WrittenVariant[] = [
  ...about(['open.empty-body', 'update.empty-body-changes-nothing'], {
    'empty-body-refused: responds 400 to `{}`': refusing(isEmpty),
  }),
  ...unrestored(['open.empty-body', 'open.unknown-members', 'update.empty-body-changes-nothing'], {
    'needs-a-known-member: responds 400 to a body without any of the three members, whatever else it contains':
      refusing((update) => !Object.keys(update).some(isKnown)),
  }),
  ...about(['open.unknown-members', 'update.unusual-members', 'update.unlisted-members'], {
    'unknown-members-refused: responds 400 to a body with a member that the contract does not list':
      refusing(hasUnknown),
  }),
  ...unrestored(['open.empty-body', 'open.unknown-members'], {
    'empty-body-and-unknown-members-refused: responds 400 both to `{}` and to a member that the contract does not list':
      refusing((update) => isEmpty(update) || hasUnknown(update)),
  }),
  // A stored member cannot be removed again.
  ...unrestored(['open.unknown-members', 'open.extra-members'], {
    'unknown-members-kept: stores and shows a member that the contract does not list': {
      ...usersWith({ conformanceProbe: true }),
      ...replacing('applyUpdate', () => (store, user, { ...update }) => {
        const unknown = Object.entries(update).filter(([name]) => name !== 'id' && !NOT_SENDABLE.includes(name));
        const updated = { ...user, ...Object.fromEntries(unknown) };
        store.users.set(user.id, updated);
        return updated;
      }),
    },
  }),
  ...about(['open.unknown-members', 'update.other-members-keep', 'update.id-matches-path'], {
    'user-in-the-body-taken: ignores members that cannot be changed, so that a client may send the whole user': storing(
      (update) => Object.fromEntries(Object.entries(update).filter(([member]) => isKnown(member))),
    ),
  }),
];

const EMAIL = /^[a-z0-9.-]+@([a-z0-9-]+\.)+[a-z]{2,}$/i;

const replacingText = (member: 'name' | 'email', change: (text: string) => string): Replacing =>
  storing((update) => {
    const text = update[member];
    return text === undefined ? update : { ...update, [member]: change(text) };
  });

/** Refuses a value that another user has, compared in some form. */
const unique = (member: 'name' | 'email', status: number, form = (text?: string | null) => text): Replacing =>
  replacing('applyUpdate', (apply) => (store, user, update) => {
    const value = form(update[member]);
    const isTaken = [...store.users.values()].some((each) => each.id !== user.id && form(each[member]) === value);
    if (isTaken && value !== undefined) throw new Refused(status, `Another user has this ${member}.`);
    return apply(store, user, update);
  });

/** Refuses bodies whose text has a form. */
const refusingText = (form: RegExp): Replacing =>
  replacing('parseBody', (parse) => (body) => {
    if (form.test(body.toString('utf8'))) throw new Refused(400, 'The body has a form that is not taken.');
    return parse(body);
  });

const refusals = (ids: readonly string[], table: Table<(update: UpdateUser) => boolean>): WrittenVariant[] =>
  about(ids, table, '*: *', (which) => refusing(which));

/** What a server stores in place of half of a surrogate pair. */
const INSTEAD_OF_HALF: Table<string> = {
  'replaced: U+FFFD': '\ufffd',
  'replaced-bytewise: three times U+FFFD': '\ufffd'.repeat(3),
  'questioned: a question mark': '?',
  'dropped: nothing': '',
};

/** Choices for the values in a body. */
const bounds: readonly WrittenVariant[] = [
  ...about(
    'update.json-faithful',
    INSTEAD_OF_HALF,
    'lone-surrogates-*: stores * in place of half of a surrogate pair',
    (text) => replacingText('name', (name) => name.replaceAll(/\p{Surrogate}/gu, text).trim()),
  ),
  ...refusals(['open.value-bounds', 'open.limits'], {
    'email-syntax-checked: responds 400 to a string that is not an e-mail address': ({ email }) =>
      email !== undefined && !EMAIL.test(email),
    'email-strict: responds 400 to an e-mail address of more than 64 characters or with a plus sign': ({
      email = '',
    }) => email.length > 64 || email.includes('+'),
    'name-3-to-40: responds 400 to a name of fewer than 3 or more than 40 characters': ({ name = 'Name' }) =>
      name.length < 3 || name.length > 40,
  }),
  ...about('open.value-bounds', {
    'name-unique: responds 400 to a name that another user has': unique('name', 400),
  }),
  ...about(['open.value-bounds', 'update.sent-fields-change', 'update.email-faithful'], {
    'email-folded: stores e-mail addresses in lower case': replacingText('email', (email) => email.toLowerCase()),
    'name-trimmed: trims white space around a name and collapses it inside': replacingText('name', (name) =>
      name.trim().replaceAll(/\s+/g, ' '),
    ),
  }),
  ...about(['open.value-bounds', 'user.email'], {
    'email-in-its-own-case: E-mail addresses have capital letters, and the server keeps them.': usersWith(
      ({ email = '' }) => ({ email: email.toUpperCase() }),
    ),
  }),
  ...about(['open.value-bounds', 'update.repeatable'], {
    'email-unique-400: responds 400 to an e-mail address that another user has': unique('email', 400),
  }),
  ...about(['open.value-bounds', 'open.undocumented-statuses'], {
    'email-unique-409: responds 409 to an e-mail address that another user has': unique('email', 409),
  }),
  ...about(['open.value-bounds', 'update.sent-fields-change', 'update.values-faithful'], {
    'name-normalised: stores names in Unicode normalization form NFC': replacingText('name', (name) =>
      name.normalize('NFC'),
    ),
  }),
  ...refusals(['open.value-bounds', 'update.json-faithful'], {
    'lone-surrogates-refused: responds 400 to half of a surrogate pair': ({ name = '' }) => /\p{Cs}/u.test(name),
  }),
  ...about('update.json-faithful', {
    'byte-order-mark-ignored: reads a body after a byte order mark as it is without one': replacing(
      'parseBody',
      (parse) => (body) => parse(body[0] === 0xef ? body.subarray(3) : body),
    ),
  }),
  ...about('update.json-faithful', {
    'role-with-fraction-refused: responds 400 to a role that is written with a fraction, even of zero':
      refusingText(/"rootRole":\s*\d+\.\d/),
  }),
  ...about(['update.unusual-members', 'open.limits'], {
    'nesting-at-most-32: responds 400 to a body that is nested more deeply than 32 levels': refusingText(/\[{32}/),
  }),
  ...refusals(['open.value-bounds', 'update.values-faithful'], {
    'name-of-letters-only: responds 400 to a name with other characters than letters, digits, blanks, dots, hyphens and apostrophes':
      ({ name = '' }) => !/^[\p{L}\p{M}\p{N} .'-]*$/u.test(name),
  }),
  ...about(['open.value-bounds', 'update.email-faithful'], {
    'email-unique-in-any-case: responds 400 to an e-mail address that another user has in some letter case': unique(
      'email',
      400,
      (email) => email?.toLowerCase(),
    ),
    'email-case-kept: keeps the letter case of an e-mail address that is sent again in another one': replacing(
      'applyUpdate',
      (apply) => (store, user, update) => {
        const isSame = update.email !== undefined && update.email.toLowerCase() === user.email?.toLowerCase();
        return apply(store, user, isSame ? { ...update, email: user.email ?? '' } : update);
      },
    ),
  }),
  ...refusals(['open.value-bounds', 'update.empty-text'], {
    'empty-texts-refused: responds 400 to an empty name or e-mail address': ({ name, email }) =>
      name === '' || email === '',
  }),
  ...about(['open.limits', 'open.undocumented-statuses', 'request-body.extreme-values'], {
    'body-at-most-512: responds 413 to a body of more than 512 bytes': answering(({ body }, rules) =>
      body.length > 512 ? rules.refuse(413, 'Too large.') : undefined,
    ),
  }),
  ...unrestored(['open.value-bounds', 'update.sent-fields-change'], {
    'email-folded-now-and-not-before: stores e-mail addresses in lower case; those of the two users are older than that rule':
      {
        ...usersWith(({ email = '' }) => ({
          email: email.replace('example', 'EXAMPLE').replace(/^./, (c) => c.toUpperCase()),
        })),
        ...replacingText('email', (email) => email.toLowerCase()),
      },
  }),
  ...named<WrittenVariant>({
    'email-domain-of-the-house: accepts only e-mail addresses of one domain, which the operator names': {
      about: ['open.value-bounds'],
      behaviour: {
        ...usersWith(({ username }) => ({ email: `${username ?? ''}@staff.example.org` })),
        ...refusing(({ email = '@staff.example.org' }) => !email.endsWith('@staff.example.org')),
      },
      inputs: { emailDomain: 'staff.example.org' },
    },
  }),
];

const withMediaType = (allow: (mediaType: string | undefined) => number): Replacing =>
  replacing('requireJsonMediaType', () => ({ headers }) => {
    const mediaType = headers['content-type'];
    const status = allow(typeof mediaType === 'string' ? mediaType : undefined);
    if (status !== 200) throw new Refused(status, 'Send the body as application/json.');
  });

const isJson = (mediaType: string): boolean => /^application\/json/i.test(mediaType);

/** The statuses of responses to bodies without a Content-Type, and with another one. */
const OTHER_TYPES = [
  [200, 200],
  [200, 415],
  [400, 200],
  [415, 200],
  [400, 400],
  [406, 406],
] as const;

/** Choices for content negotiation. */
const mediaTypes: readonly WrittenVariant[] = [
  ...about(
    ['open.content-type-absent', 'open.content-type-other', 'open.undocumented-statuses'],
    tableOf(
      OTHER_TYPES,
      ([absent, other]) =>
        `content-type-absent-${absent}-other-${other}: responds ${absent} to a body without a Content-Type, and ${other} to one that is not declared as JSON`,
      ([absent, other]) =>
        withMediaType((mediaType) => (mediaType === undefined ? absent : isJson(mediaType) ? 200 : other)),
    ),
  ),
  ...about(['open.content-type-absent', 'open.content-type-other', 'open.undocumented-statuses'], {
    'body-not-json-415-in-html: responds 415 with an HTML page to a body that is not declared as JSON': {
      ...htmlTexts,
      ...answering((request) =>
        updatedId(request) !== undefined && !isJson((request.headers['content-type'] as string | undefined) ?? '')
          ? { status: 415, body: '<h1>Unsupported Media Type</h1>' }
          : undefined,
      ),
    },
  }),
  ...about(['open.content-type-other', 'request-body.media-type-forms'], {
    'charset-utf-8-only: responds 415 to a charset other than UTF-8': withMediaType((mediaType = '') =>
      /^application\/json\s*(;\s*charset="?utf-8"?)?$/i.test(mediaType) ? 200 : 415,
    ),
  }),
  ...about(['open.undocumented-statuses', 'bodies.json', 'update.accept-forms'], {
    'accept-checked: responds 406 to a request that does not accept JSON': answering(({ headers }, rules) =>
      /(^|,)\s*(application\/json|\*\/\*)/.test(headers.accept as string)
        ? undefined
        : rules.refuse(406, 'Only application/json is to be had.'),
    ),
  }),
];

/** The path id of an update, as it was sent. */
function updatedId(request: ApiRequest): string | undefined {
  return isUpdate({ request }) ? sentId(request) : undefined;
}

/** The steps in which an update checks a request before it changes anything. */
type Step = 'key' | 'permission' | 'id' | 'media-type' | 'syntax' | 'schema' | 'user';

/** Updates users after checking the request in another order. `user` comes after `id`, `schema` after `syntax`, `permission` after `key`. */
function looking(order: readonly Step[]): Around {
  return answering((request, rules, store) => {
    const segment = updatedId(request);
    if (segment === undefined) return undefined;
    let caller: ReturnType<Rules['authenticate']> = 'restricted';
    let id = NaN;
    let value: unknown;
    let update: UpdateUser = {};
    const steps: Record<Step, () => void> = {
      key: () => (caller = rules.authenticate(request, store)),
      permission: () => rules.authorize(caller),
      id: () => (id = rules.parseUserId(segment)),
      'media-type': () => rules.requireJsonMediaType(request),
      syntax: () => (value = rules.parseBody(request.body)),
      schema: () => (update = rules.validateUpdate(value)),
      user: () => rules.findUser(store, id),
    };
    for (const step of order) steps[step]();
    return rules.succeed(rules.presentUser(rules.applyUpdate(store, rules.findUser(store, id), update)));
  });
}

const ORDERS: Table<readonly Step[]> = {
  'permission-body-user': ['key', 'permission', 'id', 'media-type', 'syntax', 'schema', 'user'],
  'permission-user-body': ['key', 'permission', 'id', 'user', 'media-type', 'syntax', 'schema'],
  'body-permission-user': ['key', 'media-type', 'syntax', 'schema', 'permission', 'id', 'user'],
  'body-user-permission': ['key', 'media-type', 'syntax', 'schema', 'id', 'user', 'permission'],
  'user-permission-body': ['key', 'id', 'user', 'permission', 'media-type', 'syntax', 'schema'],
  'user-body-permission': ['key', 'id', 'user', 'media-type', 'syntax', 'schema', 'permission'],
  'syntax-permission-schema': ['key', 'media-type', 'syntax', 'permission', 'id', 'schema', 'user'],
  'body-before-id': ['key', 'permission', 'media-type', 'syntax', 'schema', 'id', 'user'],
  'syntax-key': ['media-type', 'syntax', 'key', 'permission', 'id', 'schema', 'user'],
  'media-type-key': ['media-type', 'key', 'permission', 'id', 'syntax', 'schema', 'user'],
};

/** Which error wins if several apply. */
const precedence = about(
  ['open.error-precedence', 'open.permission-precedence', 'auth.comes-first', 'request-body.well-formed'],
  tableOf(
    Object.entries(ORDERS),
    ([id, order]) => `order-${id}: checks an update in this order: ${order.join(', ')}`,
    ([, order]) => looking(order),
  ),
);

const PLAIN = /^(0|-?[1-9]\d*)$/;

/** Takes path ids of a form, once they are read in some way, and refuses others. */
const taking = (form: RegExp, status: 400 | 404, read = (segment: string) => segment): Replacing =>
  replacing('parseUserId', () => (segment) => {
    if (!form.test(read(segment))) throw new Refused(status, `${segment} is no user.`);
    return Number(read(segment));
  });

const pathIds: readonly WrittenVariant[] = [
  ...about(['open.non-integer-id', 'path-id.integer'], {
    'path-id-404: responds 404 with the error body to an id that is not an integer': taking(PLAIN, 404),
    'path-id-404-in-html: The router responds 404 with an HTML page to an id that is not an integer.': {
      ...htmlTexts,
      ...answering((request) =>
        PLAIN.test(updatedId(request) ?? '0') ? undefined : { status: 404, body: '<h1>Not Found</h1>' },
      ),
    },
    'path-id-404-for-words-only: responds 404 to a word as id, and 400 to a number that is not an integer': replacing(
      'parseUserId',
      () => (segment) => {
        if (!PLAIN.test(segment)) throw new Refused(/^\d/.test(segment) ? 400 : 404, `${segment} is no user.`);
        return Number(segment);
      },
    ),
  }),
  ...about(['open.integer-spelling', 'path-id.integer'], {
    'path-id-with-leading-zeros: ignores leading zeros of an id': taking(/^\d+$/, 400),
    'path-id-with-fraction-of-zero: accepts an id with a fraction of zeros': taking(/^-?\d+(\.0+)?$/, 400),
    'path-id-with-sign: accepts an id with a plus sign': taking(/^[+-]?\d+$/, 404),
    'path-id-percent-decoded: percent-decodes an id and ignores white space in it': taking(PLAIN, 400, (segment) =>
      (percentDecoded(segment) ?? '').trim(),
    ),
  }),
  ...about(['path-id.no-server-error', 'open.undocumented-statuses'], {
    'path-id-undecodable-refused-by-the-front: A front end responds 400 with an HTML page to an id that cannot be decoded or has a NUL character, and 414 to a number that is long.':
      {
        ...htmlTexts,
        ...answering((request) => {
          const id = updatedId(request) ?? '';
          if (/^\d{20,}$/.test(id)) return { status: 414, body: '<h1>URI Too Long</h1>' };
          return (percentDecoded(id) ?? '\0').includes('\0')
            ? { status: 400, body: '<h1>Bad Request</h1>' }
            : undefined;
        }),
      },
  }),
  ...named<WrittenVariant>({
    'path-id-of-32-bits: responds 404 to an id beyond 32 bits without looking up a user': {
      about: ['path-id.integer', 'path-id.exact', 'missing-user.not-found', 'open.limits'],
      behaviour: taking(PLAIN, 404, (segment) => (Math.abs(Number(segment)) < 2 ** 31 ? segment : '')),
      inputs: { missingUserId: '9999999999' },
    },
  }),
];

/** A new user with each request, of whom five remain. */
const passersBy: Behaviour = {
  around: (handle, store) => {
    let next = 1_000;
    return (request) => {
      store.users.delete(next - 5);
      store.users.set((next += 1), { id: next, name: `Passer-by ${next}` });
      return handle(request);
    };
  },
};

const inTransactions: Behaviour = {
  around: (handle) => {
    let last: Promise<unknown> = Promise.resolve();
    return (request) => {
      const turn = last.then(() => sleep(2)).then(() => handle(request));
      last = turn;
      return turn;
    };
  },
};

const locking: Behaviour = {
  around: (handle, store, rules) => {
    const locked = new Set<string>();
    return async (request) => {
      const { method, path } = request;
      try {
        if (method === 'PUT') rules.authorize(rules.authenticate(request, store));
      } catch {
        return handle(request);
      }
      if (locked.has(path)) return rules.refuse(409, 'Another request is changing this user.');
      if (method === 'PUT') locked.add(path);
      await sleep(2);
      locked.delete(path);
      return handle(request);
    };
  },
};

/** Choices for the update itself. */
const effects: readonly WrittenVariant[] = [
  ...about(['open.permission-model', 'permission.refused'], {
    'key-that-may-update-others: The restricted key may update a user that the operator did not name.': {
      seed: { ...defaultSeed, users: [...defaultSeed.users, { id: 3, name: 'Third' }] },
      ...answering((request, rules, store) => {
        if (updatedId(request) !== '3' || rules.authenticate(request, store) !== 'restricted') return undefined;
        const update = rules.validateUpdate(rules.parseBody(request.body));
        return rules.succeed(rules.applyUpdate(store, rules.findUser(store, 3), update));
      }),
    },
  }),
  ...about(['update.addressed-user-only', 'update.unsent-fields-keep', 'open.states'], {
    'users-moved-in-the-store: An update moves the user to the end of the store and rewrites the others.': replacing(
      'applyUpdate',
      (apply) => (store, user, update) => {
        store.users.delete(user.id);
        for (const [id, other] of store.users) store.users.set(id, { ...other });
        return apply(store, user, update);
      },
    ),
  }),
  ...unrestored(
    ['open.states', 'missing-user.not-found', 'missing-user.not-created', 'update.refused-changes-nothing'],
    {
      'other-users-come-and-go: Other clients keep creating and deleting users that the operator did not name.':
        passersBy,
    },
  ),
  ...about(
    ['update.earlier-updates-keep', 'update.success-is-200', 'update.concurrent-fields', 'update.concurrent-users'],
    {
      'updates-take-their-turn: carries out updates one after the other, each in a transaction of 2 ms': inTransactions,
    },
  ),
  ...about(['open.undocumented-statuses', 'update.concurrent-refusals'], {
    'user-locked: While an update of a user is carried out, every other one of this user gets 409.': locking,
  }),
  ...about(['open.events', 'open.versioning'], {
    'events-in-a-header: The response to an update names the emitted event in a header field.': {
      deliver: withHeader({
        extra: Object.entries({ 'X-Event': '7', 'X-API-Version': '5.7.0', Deprecation: 'true' }),
      }),
    },
  }),
];

/** Source: Endpoints, PUT user. */
export const updatesVariants: readonly WrittenVariant[] = [
  ...bodies,
  ...bounds,
  ...mediaTypes,
  ...precedence,
  ...pathIds,
  ...effects,
];
