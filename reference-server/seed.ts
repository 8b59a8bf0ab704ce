import { schema, type SchemaName, type User } from '../contract/document.ts';
import { isRecord } from '../common/json.ts';
import type { components } from '../contract/openapi-types.ts';
import type { Validators } from '../contract/validators.ts';

type Schemas = components['schemas'];

/** What a server starts with. */
export interface Seed {
  /** Two keys: one may do everything, the other is valid but lacks the permission to update users. */
  readonly keys: {
    /** May do everything. */
    readonly admin: string;
    /** Is valid, but lacks the permission to update users. */
    readonly restricted: string;
  };
  /** The users; each has an id of its own. */
  readonly users: readonly User[];
  /** The banners, in the order in which they are listed. */
  readonly banners: Schemas['bannersSchema']['banners'];
}

/** What a server keeps of that. */
export interface Store extends Omit<Seed, 'users'> {
  /** The users by their ids, as they are now. */
  readonly users: Map<number, User>;
}

/** Two users that show every member of the contract, two roles in use, and three banners. */
export const defaultSeed: Seed = {
  keys: { admin: 'reference-admin-Key-1', restricted: 'reference-restricted-Key-2' },
  users: [
    {
      id: 1,
      isAPI: false,
      name: 'Grace Example',
      email: 'grace@example.com',
      username: 'grace',
      imageUrl: 'https://images.example.com/grace.png',
      inviteLink: 'https://app.example.com/invite/1',
      loginAttempts: 2,
      emailSent: true,
      rootRole: 1,
      seenAt: '2026-01-15T12:30:00.000Z',
      createdAt: '2025-06-01T08:00:00.000Z',
      accountType: 'User',
      permissions: [],
      scimId: null,
    },
    {
      id: 2,
      isAPI: false,
      name: 'Edsger Example',
      email: 'edsger@example.com',
      username: 'edsger',
      imageUrl: 'https://images.example.com/edsger.png',
      inviteLink: 'https://app.example.com/invite/2',
      loginAttempts: 0,
      emailSent: false,
      rootRole: 2,
      seenAt: null,
      createdAt: '2025-07-02T09:30:00+02:00',
      accountType: 'Service Account',
      permissions: ['READ'],
      scimId: 'scim-2',
    },
  ],
  banners: [
    {
      id: 1,
      message: '**Maintenance** on Saturday.',
      enabled: true,
      variant: 'warning',
      sticky: true,
      icon: 'schedule',
      link: 'dialog',
      linkText: 'What changes?',
      dialogTitle: 'Maintenance window',
      dialog: 'The service is read-only from *08:00* to *10:00*.',
      createdAt: '2026-02-11T10:00:00+01:00',
    },
    { id: 2, message: 'Welcome!', enabled: false, createdAt: '2026-03-01T00:00:00Z' },
    { id: 3, message: 'No link, no icon', enabled: true, icon: null, link: null, sticky: false },
  ],
};

/** The schemas of the bodies that show the lists of a seed; each has one member, the list. */
const LISTS: Readonly<Record<Exclude<keyof Seed, 'keys' | 'users'>, SchemaName>> = { banners: 'bannersSchema' };

/** The members of a seed file, to be listed in a text. */
const SEED_MEMBERS = Object.keys(defaultSeed)
  .map((name) => `"${name}"`)
  .join(', ');

/** A seed that cannot be used; the message says what is wrong and where. */
export class InvalidSeed extends Error {}

function parseKeys(keys: unknown): Seed['keys'] {
  if (keys === undefined) return defaultSeed.keys;
  const { admin, restricted } = isRecord(keys) ? keys : {};
  if (typeof admin !== 'string' || typeof restricted !== 'string' || admin === '' || restricted === '') {
    throw new InvalidSeed('"keys" needs the members "admin" and "restricted", two texts that are not empty.');
  }
  if (admin === restricted) throw new InvalidSeed('"keys": "admin" and "restricted" must differ.');
  return { admin, restricted };
}

/**
 * Reads a seed file, a JSON object with members of a seed. What is left out is taken from `defaultSeed`.
 *
 * @param text the content of the file
 * @throws InvalidSeed if it is not JSON, has other members, or breaks a schema of the contract
 */
export function parseSeed(text: string, validators: Validators): Seed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidSeed(`It is not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw new InvalidSeed(`It must be an object with members among ${SEED_MEMBERS}.`);
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(defaultSeed, key));
  if (unknown !== undefined) throw new InvalidSeed(`"${unknown}" is not known; use ${SEED_MEMBERS}.`);

  const seed = { ...defaultSeed, ...value, keys: parseKeys(value.keys) };
  const users: unknown = seed.users;
  if (!Array.isArray(users)) throw new InvalidSeed('"users" must be an array.');
  const ids = new Set<unknown>();
  users.forEach((user: unknown, index) => {
    const [violation] = validators.bodies.createUserResponseSchema(user);
    if (violation) throw new InvalidSeed(`users/${index}${violation.pointer} ${violation.message}.`);
    const { id } = user as User;
    if (ids.has(id)) throw new InvalidSeed(`users/${index}/id: the id ${id} is used twice.`);
    ids.add(id);
  });

  for (const [name, shown] of Object.entries(LISTS)) {
    const [violation] = validators.bodies[shown]({ [name]: seed[name as keyof typeof LISTS] });
    if (violation) throw new InvalidSeed(`${violation.pointer.slice(1)} ${violation.message}.`);
  }
  return seed;
}

/** The members of a user that an update can change (the properties of `updateUserSchema`). */
export const updatableMembers = Object.keys(schema('updateUserSchema').properties);
