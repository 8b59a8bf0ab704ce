import { route } from '../../contract/document.ts';
import { badCredentials } from '../http/credentials.ts';
import { isSafe } from '../http/exchange.ts';
import { acrossOperations, type Check } from '../model/check.ts';
import { CLIENT_ERRORS } from '../http/due.ts';
import { negativeCheck } from '../operations/negative-check.ts';
import type { Probe } from '../model/recording/items.ts';
import { operations } from '../operations/index.ts';
import { hasPathId } from '../resources/requests.ts';
import type { Operation } from '../traffic/operation.ts';

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
    build: (requests) =>
      build(requests, {
        credential: { label: 'no Authorization header', bad: 'no-header' },
        purpose: `${what} without a key`,
      }),
    due: {
      class: 'refuse',
      statuses: [401],
      requirements: ['auth.key-required'],
      level: 'must',
      checks: [`auth-${slug}-no-header`],
      exists: `auth-${slug}-operation-exists`,
      controls: [{ operation, members: control.members }],
    },
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
  };
}

/** Only operations that read are tried under another spelling: a write would change something. */
function fieldNameCheck({ id: operation, slug, control, validRequests }: Operation): Check {
  const [{ what, build }] = validRequests;
  const respelled = ['authorization', 'AUTHORIZATION'].map((fieldName): Probe => ({
    id: `${slug}-${fieldName}`,
    operation,
    phase: 'control',
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
  };
}

const badKeys = operations.map((operation) => ({ operation, checks: badCredentialChecks(operation) }));

const keyNotShown = acrossOperations(
  Object.fromEntries(
    badKeys.map(({ operation: { id, control }, checks }) => [
      id,
      { needs: control.traffic.needs, uses: checks.flatMap(({ uses }) => uses) },
    ]),
  ),
  {
    id: 'auth-key-not-shown',
    alongside: 'all',
    area: 'auth',
    level: 'should',
    requirements: ['auth.key-not-shown'],
    title: 'No response repeats the key of its request',
    failureModes: {
      'key-shown':
        'A response repeats a valid key, so anybody who reads the response or a log of it has the key. Leave it out.',
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
