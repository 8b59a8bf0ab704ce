import { setTimeout as sleep } from 'node:timers/promises';
import { percentDecoded } from '../../common/text.ts';
import type { UpdateUser } from '../../contract/document.ts';
import { Refused, type Rules } from '../../reference-server/rules.ts';
import { defaultSeed, updatableMembers } from '../../reference-server/seed.ts';
import { about, byChance, unrestored, type Variant } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import { isUpdate, sentId, sentKey } from '../servers/requests.ts';
import { countsLogin, pagesAsHtml, responding } from '../servers/responses.ts';
import { refusing, refusingText, storing, unique, USER, usersWith } from '../servers/updates.ts';

const isEmpty = (update: object): boolean => Object.keys(update).length === 0;
const isKnown = (member: string): boolean => updatableMembers.includes(member);
const hasUnknown = (update: object): boolean => !Object.keys(update).every(isKnown);

const [SHOWN = {}] = defaultSeed.users;

/** Stores and shows what the contract does not list. */
const unknownKept: Behaviour = {
  ...usersWith({ conformanceProbe: true }),
  ...replacing('applyUpdate', () => (store, user, { ...update }) => {
    const kept = Object.entries(update).filter(([name]) => isKnown(name) || !Object.hasOwn(SHOWN, name));
    const updated = { ...user, ...Object.fromEntries(kept) };
    store.users.set(user.id, updated);
    return updated;
  }),
};
/** Choices for the whole body. */
export const bodyVariants: readonly Variant[] = [
  ...about(
    ['open.empty-body', 'update.empty-body-changes-nothing', 'open.unknown-members', 'update.unlisted-members'],
    {
      'empty-body-refused: The body `{}` gets 400': refusing(isEmpty),
      'unknown-members-refused: A member that the contract does not list gets 400': refusing(hasUnknown),
    },
  ),
  ...unrestored(['open.empty-body', 'open.unknown-members', 'open.extra-members'], {
    'needs-a-known-member: A body without a known member gets 400': refusing(
      (body) => !Object.keys(body).some(isKnown),
    ),
    'empty-body-and-unknown-members-refused: Both `{}` and unknown members get 400': refusing(
      (body) => isEmpty(body) || hasUnknown(body),
    ),
    'unknown-members-kept: It stores and shows what the contract does not list': unknownKept,
  }),
];

const names = (form: RegExp): Behaviour => refusing(({ name }) => name != null && !form.test(name));
const emails = (form: RegExp): Behaviour => refusing(({ email }) => email !== undefined && !form.test(email));
const halvesBecome = (text: string): Behaviour =>
  storing('name', (name) => name.replaceAll(/\p{Surrogate}/gu, text).trim());
const lower = (text?: string | null): string | undefined => text?.toLowerCase();

/** Keeps all addresses that users had, and takes none of them again. */
const formerAddressesRefused = replacing('applyUpdate', (apply) => {
  const former = new Set<string>();
  return (store, user, update) => {
    const { email = user.email } = update;
    if (email !== user.email && former.has(email ?? '')) throw new Refused(400, 'The address was used before.');
    former.add(user.email ?? '');
    return apply(store, user, update);
  };
});

