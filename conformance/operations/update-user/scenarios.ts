import type { Control, Scenario } from '../../judging/traffic.ts';
import { UPDATABLE, type Updatable } from '../../target/user.ts';
import { UPDATE_USER } from './requests.ts';

/** The updates that the suite sends as valid: each member alone, each pair, all three. */
export interface Subset {
  readonly id: string;
  readonly members: readonly Updatable[];
  readonly scenario: Scenario;
}

/** @param order in which they stand in the body; elsewhere in the run, they stand in the order of the contract */
function subset(...order: Updatable[]): Subset {
  const members = UPDATABLE.filter((member) => order.includes(member));
  const id = members.map((member) => (member === 'rootRole' ? 'role' : member)).join('-');
  const needs = members.includes('rootRole')
    ? (['adminKey', 'userId', 'roleIds'] as const)
    : (['adminKey', 'userId'] as const);
  return {
    id,
    members,
    scenario: { id: `update-${id}`, operation: UPDATE_USER, needs, steps: [{ subject: 'user', members: order }] },
  };
}

export const SUBSETS: readonly Subset[] = [
  subset('name'),
  subset('email'),
  subset('rootRole'),
  subset('email', 'name'),
  subset('rootRole', 'name'),
  subset('rootRole', 'email'),
  subset('name', 'email', 'rootRole'),
];

/** The control of a negative check of this operation: an accepted update. */
export interface UpdateControl extends Control {
  readonly traffic: Scenario;
}

function control(what: string, ...members: Updatable[]): UpdateControl {
  const found = SUBSETS.find((each) => each.members.join() === members.join());
  if (!found) throw new Error(`There is no scenario that sends ${members.join(', ')}.`);
  return { what, operation: UPDATE_USER, members, traffic: found.scenario };
}

/** The accepted updates that negative checks rest on, by the members that they send. */
export const CONTROLS = {
  name: control('an update with a name', 'name'),
  email: control('an update with an e-mail address', 'email'),
  rootRole: control('an update with a role', 'rootRole'),
  nameAndEmail: control('an update with a name and an e-mail address', 'name', 'email'),
} as const satisfies Readonly<Record<string, UpdateControl>>;

/** Updates one right after the other, without a reading in between. */
export const SEQUENCE: Scenario = {
  id: 'update-in-sequence',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId'],
  steps: [
    { subject: 'user', members: ['name'] },
    { subject: 'user', members: ['email'] },
    { subject: 'user', members: ['name'] },
  ],
};

export const SEQUENCE_WITH_ROLE: Scenario = {
  id: 'update-in-sequence-with-role',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId', 'roleIds'],
  steps: [
    { subject: 'user', members: ['rootRole'] },
    { subject: 'user', members: ['name'] },
    { subject: 'user', members: ['email'] },
    { subject: 'user', members: ['rootRole'] },
  ],
};

export const UPDATE_OTHER_USER: Scenario = {
  id: 'update-other-user',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId', 'otherUserId'],
  steps: [{ subject: 'other-user', members: ['name', 'email'] }],
};

export const EMPTY_BODY: Scenario = {
  id: 'update-empty-body',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId'],
  steps: [
    { subject: 'user', members: ['name', 'email'] },
    { subject: 'user', members: [] },
  ],
};

/** The id of the other user stands in the body; the path alone says who is updated. */
export const OTHER_ID_IN_BODY: Scenario = {
  id: 'update-with-other-id-in-body',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId', 'otherUserId'],
  steps: [{ subject: 'user', members: ['name'], extra: ({ otherUserId }) => ({ id: Number(otherUserId) }) }],
};
