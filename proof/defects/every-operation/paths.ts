import type { Check } from '../../../conformance/judging/check.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Operation } from '../../../conformance/traffic/operation.ts';
import { route, type OperationId } from '../../../contract/document.ts';
import type { Store } from '../../../reference-server/rules.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { alike, rows } from '../../table.ts';
import { isTo, refusedWith, sentId, takenAs, withId } from '../requests.ts';

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

/** Takes some path ids of an operation for others. */
function reaching(operation: OperationId, form: RegExp, read: ReadId): Behaviour {
  return takenAs((request, { users }) =>
    isTo(operation)(request) && form.test(sentId(request)) ? withId(request, read(sentId(request), users)) : request,
  );
}

/** The users that ids reach although they are no integers. Source: Endpoints, PUT user, path parameter. */
function reached(operation: OperationId, prefix: string): Defect[] {
  const defect = (id: string, title: string, cases: readonly string[], form: RegExp, read: ReadId): Defect => ({
    id,
    title: `On \`${operation}\`, ${title}.`,
    breaks: ['path-id.integer'],
    killedBy: Object.fromEntries(cases.map((each) => [`${prefix}-${each}`, 'accepted'])),
    behaviour: reaching(operation, form, read),
  });
  const byUsername: ReadId = (name, users) => [...users.values()].find(({ username }) => username === name)?.id ?? name;
  return [
    ...REACHED_ROWS.map(([fault, ...row]) => defect(`${prefix}-${fault}`, ...row)),
    defect(`username-as-${prefix}`, 'the server also finds a user by its username', ['username'], /./, byUsername),
  ];
}

/** Path ids that a server cannot handle, or takes for those of users. */
function odd(operation: OperationId, prefix: string, checks: readonly Check[]): Defect[] {
  // Where no request can be sent with such an id, nothing is seen of it.
  if (!checks.some(({ id }) => id === `${prefix}-wrapped`)) return [];
  const failingOn = (form: RegExp): Behaviour =>
    refusedWith(({ request }) => isTo(operation)(request) && form.test(sentId(request)), 500);
  const row = (
    check: string,
    requirement: string,
    mode: string,
    table: Readonly<Record<string, Behaviour>>,
  ): Defect[] =>
    alike([requirement], { [`${prefix}-${check}`]: mode })(
      Object.fromEntries(Object.entries(table).map(([key, behaviour]) => [`${prefix}-${key}`, behaviour])),
    );
  return [
    ...row('wrapped', 'path-id.exact', 'accepted', {
      'wraps-at-32-bits: The server keeps ids in 32 bits, and so takes 4294967300 for user 4.': reaching(
        operation,
        /^\d{10,15}$/,
        (id) => Number(BigInt.asIntN(32, BigInt(id))),
      ),
    }),
    ...row('wrapped', 'path-id.exact', 'wrong-status', {
      'fails-beyond-32-bits: The server fails on an id beyond 32 bits.': failingOn(/^\d{10,15}$/),
    }),
    ...row('odd', 'path-id.no-server-error', 'wrong-status', {
      'fails-beyond-64-bits: The server fails on an id beyond 64 bits, because its query needs a number.':
        failingOn(/^\d{20,}$/),
      'negative-fails: The server fails on a negative id.': failingOn(/^-/),
      'with-nul-fails: The server fails on an id with a NUL character.': failingOn(/%00/),
      'undecodable-fails: The server fails on an id that cannot be percent-decoded.': failingOn(/%ff/),
    }),
    ...row('odd', 'path-id.no-server-error', 'accepted', {
      'negative-taken-for-absolute: The server ignores the sign of an id.': reaching(operation, /^-\d+$/, (id) =>
        id.slice(1),
      ),
      'with-nul-cut-off: The server cuts off an id at a NUL character.': reaching(operation, /%00/, (id) =>
        id.replace(/%00.*/, ''),
      ),
    }),
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
export const pathsDefects: readonly Defect[] = operations.flatMap((operation) => {
  const { checks = [] } = operation.negativeChecks?.['path-id'] ?? {};
  // All checks of the factory begin with the prefix that the operation gives it.
  const prefix = checks[0]?.id.replace(/-word$/, '');
  const reaching = prefix === undefined ? [] : [...reached(operation.id, prefix), ...odd(operation.id, prefix, checks)];
  return [...misplaced(operation), ...reaching];
});