/** Choices for the values in a body. */
export const boundVariants: readonly Variant[] = [
  ...about(['open.value-bounds', 'open.limits', 'update.values-faithful', 'update.email-faithful'], {
    'email-syntax-checked: Only e-mail addresses are accepted': emails(/^[a-z0-9.-]+@([a-z0-9-]+\.)+[a-z]{2,}$/i),
    'name-of-letters: A name has letters of any script, and blanks': names(/^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$/u),
    'name-at-most-1000: A name has at most 1,000 characters': names(/^.{1,1000}$/su),
    'name-at-most-255-bytes: A name has at most 255 bytes': refusing(({ name }) => Buffer.byteLength(name ?? '') > 255),
    'email-without-apostrophe: An address has no apostrophe': emails(/^[^']*$/),
    'name-3-to-40: A name has 3 to 40 characters': names(/^.{3,40}$/su),
    'name-of-ascii-letters-and-blanks: A name has ASCII letters and blanks only': names(/^[A-Za-z]+( [A-Za-z]+)*$/),
    'name-trimmed: Blanks around a name are cut off, and those inside folded': storing('name', (name) =>
      name.trim().replaceAll(/\s+/g, ' '),
    ),
    'name-squished: Blanks are folded as Unicode defines them, which leaves U+FEFF as it is': storing('name', (name) =>
      name.replaceAll(/\p{White_Space}+/gu, ' ').trim(),
    ),
    'name-unique: A name that another user has gets 400': unique('name', 400),
    'name-normalised: Names are stored in the normalization form NFC': storing('name', (name) => name.normalize('NFC')),
    'email-case-kept: An address in another letter case does not change the stored one': storing(
      'email',
      (email, { email: old = '' }) => (lower(email) === lower(old) ? old : email),
    ),
    'email-folded: E-mail addresses are stored in lower case': storing('email', (email) => email.toLowerCase()),
    'email-unique-409: An e-mail address that another user has gets 409': unique('email', 409),
    'email-domain-of-the-house: Only e-mail addresses of one domain are accepted, which the operator names': [
      {
        ...usersWith(({ username }) => ({ email: `${username ?? ''}@staff.example.org` })),
        ...emails(/@staff\.example\.org$/),
      },
      { emailDomain: 'staff.example.org' },
    ],
  }),
  ...about(['update.empty-text', 'open.value-bounds'], {
    'empty-texts-refused: An empty text gets 400': refusing(({ name, email }) => name === '' || email === ''),
  }),
  ...about(['update.json-faithful', 'update.unusual-members', 'open.limits', 'request-body.extreme-values'], {
    'lone-surrogates-replaced: Half of a surrogate pair becomes U+FFFD': halvesBecome('\ufffd'),
    'lone-surrogates-refused: Half of a surrogate pair gets 400': refusing(({ name }) => /\p{Cs}/u.test(name ?? '')),
    'byte-order-mark-ignored: A byte order mark is skipped': replacing(
      'parseBody',
      (parse) => (body) => parse(body[0] === 0xef ? body.subarray(3) : body),
    ),
    'role-with-fraction-refused: A role that is written as `4.0` gets 400': refusingText(/"rootRole":\s*\d+\.\d/),
    'nesting-at-most-32: A body that is nested more deeply than 32 levels gets 400': refusingText(/\[{32}/),
    'role-beyond-64-bits-refused: A role beyond 64 bits gets 400': refusing(
      ({ rootRole }) => Math.abs(Number(rootRole ?? 0)) > 2 ** 63,
    ),
    'body-at-most-512: A body of more than 512 bytes gets 413': responding(({ body }, rules) =>
      body.length > 512 ? rules.refuse(413, 'Too large.') : undefined,
    ),
  }),
  ...unrestored(['open.value-bounds', 'update.fields-optional'], {
    'old-address-cannot-return: Users have addresses that the rule of today refuses, and can be renamed': {
      ...usersWith(({ username }) => ({ email: `${username ?? ''}@localhost` })),
      ...emails(/\.[a-z]+$/),
    },
  }),
  ...unrestored(['open.value-bounds', 'update.repeatable'], {
    'former-addresses-refused: An e-mail address that any user had before gets 400': formerAddressesRefused,
  }),
  ...unrestored(['open.value-bounds', 'update.sent-fields-change'], {
    'email-folded-now-and-not-before: E-mail addresses are stored in lower case; the old ones are older than that rule':
      {
        ...usersWith(({ email = '' }) => ({ email: email.toUpperCase() })),
        ...storing('email', (email) => email.toLowerCase()),
      },
  }),
];

/** Checks an update in another order. `user` comes after `id`, `schema` after `syntax`, `permission` after `key`. */
function looking(order: string): Behaviour {
  return responding((request, rules, store) => {
    if (!isUpdate({ request })) return undefined;
    let caller: ReturnType<Rules['authenticate']> = 'restricted';
    let id = NaN;
    let value: unknown;
    let update: UpdateUser = {};
    const steps: Readonly<Record<string, () => void>> = {
      key: () => (caller = rules.authenticate(request, store)),
      permission: () => rules.authorize(caller),
      id: () => (id = rules.parseUserId(sentId(request))),
      'media-type': () => rules.requireJsonMediaType(request),
      syntax: () => (value = rules.parseBody(request.body)),
      schema: () => (update = rules.validateUpdate(value)),
      user: () => rules.findUser(store, id),
    };
    for (const step of order.split(' ')) steps[step]?.();
    return rules.succeed(rules.presentUser(rules.applyUpdate(store, rules.findUser(store, id), update)));
  });
}

/** Which error wins if several apply. */
export const orderVariants: readonly Variant[] = about(
  ['open.error-precedence', 'open.permission-precedence', 'auth.comes-first', 'request-body.well-formed'],
  {
    'order-user-before-body: It looks for the user before the body': looking(
      'key permission id user media-type syntax schema',
    ),
    'order-permission-last: It checks the permission last': looking('key id user media-type syntax schema permission'),
    'order-syntax-before-key: It parses the body before it looks at the key': looking(
      'media-type syntax key permission id schema user',
    ),
  },
);

const PLAIN = /^(0|-?[1-9]\d*)$/;

/** Takes path ids that are plain once they are read in some way, and refuses others. */
function takingIds(status: 400 | 404, read = (segment: string) => segment): Behaviour {
  return replacing('parseUserId', () => (segment) => {
    if (!PLAIN.test(read(segment))) throw new Refused(status, `${segment} is no user.`);
    return Number(read(segment));
  });
}

/** A path id as `Number` of JavaScript reads it: `0x4`, `4e0` and ` 4` are 4. */
function asNumber(segment: string): string {
  const number = Number(percentDecoded(segment) ?? NaN);
  return Number.isInteger(number) ? String(number) : '';
}

/** A path id as Pydantic reads it: `0_4`, `+4`, `4.0` and ` 4` are 4. */
function asPydantic(segment: string): string {
  const text = (percentDecoded(segment) ?? '').trim();
  const digits = text
    .replace(/^\+/, '')
    .replace(/\.0+$/, '')
    .replaceAll(/(?<=\d)_(?=\d)/g, '');
  return digits.replace(/^(-?)0+(?=\d)/, '$1');
}

/** A web server in front responds to some path ids with a page. */
function frontResponding(status: (id: string) => number | undefined): Behaviour {
  return {
    ...pagesAsHtml(),
    ...responding((request) => {
      const own = isUpdate({ request }) ? status(sentId(request)) : undefined;
      return own === undefined ? undefined : { status: own, body: `<h1>${own}</h1>` };
    }),
  };
}

/** Refuses some bodies for what they are declared as, and reads all others. */
function ofAnyType(statusFor: (type: string | undefined) => number | undefined): Behaviour {
  return replacing('requireJsonMediaType', () => ({ headers }) => {
    const status = statusFor(headers['content-type'] as string | undefined);
    if (status !== undefined) throw new Refused(status, 'The media type is not taken.');
  });
}

/** Choices for the path id, and for headers. */
export const requestVariants: readonly Variant[] = [
  ...about(['open.non-integer-id', 'open.integer-spelling', 'path-id.integer', 'path-id.no-server-error'], {
    'path-id-404: An id that is no integer gets 404': takingIds(404),
    'path-id-percent-decoded: It percent-decodes an id and ignores white space around it': takingIds(400, (segment) =>
      (percentDecoded(segment) ?? '').trim(),
    ),
    'path-id-as-javascript-reads-it: An id is what Number() makes of it': takingIds(400, asNumber),
    'path-id-as-pydantic-reads-it: An id may have underscores, a sign, white space and zeros': takingIds(
      400,
      asPydantic,
    ),
    'path-id-undecodable-refused-by-the-front: A front end refuses an id that cannot be decoded, that has a NUL, or that is long, with pages':
      frontResponding((id) => {
        if (/^\d{20,}$/.test(id)) return 414;
        return (percentDecoded(id) ?? '\0').includes('\0') ? 400 : undefined;
      }),
    'path-id-of-32-bits: An id beyond 32 bits gets 404 without a look-up': [
      takingIds(404, (segment) => (Math.abs(Number(segment)) < 2 ** 31 ? segment : '')),
      { missingUserId: '9999999999' },
    ],
  }),
  ...about(['open.content-type-other', 'request-body.media-type-forms', 'update.accept-forms', 'bodies.json'], {
    'media-type-ignored: It reads every body as JSON, whatever it is declared as': ofAnyType(() => undefined),
    'media-type-needed: A body without a type gets 415, and one of any other type is read': ofAnyType((type) =>
      type === undefined ? 415 : undefined,
    ),
    'other-media-types-are-400: A body that is not declared as JSON gets 400': ofAnyType((type) =>
      /^application\/json/i.test(type ?? '') ? undefined : 400,
    ),
    'accept-checked: A request that does not accept JSON gets 406': responding(({ headers }, rules) =>
      /(^|,)\s*(application\/json|\*\/\*)/.test(String(headers.accept)) ? undefined : rules.refuse(406, 'Only JSON.'),
    ),
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

/** Handles requests one after the other, each for a while. */
const inTransactions: Behaviour = {
  around: (handle) => {
    let last: Promise<unknown> = Promise.resolve();
    return (request) => {
      const turn = last.then(() => sleep(1)).then(() => handle(request));
      last = turn;
      return turn;
    };
  },
};

/** Refuses what comes for a user while an update of it is carried out. */
const locking: Behaviour = {
  around: (handle, store, rules) => {
    const locked = new Set<string>();
    return async (request) => {
      const { path } = request;
      if (!isUpdate({ request }) || sentKey(request) !== store.keys.admin) return handle(request);
      if (locked.has(path)) return rules.refuse(409, 'Another request is changing this user.');
      locked.add(path);
      await sleep(1);
      locked.delete(path);
      return handle(request);
    };
  },
};

/** At some request, somebody fails to log in as the first user. */
function failedLoginAt(turn: number): Behaviour {
  return {
    around: (handle, store) => {
      let count = 0;
      return (request) => {
        count += 1;
        if (count === turn) countsLogin(USER)({ request, store });
        return handle(request);
      };
    },
  };
}

/** Choices for how updates are carried out. */
export const effectVariants: readonly Variant[] = [
  ...unrestored(['update.other-members-keep', 'update.refused-changes-nothing', 'side-effects.of-reading'], {
    'login-fails-early: Somebody fails to log in as the first user, early in the run': failedLoginAt(12),
    'login-fails-in-between: Somebody fails to log in as the first user, in the middle of the run': failedLoginAt(300),
    'login-fails-late: Somebody fails to log in as the first user, near the end of the run': failedLoginAt(640),
  }),
  ...unrestored(['open.states', 'missing-user.not-found', 'update.refused-changes-nothing'], {
    'other-users-come-and-go: Other clients keep creating and deleting users': passersBy,
  }),
  ...byChance(
    about(['update.earlier-updates-keep', 'update.concurrent-fields', 'update.concurrent-users'], {
      'updates-take-their-turn: Updates are carried out one after the other': inTransactions,
    }),
  ),
  ...byChance(
    about(['open.undocumented-statuses', 'update.concurrent-refusals'], {
      'user-locked: While an update of a user is carried out, every other one of this user gets 409': locking,
    }),
  ),
];
