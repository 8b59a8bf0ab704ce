import type { Attempt, Check } from '../check.ts';
import { isAccepted } from '../exchange.ts';
import { BANNERS } from './banners.ts';
import { failed, laneObstacle, passed } from './judging.ts';
import { badCredentials, type BadCredential } from '../credentials.ts';
import type { RequestBuilder, UpdateOptions } from '../requests.ts';
import { refusalCheck } from './refusal.ts';

const UNAUTHENTICATED = [{ status: 401 }];

function updateWith(bad: BadCredential, options: (requests: RequestBuilder) => Omit<UpdateOptions, 'credential'>) {
  return (requests: RequestBuilder) => {
    const credential = requests.bad(bad);
    return credential && requests.update({ ...options(requests), credential });
  };
}

function byId(id: string): BadCredential {
  const found = badCredentials.find((each) => each.id === id);
  if (!found) throw new Error(`There is no credential ${id}.`);
  return found;
}

const withoutKey = [byId('no-header'), byId('unknown-key')];

const updates = badCredentials.map((bad) =>
  refusalCheck({
    id: `auth-update-${bad.id}`,
    area: 'auth',
    requirements: [bad.requirement],
    title: `An update with ${bad.title} is refused with 401`,
    needs: ['adminKey', 'userId'],
    requests: [
      updateWith(bad, ({ fresh }) => ({
        subject: 'user',
        purpose: `An update with ${bad.title}`,
        body: JSON.stringify({ name: fresh.name(), email: fresh.email() }),
        meantBody: 'valid',
      })),
      (requests) => {
        const credential = requests.bad(bad);
        const rootRole = requests.otherRole();
        if (!credential || rootRole === undefined) return undefined;
        const purpose = `An update of the role with ${bad.title}`;
        return requests.update({
          subject: 'user',
          purpose,
          body: JSON.stringify({ rootRole }),
          meantBody: 'valid',
          credential,
        });
      },
    ],
    refusals: UNAUTHENTICATED,
    controls: ['email+name'],
  }),
);

const lists = badCredentials.map((bad) =>
  refusalCheck({
    id: `auth-banners-${bad.id}`,
    area: 'auth',
    requirements: [bad.requirement],
    title: `A list of banners with ${bad.title} is refused with 401`,
    lane: 'banners',
    needs: ['adminKey'],
    requests: [
      (requests) => {
        const credential = requests.bad(bad);
        return credential && requests.listBanners(credential, `A list of banners with ${bad.title}`);
      },
    ],
    refusals: UNAUTHENTICATED,
    controls: [],
  }),
);

const first: Check[] = [
  refusalCheck({
    id: 'auth-before-validation',
    area: 'auth',
    requirements: ['auth.comes-first'],
    title: 'An update without a valid key is refused with 401 also if its body breaks the schema',
    needs: ['adminKey', 'userId'],
    requests: withoutKey.map((bad) =>
      updateWith(bad, () => ({
        subject: 'user',
        purpose: `An update with ${bad.title} and a number as name`,
        body: JSON.stringify({ name: 5 }),
        meantBody: 'invalid',
      })),
    ),
    refusals: UNAUTHENTICATED,
    controls: ['name'],
  }),
  refusalCheck({
    id: 'auth-malformed-body',
    area: 'auth',
    requirements: ['auth.comes-first'],
    title: 'A body that is not JSON, sent without a valid key, is refused with 401 or 400',
    needs: ['adminKey', 'userId'],
    requests: withoutKey.map((bad) =>
      updateWith(bad, ({ fresh }) => ({
        subject: 'user',
        purpose: `An update with ${bad.title} and a body that breaks off`,
        body: `{"name":${JSON.stringify(fresh.name())}`,
        meantBody: 'invalid',
      })),
    ),
    refusals: [{ status: 401 }, { status: 400 }],
    controls: ['name'],
  }),
  refusalCheck({
    id: 'auth-before-existence',
    area: 'auth',
    requirements: ['auth.comes-first'],
    title: 'An update without a valid key is refused with 401 also if the user does not exist',
    needs: ['adminKey', 'userId', 'missingUserId'],
    requests: withoutKey.map((bad) =>
      updateWith(bad, ({ fresh }) => ({
        subject: 'missing-user',
        purpose: `An update of the missing user with ${bad.title}`,
        body: JSON.stringify({ name: fresh.name() }),
        meantBody: 'valid',
      })),
    ),
    refusals: UNAUTHENTICATED,
    controls: ['name'],
  }),
];

const KEYLESS_UPDATE: Attempt = {
  id: 'update-without-key',
  lane: 'users',
  needs: ['adminKey', 'userId'],
  alsoWhenBlocked: true,
  build: (requests) =>
    requests.update({
      subject: 'user',
      purpose: 'An update without a key',
      body: JSON.stringify({ name: requests.fresh.name() }),
      meantBody: 'valid',
      credential: { label: 'no Authorization header' },
    }),
};

/**
 * A 404 with the admin key may mean that the operator named no user; a 404 without a key cannot, since 401 comes first.
 * It accuses only if the list of banners shows that base URL and key are right.
 */
const updateExists: Check = {
  id: 'auth-update-operation-exists',
  area: 'auth',
  level: 'must',
  requirements: ['auth.operations-exist'],
  title: 'The update is there under its path: without a key it is answered 401, not 404',
  lane: 'users',
  needs: KEYLESS_UPDATE.needs,
  uses: [KEYLESS_UPDATE, BANNERS],
  failureModes: { 'unknown-path': 'The target knows no update under the path and method of the contract.' },
  judge: (evidence) => {
    const [keyless] = evidence.attempts.get(KEYLESS_UPDATE.id)?.exchanges ?? [];
    const obstacle = evidence.blocked.users;
    if (!keyless) return laneObstacle(evidence, 'users', 'the run ended before the request was sent');
    if (!obstacle) return passed([keyless]);
    const status = keyless.response?.status;
    const bannersAnswered = evidence.attempts.get(BANNERS.id)?.exchanges.some(isAccepted);
    if (obstacle.exchange?.response?.status !== 404 || status !== 404 || !bannersAnswered) {
      return laneObstacle(evidence, 'users', obstacle.detail);
    }
    const message = 'The list of banners is there, but an update is answered 404 also without a key.';
    return failed({ mode: 'unknown-path', expected: 401, actual: status, message }, keyless);
  },
};

/** Source: Authentication, 1 and 2; Endpoints. */
export const authenticationChecks: readonly Check[] = [...updates, ...lists, ...first, updateExists];
