import type { Level } from '../../contract/document.ts';
import type { Probe, Check } from '../judging/check.ts';
import { isAccepted, type Credential } from '../http/exchange.ts';
import { BANNERS } from '../operations/list-banners/checks.ts';
import {
  controlAccepted,
  failed,
  judgeNoResponse,
  laneObstacle,
  notApplicable,
  passed,
  preconditionFailed,
} from '../judging/outcomes.ts';
import { badCredentials, type BadCredential } from '../http/credentials.ts';
import type { FreshValues, RequestBuilder, UpdateOptions } from '../target/requests.ts';
import { refusalCheck } from '../judging/negative-check.ts';

const UNAUTHENTICATED = [{ status: 401 }];

/** That a valid key may not have company is inferred; all else stands in the source. */
function levelOf({ requirement }: BadCredential): Level {
  return requirement === 'auth.key-alone' ? 'should' : 'must';
}

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

/** What is sent without a valid key beside the name and the e-mail together; each alone may take another way through a server. */
const OTHER_BODIES: readonly (readonly [what: string, body: (fresh: FreshValues) => Record<string, unknown>])[] = [
  ['a name alone', ({ name }) => ({ name: name() })],
  ['an e-mail address alone', ({ email }) => ({ email: email() })],
  ['an empty object', () => ({})],
];

const singly = withoutKey.map((bad) =>
  refusalCheck({
    id: `auth-update-each-member-${bad.id}`,
    area: 'auth',
    requirements: [bad.requirement],
    title: `An update of each member alone, and of none, with ${bad.title} is refused with 401`,
    needs: ['adminKey', 'userId'],
    requests: OTHER_BODIES.map(([what, body]) =>
      updateWith(bad, ({ fresh }) => ({
        subject: 'user',
        purpose: `An update of ${what} with ${bad.title}`,
        body: JSON.stringify(body(fresh)),
        meantBody: 'valid',
      })),
    ),
    refusals: UNAUTHENTICATED,
    controls: ['name', 'email'],
  }),
);

const ofOtherUser = withoutKey.map((bad) =>
  refusalCheck({
    id: `auth-update-other-user-${bad.id}`,
    area: 'auth',
    requirements: [bad.requirement],
    title: `An update of another user with ${bad.title} is refused with 401`,
    needs: ['adminKey', 'userId', 'otherUserId'],
    requests: [
      updateWith(bad, ({ fresh }) => ({
        subject: 'other-user',
        purpose: `An update of the other user with ${bad.title}`,
        body: JSON.stringify({ name: fresh.name() }),
        meantBody: 'valid',
      })),
    ],
    refusals: UNAUTHENTICATED,
    controls: ['name'],
  }),
);

