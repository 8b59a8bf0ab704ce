import { Refused } from '../../reference-server/rules.ts';
import { updatableMembers } from '../../reference-server/seed.ts';
import type { Variant } from '../variant.ts';
import {
  answering,
  htmlTexts,
  looking,
  refusing,
  storing,
  together,
  updatedId,
  usersWith,
  type Replacing,
  type Step,
} from './freedoms.ts';

const isEmpty = (update: object): boolean => Object.keys(update).length === 0;
const isKnown = (member: string): boolean => updatableMembers.includes(member);

const refusingEmpty = refusing((update) => (isEmpty(update) ? 'Send at least one member.' : undefined));
const refusingUnknown = refusing((update) => {
  const unknown = Object.keys(update).find((member) => !isKnown(member));
  return unknown === undefined ? undefined : `${unknown} is not known.`;
});
const wantingOne = refusing((update) =>
  Object.keys(update).some(isKnown) ? undefined : 'Send at least one of name, email, rootRole.',
);

/** Freedoms of the body as a whole. */
const bodies: readonly Variant[] = [
  {
    id: 'empty-body-refused',
    title: '`{}` is refused with 400.',
    about: ['open.empty-body', 'update.empty-body-changes-nothing'],
    behaviour: refusingEmpty,
  },
  {
    id: 'needs-a-known-member',
    title: 'A body without any of the three members is refused with 400, whatever else it has.',
    about: ['open.empty-body', 'open.unknown-members', 'update.empty-body-changes-nothing'],
    notPutBack: true,
    behaviour: wantingOne,
  },
  {
    id: 'unknown-members-refused',
    title: 'A body with a member that the contract does not list is refused with 400.',
    about: ['open.unknown-members', 'update.unusual-members'],
    behaviour: refusingUnknown,
  },
  {
    id: 'empty-body-and-unknown-members-refused',
    title: 'Both `{}` and a member that the contract does not list are refused with 400.',
    about: ['open.empty-body', 'open.unknown-members'],
    notPutBack: true,
    behaviour: together(refusingUnknown, refusingEmpty),
  },
  {
    id: 'unknown-members-kept',
    title: 'A member that the contract does not list is kept and shown.',
    about: ['open.unknown-members', 'open.extra-members'],
    // A member that is kept for good cannot be taken out again.
    notPutBack: true,
    behaviour: {
      ...usersWith(() => ({ conformanceProbe: true })),
      replace: () => ({
        applyUpdate: (store, user, { ...update }) => {
          const updated = { ...user, ...update, id: user.id };
          store.users.set(user.id, updated);
          return updated;
        },
      }),
    },
  },
  {
    id: 'user-in-the-body-taken',
    title: 'The whole user may be sent back: members that cannot be changed are passed over.',
    about: ['open.unknown-members', 'update.other-members-keep', 'update.id-matches-path'],
    behaviour: storing(({ name, email, rootRole }) =>
      Object.fromEntries(Object.entries({ name, email, rootRole }).filter(([, value]) => value !== undefined)),
    ),
  },
];

const EMAIL = /^[a-z0-9.-]+@([a-z0-9-]+\.)+[a-z]{2,}$/i;

const replacingText = (member: 'name' | 'email', change: (text: string) => string): Replacing =>
  storing((update) => {
    const text = update[member];
    return text === undefined ? update : { ...update, [member]: change(text) };
  });

