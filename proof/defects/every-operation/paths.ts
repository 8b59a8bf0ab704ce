import type { Check } from '../../../conformance/judging/check.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Operation } from '../../../conformance/traffic/operation.ts';
import { route, type OperationId } from '../../../contract/document.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, defectsOf } from '../../table.ts';
import { all, isTo, sentId, takenAs, toId, withId } from '../requests.ts';
import { refusedWith } from '../responses.ts';

/** What part of a path id is replaced, and by what; and the checks that see it. */
type Reached = readonly [form: RegExp, by: By, ...cases: readonly string[]];
type By = string | ((part: string) => string);

const REACHED: Table<Reached> = {
  'read-by-parse-int: the server reads only the leading digits of an id: `4abc` and `4.5` are user 4': [
    /^0*(\d+).*$/,
    '$1',
    ...['trailing-junk', 'fraction'],
  ],
  'letters-behind-cut-off: the server cuts off letters after an id': [/^(\d+)[a-z]+$/, '$1', 'trailing-junk'],
  'slug-behind-cut-off: the server cuts off everything after a hyphen in an id, as if it were a readable name': [
    /^(\d+)-.*$/,
    '$1',
    'trailing-junk',
  ],
  'fraction-cut-off: the server cuts off the fraction of an id': [/^(\d+)\.\d+$/, '$1', 'fraction'],
  'fraction-rounded: the server rounds an id to an integer, which may be another user': [
    /^\d+\.\d+$/,
    (id) => String(Math.round(Number(id))),
    'fraction',
  ],
  'letters-before-cut-off: the server cuts off letters before an id': [/^[a-z]+-?(\d+)$/, '$1', 'leading-junk'],
  'digits-picked: the server takes only the digits of an id, whatever surrounds them': [
    /^.*\d.*$/,
    (id) => id.replaceAll(/\D/g, ''),
    ...['leading-junk', 'trailing-junk'],
  ],
  'word-is-caller: the server takes a word as the id of the caller': [/^[a-z]+$/, '1', 'word'],
  'unknown-word-is-first-user: the server takes a word that is no username as the id of the first user': [
    /^abc$/,
    '1',
    'word',
  ],
  'anything-else-is-first-user: the server takes an id that is not an integer as that of the first user': [
    /^.*\D.*$/,
    '1',
    ...['word', 'leading-junk', 'trailing-junk', 'fraction'],
  ],
};

/** Takes some path ids of an operation for others. */
function reaching(operation: OperationId, form: RegExp, by: By): Behaviour {
  return takenAs(isTo(operation), (request) => toId(request, sentId(request).replace(form, by as string)));
}

/** The users that ids reach although they are no integers. Source: Endpoints, PUT user, path parameter. */
function reached(operation: OperationId, prefix: string): WrittenDefect[] {
  const seenBy = (cases: readonly string[], behaviour: Behaviour) => ({
    breaks: ['path-id.integer'],
    behaviour,
  });
  const byUsername = takenAs(isTo(operation), (request, { users }) => {
    const named = [...users.values()].find(({ username }) => username === sentId(request));
    return named ? toId(request, named.id) : request;
  });
  return [
    ...defectsOf(
      REACHED,
      ([form, by, ...cases]) => seenBy(cases, reaching(operation, form, by)),
      `${prefix}-*: On \`${operation}\`, *.`,
    ),
    {
      id: `username-as-${prefix}`,
      title: `On \`${operation}\`, the server also finds a user by its username.`,
      ...seenBy(['username'], byUsername),
    },
  ];
}

/** Path ids that a server cannot handle, or takes for those of users. */
function odd(operation: OperationId, prefix: string, checks: readonly Check[]): WrittenDefect[] {
  // Where no request can be sent with such an id, nothing is seen of it.
  if (!checks.some(({ id }) => id === `${prefix}-wrapped`)) return [];
  const failingOn = (form: RegExp): Behaviour => refusedWith(all(isTo(operation), withId(form)), 500);
  const seenBy = (check: string, requirement: string, mode: string, table: Table<Behaviour>): WrittenDefect[] =>
    breaking([requirement], `${prefix}-*: *`)(table);
  const wrapped = (id: string): string => String(BigInt.asIntN(32, BigInt(id)));
  return [
    ...seenBy('wrapped', 'path-id.exact', 'accepted', {
      'wraps-at-32-bits: The server keeps ids in 32 bits, and so takes 4294967300 for user 4.': reaching(
        operation,
        /^\d{10,15}$/,
        wrapped,
      ),
    }),
    ...seenBy('wrapped', 'path-id.exact', 'wrong-status', {
      'fails-beyond-32-bits: The server fails on an id beyond 32 bits.': failingOn(/^\d{10,15}$/),
    }),
    ...seenBy('odd', 'path-id.no-server-error', 'wrong-status', {
      'fails-beyond-64-bits: The server fails on an id beyond 64 bits, because its query needs a number.':
        failingOn(/^\d{20,}$/),
      'negative-fails: The server fails on a negative id.': failingOn(/^-/),
      'with-nul-fails: The server fails on an id with a NUL character.': failingOn(/%00/),
      'undecodable-fails: The server fails on an id that cannot be percent-decoded.': failingOn(/%ff/),
    }),
    ...seenBy('odd', 'path-id.no-server-error', 'accepted', {
      'negative-taken-for-absolute: The server ignores the sign of an id.': reaching(operation, /^-(?=\d+$)/, ''),
      'with-nul-cut-off: The server cuts off an id at a NUL character.': reaching(operation, /%00.*/, ''),
    }),
  ];
}

/** An operation that is only to be had with another method. Source: Endpoints. */
function misplaced({ id: operation, slug }: Operation): WrittenDefect[] {
  const { method, path } = route(operation);
  if (!path.includes('{id}')) return [];
  const other = method === 'PATCH' ? 'PUT' : 'PATCH';
  return [
    {
      id: `${slug}-by-${other.toLowerCase()}-only`,
      title: `The server offers \`${operation}\` only as ${other}; for ${method} the path does not exist.`,
      breaks: ['auth.operations-exist'],
      behaviour: {
        around: (handle, _store, rules) => (request) => {
          if (isTo(operation)({ request })) return rules.refuse(404, `There is nothing at ${request.path}.`);
          const asDocumented = { ...request, method };
          return handle(
            request.method === other && isTo(operation)({ request: asDocumented }) ? asDocumented : request,
          );
        },
      },
    },
  ];
}

/** Where an operation is found, and which path ids reach a user. */
export const pathsDefects: readonly WrittenDefect[] = operations.flatMap((operation) => {
  const { checks = [] } = operation.negativeChecks?.['path-id'] ?? {};
  // All checks of the factory begin with the prefix that the operation gives it.
  const prefix = checks[0]?.id.replace(/-word$/, '');
  const reaching = prefix === undefined ? [] : [...reached(operation.id, prefix), ...odd(operation.id, prefix, checks)];
  return [...misplaced(operation), ...reaching];
});
