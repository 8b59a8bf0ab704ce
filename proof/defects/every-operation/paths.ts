import { operations } from '../../../conformance/operations/index.ts';
import type { Operation } from '../../../conformance/traffic/operation.ts';
import { route } from '../../../contract/document.ts';
import type { Store } from '../../../reference-server/rules.ts';
import type { Defect } from '../../defect.ts';
import { rows } from '../../table.ts';
import { isTo, sentId, takenAs, withId } from '../requests.ts';

type ReadId = (id: string, users: Store['users']) => string | number;

/** The checks that see the fault, the path ids that it concerns, and the ids that they are taken for. */
type ReachedRow = readonly [fault: string, title: string, cases: readonly string[], form: RegExp, read: ReadId];

const REACHED_ROWS: readonly ReachedRow[] = rows({
  'read-by-parse-int: the server reads only the leading digits of an id: `4abc` and `4.5` are user 4': [
    ['trailing-junk', 'fraction'],
    /^\d/,
    (id) => parseInt(id, 10),
  ],
  'letters-behind-cut-off: the server cuts off letters after an id': [
    ['trailing-junk'],
    /^\d+[a-z]+$/,
    (id) => parseInt(id, 10),
  ],
  'slug-behind-cut-off: the server cuts off everything after a hyphen in an id, as if it were a readable name': [
    ['trailing-junk'],
    /^\d+-/,
    (id) => id.split('-')[0] ?? '',
  ],
  'fraction-cut-off: the server cuts off the fraction of an id': [
    ['fraction'],
    /^\d+\.\d+$/,
    (id) => Math.trunc(Number(id)),
  ],
  'fraction-rounded: the server rounds an id to an integer, which may be another user': [
    ['fraction'],
    /^\d+\.\d+$/,
    (id) => Math.round(Number(id)),
  ],
  'letters-before-cut-off: the server cuts off letters before an id': [
    ['leading-junk'],
    /^[a-z]+-?\d+$/,
    (id) => id.replace(/^\D+/, ''),
  ],
  'digits-picked: the server takes only the digits of an id, whatever surrounds them': [
    ['leading-junk', 'trailing-junk'],
    /\d/,
    (id) => id.replaceAll(/\D/g, ''),
  ],
  'word-is-caller: the server takes a word as the id of the caller': [['word'], /^[a-z]+$/, () => 1],
  'anything-else-is-first-user: the server takes an id that is not an integer as that of the first user': [
    ['word', 'leading-junk', 'trailing-junk', 'fraction'],
    /\D/,
    () => 1,
  ],
});

/** The users that ids reach although they are no integers. Source: Endpoints, PUT user, path parameter. */
function reached({ id: operation, negativeChecks }: Operation): Defect[] {
  // All checks of the factory begin with the prefix that the operation gives it.
  const first = negativeChecks?.['path-id']?.checks[0]?.id;
  if (first === undefined) return [];
  const prefix = first.replace(/-word$/, '');
  const defect = (id: string, title: string, cases: readonly string[], form: RegExp, read: ReadId): Defect => ({
    id,
    title: `On \`${operation}\`, ${title}.`,
    breaks: ['path-id.integer'],
    killedBy: Object.fromEntries(cases.map((each) => [`${prefix}-${each}`, 'accepted'])),
    behaviour: takenAs((request, { users }) =>
      isTo(operation)(request) && form.test(sentId(request)) ? withId(request, read(sentId(request), users)) : request,
    ),
  });
  const byUsername: ReadId = (name, users) => [...users.values()].find(({ username }) => username === name)?.id ?? name;
  return [
    ...REACHED_ROWS.map(([fault, ...row]) => defect(`${prefix}-${fault}`, ...row)),
    defect(`username-as-${prefix}`, 'the server also finds a user by its username', ['username'], /./, byUsername),
  ];
}

/** An operation that is only to be had with another method. Source: Endpoints. */
function misplaced({ id: operation, slug }: Operation): Defect[] {
  const { method, path } = route(operation);
  if (!path.includes('{id}')) return [];
  const other = method === 'PATCH' ? 'PUT' : 'PATCH';
  return [
    {
      id: `${slug}-by-${other.toLowerCase()}-only`,
      title: `The server offers \`${operation}\` only as ${other}; for ${method} the path does not exist.`,
      breaks: ['auth.operations-exist'],
      killedBy: { [`auth-${slug}-operation-exists`]: 'unknown-path' },
      behaviour: {
        around: (handle, _store, rules) => (request) => {
          if (isTo(operation)(request)) return rules.refuse(404, `There is nothing at ${request.path}.`);
          const asDocumented = { ...request, method };
          return handle(request.method === other && isTo(operation)(asDocumented) ? asDocumented : request);
        },
      },
    },
  ];
}

/** Where an operation is found, and which path ids reach a user. */
export const pathsDefects: readonly Defect[] = operations.flatMap((operation) => [
  ...misplaced(operation),
  ...reached(operation),
]);
