import { route } from '../../contract/document.ts';
import { type BadCredential, badCredentials, keyForms, LEAST_KEY, tellingKeys } from '../http/credentials.ts';
import { UNSPECIFIED } from '../http/due.ts';
import { type Credential, type Exchange, isAccepted, isSafe, showsText } from '../http/exchange.ts';
import { acrossOperations, type Check } from '../judging/check.ts';
import { negativeCheck } from '../judging/negative-check.ts';
import {
  anyBlockedOrUnsent,
  blockedOrUnsent,
  CLIENT_ERRORS,
  controlAccepted,
  explainedBy,
  failed,
  judgeNoResponse,
  notApplicable,
  passed,
  preconditionFailed,
} from '../judging/outcomes.ts';
import type { Probe } from '../judging/traffic.ts';
import { operations } from '../operations/index.ts';
import { hasPathId } from '../target/requests.ts';
import type { Operation } from '../traffic/operation.ts';

/** What a refusal of one bad credential rests on: a server that needs no key accepts a key in any place, and so on. */
function basisOf({ requirement }: BadCredential, slug: string): string[] {
  const ofRequirement = (basis: string): string[] =>
    badCredentials.filter((bad) => bad.requirement === basis).map(({ id }) => `auth-${slug}-${id}`);
  if (requirement === 'auth.header-only') return ofRequirement('auth.key-required');
  return requirement === 'auth.key-alone' ? ofRequirement('auth.key-valid') : [];
}

const [NO_HEADER, UNKNOWN_KEY, SHORTENED_KEY] = ['no-header', 'unknown-key', 'shortened-key'];

/**
 * A target that needs no key accepts any; one that accepts any key, or a part of one, accepts an empty one. That is one fault.
 *
 * @param bad one that contradicts what the source says of a missing key, or of one that is not valid
 * @returns ids of checks; the first one that failed has the same fault
 */
function sameFaultAs({ id, requirement }: BadCredential, checkOf: (id: string) => string): string[] {
  if (id === NO_HEADER || !['auth.key-required', 'auth.key-valid'].includes(requirement)) return [];
  if (id === UNKNOWN_KEY) return [checkOf(NO_HEADER)];
  if (id === SHORTENED_KEY) return [UNKNOWN_KEY, NO_HEADER].map(checkOf);
  return (requirement === 'auth.key-valid' ? [UNKNOWN_KEY] : [NO_HEADER, UNKNOWN_KEY, SHORTENED_KEY]).map(checkOf);
}

function badCredentialChecks({ slug, control, validRequests }: Operation): Check[] {
  const [{ what }] = validRequests;
  return badCredentials.map((bad) => {
    // A server may refuse whatever carries the key in another place, before it looks for a key where it belongs.
    const isElsewhere = bad.requirement === 'auth.header-only';
    return negativeCheck({
      id: `auth-${slug}-${bad.id}`,
      area: 'auth',
      // That a key must not come with anything else is inferred; all other requirements are in the source.
      level: bad.requirement === 'auth.key-alone' ? 'should' : 'must',
      requirements: [bad.requirement],
      restsOn: basisOf(bad, slug),
      sameFaultAs: sameFaultAs(bad, (id) => `auth-${slug}-${id}`),
      title: `${what} with ${bad.title} is refused with ${isElsewhere ? 'a 4xx status' : '401'}`,
      requests: validRequests.map((request) => (builder) => {
        const credential = builder.bad(bad);
        return credential && request.build(builder, { credential, purpose: `${request.what} with ${bad.title}` });
      }),
      refusals: isElsewhere ? CLIENT_ERRORS : [401],
      controls: [control],
    });
  });
}

/**
 * A 404 with the admin key may mean that the operator named no user; a 404 without a key cannot, since 401 comes first.
 * It fails the target only if another operation shows that base URL and key are right.
 */
function existsCheck({ id: operation, slug, control, validRequests }: Operation): Check {
  const [{ what, build }] = validRequests;
  const keyless: Probe = {
    id: `${slug}-without-key`,
    operation,
    needs: control.traffic.needs,
    alsoWhenBlocked: true,
    build: (requests) =>
      build(requests, {
        credential: { label: 'no Authorization header', bad: 'no-header' },
        purpose: `${what} without a key`,
      }),
    due: { ...UNSPECIFIED, role: 'keyless', checks: [`auth-${slug}-operation-exists`] },
  };
  const others = operations.filter(({ id }) => id !== operation);
  return {
    id: `auth-${slug}-operation-exists`,
    area: 'auth',
    level: 'must',
    requirements: ['auth.operations-exist'],
    title: `The operation ${operation} exists: without a key the response is 401, not 404`,
    operations: [operation],
    needs: keyless.needs,
    uses: [keyless, ...others.map((other) => other.control.traffic)],
    failureModes: {
      'unknown-path':
        'The target responds as if the operation did not exist. Offer it under the method and the path of the contract.',
    },
    judge: (evidence) => {
      const [exchange] = evidence.probes.get(keyless.id) ?? [];
      const obstacle = evidence.blocked[operation];
      if (!exchange) return blockedOrUnsent(evidence, operation, 'the run ended before the request was sent');
      const status = exchange.response?.status;
      const works = evidence.exchanges.some((each) => each.request.operation === operation && isAccepted(each));
      if (!obstacle && (status !== 404 || works))
        return isAccepted(exchange)
          ? explainedBy(preconditionFailed('the operation needs no key', [exchange]), `auth-${slug}-no-header`)
          : passed([exchange]);
      const reached = others.find((other) => controlAccepted(evidence, other.control));
      const wasNotFound = !obstacle || obstacle.exchange?.response?.status === 404;
      if (!wasNotFound || status !== 404 || !reached)
        return blockedOrUnsent(evidence, operation, 'no request of the operation was accepted');
      const message = `The target accepts ${reached.control.what}, but the response to ${operation} is 404 even without a key.`;
      return failed({ mode: 'unknown-path', expected: 401, actual: status, message }, exchange);
    },
  };
}

