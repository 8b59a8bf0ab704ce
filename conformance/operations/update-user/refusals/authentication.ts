import { stableJson, without } from '../../../../common/json.ts';
import { type BadCredential, badCredentials } from '../../../http/credentials.ts';
import { type Exchange, objectBody } from '../../../http/exchange.ts';
import type { Check } from '../../../model/check.ts';
import { CLIENT_ERRORS } from '../../../http/due.ts';
import { negativeCheck, type NegativeCheck } from '../../negative-check.ts';
import type { FreshValues, RequestBuilder, RequestOptions } from '../../../resources/requests.ts';
import type { Notes } from '../../../model/facts.ts';
import type { View } from '../../../model/recording/view.ts';
import { CONTROLS } from '../scenarios.ts';

function refused(given: Pick<NegativeCheck, 'id' | 'title' | 'requests'> & Partial<NegativeCheck>): Check {
  return negativeCheck({
    area: 'auth',
    requirements: ['auth.comes-first'],
    refusals: [401],
    controls: [CONTROLS.name],
    ...given,
  });
}

/** An update that carries a bad credential. */
function updateWith(
  bad: BadCredential,
  purpose: string,
  body: (fresh: FreshValues, requests: RequestBuilder) => string,
  { subject = 'user', meantBody = 'valid' }: Partial<Pick<RequestOptions, 'subject' | 'meantBody'>> = {},
): NegativeCheck['requests'][number] {
  return (requests) => {
    const credential = requests.bad(bad);
    return (
      credential &&
      requests.build('updateUser', { subject, purpose, body: body(requests.fresh, requests), meantBody, credential })
    );
  };
}

const withoutKey = badCredentials.filter(({ id }) => ['no-header', 'unknown-key'].includes(id));

const name = (fresh: FreshValues): string => JSON.stringify({ name: fresh.name() });

/** What is sent without a valid key apart from name and e-mail together; each may take another way through a server. */
const OTHER_BODIES: readonly (readonly [what: string, body: Parameters<typeof updateWith>[2]])[] = [
  ['only a name', name],
  ['only an e-mail address', ({ email }) => JSON.stringify({ email: email() })],
  ['an empty object', () => '{}'],
  ['what is stored already', (_fresh, { noChange }) => noChange()],
];

const ofOneUser = withoutKey.map((bad) =>
  refused({
    id: `auth-update-each-member-${bad.id}`,
    requirements: [bad.requirement],
    title: `An update of a single member, or of none, with ${bad.title} is refused with 401`,
    requests: OTHER_BODIES.map(([what, body]) => updateWith(bad, `An update with ${what} and ${bad.title}`, body)),
    controls: [CONTROLS.name, CONTROLS.email],
  }),
);

const ofOtherUser = withoutKey.map((bad) =>
  refused({
    id: `auth-update-other-user-${bad.id}`,
    requirements: [bad.requirement],
    title: `An update of another user with ${bad.title} is refused with 401`,
    needs: ['otherUserId'],
    requests: [updateWith(bad, `An update of the other user with ${bad.title}`, name, { subject: 'other-user' })],
  }),
);

/** Servers that accept a key in the body look for it under these names. */
const BODY_MEMBERS = [
  ...['authorization', 'Authorization', 'apiKey', 'api_key', 'apikey', 'key', 'token', 'access_token', 'accessToken'],
  ...['api_token', 'auth_token', 'authToken', 'auth', 'secret'],
];

const inBody = refused({
  id: 'auth-update-key-in-body',
  requirements: ['auth.header-only'],
  title: 'An update with a valid key in the body and none in the header is refused with a 4xx status',
  refusals: CLIENT_ERRORS,
  requests: [
    (requests) => {
      const keys = Object.fromEntries(BODY_MEMBERS.map((member) => [member, requests.admin().header]));
      return requests.build('updateUser', {
        subject: 'user',
        purpose: 'An update with the admin key in the body',
        body: JSON.stringify({ name: requests.fresh.name(), ...keys }),
        credential: { label: 'the admin key in the body', bad: 'key-in-body' },
      });
    },
  ],
});

