import type { Combination, Control, Scenario, ScenarioStep, StepInputs } from '../../model/recording/items.ts';
import type { InputName } from '../../resources/inputs.ts';
import { UNSPECIFIED } from '../../http/due.ts';
import { EMPTY_UPDATE } from './due.ts';
import { pathId } from '../../resources/requests.ts';
import { showsOtherId } from '../../resources/user/state.ts';
import { type NamedUser, UPDATABLE, type Updatable, slugOf } from '../../resources/user/members.ts';

/** One or more valid updates of the user, and what else they need. */
export function scenario(
  id: string,
  steps: readonly ScenarioStep[],
  needs: readonly InputName[] = [],
  options: Pick<Scenario, 'phase' | 'concurrent' | 'anyUser'> = {},
): Scenario {
  return { id, operation: 'updateUser', needs: ['adminKey', 'userId', ...needs], steps, ...options };
}

/** A step that sends fresh values for these members. */
export function sending(subject: NamedUser, ...members: Updatable[]): ScenarioStep {
  return { subject, members };
}

/** The updates that the suite sends as valid: each member by itself, each pair, all three. */
export interface Subset {
  readonly id: string;
  readonly members: readonly Updatable[];
  readonly scenario: Scenario;
}

/** @param order in which they stand in the body; in ids and titles they stand in the order of the contract */
function subset(...order: Updatable[]): Subset {
  const members = UPDATABLE.filter((member) => order.includes(member));
  const id = members.map(slugOf).join('-');
  const needs: InputName[] = members.includes('rootRole') ? ['roleIds'] : [];
  return { id, members, scenario: scenario(`update-${id}`, [sending('user', ...order)], needs) };
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

/** The scenarios that send no role: any operator can have them sent. */
export const WITHOUT_ROLE: readonly Scenario[] = SUBSETS.filter(({ members }) => !members.includes('rootRole')).map(
  (each) => each.scenario,
);

/** The control of a negative check of this operation: an accepted update. */
export interface UpdateControl extends Control {
  readonly traffic: Scenario;
}

function control(what: string, ...members: Updatable[]): UpdateControl {
  const found = SUBSETS.find((each) => each.members.join() === members.join());
  if (!found) throw new Error(`There is no scenario that sends ${members.join(', ')}.`);
  return { what, operation: 'updateUser', members, traffic: found.scenario, check: 'update-always-200' };
}

/** The accepted updates that negative checks rest on, by the members that they send. */
export const CONTROLS = {
  name: control('an update with a name', 'name'),
  email: control('an update with an e-mail address', 'email'),
  rootRole: control('an update with a role', 'rootRole'),
  nameAndEmail: control('an update with a name and an e-mail address', 'name', 'email'),
} as const satisfies Readonly<Record<string, UpdateControl>>;

/** Updates one right after the other, without a reading in between. */
export const SEQUENCE = scenario('update-in-sequence', [
  sending('user', 'name'),
  sending('user', 'email'),
  sending('user', 'name'),
]);

export const SEQUENCE_WITH_ROLE = scenario(
  'update-in-sequence-with-role',
  [sending('user', 'rootRole'), sending('user', 'name'), sending('user', 'email'), sending('user', 'rootRole')],
  ['roleIds'],
);

export const UPDATE_OTHER_USER = scenario(
  'update-other-user',
  [sending('other-user', 'name', 'email')],
  ['otherUserId'],
);

const SENDING_NOTHING: ScenarioStep = { ...sending('user'), due: () => EMPTY_UPDATE };

export const EMPTY_BODY = scenario('update-empty-body', [sending('user', 'name', 'email'), SENDING_NOTHING]);

/** Sends the id of the path, if the update before it shows another one. */
function idBack({ fresh, previous }: StepInputs): string | undefined {
  const id = previous && showsOtherId(previous) ? pathId(previous.request) : undefined;
  return id && `{"name":${JSON.stringify(fresh.name())},"id":${id}}`;
}

/** The body has the id of the other user; only the path decides who is updated. */
export const OTHER_ID_IN_BODY = scenario(
  'update-with-other-id-in-body',
  [
    {
      ...sending('user', 'name'),
      extra: ({ otherUserId }) => ({ id: Number(otherUserId) }),
      due: () => ({ ...UNSPECIFIED, checks: ['update-body-id-spares-other-user'] }),
    },
    { ...sending('user', 'name'), purpose: 'Putting back the id', body: idBack },
  ],
  ['otherUserId'],
);

/** The scenario that sends just these members. */
function sendingOnly(...members: Updatable[]): Scenario {
  return control('an update', ...members).traffic;
}

/**
 * Each update of one member is followed by one of each other member, or by the reading: together their responses show what it
 * stored, and that it kept the rest. No reading in between restores what an update worked from. An update of two members is
 * followed by the reading, which sends an empty body.
 */
export const COMBINED_UPDATES: readonly Combination[] = [
  {
    id: 'updates-of-some-members',
    steps: [
      ...(['email', 'rootRole', 'name', 'email', 'name', 'rootRole'] as const).map((each) => sending('user', each)),
      sending('user', 'rootRole', 'email'),
    ],
    insteadOf: [
      ...[sendingOnly('email'), sendingOnly('rootRole'), sendingOnly('name'), SEQUENCE, SEQUENCE_WITH_ROLE],
      sendingOnly('email', 'rootRole'),
    ],
  },
  {
    id: 'update-and-empty-body',
    steps: sendingOnly('name', 'email').steps,
    insteadOf: [sendingOnly('name', 'email'), EMPTY_BODY],
  },
  {
    id: 'updates-of-both-users',
    steps: [...UPDATE_OTHER_USER.steps, ...OTHER_ID_IN_BODY.steps],
    insteadOf: [UPDATE_OTHER_USER, OTHER_ID_IN_BODY],
  },
];
