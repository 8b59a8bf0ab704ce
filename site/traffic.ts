import type { Check } from '../conformance/model/check.ts';
import { isProbe, type Traffic } from '../conformance/model/recording/items.ts';
import type { Inputs } from '../conformance/resources/inputs.ts';
import { makeFreshValues, makeRequestBuilder, type RequestBuilder } from '../conformance/resources/requests.ts';
import { stepPurpose } from '../conformance/traffic/users/scenarios.ts';
import type { SampleRequest } from './model.ts';

const EXAMPLE: Inputs = {
  baseUrl: new URL('http://localhost:4242'),
  adminKey: 'example-Admin-key',
  restrictedKey: 'example-Restricted-key',
  userId: '4',
  otherUserId: '5',
  missingUserId: '404404',
  roleIds: [1, 2],
  bannerIds: [1, 2, 3],
  emailDomain: 'example.com',
};

const STORED = { name: 'Ada Lovelace', email: 'ada@example.com', username: 'ada', rootRole: 1 };
const SHOWN = { username: 'ada', loginAttempts: 0, isAPI: false };
const JSON_TYPE = 'application/json';

function samplesOf(traffic: Traffic, requests: RequestBuilder): SampleRequest[] {
  if (isProbe(traffic)) {
    const request = traffic.build(requests, 0);
    if (!request) return [];
    const { purpose, method, path, credential, headers, body } = request;
    const type = headers['Content-Type'];
    return [
      {
        purpose,
        method,
        path,
        credential: credential.label,
        ...(body === undefined ? {} : { body }),
        ...(method === 'GET' || type === JSON_TYPE ? {} : { contentType: type ?? 'none' }),
      },
    ];
  }
  return traffic.steps.flatMap((step) => {
    const { fresh, admin, build } = requests;
    const values: Readonly<Record<string, () => unknown>> = {
      name: fresh.name,
      email: fresh.email,
      rootRole: requests.otherRole,
    };
    const sent = (): string =>
      JSON.stringify({
        ...Object.fromEntries(step.members.map((member) => [member, values[member]?.()])),
        ...step.extra?.(EXAMPLE),
      });
    const body = step.body
      ? step.body({
          fresh,
          ...{ round: 0, first: undefined, previous: undefined },
          before: SHOWN,
          now: SHOWN,
          stored: STORED,
          storedOfOther: STORED,
        })
      : sent();
    if (body === undefined) return [];
    const { method, path } = build(traffic.operation, { subject: step.subject, purpose: '', body });
    return [{ purpose: stepPurpose(step), method, path, credential: admin().label, body }];
  });
}

/** The requests of a check with example values; requests that differ only in the values are shown once. */
export function sampleRequests(check: Check): SampleRequest[] {
  const requests = makeRequestBuilder(EXAMPLE, makeFreshValues('1f3a9c02', EXAMPLE.emailDomain), () => STORED);
  const samples = check.uses.flatMap((traffic) => samplesOf(traffic, requests));
  return [...new Map(samples.map((sample) => [`${sample.purpose} ${sample.credential}`, sample])).values()];
}