/** Freedoms of the values in a body. */
const bounds: readonly Variant[] = [
  {
    id: 'email-syntax-checked',
    title: 'An e-mail address that is none is refused with 400.',
    about: ['open.value-bounds', 'open.limits'],
    behaviour: refusing(({ email }) => (email === undefined || EMAIL.test(email) ? undefined : 'email is none.')),
  },
  {
    id: 'email-plus-refused',
    title: 'An e-mail address with a plus sign is refused with 400.',
    about: ['open.value-bounds'],
    behaviour: refusing(({ email }) => (email?.includes('+') ? 'email must have no plus sign.' : undefined)),
  },
  {
    id: 'email-folded',
    title: 'E-mail addresses are stored in lower case.',
    about: ['open.value-bounds', 'update.sent-fields-change'],
    behaviour: replacingText('email', (email) => email.toLowerCase()),
  },
  {
    id: 'email-folded-now-and-not-before',
    title: 'E-mail addresses are stored in lower case; those of the two users are older than that rule.',
    about: ['open.value-bounds', 'update.sent-fields-change'],
    notPutBack: true,
    behaviour: {
      ...usersWith(({ email = '' }) => ({
        email: email.replace('example', 'EXAMPLE').replace(/^./, (c) => c.toUpperCase()),
      })),
      ...replacingText('email', (email) => email.toLowerCase()),
    },
  },
  {
    id: 'email-in-its-own-case',
    title: 'E-mail addresses have capitals, and keep them.',
    about: ['open.value-bounds', 'user.email'],
    behaviour: usersWith(({ email = '' }) => ({ email: email.toUpperCase() })),
  },
  {
    id: 'email-unique-400',
    title: 'An e-mail address that another user has is refused with 400.',
    about: ['open.value-bounds', 'update.repeatable'],
    behaviour: {
      replace: (rules) => ({
        applyUpdate: (store, user, update) => {
          const twin = [...store.users.values()].find(({ id, email }) => id !== user.id && email === update.email);
          if (twin && update.email !== undefined) throw new Refused(400, 'Another user has this e-mail address.');
          return rules.applyUpdate(store, user, update);
        },
      }),
    },
  },
  {
    id: 'email-unique-409',
    title: 'An e-mail address that another user has is refused with 409.',
    about: ['open.value-bounds', 'open.undocumented-statuses'],
    behaviour: {
      replace: (rules) => ({
        applyUpdate: (store, user, update) => {
          const twin = [...store.users.values()].find(({ id, email }) => id !== user.id && email === update.email);
          if (twin && update.email !== undefined) throw new Refused(409, 'Another user has this e-mail address.');
          return rules.applyUpdate(store, user, update);
        },
      }),
    },
  },
  {
    id: 'email-domain-of-the-house',
    title: 'Only e-mail addresses under one domain are taken, which the operator names.',
    about: ['open.value-bounds'],
    behaviour: {
      ...usersWith(({ username }) => ({ email: `${username ?? ''}@staff.example.org` })),
      ...refusing(({ email }) =>
        email === undefined || email.endsWith('@staff.example.org') ? undefined : 'email must be one of ours.',
      ),
    },
    inputs: { emailDomain: 'staff.example.org' },
  },
  {
    id: 'email-at-most-64',
    title: 'An e-mail address longer than 64 characters is refused with 400.',
    about: ['open.value-bounds', 'open.limits'],
    behaviour: refusing(({ email = '' }) => (email.length > 64 ? 'email is too long.' : undefined)),
  },
  {
    id: 'name-trimmed',
    title: 'Blanks around a name are not stored, and those inside are made one.',
    about: ['open.value-bounds', 'update.sent-fields-change'],
    behaviour: replacingText('name', (name) => name.trim().replaceAll(/\s+/g, ' ')),
  },
  {
    id: 'name-normalised',
    title: 'Names are stored in Unicode form NFC.',
    about: ['open.value-bounds', 'update.sent-fields-change', 'update.values-faithful'],
    behaviour: replacingText('name', (name) => name.normalize('NFC')),
  },
  {
    id: 'name-3-to-40',
    title: 'A name has from 3 to 40 characters; others are refused with 400.',
    about: ['open.value-bounds', 'open.limits'],
    behaviour: refusing(({ name }) =>
      name !== undefined && (name.length < 3 || name.length > 40) ? 'name needs 3 to 40 characters.' : undefined,
    ),
  },
  {
    id: 'empty-texts-refused',
    title: 'An empty name or e-mail address is refused with 400.',
    about: ['open.value-bounds', 'update.empty-text'],
    behaviour: refusing(({ name, email }) => (name === '' || email === '' ? 'Texts must not be empty.' : undefined)),
  },
  {
    id: 'name-unique',
    title: 'A name that another user has is refused with 400.',
    about: ['open.value-bounds'],
    behaviour: {
      replace: (rules) => ({
        applyUpdate: (store, user, update) => {
          const twin = [...store.users.values()].some(({ id, name }) => id !== user.id && name === update.name);
          if (twin && update.name !== undefined) throw new Refused(400, 'Another user has this name.');
          return rules.applyUpdate(store, user, update);
        },
      }),
    },
  },
  {
    id: 'body-at-most-512',
    title: 'A body of more than 512 bytes is refused with 413.',
    about: ['open.limits', 'open.undocumented-statuses'],
    behaviour: answering(({ body }, rules) => (body.length > 512 ? rules.refuse(413, 'Too large.') : undefined)),
  },
];

