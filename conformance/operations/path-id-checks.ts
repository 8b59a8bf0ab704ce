import { route } from '../../contract/document.ts';
import { CLIENT_ERRORS } from '../http/due.ts';
import { isSafe, type RequestSpec } from '../http/exchange.ts';
import type { Effect } from '../resources/effect.ts';
import { writableOf } from '../resources/inputs.ts';
import type { RequestBuilder, RequestOptions } from '../resources/requests.ts';
import type { Check } from '../model/check.ts';
import { negativeCheck, type NegativeCheck } from './negative-check.ts';
import type { Control } from '../model/recording/items.ts';

/** 400, or 404 from a router without such a path (open.non-integer-id). */
const NO_SUCH_ID = [400, 404];

/** A path segment, made of the id that the operator named; undefined if it does not exist. */
type Segment = (id: string, requests: RequestBuilder) => string | undefined;

/** What else identifies a resource, in words, for servers that find it by that. One that may be read as an integer proves nothing. */
type Alias = Readonly<Record<string, (requests: RequestBuilder) => string | undefined>>;

function aliasCase(alias: Alias): PathIdCase {
  const segments = Object.values(alias).map((of): Segment => (_id, requests) => {
    const text = of(requests);
    return text === undefined || /^[\s\d.+-]*$|\p{Surrogate}/u.test(text) ? undefined : encodeURIComponent(text);
  });
  const names = Object.keys(alias);
  return { id: names[0] ?? 'alias', what: `the ${names.join(' or the ')} instead of the id`, segments };
}

/** Something whose id is congruent may be found by a server that keeps ids in so many bits. */
const beyond =
  (bits: number): Segment =>
  (id) =>
    String(BigInt(id) + 2n ** BigInt(bits));

/** Ids that name nothing. */
interface PathIdCase extends Pick<NegativeCheck, 'phase'> {
  readonly id: string;
  /** Completes "An update with". */
  readonly what: string;
  /** Where a server may end at one, the most dangerous comes last. */
  readonly segments: readonly Segment[];
  /**
   * Of ids that nothing has, but that some servers cannot handle. They are sent with a body that changes nothing, since only the
   * operator knows what there is. The others are no integers.
   */
  readonly odd?: { readonly requirement: string; readonly refusals?: readonly number[] };
}

const casesOf = (resource: string, alias: Alias | undefined): readonly PathIdCase[] => [
  { id: 'word', what: 'a word as id', segments: [() => 'abc', () => 'null', () => '%F0%9F%98%80'] },
  {
    id: 'trailing-junk',
    what: `letters after the id of a ${resource}`,
    // No encoded slash: servlet containers refuse it with a page of their own, before the application sees it.
    segments: [(id) => `${id}abc`, (id) => `${id}-abc`, (id) => `${id}%27`, (id) => `${id},${id}`],
  },
  { id: 'leading-junk', what: `letters before the id of a ${resource}`, segments: [(id) => `abc${id}`] },
  { id: 'fraction', what: 'a fraction as id', segments: [(id) => `${id}.5`] },
  ...(alias ? [aliasCase(alias)] : []),
  {
    id: 'wrapped',
    odd: { requirement: 'path-id.exact' },
    what: `an id that equals that of a ${resource} in the lowest 32 bits only`,
    segments: [beyond(32)],
  },
  {
    id: 'odd',
    odd: { requirement: 'path-id.no-server-error', refusals: CLIENT_ERRORS },
    what: 'a negative or a huge id, or with one that cannot be decoded,',
    segments: [(id) => (id.startsWith('-') ? id.slice(1) : `-${id}`), beyond(64), (id) => `${id}%00`, () => '%ff'],
    // A server that decodes paths without care ends at one that cannot be decoded, as some proxies do.
    phase: 'fatal',
  },
];

interface PathIdOperation {
  /** Begins the ids of the checks; unique over all operations. */
  readonly prefix: string;
  /** A request in words, to begin a sentence: "An update". */
  readonly what: string;
  readonly effect: Effect;
  readonly alias?: Alias;
  /** A request that is valid but for its path. */
  readonly build: (requests: RequestBuilder, options: RequestOptions) => RequestSpec;
  readonly control: Control;
}

/**
 * The checks of path ids that name nothing, for the `negativeChecks['path-id']` of an operation. What a server does to ids that
 * are no integers is not judged again with those that are odd. Source: Endpoints, PUT user, path parameter.
 */
export function pathIdChecks({ prefix, what, effect, alias, build, control }: PathIdOperation): readonly Check[] {
  const { resource, neutral } = effect;
  const [named = 'none'] = writableOf(resource);
  // Sent to whatever has such an id, so it must change nothing.
  const noChange = isSafe(route(control.operation)) ? {} : neutral !== undefined && { body: neutral };
  return casesOf(resource, alias)
    .filter(({ odd }) => !odd || noChange)
    .map(({ id, what: words, segments, phase, odd }) => {
      const { refusals = NO_SUCH_ID } = odd ?? {};
      const options = odd
        ? ({ meantId: 'unspecified', ...(noChange || {}) } as const)
        : ({ meantId: 'invalid' } as const);
      return negativeCheck({
        id: `${prefix}-${id}`,
        area: 'path-id',
        title: `${what} with ${words} is refused with ${refusals === CLIENT_ERRORS ? 'a 4xx status' : refusals.join(' or ')}`,
        requests: segments.map((segment) => (requests) => {
          const text = segment(requests.idOf(named), requests);
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
