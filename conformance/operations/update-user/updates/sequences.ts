import { badCredentials } from '../../../http/credentials.ts';
import type { Due } from '../../../http/due.ts';
import { sentIn } from '../../../http/exchange.ts';
import type { ScenarioStep, StepInputs } from '../../../model/recording/items.ts';
import { compareMember } from '../../../resources/user/comparison.ts';
import type { InputName } from '../../../resources/inputs.ts';
import type { FreshValues } from '../../../resources/requests.ts';
import type { Writable } from '../../../resources/inputs.ts';
import type { Updatable } from '../../../resources/user/members.ts';
import { eitherUpdate } from '../due.ts';
import { CONTROLS, scenario, sending } from '../scenarios.ts';

/**
 * How often concurrent updates of one user are sent. A server at which one of three pairs of them loses one is found with more
 * than 98 %; a round has two pairs that send different members, and five with a role.
 */
const ROUNDS = 5;
const ROUNDS_WITH_ROLE = 2;

const AGAIN: Due = {
  class: 'accept',
  statuses: [200],
  requirements: ['update.repeatable'],
  level: 'should',
  checks: ['update-repeated'],
  role: 'repetition',
};
const PARTLY_AGAIN: Due = { ...AGAIN, checks: ['update-partly-repeated'], role: 'partial-repetition' };

/** An update with some of the values that are stored, if they are known, and perhaps with others. */
function again(
  purpose: string,
  members: readonly Updatable[],
  due: Due,
  others: (fresh: FreshValues) => Readonly<Record<string, unknown>> = () => ({}),
): ScenarioStep {
  const body = ({ stored, fresh }: StepInputs): string | undefined => {
    const values = members.map((member) => [member, stored[member]] as const);
    const isKnown = values.every(([member, value]) => value !== undefined && (member === 'rootRole' || isText(value)));
    return isKnown ? JSON.stringify({ ...others(fresh), ...Object.fromEntries(values) }) : undefined;
  };
  const needs: InputName[] = members.includes('rootRole') ? ['roleIds'] : [];
  return { ...sending('user', ...members), purpose, needs, body, due: () => due };
}