const withMediaType = (allow: (mediaType: string | undefined) => number): Replacing => ({
  replace: () => ({
    requireJsonMediaType: ({ headers }) => {
      const mediaType = headers['content-type'];
      const status = allow(typeof mediaType === 'string' ? mediaType : undefined);
      if (status !== 200) throw new Refused(status, 'Send the body as application/json.');
    },
  }),
});

const isJson = (mediaType: string): boolean => mediaType.startsWith('application/json');

/** Freedoms of content negotiation. */
const mediaTypes: readonly Variant[] = [
  {
    id: 'content-type-of-no-interest',
    title: 'A body is read as JSON whatever its Content-Type says.',
    about: ['open.content-type-absent', 'open.content-type-other'],
    behaviour: withMediaType(() => 200),
  },
  {
    id: 'content-type-absent-accepted',
    title: 'A body without a Content-Type is read as JSON; another one is answered 415.',
    about: ['open.content-type-absent', 'open.content-type-other'],
    behaviour: withMediaType((mediaType) => (mediaType === undefined || isJson(mediaType) ? 200 : 415)),
  },
  {
    id: 'content-type-absent-400',
    title: 'A body without a Content-Type is answered 400, another one than JSON is accepted.',
    about: ['open.content-type-absent', 'open.content-type-other'],
    behaviour: withMediaType((mediaType) => (mediaType === undefined ? 400 : 200)),
  },
  {
    id: 'content-type-absent-415',
    title: 'A body without a Content-Type is answered 415, another one than JSON is accepted.',
    about: ['open.content-type-absent', 'open.content-type-other'],
    behaviour: withMediaType((mediaType) => (mediaType === undefined ? 415 : 200)),
  },
  {
    id: 'content-type-other-400',
    title: 'A body of another Content-Type than JSON is answered 400, and so is one without.',
    about: ['open.content-type-absent', 'open.content-type-other'],
    behaviour: withMediaType((mediaType) => (mediaType !== undefined && isJson(mediaType) ? 200 : 400)),
  },
  {
    id: 'content-type-406',
    title: 'A body of another Content-Type than JSON is answered 406.',
    about: ['open.content-type-absent', 'open.content-type-other', 'open.undocumented-statuses'],
    behaviour: withMediaType((mediaType) => (mediaType !== undefined && isJson(mediaType) ? 200 : 406)),
  },
  {
    id: 'accept-checked',
    title: 'A request that does not accept JSON is answered 406.',
    about: ['open.undocumented-statuses', 'bodies.json'],
    behaviour: answering(({ headers }, rules) =>
      /(^|,)\s*(application\/json|\*\/\*)/.test(headers.accept as string)
        ? undefined
        : rules.refuse(406, 'Only application/json is to be had.'),
    ),
  },
  {
    id: 'body-not-json-415-in-html',
    title: 'What is not declared as JSON is answered 415 with a page in HTML.',
    about: ['open.content-type-absent', 'open.content-type-other', 'open.undocumented-statuses'],
    behaviour: {
      ...htmlTexts,
      ...answering(({ headers, method }) =>
        method === 'PUT' && !isJson((headers['content-type'] as string | undefined) ?? '')
          ? { status: 415, body: '<h1>Unsupported Media Type</h1>' }
          : undefined,
      ),
    },
  },
];

