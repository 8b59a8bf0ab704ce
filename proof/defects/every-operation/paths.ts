import type { Check } from '../../../conformance/model/check.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Operation } from '../../../conformance/traffic/operation.ts';
import { route, type OperationId } from '../../../contract/document.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, mapped } from '../../table.ts';
import { all, isTo, sentId, takenAs, toId, withId } from '../requests.ts';
import { refusedWith } from '../responses.ts';

/** Makes another id of a path id. */
type Reached = (id: string) => string;

const REACHED: Table<Reached> = {
  'read-by-parse-int: the server reads only the leading digits of an id: `4abc` and `4.5` are user 4': (id) =>
    id.replace(/^0*(\d+).*$/, '$1'),
  'letters-behind-cut-off: the server cuts off letters after an id': (id) => id.replace(/^(\d+)[a-z]+$/, '$1'),
  'fraction-cut-off: the server cuts off the fraction of an id': (id) => id.replace(/^(\d+)\.\d+$/, '$1'),
  'letters-before-cut-off: the server cuts off letters before an id': (id) => id.replace(/^[a-z]+-?(\d+)$/, '$1'),
  'digits-picked: the server takes only the digits of an id, whatever surrounds them': (id) =>
    /\d/.test(id) ? id.replaceAll(/\D/g, '') : id,
  'encoded-quote-behind-cut-off: the server cuts off an encoded apostrophe after an id': (id) =>
    id.replace(/^(\d+)%27$/, '$1'),
  'list-taken-for-its-first: the server takes the first of several ids with commas between them': (id) =>
    id.replace(/^(\d+),.*$/, '$1'),
  'word-is-caller: the server takes a word as the id of the caller': (id) => id.replace(/^[a-z]+$/, '1'),
  'unknown-word-is-first-user: the server takes a word that is no username as the id of the first user': (id) =>
    id.replace(/^abc$/, '1'),
  'anything-else-is-first-user: the server takes an id that is not an integer as that of the first user': (id) =>
    id.replace(/^.*\D.*$/, '1'),
};

/** What a server may find a user by, beside its id. */
const ALIASES: Table<'username' | 'email'> = {
  'username: the server also finds a user by its username': 'username',
  'email: the server also finds a user by its e-mail address': 'email',
};

/** Takes some path ids of an operation for others. */
function reaching(operation: OperationId, reached: Reached): Behaviour {
  return takenAs(isTo(operation), (request) => toId(request, reached(sentId(request))));
}

/** The users that ids reach although they are no integers. Source: Endpoints, PUT user, path parameter. */
function reachedBy(operation: OperationId, prefix: string, checks: readonly Check[]): WrittenDefect[] {
  const ways = breaking(
    'path-id.integer',
    mapped(REACHED, (reached) => reaching(operation, reached)),
    `${prefix}-*: On \`${operation}\`, *.`,
  );
  if (!checks.some(({ id }) => id === `${prefix}-username`)) return ways;
  return [
    ...ways,
    ...breaking(
      'path-id.integer',
      mapped(ALIASES, (member) =>
        takenAs(isTo(operation), (request, { users }) => {
          const named = [...users.values()].find(
            (user) => encodeURIComponent(String(user[member])) === sentId(request),
          );
          return named ? toId(request, named.id) : request;
        }),
      ),
      `*-as-${prefix}: On \`${operation}\`, *.`,
    ),
  ];
}

/** Path ids that a server cannot handle, or takes for those of users. */
function odd(operation: OperationId, prefix: string, checks: readonly Check[]): WrittenDefect[] {
  // Where no request can be sent with such an id, nothing is seen of it.
  if (!checks.some(({ id }) => id === `${prefix}-wrapped`)) return [];
  const failingOn = (form: RegExp): Behaviour => refusedWith(all(isTo(operation), withId(form)), 500);
  const exact = {
    'wraps-at-32-bits: keeps ids in 32 bits, and so takes 4294967300 for user 4': reaching(operation, (id) =>
      /^\d{10,15}$/.test(id) ? String(BigInt.asIntN(32, BigInt(id))) : id,
    ),
    'cut-to-32-bits: keeps the lowest 32 bits of an id, however long it is': reaching(operation, (id) =>
      /^-?\d+$/.test(id) ? String(BigInt.asIntN(32, BigInt(id))) : id,
    ),
    'fails-beyond-32-bits: fails on an id beyond 32 bits': failingOn(/^\d{10,15}$/),
  };
  const withoutError = {
    'fails-beyond-64-bits: fails on an id beyond 64 bits, because its query needs a number': failingOn(/^\d{20,}$/),
    'wraps-at-64-bits: The server keeps ids in 64 bits, and so takes 18446744073709551620 for user 4.': reaching(
      operation,
      (id) => (/^\d{20}$/.test(id) ? String(BigInt.asIntN(64, BigInt(id))) : id),
    ),
    'negative-fails: fails on a negative id': failingOn(/^-/),
    'with-nul-fails: fails on an id with a NUL character': failingOn(/%00/),
    'undecodable-fails: fails on an id that cannot be percent-decoded': failingOn(/%ff/),
    'negative-taken-for-absolute: ignores the sign of an id': reaching(operation, (id) => id.replace(/^-(?=\d+$)/, '')),
  };
  return [
    ...breaking('path-id.exact', exact, `${prefix}-*: *`),
    ...breaking('path-id.no-server-error', withoutError, `${prefix}-*: *`),
  ];
}

/** An operation that is only to be had with another method. Source: Endpoints. */
function misplaced({ id: operation, slug }: Operation): WrittenDefect[] {
  const { method, path } = route(operation);
  if (!path.includes('{id}')) return [];
  const other = method === 'PATCH' ? 'PUT' : 'PATCH';
  return breaking('auth.operations-exist', {
    [`${slug}-by-${other.toLowerCase()}-only: offers \`${operation}\` only as ${other}; for ${method} the path does not exist`]:
      {
        around: (handle, _store, rules) => (request) => {
          if (isTo(operation)({ request })) return rules.refuse(404, `There is nothing at ${request.path}.`);
          const asDocumented = { ...request, method };
          const isOther = request.method === other && isTo(operation)({ request: asDocumented });
          return handle(isOther ? asDocumented : request);
        },
      },
  });
}

/** Where an operation is found, and which path ids reach a user. */
export const pathsDefects: readonly WrittenDefect[] = operations.flatMap((operation) => {
  const { checks = [] } = operation.negativeChecks?.['path-id'] ?? {};
  // All checks of the factory begin with the prefix that the operation gives it.
  const prefix = checks[0]?.id.replace(/-word$/, '');
  if (prefix === undefined) return misplaced(operation);
  return [...misplaced(operation), ...reachedBy(operation.id, prefix, checks), ...odd(operation.id, prefix, checks)];
});
