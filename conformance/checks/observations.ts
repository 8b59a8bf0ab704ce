import { documentedStatuses, errorName, openPoints, schema, type OpenPoint } from '../../contract/document.ts';
import { isRecord } from '../../common/json.ts';
import { BANNERS, RESTRICTED_BANNERS } from '../operations/list-banners/checks.ts';
import { missingUserChecks } from '../operations/update-user/missing-user.ts';
import { pathIdChecks } from '../operations/update-user/path-id.ts';
import { permissionChecks } from './permission.ts';
import { EMPTY_BODY } from '../operations/update-user/scenarios.ts';
import { UNUSUAL_NAMES } from '../operations/update-user/unusual-bodies.ts';
import { isProbe, type Probe, type Check, type Evidence, type Traffic } from '../judging/check.ts';
import { isAccepted, objectBody, sentBody, type Exchange } from '../http/exchange.ts';
import { UNKNOWN_MEMBER } from '../traffic/user-session.ts';

/** What a target does where the contract is silent. It is never judged. */
export interface Observation {
  /** Id of the open point. */
  readonly id: string;
  /** One of the point's possible observations; undefined if it was not seen. */
  readonly observed: string | undefined;
  /** In words. */
  readonly text: string;
  /** What was seen, where words are not enough. */
  readonly detail?: unknown;
}

type Seen = string | { readonly observed: string; readonly detail: unknown } | undefined;

interface Observer {
  readonly point: string;
  /** The traffic that it looks at. */
  readonly uses: readonly Traffic[];
  /** Undefined if nothing was seen. */
  readonly observe: (evidence: Evidence) => Seen;
}

function probe(id: string, needs: Probe['needs'], build: Probe['build']): Probe {
  return { id: `observe-${id}`, lane: 'users', needs, build, mayBeAccepted: true };
}

function answersOf(evidence: Evidence, probe: Traffic): readonly Exchange[] {
  return (evidence.probes.get(probe.id)?.exchanges ?? []).filter(({ response }) => response);
}

/** Maps the answer to an probe to an observation by its status; `accepted` stands for any 2xx. */
function byStatus(
  point: string,
  probe: Traffic,
  observations: Readonly<Record<number | 'accepted', string>>,
): Observer {
  return {
    point,
    uses: [probe],
    observe: (evidence) => {
      const [exchange] = answersOf(evidence, probe);
      if (!exchange) return undefined;
      const status = exchange.response?.status ?? 0;
      const observed = isAccepted(exchange) ? observations.accepted : observations[status];
      return observed ?? { observed: 'other', detail: status };
    },
  };
}

/** The one request of a check, to be looked at once more. */
function probeOf(checks: readonly Check[], id: string): Probe {
  const found = checks.flatMap(({ uses }) => uses.filter(isProbe)).find((probe) => probe.id === id);
  if (!found) throw new Error(`There is no probe ${id}.`);
  return found;
}

const invalidForMissing = probeOf(missingUserChecks, 'missing-user-invalid-body');
const invalidByRestricted = probeOf(permissionChecks, 'permission-invalid-body');
const wordAsId = probeOf(pathIdChecks, 'path-id-word');

function contentTypeProbe(id: string, purpose: string, contentType: string | null): Probe {
  return probe(id, ['adminKey', 'userId'], (requests) =>
    requests.update({ subject: 'user', purpose, body: requests.noChange(), meantBody: 'open', contentType }),
  );
}

const noContentType = contentTypeProbe('content-type-absent', 'An update without a Content-Type', null);
const otherContentType = contentTypeProbe('content-type-other', 'An update declared as text/plain', 'text/plain');

const unknownMember = probe('unknown-members', ['adminKey', 'userId'], (requests) =>
  requests.update({
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
  probe: probe(`integer-spelling-${index + 1}`, ['adminKey', 'userId'], (requests) => {
    const segment = spell(requests.idOf('user'));
    if (segment === undefined) return undefined;
    return requests.update({
      subject: 'user',
      purpose: `An update with the path id ${segment}`,
      segment,
      meantId: 'open',
      body: requests.noChange(),
      meantBody: 'valid',
    });
  }),
}));

const userMembers = Object.keys(schema('createUserResponseSchema').properties);
const bannerMembers = Object.keys(schema('bannerSchema').properties);
const errorMembers = Object.keys(schema('errorSchema').properties);

function userBodies(evidence: Evidence): Record<string, unknown>[] {
  return evidence.exchanges.flatMap((exchange) => {
    const body = exchange.request.operation === 'updateUser' && isAccepted(exchange) ? objectBody(exchange) : undefined;
    return body ? [body] : [];
  });
}

/** The bodies of the errors that the contract lists. */
function errorBodies({ exchanges }: Evidence): Record<string, unknown>[] {
  return exchanges.flatMap((exchange) => {
    const body = errorName(exchange.response?.status ?? 0) === undefined ? undefined : objectBody(exchange);
    return body ? [body] : [];
  });
}

function bannersIn(evidence: Evidence): Record<string, unknown>[] | undefined {
  const [exchange] = answersOf(evidence, BANNERS);
  const banners = objectBody(exchange)?.banners;
  return Array.isArray(banners) ? (banners as unknown[]).filter(isRecord) : undefined;
}

function unlisted(bodies: readonly Record<string, unknown>[], known: readonly string[]): string[] {
  return bodies.flatMap((body) => Object.keys(body).filter((member) => !known.includes(member)));
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values)].sort().slice(0, 20);
}