/** A request that must be refused: what it leaves behind may spoil the valid one after it. */
function refusedBefore(
  purpose: string,
  others: Readonly<Record<string, unknown>>,
  [status, requirement, check]: readonly [status: number, requirement: string, check: string],
  options: Pick<ScenarioStep, 'needs' | 'credential' | 'meant'>,
): ScenarioStep {
  const body = ({ fresh }: StepInputs): string => JSON.stringify({ email: fresh.email(), ...others });
  const controls = [{ operation: 'updateUser', members: ['email'] }] as const;
  const due: Due = {
    ...{ class: 'refuse', statuses: [status], level: 'must' },
    ...{ requirements: [requirement], checks: [check], controls },
  };
  return { ...sending('user', 'email'), purpose, body, due: () => due, ...options };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What each of these stores beside what is stored already is seen in the response to the next one. */
export const REPEATED = scenario(
  'update-repeated',
  [
    {
      ...sending('user', 'name', 'email'),
      purpose: 'An update with another name and another e-mail address, and the same role if there is one',
      body: ({ stored: { rootRole }, fresh }) => JSON.stringify({ rootRole, email: fresh.email(), name: fresh.name() }),
      due: () => PARTLY_AGAIN,
    },
    again('An update with the role that the user has already', ['rootRole'], AGAIN),
    {
      ...sending('user', 'name', 'email'),
      purpose: 'The first of these updates once more, with all that the user has already',
      body: ({ first }) => first?.request.body ?? '{}',
      due: () => AGAIN,
    },
    again('An update with the same name and another e-mail address', ['name'], PARTLY_AGAIN, ({ email }) => ({
      email: email(),
    })),
    again('An update with the name that the user has already', ['name'], AGAIN),
    refusedBefore(
      'An update with a number as name, before others',
      { name: 5 },
      [400, 'request-body.name-type', 'body-name-number'],
      { meant: 'invalid' },
    ),
    again('An update with another name and the same e-mail address', ['email'], PARTLY_AGAIN, ({ name }) => ({
      name: name(),
    })),
    again('An update with the e-mail address that the user has already', ['email'], AGAIN),
    refusedBefore(
      'An update with the restricted key, before others',
      {},
      [403, 'permission.refused', 'permission-email'],
      { credential: (requests) => requests.restricted(), needs: ['restrictedKey'] },
    ),
    {
      ...sending('user', 'name'),
      purpose: 'An update with the name before, as it was sent before',
      body: ({ first }) => JSON.stringify(first ? { name: sentIn(first, 'name') } : {}),
      due: () => PARTLY_AGAIN,
    },
  ],
  [],
  { phase: 'unusual' },
);

/** What a target may respond to a request that comes while it changes the user (RFC 9110, 15.5.10; RFC 4918, 11.3; RFC 6585, 4). */
const CONTENDED = [409, 423, 429, 503];

/** What an update is due that is sent beside others. */
function concurrentDue(subject: Writable, round: number): Due {
  const what = subject === 'user' ? 'concurrent-fields' : 'concurrent-users';
  return {
    class: 'either',
    statuses: [200, ...CONTENDED],
    requirements: [`update.${what}`],
    level: 'should',
    checks: [`update-${what}`],
    role: 'concurrent',
    round,
  };
}

/** The round in which no other user is updated: it shows what concurrent updates of one user do by themselves. */
const ROUND_OF_ONE_USER = 0;

/** The round in which requests that must be refused are sent, too: the others show what concurrent updates do by themselves. */
const ROUND_WITH_REFUSALS = 1;

/** A request that must be refused, beside the updates of one round. */
function refusedBeside(
  purpose: string,
  status: number,
  others: Readonly<Record<string, unknown>>,
  options: Pick<ScenarioStep, 'needs' | 'credential' | 'meant'>,
): ScenarioStep {
  const due: Due = {
    class: 'refuse',
    statuses: [status, ...CONTENDED],
    requirements: ['update.concurrent-refusals'],
    level: 'should',
    checks: ['update-concurrent-refused'],
    controls: [CONTROLS.email].map(({ operation, members }) => ({ operation, members })),
  };
  const body = ({ fresh, round }: StepInputs): string | undefined =>
    round === ROUND_WITH_REFUSALS ? JSON.stringify({ email: fresh.email(), ...others }) : undefined;
  return { ...sending('user', 'email'), purpose, body, due: () => due, ...options };
}

const unknownKey = badCredentials.find(({ id }) => id === 'unknown-key');
const withUnknownKey: ScenarioStep['credential'] = ({ bad }) => unknownKey && bad(unknownKey);

export const CONCURRENT = scenario(
  'update-side-by-side',
  [
    sending('user', 'email'),
    refusedBeside('An update with a number as name, beside others', 400, { name: 5 }, { meant: 'invalid' }),
    refusedBeside(
      'An update with the restricted key, beside others',
      403,
      {},
      {
        credential: (requests) => requests.restricted(),
        needs: ['restrictedKey'],
      },
    ),
    sending('user', 'name'),
    { ...sending('user', 'rootRole'), needs: ['roleIds'] },
    sending('user', 'name'),
    {
      ...sending('other-user', 'name', 'email'),
      body: ({ fresh, round }) =>
        round === ROUND_OF_ONE_USER ? undefined : JSON.stringify({ name: fresh.name(), email: fresh.email() }),
      meant: 'valid',
    },
    // Last: the next request is one that must be accepted.
    refusedBeside('An update with an unknown key, beside others', 401, {}, { credential: withUnknownKey }),
  ],
  [],
  {
    phase: 'unusual',
    concurrent: { rounds: ({ roleIds }) => (roleIds ? ROUNDS_WITH_ROLE : ROUNDS), due: concurrentDue },
  },
);

const DAY = 86_400_000;

/** Another value of the same type, which a server that applies it can store and take back. */
function otherValue(member: string, value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'conformance';
  if (member === 'createdAt') return new Date((Date.parse(value) || 0) + DAY).toISOString();
  if (member === 'accountType') return value === 'User' ? 'Service Account' : 'User';
  return `${value}-conformance`;
}

function withOtherValues({ fresh, before }: StepInputs): string {
  const others = Object.entries(before).map(([member, value]) => [member, otherValue(member, value)]);
  return JSON.stringify({ name: fresh.name(), ...Object.fromEntries(others) });
}

/** Sends what the first update changed as it was before; nothing if it changed nothing. */
function puttingBack({ before, now }: StepInputs): string | undefined {
  const changed = Object.entries(before).filter(
    ([member, value]) => compareMember(member, value, now[member]) === 'different',
  );
  return changed.length === 0 ? undefined : JSON.stringify(Object.fromEntries(changed));
}

export const UNLISTED = scenario(
  'update-unlisted-members',
  [
    {
      ...sending('user', 'name'),
      purpose: 'An update with a name and members of a user that the request schema does not list',
      body: withOtherValues,
      due: () => eitherUpdate(['update-unlisted-members'], ['update.unlisted-members'], { role: 'unlisted' }),
    },
    { ...sending('user'), purpose: 'Putting back what the update before changed', body: puttingBack },
  ],
  [],
  { phase: 'unusual' },
);
