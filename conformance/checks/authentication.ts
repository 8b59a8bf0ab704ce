import type { Check } from '../check.ts';
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

/** Source: Authentication, 1 and 2. */
export const authenticationChecks: readonly Check[] = [...updates, ...lists, ...first];