const updates = badCredentials.map((bad) =>
  refusalCheck({
    id: `auth-update-${bad.id}`,
    area: 'auth',
    level: levelOf(bad),
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
    level: levelOf(bad),
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

/** The names under which servers that take a key from the body are known to look. */
const BODY_MEMBERS = ['authorization', 'Authorization', 'apiKey', 'api_key', 'key', 'token'];

const inBody = refusalCheck({
  id: 'auth-update-key-in-body',
  area: 'auth',
  requirements: ['auth.header-only'],
  title: 'An update with a valid key in the body and none in the header is refused with 401',
  needs: ['adminKey', 'userId'],
  requests: [
    (requests) =>
      requests.update({
        subject: 'user',
        purpose: 'An update with the admin key in the body',
        body: JSON.stringify({
          name: requests.fresh.name(),
          ...Object.fromEntries(BODY_MEMBERS.map((member) => [member, requests.admin().header])),
        }),
        meantBody: 'valid',
        credential: { label: 'the admin key in the body' },
      }),
  ],
  refusals: UNAUTHENTICATED,
  controls: ['name'],
});

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

const KEYLESS_UPDATE: Probe = {
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
  failureModes: {
    'unknown-path':
      'An update is answered as if there were no such operation. Offer it under the method and the path of the contract.',
  },
  judge: (evidence) => {
    const [keyless] = evidence.probes.get(KEYLESS_UPDATE.id)?.exchanges ?? [];
    const obstacle = evidence.blocked.users;
    if (!keyless) return laneObstacle(evidence, 'users', 'the run ended before the request was sent');
    if (!obstacle)
      return isAccepted(keyless) ? preconditionFailed('the update needs no key', [keyless]) : passed([keyless]);
    const status = keyless.response?.status;
    const bannersAnswered = evidence.probes.get(BANNERS.id)?.exchanges.some(isAccepted);
    if (obstacle.exchange?.response?.status !== 404 || status !== 404 || !bannersAnswered) {
      return laneObstacle(evidence, 'users', obstacle.detail);
    }
    const message = 'The list of banners is there, but an update is answered 404 also without a key.';
    return failed({ mode: 'unknown-path', expected: 401, actual: status, message }, keyless);
  },
};

const RESPELLED = ['authorization', 'AUTHORIZATION'].map((fieldName): Probe => ({
  id: `banners-${fieldName}`,
  lane: 'banners',
  needs: ['adminKey'],
  build: (requests) =>
    requests.listBanners(requests.respelled(fieldName), `The list of banners with the header ${fieldName}`),
}));

const fieldNameCase: Check = {
  id: 'auth-banners-field-name-case',
  area: 'auth',
  level: 'should',
  requirements: ['auth.field-name-case'],
  title: 'The key is found under `authorization` and `AUTHORIZATION` as well',
  lane: 'banners',
  needs: ['adminKey'],
  uses: [BANNERS, ...RESPELLED],
  failureModes: {
    'not-found':
      'The key is not found when the header is spelt `authorization` or `AUTHORIZATION`. Compare names of header fields without regard to letter case (RFC 9110, 5.1).',
  },
  judge: (evidence) => {
    const exchanges = RESPELLED.flatMap(({ id }) => evidence.probes.get(id)?.exchanges ?? []);
    if (exchanges.length === 0 || !controlAccepted(evidence, 'banners'))
      return laneObstacle(evidence, 'banners', 'the list of banners itself was not answered 200');
    const unanswered = exchanges.find(({ transportError }) => transportError);
    if (unanswered) return judgeNoResponse(unanswered, evidence);
    const refused = exchanges.find(({ response }) => response?.status === 401);
    const otherwise = exchanges.find(({ response }) => response?.status !== 200);
    if (!refused)
      return otherwise ? preconditionFailed('the list was answered otherwise', [otherwise]) : passed(exchanges);
    const actual = refused.response?.status;
    const message = `${refused.request.purpose} was answered ${actual ?? ''}, expected 200.`;
    return failed({ mode: 'not-found', expected: 200, actual, message }, refused);
  },
};

/** Shorter keys may stand in an answer by chance. */
const LEAST_KEY = 8;

/** A key as it may stand in an answer: as it is, in JSON, in a URL, in Base64. */
function formsOf(key: string): string[] {
  const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
  return [...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), base64])];
}

function carriesOne({ header = '', query, otherHeaders }: Credential, keys: readonly string[]): boolean {
  return query !== undefined || otherHeaders !== undefined || keys.some((key) => header.includes(key));
}

const keyNotShown: Check = {
  id: 'auth-key-not-shown',
  area: 'auth',
  level: 'should',
  requirements: ['auth.key-not-shown'],
  title: 'No answer of the run repeats the key that its request carried',
  lane: 'users',
  needs: ['adminKey', 'userId'],
  uses: [...updates, ...lists].flatMap(({ uses }) => uses),
  failureModes: {
    'key-shown':
      'An answer repeats a valid key, so whoever reads the answer, or a log of it, has the key. Leave it out.',
  },
  judge: (evidence) => {
    const { exchanges, inputs } = evidence;
    const keys = [inputs.adminKey ?? '', inputs.restrictedKey ?? ''].filter(({ length }) => length >= LEAST_KEY);
    if (exchanges.length > 0 && keys.length === 0)
      return notApplicable(`a key of fewer than ${LEAST_KEY} characters may be there by chance`);
    const answered = exchanges.filter(({ request, response }) => response && carriesOne(request.credential, keys));
    if (answered.length === 0) return laneObstacle(evidence, 'users', 'no request with a valid key was answered');
    const forms = keys.flatMap(formsOf);
    const leak = answered.find(({ response }) =>
      [response?.text ?? '', ...Object.values(response?.headers ?? {})].some((text) =>
        forms.some((form) => text.includes(form)),
      ),
    );
    if (!leak) return passed(answered.slice(0, 1));
    const message = `The answer to a request with ${leak.request.credential.label} repeats a valid key.`;
    return failed({ mode: 'key-shown', expected: 'no key', actual: 'a valid key', message }, leak);
  },
};

/** Source: Authentication, 1 and 2; Endpoints. */
export const authenticationChecks: readonly Check[] = [
  ...updates,
  ...lists,
  ...singly,
  ...ofOtherUser,
  inBody,
  ...first,
  updateExists,
  fieldNameCase,
  keyNotShown,
];
