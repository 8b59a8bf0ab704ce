import { isRecord } from '../../../common/json.ts';
import { schema } from '../../../contract/document.ts';
import { isAccepted, objectBody, sentBody } from '../../http/exchange.ts';
import type { Check } from '../../judging/check.ts';
import type { Evidence } from '../../judging/evidence.ts';
import { byStatus, distinct, type Observer, respondedTo } from '../../judging/observer.ts';
import { isProbe, type Probe } from '../../judging/traffic.ts';
import { UNKNOWN_MEMBER } from '../../target/user.ts';
import { missingUserChecks } from './refusals/missing-user.ts';
import { pathIdChecks } from './refusals/path-id.ts';
import { update, UPDATE_USER } from './requests.ts';
import { EMPTY_BODY } from './scenarios.ts';
import { UNUSUAL_NAMES } from './updates/unusual-bodies.ts';

function observationProbe(id: string, build: Probe['build']): Probe {
  return {
    id: `observe-${id}`,
    operation: UPDATE_USER,
    needs: ['adminKey', 'userId'],
    build,
    mayBeAccepted: true,
  };
}

/** The one request of a check, to be looked at once more. */
function probeNamed(checks: readonly Check[], id: string): Probe {
  const found = checks.flatMap(({ uses }) => uses.filter(isProbe)).find((probe) => probe.id === id);
  if (!found) throw new Error(`There is no probe ${id}.`);
  return found;
}

function contentTypeProbe(id: string, purpose: string, contentType: string | null): Probe {
  return observationProbe(id, (requests) =>
    update(requests, { subject: 'user', purpose, body: requests.noChange(), meantBody: 'unspecified', contentType }),
  );
}

const noContentType = contentTypeProbe('content-type-absent', 'An update without a Content-Type', null);
const otherContentType = contentTypeProbe('content-type-other', 'An update declared as text/plain', 'text/plain');

const unknownMember = observationProbe('unknown-members', (requests) =>
  update(requests, {
    subject: 'user',
    purpose: 'An update with a member that the contract does not list',
    body: JSON.stringify({ ...(JSON.parse(requests.noChange()) as object), [UNKNOWN_MEMBER]: true }),
    meantBody: 'valid',
  }),
);

/** Other spellings of a path id, each with what it is called whichever the id is. */
const spellings = [
  { called: '0N', spell: (id: string) => id.replace(/^-?/, '$&0') },
  { called: 'N.0', spell: (id: string) => `${id}.0` },
  { called: '+N', spell: (id: string) => (id.startsWith('-') ? undefined : `+${id}`) },
].map(({ called, spell }, index) => ({
  called,
  probe: observationProbe(`integer-spelling-${index + 1}`, (requests) => {
    const segment = spell(requests.idOf('user'));
    if (segment === undefined) return undefined;
    return update(requests, {
      subject: 'user',
      purpose: `An update with the path id ${segment}`,
      segment,
      meantId: 'unspecified',
      body: requests.noChange(),
      meantBody: 'valid',
    });
  }),
}));

const userMembers = Object.keys(schema('createUserResponseSchema').properties);

/** The bodies that the target showed of users. */
function userBodies(evidence: Evidence): Record<string, unknown>[] {
  return evidence.exchanges.flatMap((exchange) => {
    const body = exchange.request.operation === UPDATE_USER && isAccepted(exchange) ? objectBody(exchange) : undefined;
    return body ? [body] : [];
  });
}

function shapeOfRole(role: unknown): 'integer' | 'object' | 'other' {
  if (Number.isInteger(role)) return 'integer';
  return isRecord(role) ? 'object' : 'other';
}

