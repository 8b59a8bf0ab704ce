import { type OperationId, requestSchemaOf, route, schema } from '../../contract/document.ts';
import { isSafe, type RequestSpec } from '../http/exchange.ts';
import type { RequestBuilder, RequestOptions } from '../target/requests.ts';
import type { Check } from './check.ts';
import { negativeCheck } from './negative-check.ts';
import { CLIENT_ERRORS } from './outcomes.ts';
import type { Control } from './traffic.ts';

/** 400, or 404 from a router without such a path (open.non-integer-id). */
const NO_SUCH_ID = [400, 404];

/** Undefined if it does not exist for this user. */
type Segment = (requests: RequestBuilder) => string | undefined;

const withId =
  (spell: (userId: string) => string): Segment =>
  (requests) =>
    spell(requests.idOf('user'));

/** Some servers find users by anything that identifies them. A username that may be read as an integer proves nothing. */
const username: Segment = (requests) => {
  const text = requests.username();
  return text === undefined || /^[\s\d.+-]*$|\p{Surrogate}/u.test(text) ? undefined : encodeURIComponent(text);
};

const cases: readonly (readonly [id: string, what: string, segments: readonly Segment[]])[] = [
  ['word', 'a word as id', [() => 'abc']],
  ['trailing-junk', 'letters after the id of a user', [withId((id) => `${id}abc`), withId((id) => `${id}-abc`)]],
  ['leading-junk', 'letters before the id of a user', [withId((id) => `abc${id}`)]],
  ['fraction', 'a fraction as id', [withId((id) => `${id}.5`)]],
  ['username', 'the username instead of the id', [username]],
];

/** A user whose id is congruent may be found by a server that keeps ids in so many bits. */
const beyond =
  (bits: number): Segment =>
  (requests) =>
    String(BigInt(requests.idOf('user')) + 2n ** BigInt(bits));

/** Ids that no user has, but that some servers cannot handle. */
const oddIds: readonly {
  readonly id: string;
  readonly requirement: string;
  readonly what: string;
  /** Where a server may end at one, the most dangerous comes last. */
  readonly segments: readonly Segment[];
  readonly refusals: readonly number[];
  readonly words: string;
  /** A server that decodes paths without care ends at one that cannot be decoded, as some proxies do. */
  readonly mayBeFatal?: true;
}[] = [
  {
    id: 'wrapped',
    requirement: 'path-id.exact',
    what: 'an id that equals that of a user in the lowest 32 bits only',
    segments: [beyond(32)],
    refusals: NO_SUCH_ID,
    words: '400 or 404',
  },
  {
    id: 'odd',
    requirement: 'path-id.no-server-error',
    what: 'a negative or a huge id, or with one that cannot be decoded,',
    segments: [
      withId((id) => (id.startsWith('-') ? id.slice(1) : `-${id}`)),
      () => '9'.repeat(25),
      withId((id) => `${id}%00`),
      () => '%ff',
    ],
    refusals: CLIENT_ERRORS,
    words: 'a 4xx status',
    mayBeFatal: true,
  },
];

/** An operation on the user whose id is in its path. */
interface PathIdOperation {
  /** Begins the ids of the checks; unique over all operations. */
  readonly prefix: string;
  /** A request in words, to begin a sentence: "An update". */
  readonly what: string;
  /** A request that is valid but for its path. */
  readonly build: (requests: RequestBuilder, options: RequestOptions) => RequestSpec;
  readonly control: Control;
  /** Ids of the checks of what a user that does not exist, and a body that changes nothing, are answered with. */
  readonly restsOn: readonly string[];
}

/** The checks of ids that are no integers. */
function nonIntegerChecks({ prefix, what, build, control }: PathIdOperation): Check[] {
  return cases.map(([id, words, segments]) =>
    negativeCheck({
      id: `${prefix}-${id}`,
      area: 'path-id',
      requirements: ['path-id.integer'],
      title: `${what} with ${words} is refused with 400 or 404`,
      requests: segments.map((segment) => (requests) => {
        const text = segment(requests);
        if (text === undefined) return undefined;
        const purpose = `${what} with the path id ${text}`;
        return build(requests, { subject: 'invalid-id', purpose, segment: text, meantId: 'invalid' });
      }),
      refusals: NO_SUCH_ID,
      controls: [control],
    }),
  );
}

/**
 * What a request has in place of the values that it would store, so that it changes no user, whoever it reaches: only the operator
 * knows which users there are. Undefined if the contract has no such request for the operation.
 */
function changingNothing(operation: OperationId): Pick<RequestOptions, 'body'> | undefined {
  if (isSafe(route(operation))) return {};
  const name = requestSchemaOf(operation);
  return name !== undefined && (schema(name).required ?? []).length === 0 ? { body: '{}' } : undefined;
}

/** The checks of ids that are odd; what a server does to ids that are no integers is not judged again. */
function oddIdChecks({ prefix, what, build, control, restsOn }: PathIdOperation): Check[] {
  const noChange = changingNothing(control.operation);
  if (!noChange) return [];
  return oddIds.map(({ id, requirement, what: odd, segments, words, ...refused }) =>
    negativeCheck({
      id: `${prefix}-${id}`,
      area: 'path-id',
      level: 'should',
      requirements: [requirement],
      restsOn: [...restsOn, ...cases.map((each) => `${prefix}-${each[0]}`)],
      title: `${what} with ${odd} is refused with ${words}`,
      requests: segments.map((segment) => (requests) => {
        const text = segment(requests) ?? '';
        const purpose = `${what} with the path id ${text}`;
        const options = { segment: text, meantId: 'unspecified', ...noChange } as const;
        return build(requests, { subject: 'invalid-id', purpose, ...options });
      }),
      ...refused,
      controls: [control],
    }),
  );
}

/**
 * The checks of path ids that name no user, for the `negativeChecks['path-id']` of an operation.
 * Source: Endpoints, PUT user, path parameter.
 */
export function pathIdChecks(operation: PathIdOperation): readonly Check[] {
  return [...nonIntegerChecks(operation), ...oddIdChecks(operation)];
}