const comesFirst = [
  refused({
    id: 'auth-before-validation',
    title: 'An update without a valid key is refused with 401 even if its body breaks the schema',
    requests: withoutKey.map((bad) =>
      updateWith(bad, `An update with ${bad.title} and a number as name`, () => '{"name":5}', { meantBody: 'invalid' }),
    ),
  }),
  refused({
    id: 'auth-malformed-body',
    requirements: withoutKey.map(({ requirement }) => requirement),
    blame: withoutKey.map(({ requirement }) => requirement),
    title: 'An update without a valid key whose body is not JSON is refused with 401 or 400',
    requests: withoutKey.map((bad) =>
      updateWith(bad, `An update with ${bad.title} and a truncated body`, (fresh) => name(fresh).slice(0, -1), {
        meantBody: 'invalid',
      }),
    ),
    refusals: [401, 400],
  }),
  refused({
    id: 'auth-before-existence',
    title: 'An update without a valid key is refused with 401 even if the user does not exist',
    needs: ['missingUserId'],
    requests: withoutKey.map((bad) =>
      updateWith(bad, `An update of the missing user with ${bad.title}`, name, { subject: 'missing-user' }),
    ),
  }),
];

/** What a response says, but for what differs each time: ids, numbers, times. */
function wordsOf(exchange: Exchange | undefined): string | undefined {
  const body = objectBody(exchange);
  if (exchange?.response?.status !== 401 || !body) return undefined;
  return stableJson(without(body, 'id')).replaceAll(/[0-9a-f-]{8,}|\d+/gi, '#');
}

const BEFORE_EXISTENCE = 'auth-before-existence';
const EACH_MEMBER = withoutKey.map(({ id }) => `auth-update-each-member-${id}`);

const hidesUsers: Check = {
  id: 'auth-hides-users',
  area: 'auth',
  level: 'should',
  requirements: ['auth.existence-hidden'],
  title: 'Without a valid key, the response is the same whether the user exists or not',
  operations: ['updateUser'],
  needs: ['adminKey', 'userId', 'missingUserId'],
  uses: [...ofOneUser, ...comesFirst.filter(({ id }) => id === BEFORE_EXISTENCE)].flatMap(({ uses }) => uses),
  failureModes: {
    told: 'A caller without a valid key learns whether a user exists. Check the key first, and respond in the same way for every path.',
  },
};

/** Judges that the 401 response is the same whether the user exists or not. */
export function judgeExistenceHidden({ exchanges }: View, notes: Notes): void {
  const sentAs = (item: string): Exchange | undefined => exchanges.find(({ request }) => request.item === item);
  const all = EACH_MEMBER.map((id, index) =>
    [`${id}-1`, `${id}-2`, `${BEFORE_EXISTENCE}-${index + 1}`].map((item) => sentAs(item)),
  );
  for (const [one, again, missing] of all) {
    const words = [one, again, missing].map(wordsOf);
    if (!one || !missing) continue;
    if (words.includes(undefined)) {
      const detail = 'no response without a valid key was a 401 with a JSON object';
      const exchanges = [one, again, missing].flatMap((each, at) => (each && words[at] === undefined ? [each] : []));
      notes.doubtful([hidesUsers.id], { reason: 'precondition-failed', detail, exchanges, isWeak: true });
      continue;
    }
    if (words[0] !== words[1]) {
      const detail = 'the responses without a valid key differ each time';
      notes.doubtful([hidesUsers.id], { reason: 'not-observable', detail, exchanges: [one] });
    } else if (words[0] === words[2]) notes.holds([hidesUsers.id], missing);
    else {
      const [expected, actual] = [objectBody(one)?.message, objectBody(missing)?.message];
      const message =
        'Without a valid key, the 401 response for a missing user is another one than for a user that exists.';
      const own = { x: missing, shows: [one, missing], checks: [hidesUsers.id], requirements: hidesUsers.requirements };
      notes.deviates({ kind: 'response', ...own, mode: 'told', expected, actual, message });
    }
  }
}

/** Checks of the key that only an update has. Source: Authentication, 1 and 2. */
export const updateAuthenticationChecks: readonly Check[] = [
  ...ofOneUser,
  ...ofOtherUser,
  inBody,
  ...comesFirst,
  hidesUsers,
];