const ORDERS: readonly (readonly [id: string, order: readonly Step[]])[] = [
  ['permission-body-user', ['key', 'permission', 'id', 'media-type', 'syntax', 'schema', 'user']],
  ['permission-user-body', ['key', 'permission', 'id', 'user', 'media-type', 'syntax', 'schema']],
  ['body-permission-user', ['key', 'media-type', 'syntax', 'schema', 'permission', 'id', 'user']],
  ['body-user-permission', ['key', 'media-type', 'syntax', 'schema', 'id', 'user', 'permission']],
  ['user-permission-body', ['key', 'id', 'user', 'permission', 'media-type', 'syntax', 'schema']],
  ['user-body-permission', ['key', 'id', 'user', 'media-type', 'syntax', 'schema', 'permission']],
  ['syntax-permission-schema', ['key', 'media-type', 'syntax', 'permission', 'id', 'schema', 'user']],
  ['body-before-id', ['key', 'permission', 'media-type', 'syntax', 'schema', 'id', 'user']],
  ['syntax-key', ['media-type', 'syntax', 'key', 'permission', 'id', 'schema', 'user']],
  ['media-type-key', ['media-type', 'key', 'permission', 'id', 'syntax', 'schema', 'user']],
];

/** Which error wins where several apply. */
const precedence: readonly Variant[] = ORDERS.map(([id, order]) => ({
  id: `order-${id}`,
  title: `An update is looked at in this order: ${order.join(', ')}.`,
  about: ['open.error-precedence', 'open.permission-precedence', 'auth.comes-first', 'request-body.well-formed'],
  behaviour: looking(...order),
}));

const reading = (parse: (segment: string) => number | undefined, status: 400 | 404): Replacing => ({
  replace: () => ({
    parseUserId: (segment) => {
      const id = parse(segment);
      if (id === undefined) throw new Refused(status, `${segment} is no user.`);
      return id;
    },
  }),
});

const matching =
  (pattern: RegExp) =>
  (segment: string): number | undefined =>
    pattern.test(segment) ? Number(segment) : undefined;
const PLAIN = /^(0|-?[1-9]\d*)$/;

