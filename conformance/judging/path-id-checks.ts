import { type OperationId, requestSchemaOf, route, schema } from '../../contract/document.ts';
import { isSafe, type RequestSpec } from '../http/exchange.ts';
import type { RequestBuilder, RequestOptions } from '../target/requests.ts';
import type { Check } from './check.ts';
import { CLIENT_ERRORS, negativeCheck, type NegativeCheck } from './negative-check.ts';
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

/** A user whose id is congruent may be found by a server that keeps ids in so many bits. */
const beyond =
  (bits: number): Segment =>
  (requests) =>
    String(BigInt(requests.idOf('user')) + 2n ** BigInt(bits));

/** Ids that name no user. */
interface PathIdCase extends Pick<NegativeCheck, 'phase'> {
  readonly id: string;
  /** Completes "An update with". */
  readonly what: string;
  /** Where a server may end at one, the most dangerous comes last. */
  readonly segments: readonly Segment[];
  /**
   * Of ids that no user has, but that some servers cannot handle. They are sent with a body that changes nothing, since only the
   * operator knows which users there are. The others are no integers.
   */
  readonly odd?: { readonly requirement: string; readonly refusals?: readonly number[] };
}

const CASES: readonly PathIdCase[] = [
  { id: 'word', what: 'a word as id', segments: [() => 'abc', () => 'null', () => '%F0%9F%98%80'] },
  {
    id: 'trailing-junk',
    what: 'letters after the id of a user',
    segments: [
      withId((id) => `${id}abc`),
      withId((id) => `${id}-abc`),
      withId((id) => `${id}%2F${id}`),
      withId((id) => `${id}%27`),
    ],
  },
  { id: 'leading-junk', what: 'letters before the id of a user', segments: [withId((id) => `abc${id}`)] },
  { id: 'fraction', what: 'a fraction as id', segments: [withId((id) => `${id}.5`)] },
  { id: 'username', what: 'the username instead of the id', segments: [username] },
  {
    id: 'wrapped',
    odd: { requirement: 'path-id.exact' },
    what: 'an id that equals that of a user in the lowest 32 bits only',
    segments: [beyond(32)],
  },
  {
    id: 'odd',
    odd: { requirement: 'path-id.no-server-error', refusals: CLIENT_ERRORS },
    what: 'a negative or a huge id, or with one that cannot be decoded,',
    segments: [
      withId((id) => (id.startsWith('-') ? id.slice(1) : `-${id}`)),
      () => '9'.repeat(25),
      withId((id) => `${id}%00`),
      () => '%ff',
    ],
    // A server that decodes paths without care ends at one that cannot be decoded, as some proxies do.
    phase: 'fatal',
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

/**
 * The checks of path ids that name no user, for the `negativeChecks['path-id']` of an operation. What a server does to ids that
 * are no integers is not judged again with those that are odd. Source: Endpoints, PUT user, path parameter.
 */
export function pathIdChecks({ prefix, what, build, control }: PathIdOperation): readonly Check[] {
  const noChange = changingNothing(control.operation);
  return CASES.filter(({ odd }) => !odd || noChange).map(({ id, what: words, segments, phase, odd }) => {
    const { refusals = NO_SUCH_ID } = odd ?? {};
    const options = odd ? ({ meantId: 'unspecified', ...noChange } as const) : ({ meantId: 'invalid' } as const);
    return negativeCheck({
      id: `${prefix}-${id}`,
      area: 'path-id',
      title: `${what} with ${words} is refused with ${refusals === CLIENT_ERRORS ? 'a 4xx status' : refusals.join(' or ')}`,
      requests: segments.map((segment) => (requests) => {
        const text = segment(requests);
        if (text === undefined) return undefined;
        const purpose = `${what} with the path id ${text}`;
        return build(requests, { subject: 'invalid-id', purpose, segment: text, ...options });
      }),
      ...(phase && { phase }),
      ...(odd ? { level: 'should', requirements: [odd.requirement] } : { requirements: ['path-id.integer'] }),
      refusals,
      controls: [control],
    });
  });
}
