import { type BadCredential, badCredentials } from '../../../http/credentials.ts';
import type { Check } from '../../../judging/check.ts';
import { negativeCheck } from '../../../judging/negative-check.ts';
import type { FreshValues, RequestBuilder } from '../../../target/requests.ts';
import { update, type UpdateOptions } from '../requests.ts';
import { CONTROLS } from '../scenarios.ts';

const UNAUTHENTICATED = [{ status: 401 }];

function updateWith(bad: BadCredential, options: (requests: RequestBuilder) => Omit<UpdateOptions, 'credential'>) {
  return (requests: RequestBuilder) => {
    const credential = requests.bad(bad);
    return credential && update(requests, { ...options(requests), credential });
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
  negativeCheck({
    id: `auth-update-each-member-${bad.id}`,
    area: 'auth',
    requirements: [bad.requirement],
    title: `An update of each member alone, and of none, with ${bad.title} is refused with 401`,
    requests: OTHER_BODIES.map(([what, body]) =>
      updateWith(bad, ({ fresh }) => ({
        subject: 'user',
        purpose: `An update of ${what} with ${bad.title}`,
        body: JSON.stringify(body(fresh)),
        meantBody: 'valid',
      })),
    ),
    refusals: UNAUTHENTICATED,
    controls: [CONTROLS.name, CONTROLS.email],
  }),
);

const ofOtherUser = withoutKey.map((bad) =>
  negativeCheck({
    id: `auth-update-other-user-${bad.id}`,
    area: 'auth',
    requirements: [bad.requirement],
    title: `An update of another user with ${bad.title} is refused with 401`,
    needs: ['otherUserId'],
    requests: [
      updateWith(bad, ({ fresh }) => ({
        subject: 'other-user',
        purpose: `An update of the other user with ${bad.title}`,
        body: JSON.stringify({ name: fresh.name() }),
        meantBody: 'valid',
      })),
    ],
    refusals: UNAUTHENTICATED,
    controls: [CONTROLS.name],
  }),
);

/** The names under which servers that take a key from the body are known to look. */
const BODY_MEMBERS = ['authorization', 'Authorization', 'apiKey', 'api_key', 'key', 'token'];

const inBody = negativeCheck({
  id: 'auth-update-key-in-body',
  area: 'auth',
  requirements: ['auth.header-only'],
  title: 'An update with a valid key in the body and none in the header is refused with 401',
  requests: [
    (requests) =>
      update(requests, {
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
  controls: [CONTROLS.name],
});

const first: Check[] = [
  negativeCheck({
    id: 'auth-before-validation',
    area: 'auth',
    requirements: ['auth.comes-first'],
    title: 'An update without a valid key is refused with 401 also if its body breaks the schema',
    requests: withoutKey.map((bad) =>
      updateWith(bad, () => ({
        subject: 'user',
        purpose: `An update with ${bad.title} and a number as name`,
        body: JSON.stringify({ name: 5 }),
        meantBody: 'invalid',
      })),
    ),
    refusals: UNAUTHENTICATED,
    controls: [CONTROLS.name],
  }),
  negativeCheck({
    id: 'auth-malformed-body',
    area: 'auth',
    requirements: ['auth.comes-first'],
    title: 'A body that is not JSON, sent without a valid key, is refused with 401 or 400',
    requests: withoutKey.map((bad) =>
      updateWith(bad, ({ fresh }) => ({
        subject: 'user',
        purpose: `An update with ${bad.title} and a body that breaks off`,
        body: `{"name":${JSON.stringify(fresh.name())}`,
        meantBody: 'invalid',
      })),
    ),
    refusals: [{ status: 401 }, { status: 400 }],
    controls: [CONTROLS.name],
  }),
  negativeCheck({
    id: 'auth-before-existence',
    area: 'auth',
    requirements: ['auth.comes-first'],
    title: 'An update without a valid key is refused with 401 also if the user does not exist',
    needs: ['missingUserId'],
    requests: withoutKey.map((bad) =>
      updateWith(bad, ({ fresh }) => ({
        subject: 'missing-user',
        purpose: `An update of the missing user with ${bad.title}`,
        body: JSON.stringify({ name: fresh.name() }),
        meantBody: 'valid',
      })),
    ),
    refusals: UNAUTHENTICATED,
    controls: [CONTROLS.name],
  }),
];

/** What authentication means for an update in particular. Source: Authentication, 1 and 2. */
export const updateAuthenticationChecks: readonly Check[] = [...singly, ...ofOtherUser, inBody, ...first];
