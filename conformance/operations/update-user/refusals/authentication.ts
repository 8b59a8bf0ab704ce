import { stableJson, without } from '../../../../common/json.ts';
import { type BadCredential, badCredentials } from '../../../http/credentials.ts';
import { type Exchange, objectBody } from '../../../http/exchange.ts';
import type { Check } from '../../../judging/check.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { negativeCheck, type NegativeCheck } from '../../../judging/negative-check.ts';
import {
  blockedOrUnsent,
  CLIENT_ERRORS,
  explainedBy,
  failed,
  notObservable,
  passed,
} from '../../../judging/outcomes.ts';
import type { FreshValues, RequestOptions } from '../../../target/requests.ts';
import type { Notes } from '../../../model/facts.ts';
import type { View } from '../../../model/record.ts';
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
  body: (fresh: FreshValues) => string,
  { subject = 'user', meantBody = 'valid' }: Partial<Pick<RequestOptions, 'subject' | 'meantBody'>> = {},
): NegativeCheck['requests'][number] {
  return (requests) => {
    const credential = requests.bad(bad);
    return (
      credential &&
      requests.build('updateUser', { subject, purpose, body: body(requests.fresh), meantBody, credential })
    );
  };
}

const withoutKey = badCredentials.filter(({ id }) => ['no-header', 'unknown-key'].includes(id));

const BAD_KEYS_REFUSED = withoutKey.map(({ id }) => `auth-update-${id}`);

const name = (fresh: FreshValues): string => JSON.stringify({ name: fresh.name() });

/** What is sent without a valid key apart from name and e-mail together; each may take another way through a server. */
const OTHER_BODIES: readonly (readonly [what: string, body: (fresh: FreshValues) => string])[] = [
  ['only a name', name],
  ['only an e-mail address', ({ email }) => JSON.stringify({ email: email() })],
  ['an empty object', () => '{}'],
];

/** The same fault as the same request with another bad key, or another request with the same one. */
function likeOthers({ id, requirement }: BadCredential, prefix: string): Pick<NegativeCheck, 'sameFaultAs'> {
  const isUnknown = requirement === 'auth.key-valid';
  return { sameFaultAs: isUnknown ? [`${prefix}-no-header`, `auth-update-${id}`] : [] };
}

const ofOneUser = withoutKey.map((bad) =>
  refused({
    id: `auth-update-each-member-${bad.id}`,
    requirements: [bad.requirement],
    title: `An update of a single member, or of none, with ${bad.title} is refused with 401`,
    requests: OTHER_BODIES.map(([what, body]) => updateWith(bad, `An update with ${what} and ${bad.title}`, body)),
    controls: [CONTROLS.name, CONTROLS.email],
    ...likeOthers(bad, 'auth-update-each-member'),
  }),
);

const ofOtherUser = withoutKey.map((bad) =>
  refused({
    id: `auth-update-other-user-${bad.id}`,
    requirements: [bad.requirement],
    title: `An update of another user with ${bad.title} is refused with 401`,
    needs: ['otherUserId'],
    requests: [updateWith(bad, `An update of the other user with ${bad.title}`, name, { subject: 'other-user' })],
    ...likeOthers(bad, 'auth-update-other-user'),
  }),
);

/** Servers that accept a key in the body look for it under these names. */
const BODY_MEMBERS = [
  ...['authorization', 'Authorization', 'apiKey', 'api_key', 'apikey', 'key', 'token', 'access_token', 'accessToken'],
  ...['auth_token', 'authToken', 'auth', 'secret'],
];

const inBody = refused({
  id: 'auth-update-key-in-body',
  requirements: ['auth.header-only'],
  restsOn: ['auth-update-no-header'],
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
    restsOn: BAD_KEYS_REFUSED,
    title: 'An update without a valid key is refused with 401 even if its body breaks the schema',
    requests: withoutKey.map((bad) =>
      updateWith(bad, `An update with ${bad.title} and a number as name`, () => '{"name":5}', { meantBody: 'invalid' }),
    ),
  }),
  refused({
    id: 'auth-malformed-body',
    requirements: withoutKey.map(({ requirement }) => requirement),
    blame: withoutKey.map(({ requirement }) => requirement),
    restsOn: [...BAD_KEYS_REFUSED, 'body-malformed'],
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
    restsOn: BAD_KEYS_REFUSED,
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

/** For each bad key: what was said of the user, to two updates, and what of the missing one. */
function said(evidence: Evidence): readonly (readonly (readonly [Exchange | undefined, string | undefined])[])[] {
  const sentAs = (id: string): Exchange | undefined => evidence.probes.get(id)?.[0];
  return EACH_MEMBER.map((id, index) =>
    [`${id}-1`, `${id}-2`, `${BEFORE_EXISTENCE}-${index + 1}`].map((probe) => [sentAs(probe), wordsOf(sentAs(probe))]),
  );
}

const hidesUsers: Check = {
  id: 'auth-hides-users',
  area: 'auth',
  level: 'should',
  requirements: ['auth.existence-hidden'],
  restsOn: [...EACH_MEMBER, BEFORE_EXISTENCE, 'error-body-401'],
  title: 'Without a valid key, the response is the same whether the user exists or not',
  operations: ['updateUser'],
  needs: ['adminKey', 'userId', 'missingUserId'],
  uses: [...ofOneUser, ...comesFirst.filter(({ id }) => id === BEFORE_EXISTENCE)].flatMap(({ uses }) => uses),
  failureModes: {
    told: 'A caller without a valid key learns whether a user exists. Check the key first, and respond in the same way for every path.',
  },
  judge: (evidence) => {
    const all = said(evidence);
    const seen = all.filter((three) => three.every(([, words]) => words !== undefined));
    for (const [one, again, missing] of seen) {
      if (!one || !again || !missing || one[1] !== again[1] || one[1] === missing[1]) continue;
      const exchanges = [one[0], missing[0]].filter((each) => each !== undefined);
      const [expected, actual] = [objectBody(one[0])?.message, objectBody(missing[0])?.message];
      const message = `Without a valid key, the 401 response for a missing user is another one than for a user that exists.`;
      return { ...failed({ mode: 'told', expected, actual, message }, ...exchanges), replay: exchanges };
    }
    if (seen.length === 0) {
      const detail = 'no response without a valid key was a 401 with a JSON object';
      return explainedBy(blockedOrUnsent(evidence, 'updateUser', detail), 'json-error');
    }
    const isStable = seen.some(([one, again]) => one?.[1] === again?.[1]);
    if (!isStable) return notObservable('the responses without a valid key differ each time');
    return passed(seen.flat().flatMap(([exchange]) => exchange ?? []));
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
    if (!one || !missing || words.includes(undefined)) continue;
    if (words[0] !== words[1]) {
      const detail = 'the responses without a valid key differ each time';
      notes.doubts_([hidesUsers.id], { reason: 'not-observable', detail, exchanges: [one] });
    } else if (words[0] === words[2]) notes.holds([hidesUsers.id], missing);
    else {
      const [expected, actual] = [objectBody(one)?.message, objectBody(missing)?.message];
      const message = 'Without a valid key, the 401 response for a missing user is another one than for a user that exists.';
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
