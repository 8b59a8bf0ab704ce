import { UPDATABLE, type ControlShape, type Scenario, type Updatable } from '../../judging/check.ts';

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
    scenario: { id: `update-${id}`, lane: 'users', needs, steps: [{ subject: 'user', members: order }] },
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

function scenarioOf(...members: Updatable[]): Scenario {
  const found = SUBSETS.find((each) => each.members.join() === members.join());
  if (!found) throw new Error(`There is no scenario that sends ${members.join(', ')}.`);
  return found.scenario;
}

/** The scenario that sends an accepted update of a shape: the positive control of the checks that refuse such an update. */
export const CONTROL_SCENARIOS: Readonly<Record<Exclude<ControlShape, 'banners'>, Scenario>> = {
  name: scenarioOf('name'),
  email: scenarioOf('email'),
  rootRole: scenarioOf('rootRole'),
  'email+name': scenarioOf('name', 'email'),
};

/** Updates one right after the other, without a reading in between. */
export const SEQUENCE: Scenario = {
  id: 'update-in-sequence',
  lane: 'users',
  needs: ['adminKey', 'userId'],
  steps: [
    { subject: 'user', members: ['name'] },
    { subject: 'user', members: ['email'] },
    { subject: 'user', members: ['name'] },
  ],
};

export const SEQUENCE_WITH_ROLE: Scenario = {
  id: 'update-in-sequence-with-role',
  lane: 'users',
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
  lane: 'users',
  needs: ['adminKey', 'userId', 'otherUserId'],
  steps: [{ subject: 'other-user', members: ['name', 'email'] }],
};

export const EMPTY_BODY: Scenario = {
  id: 'update-empty-body',
  lane: 'users',
  needs: ['adminKey', 'userId'],
  steps: [
    { subject: 'user', members: ['name', 'email'] },
    { subject: 'user', members: [] },
  ],
};

/** The id of the other user stands in the body; the path alone says who is updated. */
export const OTHER_ID_IN_BODY: Scenario = {
  id: 'update-with-other-id-in-body',
  lane: 'users',
  needs: ['adminKey', 'userId', 'otherUserId'],
  steps: [{ subject: 'user', members: ['name'], extra: ({ otherUserId }) => ({ id: Number(otherUserId) }) }],
};