/** Freedoms of the id in the path. */
const pathIds: readonly Variant[] = [
  {
    id: 'path-id-404',
    title: 'An id that is no integer is answered 404 with the error body.',
    about: ['open.non-integer-id', 'path-id.integer'],
    behaviour: reading(matching(PLAIN), 404),
  },
  {
    id: 'path-id-404-in-html',
    title: 'An id that is no integer meets no route: 404 with a page in HTML.',
    about: ['open.non-integer-id', 'path-id.integer'],
    behaviour: {
      ...htmlTexts,
      ...answering((request) =>
        PLAIN.test(updatedId(request) ?? '0') ? undefined : { status: 404, body: '<h1>Not Found</h1>' },
      ),
    },
  },
  {
    id: 'path-id-404-with-another-error-name',
    title: 'An id that is no integer meets no route: 404 with a body of the framework.',
    about: ['open.non-integer-id', 'path-id.integer'],
    behaviour: answering((request) =>
      PLAIN.test(updatedId(request) ?? '0')
        ? undefined
        : { status: 404, body: { statusCode: 404, error: 'Not Found', path: request.path } },
    ),
  },
  {
    id: 'path-id-404-for-words-only',
    title: 'A word as id is answered 404, a number that is no integer 400.',
    about: ['open.non-integer-id', 'path-id.integer'],
    behaviour: {
      replace: () => ({
        parseUserId: (segment) => {
          if (!PLAIN.test(segment)) throw new Refused(/^\d/.test(segment) ? 400 : 404, `${segment} is no user.`);
          return Number(segment);
        },
      }),
    },
  },
  {
    id: 'path-id-with-leading-zeros',
    title: 'Leading zeros of an id are passed over.',
    about: ['open.integer-spelling', 'path-id.integer'],
    behaviour: reading(matching(/^\d+$/), 400),
  },
  {
    id: 'path-id-with-fraction-of-zero',
    title: 'An id may have a fraction of zeros.',
    about: ['open.integer-spelling', 'path-id.integer'],
    behaviour: reading(matching(/^-?\d+(\.0+)?$/), 400),
  },
  {
    id: 'path-id-with-sign',
    title: 'An id may have a plus sign.',
    about: ['open.integer-spelling', 'path-id.integer'],
    behaviour: reading(matching(/^[+-]?\d+$/), 404),
  },
  {
    id: 'path-id-percent-decoded',
    title: 'The id is percent-decoded first, and its blanks are passed over.',
    about: ['open.integer-spelling', 'path-id.integer'],
    behaviour: reading((segment) => matching(PLAIN)(decodeURIComponent(segment).trim()), 400),
  },
  {
    id: 'path-id-of-32-bits',
    title: 'An id beyond 32 bits is answered 404 without a look into the store.',
    about: ['path-id.integer', 'missing-user.not-found', 'open.limits'],
    behaviour: reading((segment) => {
      const id = matching(PLAIN)(segment);
      return id !== undefined && Math.abs(id) < 2 ** 31 ? id : undefined;
    }, 404),
    inputs: { missingUserId: '9999999999' },
  },
];

/** Freedoms of the update itself. */
const effects: readonly Variant[] = [
  {
    id: 'users-moved-in-the-store',
    title: 'An update puts the user at the end of the store, and rewrites the others.',
    about: ['update.addressed-user-only', 'update.unsent-fields-keep', 'open.states'],
    behaviour: {
      replace: (rules) => ({
        applyUpdate: (store, user, update) => {
          store.users.delete(user.id);
          for (const [id, other] of store.users) store.users.set(id, { ...other });
          return rules.applyUpdate(store, user, update);
        },
      }),
    },
  },
  {
    id: 'other-users-come-and-go',
    title: 'Users that the operator did not name are created and deleted by others all the time.',
    about: ['open.states', 'missing-user.not-found', 'missing-user.not-created', 'update.refused-changes-nothing'],
    notPutBack: true,
    behaviour: {
      around: (handle, store) => {
        let next = 1_000;
        return (request) => {
          store.users.delete(next - 5);
          store.users.set((next += 1), { id: next, name: `Passer-by ${next}` });
          return handle(request);
        };
      },
    },
  },
  {
    id: 'updates-take-their-turn',
    title: 'Updates are carried out one after the other, each in a transaction that takes 2 ms.',
    about: [
      'update.earlier-updates-keep',
      'update.success-is-200',
      'update.concurrent-fields',
      'update.concurrent-users',
    ],
    behaviour: {
      around: (handle) => {
        let last: Promise<unknown> = Promise.resolve();
        return (request) => {
          const turn = last.then(() => new Promise((done) => setTimeout(done, 2))).then(() => handle(request));
          last = turn;
          return turn;
        };
      },
    },
  },
  {
    id: 'events-in-a-header',
    title: 'Every update names the event that it emitted in a header field.',
    about: ['open.events', 'open.versioning'],
    behaviour: {
      around: (handle) => {
        let event = 0;
        return (request) => ({
          ...handle(request),
          headers: { 'x-event': String((event += 1)), 'x-api-version': '5.7.0', deprecation: 'true' },
        });
      },
    },
  },
];

/** Source: Endpoints, PUT user. */
export const updatesVariants: readonly Variant[] = [
  ...bodies,
  ...bounds,
  ...mediaTypes,
  ...precedence,
  ...pathIds,
  ...effects,
];
