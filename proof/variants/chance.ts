// Conforming variants in which chance or time decides what a request meets. `npm run prove -- --rounds N` judges each many times.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, without } from '../../common/json.ts';
import type { ApiError } from '../../contract/document.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import {
  type Act,
  adding,
  countsLogin,
  followedBy,
  responding,
  showing,
  showingBanners,
  writing,
} from '../servers/responses.ts';
import { type Around, anError, anUpdate, any, around } from '../servers/requests.ts';
import { about, byChance, unrestored, type Variant } from '../server.ts';
import { inOrder } from './http.ts';

/** Whether what happens once in so many times happens now. */
const oneIn = (times: number): boolean => randomInt(times) === 0;

const lacking = (object: JsonObject, names: readonly string[]): JsonObject => names.reduce(without, object);

/** Of two instances, one words its errors in another way, with more members. */
const otherWords = adding<ApiError>(anError, ({ message }) =>
  oneIn(2) ? { message: `Bad luck: ${message}`, details: [{ message }] } : {},
);

/** Of two instances, one leaves out what the contract does not demand, and another one sends a header of its own. */
const otherMembers = around(
  showing(anUpdate, (user) => (oneIn(2) ? lacking(user, ['isAPI', 'emailSent', 'permissions', 'imageUrl']) : user)),
  showingBanners((banner) => (oneIn(2) ? lacking(banner, ['sticky', 'icon', 'dialog']) : banner)),
);

const otherHeaders: Around = {
  around: (handle) => (request) => {
    const { headers, ...answer } = handle(request);
    return {
      ...answer,
      headers: { ...headers, ...(oneIn(2) ? { server: 'two', 'x-instance': '2' } : { server: 'one' }) },
    };
  },
};

const otherOrder = writing((text) => JSON.stringify(inOrder(JSON.parse(text), randomInt(5))));

/** What happens to the users and the banners by others than the suite. */
const seldom =
  (times: number, act: Act): Act =>
  (asked) => {
    if (oneIn(times)) act(asked);
  };

const editsBanner: Act = ({
  store: {
    banners: [banner],
  },
}) => {
  if (banner) Object.assign(banner, { message: `Edited: ${randomInt(1_000_000)}.` });
};

/** Each request waits for its turn with a worker, and then for its data. */
const jitter = (most: number): Around => ({
  around: (handle) => async (request) => {
    await sleep(randomInt(most));
    const answer = handle(request);
    await sleep(randomInt(most));
    return answer;
  },
});

/** Refuses some requests for a moment, as a gateway does whose limit other clients use up. */
const refusedAtTimes = (status: number): Around =>
  responding((_request, rules) => (oneIn(60) ? rules.refuse(status, 'Try again.') : undefined));

const shortIds = (digits: number): Behaviour =>
  adding<ApiError>(anError, () => ({
    id: randomInt(16 ** digits)
      .toString(16)
      .padStart(digits, '0'),
  }));

/** Source: opening paragraph; Errors; Resources. */
export const chanceVariants: readonly Variant[] = byChance([
  ...about(['open.shown-members', 'errors.message', 'bodies.json'], {
    'instances-differ-in-words: Two instances word their errors differently': otherWords,
    'instances-differ-in-members: Two instances show different optional members of users and banners': otherMembers,
    'instances-differ-in-headers: Two instances send different headers': otherHeaders,
    'instances-differ-in-order: Two instances order members differently': otherOrder,
    'instances-differ-in-all: Two instances differ in wording, headers, order and optional members': {
      ...otherOrder,
      ...around(otherWords, otherMembers, otherHeaders),
    },
  }),
  ...about(['open.error-id-form', 'errors.id-per-instance'], {
    'error-ids-of-6-digits: The `id` of an error is a random number of six hexadecimal digits': shortIds(6),
    'error-ids-of-4-digits: The `id` of an error is a random number of four hexadecimal digits': shortIds(4),
  }),
  ...about('open.limits', {
    'jitter: Each request takes its time': jitter(6),
    'limited-at-times: Once in 60 requests, the response is a 429': refusedAtTimes(429),
    'away-at-times: Once in 60 requests, the response is a 503': refusedAtTimes(503),
  }),
  ...about(['banners.read-only', 'side-effects.of-updates'], {
    'banner-edited-at-times: Somebody edits a banner once in 300 requests': followedBy(any, seldom(300, editsBanner)),
  }),
  ...unrestored('update.other-members-keep', {
    'failed-login-at-times: Somebody fails to log in once in 300 requests': followedBy(
      any,
      seldom(300, countsLogin(1)),
    ),
  }),
]);