/** Only operations that read are tried under another spelling: a write would change something. */
function fieldNameCheck({ id: operation, slug, control, validRequests }: Operation): Check {
  const [{ what, build }] = validRequests;
  const respelled = ['authorization', 'AUTHORIZATION'].map((fieldName): Probe => ({
    id: `${slug}-${fieldName}`,
    operation,
    needs: control.traffic.needs,
    due: {
      class: 'accept',
      statuses: [200],
      requirements: ['auth.field-name-case'],
      level: 'should',
      checks: [`auth-${slug}-field-name-case`],
      role: 'respelled',
    },
    build: (requests) =>
      build(requests, { credential: requests.respelled(fieldName), purpose: `${what} with the header ${fieldName}` }),
  }));
  return {
    id: `auth-${slug}-field-name-case`,
    area: 'auth',
    level: 'should',
    requirements: ['auth.field-name-case'],
    title: `${what} is accepted with the key under \`authorization\` and \`AUTHORIZATION\` as well`,
    operations: [operation],
    needs: control.traffic.needs,
    uses: [control.traffic, ...respelled],
    failureModes: {
      'not-found':
        'The target does not find the key when the header is spelled `authorization` or `AUTHORIZATION`. Compare the names of header fields without regard to letter case (RFC 9110, 5.1).',
    },
    judge: (evidence) => {
      const exchanges = respelled.flatMap(({ id }) => evidence.probes.get(id) ?? []);
      if (exchanges.length === 0 || !controlAccepted(evidence, control))
        return blockedOrUnsent(evidence, operation, 'the target did not accept the request with the usual spelling');
      const unanswered = judgeNoResponse(exchanges, evidence);
      if (unanswered) return unanswered;
      const refused = exchanges.find(({ response }) => response?.status === 401);
      if (!refused) {
        const unclear = exchanges.find(({ response }) => response?.status !== 200);
        return unclear ? preconditionFailed('the response was neither 200 nor 401', [unclear]) : passed(exchanges);
      }
      const actual = refused.response?.status;
      const message = `${refused.request.purpose}: the response is ${actual ?? ''}, expected 200.`;
      return failed({ mode: 'not-found', expected: 200, actual, message }, refused);
    },
  };
}

const badKeys = operations.map((operation) => ({ operation, checks: badCredentialChecks(operation) }));

function carriesOne({ header = '', query, otherHeaders }: Credential, keys: readonly string[]): boolean {
  return query !== undefined || otherHeaders !== undefined || keys.some((key) => header.includes(key));
}

const keyNotShown = acrossOperations(
  Object.fromEntries(
    badKeys.map(({ operation: { id, control }, checks }) => [
      id,
      { needs: control.traffic.needs, uses: checks.flatMap(({ uses }) => uses) },
    ]),
  ),
  {
    id: 'auth-key-not-shown',
    area: 'auth',
    level: 'should',
    requirements: ['auth.key-not-shown'],
    title: 'No response repeats the key of its request',
    failureModes: {
      'key-shown':
        'A response repeats a valid key, so anybody who reads the response or a log of it has the key. Leave it out.',
    },
    judge: (evidence) => {
      const { exchanges, inputs } = evidence;
      const keys = tellingKeys(inputs);
      if (exchanges.length > 0 && keys.length === 0)
        return notApplicable(`a key of fewer than ${LEAST_KEY} characters may occur by chance`);
      const responded = exchanges.filter(({ request, response }) => response && carriesOne(request.credential, keys));
      if (responded.length === 0) {
        const ids = operations.map(({ id }) => id);
        return anyBlockedOrUnsent(evidence, ids, 'no request with a valid key got a response');
      }
      const forms = keyForms(inputs);
      // A redirect to the same path with a slash, as Django's, repeats the query.
      const isRedirected = ({ request, response }: Exchange): boolean =>
        request.credential.query !== undefined && Math.trunc((response?.status ?? 0) / 100) === 3;
      const leak = responded
        .filter((exchange) => !isRedirected(exchange))
        .find(({ response }) => response && forms.some((form) => showsText(response, form)));
      if (!leak) return passed(responded.slice(0, 1));
      const message = `The response to a request with ${leak.request.credential.label} repeats a valid key.`;
      return failed({ mode: 'key-shown', expected: 'no key', actual: 'a valid key', message }, leak);
    },
  },
);

/** What every operation must do about keys. Source: Authentication, 1 and 2; Endpoints. */
export const authenticationChecks: readonly Check[] = [
  ...badKeys.flatMap(({ checks }) => checks),
  ...operations.filter(({ id }) => hasPathId(id)).map(existsCheck),
  ...operations.filter(({ id }) => isSafe(route(id))).map(fieldNameCheck),
  keyNotShown,
];