/** The open points about an update. */
export const observers: readonly Observer[] = [
  byStatus('open.error-precedence', probeNamed(missingUserChecks, 'missing-user-invalid-body'), {
    400: 'invalid-body-first',
    404: 'missing-user-first',
    accepted: 'other',
  }),
  byStatus(
    'open.permission-precedence',
    { id: 'permission-invalid-body' },
    {
      403: 'permission-first',
      400: 'invalid-body-first',
      accepted: 'other',
    },
  ),
  {
    point: 'open.empty-body',
    uses: [EMPTY_BODY],
    observe: (evidence) => {
      const status = evidence.scenarios.get(EMPTY_BODY.id)?.rounds[0]?.updates[1]?.response?.status;
      if (status === undefined) return undefined;
      if (status === 200) return 'accepted';
      return status === 400 ? 'refused' : { observed: 'other', detail: status };
    },
  },
  byStatus('open.content-type-absent', noContentType, { accepted: 'accepted', 400: 'refused-400', 415: 'refused-415' }),
  byStatus('open.content-type-other', otherContentType, {
    accepted: 'accepted',
    400: 'refused-400',
    415: 'refused-415',
  }),
  {
    point: 'open.value-bounds',
    uses: UNUSUAL_NAMES,
    observe: ({ scenarios }) => {
      const answers = UNUSUAL_NAMES.flatMap(
        ({ id }) => scenarios.get(id)?.rounds.flatMap((round) => round.updates) ?? [],
      );
      const answered = answers.filter(({ response }) => response);
      if (answered.length === 0) return undefined;
      const refused = answered
        .filter((exchange) => !isAccepted(exchange))
        .map(({ request }) => request.purpose.replace(/^An update with (.*) as name$/, '$1'));
      return refused.length > 0 ? { observed: 'some-refused', detail: distinct(refused) } : 'all-accepted';
    },
  },
  byStatus('open.unknown-members', unknownMember, { accepted: 'ignored', 400: 'refused' }),
  byStatus('open.non-integer-id', probeNamed(pathIdChecks, 'path-id-word'), {
    400: 'invalid',
    404: 'not-found',
    accepted: 'other',
  }),
  {
    point: 'open.integer-spelling',
    uses: spellings.map(({ probe }) => probe),
    observe: (evidence) => {
      const tried = spellings.map(({ called, probe }) => ({ called, answers: respondedTo(evidence, probe) }));
      if (tried.every(({ answers }) => answers.length === 0)) return undefined;
      const reached = tried.filter(({ answers }) => answers.some(isAccepted)).map(({ called }) => called);
      return reached.length > 0 ? { observed: 'some-accepted', detail: reached } : 'none-accepted';
    },
  },
  {
    point: 'open.shown-members',
    uses: [],
    observe: (evidence) => {
      const bodies = userBodies(evidence);
      if (bodies.length === 0) return undefined;
      const hidden = userMembers.filter((member) => bodies.every((body) => !Object.hasOwn(body, member)));
      return hidden.length > 0 ? { observed: 'some', detail: hidden } : 'all';
    },
  },
  {
    point: 'open.root-role-request',
    uses: [],
    observe: ({ exchanges }) => {
      const sent = exchanges.flatMap((exchange) => {
        const { operation, meant } = exchange.request;
        const body = operation === UPDATE_USER && meant.body === 'valid' ? sentBody(exchange.request) : undefined;
        return exchange.response && body?.rootRole !== undefined ? [{ exchange, role: body.rootRole }] : [];
      });
      if (sent.length === 0) return undefined;
      const shapes = new Set(sent.filter(({ exchange }) => isAccepted(exchange)).map(({ role }) => shapeOfRole(role)));
      if (shapes.size === 0) return 'none';
      if (shapes.has('other')) return 'other';
      return shapes.size === 2 ? 'both' : [...shapes][0];
    },
  },
  {
    point: 'open.root-role-response',
    uses: [],
    observe: (evidence) => {
      const bodies = userBodies(evidence);
      if (bodies.length === 0) return undefined;
      const roles = bodies.filter((body) => Object.hasOwn(body, 'rootRole')).map((body) => body.rootRole);
      if (roles.length === 0) return 'absent';
      const shapes = new Set(roles.map(shapeOfRole));
      return shapes.size === 1 ? [...shapes][0] : 'other';
    },
  },
  {
    point: 'open.account-type-values',
    uses: [],
    observe: (evidence) => {
      const bodies = userBodies(evidence);
      if (bodies.length === 0) return undefined;
      const values = distinct(bodies.map((body) => body.accountType).filter((value) => typeof value === 'string'));
      return values.length > 0 ? { observed: 'values', detail: values } : 'absent';
    },
  },
];
