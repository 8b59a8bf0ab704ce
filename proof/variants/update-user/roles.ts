import { replacing, type Replacing } from '../../servers/behaviour.ts';
import { isRecord } from '../../../common/json.ts';
import { Refused } from '../../../reference-server/rules.ts';
import type { WrittenVariant } from '../../variant.ts';
import { adding, showing, unrestored, usersWith } from '../freedoms.ts';
import { type Table, about, mapped, named } from '../../table.ts';

const ROLE_NAMES = ['Admin', 'Editor'] as const;
const roleName = (role: unknown): string => ROLE_NAMES[Number(role) - 1] ?? 'Viewer';

/** Accepts roles in another form than it stores them. `read` returns undefined for a value that is not a role. */
function takingRoles(read: (role: unknown) => number | undefined): Replacing {
  return replacing('readRole', () => (body) => {
    if (!isRecord(body) || !Object.hasOwn(body, 'rootRole')) return body;
    const rootRole = read(body.rootRole);
    if (rootRole === undefined) throw new Refused(400, 'rootRole is no role.');
    return { ...body, rootRole };
  });
}

const idOfObject = (role: unknown): number | undefined =>
  isRecord(role) && Number.isInteger(role.id) ? Number(role.id) : undefined;
const idOfName = (role: unknown): number | undefined => known(ROLE_NAMES.findIndex((name) => name === role) + 1);
const known = (role: unknown): number | undefined => (role === 1 || role === 2 ? role : undefined);

/** Forms of a role in which it cannot be compared with what is sent. */
const WITHOUT_ID: Table<(role: unknown) => object> = {
  'without-id: an object with a name and no `id`': (role) => ({ name: roleName(role) }),
  'with-text-id: an object whose `id` is a string': (role) => ({ id: `role-${JSON.stringify(role)}` }),
  'empty: an empty object': () => ({}),
};

/** Choices for the role. Source: Resources, User; Endpoints, PUT user, request body. */
export const roleVariants: readonly WrittenVariant[] = [
  ...about(['open.root-role-response', 'user.root-role'], {
    'role-object-with-name: Responses show `rootRole` as an object with `id`, `name` and other members.': adding(
      ({ rootRole }) => ({
        rootRole: { id: rootRole, name: roleName(rootRole), description: null, permissions: [] },
      }),
    ),
    'role-object-with-moving-members: Responses show `rootRole` as an object in which everything except the `id` changes from response to response.':
      showing((user, _sent, turn) => ({ ...user, rootRole: { id: user.rootRole, users: turn } })),
  }),
  ...unrestored(
    ['open.root-role-response', 'user.root-role'],
    mapped(WITHOUT_ID, (shown) => ({
      ...takingRoles(known),
      ...adding(({ rootRole }) => ({ rootRole: shown(rootRole) })),
    })),
    'role-object-*: Responses show `rootRole` as *.',
  ),
  ...about(['open.root-role-request', 'request-body.root-role-type'], {
    'roles-taken-in-any-form: accepts a role as an integer, an object or a name, and shows it as an integer':
      takingRoles((role) => known(role) ?? idOfObject(role) ?? idOfName(role)),
  }),
  ...about(['open.root-role-request', 'open.value-bounds'], {
    'roles-unknown-refused: responds 400 to a role that does not exist': takingRoles(known),
  }),
  ...named<WrittenVariant>({
    'roles-taken-as-objects: accepts a role as an object with its `id` and shows it as an integer': {
      about: ['open.root-role-request', 'open.root-role-response', 'request-body.root-role-type'],
      behaviour: takingRoles(idOfObject),
      inputs: { roleIds: [{ id: 1 }, { id: 2 }] },
    },
    'roles-as-objects-both-ways: accepts and shows a role as an object with its `id`': {
      about: ['open.root-role-request', 'open.root-role-response', 'user.root-role'],
      behaviour: { ...takingRoles(idOfObject), ...adding(({ rootRole }) => ({ rootRole: { id: rootRole } })) },
      inputs: { roleIds: [{ id: 1 }, { id: 2 }] },
    },
    'roles-taken-as-names: accepts a role by its name and shows it as an integer; the operator declares the names': {
      about: ['open.root-role-request', 'open.root-role-response'],
      notRestored: true,
      behaviour: takingRoles(idOfName),
      inputs: { roleIds: ROLE_NAMES },
    },
    'roles-of-any-integer: Roles are negative and large integers.': {
      about: ['open.root-role-request', 'user.root-role'],
      behaviour: usersWith(() => ({ rootRole: -1 })),
      inputs: { roleIds: [-1, 0, 9_007_199_254_740_991] },
    },
  }),
];