function shapeOfRole(role: unknown): 'integer' | 'object' | 'other' {
  if (Number.isInteger(role)) return 'integer';
  return isRecord(role) ? 'object' : 'other';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const observers: readonly Observer[] = [
  {
    point: 'open.limits',
    uses: [],
    observe: ({ exchanges }) => {
      if (exchanges.length === 0) return undefined;
      const pauses = exchanges.reduce((sum, each) => sum + each.pauses, 0);
      return pauses > 0
        ? { observed: 'throttled', detail: pauses === 1 ? 'once' : `${pauses} times` }
        : 'not-throttled';
    },
  },
  byStatus('open.error-precedence', invalidForMissing, {
    400: 'invalid-body-first',
    404: 'missing-user-first',
    accepted: 'other',
  }),
  byStatus('open.permission-precedence', invalidByRestricted, {
    403: 'permission-first',
    400: 'invalid-body-first',
    accepted: 'other',
  }),
  {
    point: 'open.error-id-form',
    uses: [],
    observe: (evidence) => {
      const ids = errorBodies(evidence).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
      if (ids.length === 0) return undefined;
      if (ids.every((id) => UUID.test(id))) return 'uuid';
      return ids.every((id) => /^\d+$/.test(id)) ? 'digits' : 'other';
    },
  },
  {
    point: 'open.extra-members',
    uses: [BANNERS],
    observe: (evidence) => {
      const errors = errorBodies(evidence);
      const users = userBodies(evidence);
      const banners = bannersIn(evidence) ?? [];
      if (errors.length + users.length + banners.length === 0) return undefined;
      const extra = [
        ...unlisted(users, userMembers).map((member) => `user.${member}`),
        ...unlisted(banners, bannerMembers).map((member) => `banner.${member}`),
        ...unlisted(errors, errorMembers).map((member) => `error.${member}`),
      ];
      return extra.length > 0 ? { observed: 'present', detail: distinct(extra) } : 'absent';
    },
  },
  {
    point: 'open.empty-body',
    uses: [EMPTY_BODY],
    observe: (evidence) => {
      const status = evidence.scenarios.get(EMPTY_BODY.id)?.rounds[0]?.answers[1]?.response?.status;
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
        ({ id }) => scenarios.get(id)?.rounds.flatMap((round) => round.answers) ?? [],
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
  byStatus('open.non-integer-id', wordAsId, { 400: 'invalid', 404: 'not-found', accepted: 'other' }),
  {
    point: 'open.integer-spelling',
    uses: spellings.map(({ probe }) => probe),
    observe: (evidence) => {
      const tried = spellings.map(({ called, probe }) => ({ called, answers: answersOf(evidence, probe) }));
      if (tried.every(({ answers }) => answers.length === 0)) return undefined;
      const reached = tried.filter(({ answers }) => answers.some(isAccepted)).map(({ called }) => called);
      return reached.length > 0 ? { observed: 'some-accepted', detail: reached } : 'none-accepted';
    },
  },
  byStatus('open.banners-permission', RESTRICTED_BANNERS, { accepted: 'listed', 403: 'refused' }),
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
        const body = operation === 'updateUser' && meant.body === 'valid' ? sentBody(exchange.request) : undefined;
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
  {
    point: 'open.banner-fields',
    uses: [BANNERS],
    observe: (evidence) => {
      const banners = bannersIn(evidence);
      if (!banners) return undefined;
      if (banners.length === 0) return 'no-banners';
      const leftOut = bannerMembers.filter((member) =>
        banners.some((banner) => banner[member] === undefined || banner[member] === null),
      );
      return leftOut.length > 0 ? { observed: 'some-left-out', detail: leftOut } : 'all-shown';
    },
  },
  {
    point: 'open.banner-values',
    uses: [BANNERS],
    observe: (evidence) => {
      const banners = bannersIn(evidence);
      if (!banners) return undefined;
      const valuesOf = (member: string): unknown[] =>
        distinct(banners.map((banner) => banner[member]).filter((value) => typeof value === 'string'));
      const detail = { variant: valuesOf('variant'), icon: valuesOf('icon'), link: valuesOf('link') };
      return Object.values(detail).some((values) => values.length > 0) ? { observed: 'values', detail } : 'absent';
    },
  },
  {
    point: 'open.undocumented-statuses',
    uses: [],
    observe: ({ exchanges }) => {
      const answered = exchanges.filter(({ response }) => response);
      if (answered.length === 0) return undefined;
      const others = answered.flatMap(({ request, response }) =>
        response && !documentedStatuses(request.operation).includes(response.status)
          ? [`${request.method} ${response.status}`]
          : [],
      );
      return others.length > 0 ? { observed: 'seen', detail: distinct(others) } : 'none';
    },
  },
];

/** Traffic that only serves observations. */
export const observationTraffic: readonly Traffic[] = observers.flatMap(({ uses }) => uses);

function textOf(point: OpenPoint, observed: string | undefined): string {
  return point.observations.find(({ id }) => id === observed)?.text ?? 'Not seen in this run.';
}

/** What the evidence of a run shows of the open points that can be observed, in the order of the contract. */
export function observe(evidence: Evidence): Observation[] {
  return openPoints.flatMap((point) => {
    const observer = observers.find((each) => each.point === point.id);
    if (!observer) return [];
    const result = observer.observe(evidence);
    const { observed, detail } = typeof result === 'object' ? result : { observed: result, detail: undefined };
    return [{ id: point.id, observed, text: textOf(point, observed), ...(detail === undefined ? {} : { detail }) }];
  });
}
