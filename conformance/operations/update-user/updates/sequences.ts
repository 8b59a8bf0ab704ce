import type { Due } from '../../../http/due.ts';
import { sentIn } from '../../../http/exchange.ts';
import type { StepInputs } from '../../../judging/traffic.ts';
import { compareMember } from '../../../resources/user/comparison.ts';
import { eitherUpdate } from '../due.ts';
import { scenario, sending } from '../scenarios.ts';

/**
 * How often concurrent updates of one user are sent. A server at which one of three pairs of them loses one is found with more
 * than 98 %; a round with a role has three pairs.
 */
const ROUNDS = 10;
const ROUNDS_WITH_ROLE = 4;

const AGAIN: Due = {
  class: 'accept',
  statuses: [200],
  requirements: ['update.repeatable'],
  level: 'should',
  checks: ['update-repeated'],
  role: 'repetition',
};

export const REPEATED = scenario(
  'update-repeated',
  [
    sending('user', 'name', 'email'),
    {
      ...sending('user', 'name', 'email'),
      purpose: 'The same update once more',
      body: ({ previous }) => previous?.request.body ?? '{}',
      due: () => AGAIN,
    },
    {
      ...sending('user', 'email'),
      purpose: 'An update with the e-mail address that the user has already',
      body: ({ previous }) => JSON.stringify({ email: previous && sentIn(previous, 'email') }),
      due: () => AGAIN,
    },
  ],
  [],
  { phase: 'unusual', anyUser: true },
);

export const CONCURRENT = scenario(
  'update-side-by-side',
  [
    sending('user', 'name'),
    sending('user', 'email'),
    { ...sending('user', 'rootRole'), needs: ['roleIds'] },
    sending('other-user', 'name', 'email'),
  ],
  [],
  { phase: 'unusual', concurrent: { rounds: ({ roleIds }) => (roleIds ? ROUNDS_WITH_ROLE : ROUNDS) } },
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
