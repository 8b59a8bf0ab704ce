import { randomUUID } from 'node:crypto';
import { UPDATABLE } from '../../../../conformance/target/user.ts';
import type { ApiRequest } from '../../../../reference-server/rules.ts';
import { defaultSeed } from '../../../../reference-server/seed.ts';
import type { Behaviour } from '../../../behaviour.ts';
import type { Defect } from '../../../defect.ts';
import { rows } from '../../../table.ts';
import { hungUpOn, sentKey } from '../../requests.ts';
import { isUpdate, updating } from '../updates.ts';
import { DEFAULTS, respondingToUpdates, shortOf, withNothing, withStatus } from './shapes.ts';

function isEmptyUpdate(request: ApiRequest): boolean {
  return isUpdate(request) && request.body.toString('utf8') === '{}';
}

function responding(change: Parameters<typeof respondingToUpdates>[1]): Behaviour {
  return respondingToUpdates(({ request }) => isEmptyUpdate(request), change);
}

const changing = (members: Readonly<Record<string, unknown>>): Behaviour => updating(withNothing, () => members);

type Row = readonly [id: string, title: string, mode: string, behaviour: Behaviour];

const ROWS: readonly Row[] = [
  ...UPDATABLE.flatMap((member) =>
    rows<Row>({
      [`nulls-${shortOf(member)}: The body \`{}\` sets \`${member}\` to null.`]: [
        'nulled',
        changing({ [member]: null }),
      ],
      [`resets-${shortOf(member)}: The body \`{}\` resets \`${member}\` to a default.`]: [
        'replaced',
        changing({ [member]: DEFAULTS[member] }),
      ],
    }),
  ),
  ...[201, 202, 404, 409, 422, 500].map((status): Row => [
    `answered-${status}`,
    `The server responds ${status} to the body \`{}\`.`,
    'wrong-status',
    responding(withStatus(status)),
  ]),
  ...rows<Row>({
    'empties-user: The body `{}` removes name, e-mail address and role.': [
      'removed',
      changing({ name: undefined, email: undefined, rootRole: undefined }),
    ],
    'hung-up-on: The server closes the connection instead of responding to the body `{}`.': [
      'no-answer',
      hungUpOn((request) => isEmptyUpdate(request) && sentKey(request) === defaultSeed.keys.admin),
    ],
  }),
];

/** The body `{}` does something. */
export const emptyBodyDefects: readonly Defect[] = [
  ...ROWS.map(([id, title, mode, behaviour]) => ({
    id: `empty-body-${id}`,
    title,
    breaks: ['update.empty-body-changes-nothing'],
    killedBy: { 'update-empty-body': mode },
    behaviour,
  })),
  {
    id: 'empty-body-refused-with-another-name',
    title: 'The 400 response to the body `{}` has an error name that is not documented.',
    breaks: ['errors.name'],
    killedBy: { 'error-name-400': 'wrong-error-name' },
    behaviour: responding(() => ({
      status: 400,
      body: { id: randomUUID(), name: 'EmptyBody', message: 'Send a member.' },
    })),
  },
];
