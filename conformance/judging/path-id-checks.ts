import type { RequestSpec } from '../http/exchange.ts';
import type { RequestBuilder, RequestOptions } from '../target/requests.ts';
import type { Check } from './check.ts';
import { negativeCheck } from './negative-check.ts';
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
 * The checks that an operation refuses ids that are no integers, for its `negativeChecks['path-id']`.
 * Source: Endpoints, PUT user, path parameter.
 */
export function pathIdChecks({ prefix, what, build, control }: PathIdOperation): readonly Check[] {
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
