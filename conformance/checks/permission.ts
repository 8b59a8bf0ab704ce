import type { Check, Evidence, Judgement } from '../judging/check.ts';
import { isAccepted, type Exchange } from '../http/exchange.ts';
import type { InputName } from '../target/inputs.ts';
import type { RequestBuilder } from '../target/requests.ts';
import { RESTRICTED_BANNERS } from '../operations/list-banners/checks.ts';
import { refusalCheck, type RefusalCheck } from '../judging/negative-check.ts';

interface Case {
  readonly id: string;
  readonly what: string;
  readonly subject?: 'other-user';
  readonly needs?: readonly InputName[];
  readonly control: RefusalCheck['controls'][number];
  readonly body: (requests: RequestBuilder) => Record<string, unknown>;
}

const cases: readonly Case[] = [
  { id: 'name', what: 'a name', control: 'name', body: ({ fresh }) => ({ name: fresh.name() }) },
  { id: 'email', what: 'an e-mail address', control: 'email', body: ({ fresh }) => ({ email: fresh.email() }) },
  {
    id: 'name-email',
    what: 'a name and an e-mail address',
    control: 'email+name',
    body: ({ fresh }) => ({ name: fresh.name(), email: fresh.email() }),
  },
  {
    id: 'role',
    what: 'a root role',
    needs: ['roleIds'],
    control: 'rootRole',
    body: (requests) => ({ rootRole: requests.otherRole() }),
  },
  {
    id: 'all',
    what: 'a name, an e-mail address and a root role',
    needs: ['roleIds'],
    control: 'rootRole',
    body: (requests) => ({
      name: requests.fresh.name(),
      email: requests.fresh.email(),
      rootRole: requests.otherRole(),
    }),
  },
  {
    id: 'other-user',
    what: 'a name for another user',
    subject: 'other-user',
    needs: ['otherUserId'],
    control: 'name',
    body: ({ fresh }) => ({ name: fresh.name() }),
  },
];

function isUnauthenticated({ response }: Exchange): boolean {
  return response?.status === 401;
}

/** A 401 for the restricted key accuses nobody unless the key is known to be valid: the operator may have mistyped it. */
function unlessKeyIsUnknown(evidence: Evidence, judgement: Judgement): Judgement {
  if (judgement.outcome !== 'failed' || !judgement.exchanges.some(isUnauthenticated)) return judgement;
  const lists = evidence.probes.get(RESTRICTED_BANNERS.id)?.exchanges ?? [];
  if (lists.some((exchange) => isAccepted(exchange) || exchange.response?.status === 403)) return judgement;
  const detail =
    lists.length > 0
      ? 'the restricted key was answered 401 on both operations; check CONFORMANCE_RESTRICTED_KEY'
      : 'the restricted key was answered 401, and no list of banners was there to show that it is valid; check CONFORMANCE_RESTRICTED_KEY';
  return { outcome: 'inconclusive', reason: 'control-refused', detail, exchanges: judgement.exchanges };
}

/** Which of the two comes first is open (open.permission-precedence); to accept the request is not. */
const invalidBody = refusalCheck({
  id: 'permission-invalid-body',
  area: 'permission',
  requirements: ['permission.refused'],
  title: 'An update with an invalid body by a key without the permission is refused with 403 or 400',
  needs: ['restrictedKey'],
  requests: [
    (requests) =>
      requests.update({
        subject: 'user',
        purpose: 'An update with a number as name by the restricted key',
        body: JSON.stringify({ name: 5 }),
        meantBody: 'invalid',
        credential: requests.restricted(),
      }),
  ],
  refusals: [{ status: 403 }, { status: 400 }],
  controls: ['name'],
});

/** `{}` may be refused for what it is (open.empty-body); to show the user to a key without the permission is not lawful. */
const emptyBody = refusalCheck({
  id: 'permission-empty-body',
  area: 'permission',
  requirements: ['permission.refused'],
  title: 'An update with an empty object by a key without the permission is refused with 403 or 400',
  needs: ['restrictedKey'],
  requests: [
    (requests) =>
      requests.update({
        subject: 'user',
        purpose: 'An update with an empty object by the restricted key',
        body: '{}',
        meantBody: 'valid',
        credential: requests.restricted(),
      }),
  ],
  refusals: [{ status: 403 }, { status: 400 }],
  controls: ['name'],
});

const allowed = cases.map((each) => {
  const { id, what, needs = [], control, body } = each;
  const subject = each.subject ?? 'user';
  return refusalCheck({
    id: `permission-${id}`,
    area: 'permission',
    requirements: ['permission.refused'],
    title: `An update with ${what} by a key without the permission is refused with 403`,
    needs: ['restrictedKey', ...needs],
    requests: [
      (requests) =>
        requests.update({
          subject,
          purpose: `An update with ${what} by the restricted key`,
          body: JSON.stringify(body(requests)),
          meantBody: 'valid',
          credential: requests.restricted(),
        }),
    ],
    refusals: [{ status: 403 }],
    controls: [control],
  });
});

/** Source: Authentication, 3; Errors, 403. */
export const permissionChecks: readonly Check[] = [...allowed, emptyBody, invalidBody].map((check) => ({
  ...check,
  uses: [...check.uses, RESTRICTED_BANNERS],
  judge: (evidence: Evidence) => unlessKeyIsUnknown(evidence, check.judge(evidence)),
}));
