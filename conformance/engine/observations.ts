import { isRecord, parsedJson } from '../../common/json.ts';
import { documentedStatuses, errorName, openPoints, route, schema, type SchemaName } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Observation } from '../result/result.ts';
import type { User } from './compare.ts';
import { NONE } from './verbs.ts';
import type { On } from './on.ts';
import { isDisturbance, type RunInputs } from './target.ts';
import { inWords } from './words.ts';

/** What a run shows of one open point: one of its observations, with details; undefined if it shows nothing. */
type Seen = string | { readonly observed: string; readonly detail: readonly string[] } | undefined;
type Observer = (facts: Facts) => Seen;

/** What observations are made of. */
interface Facts {
  readonly inputs: RunInputs;
  readonly log: readonly Exchange[];
  readonly users: readonly User[];
  readonly banners: readonly User[];
  readonly errors: readonly User[];
}

/** Sends the requests that serve only observations. They change nothing, whatever a target makes of them. */
export async function sendForObservations(on: On): Promise<void> {
  const { user } = on;
  const plain = user.update({}, { openBodies: [400, 404] });
  const requests = [
    user.update({}, { headers: { 'Content-Type': NONE } }),
    user.update({}, { headers: { 'Content-Type': 'text/plain' } }),
    ...spellingsOf(user.id).map((segment) => ({ ...plain, path: `/api/admin/user-admin/${segment}` })),
  ];
  await Promise.all(requests.map((request) => on.attempt(request)));
}

/** Other spellings of an id. */
const spellingsOf = (id: string): string[] =>
  id.startsWith('-') ? [`-0${id.slice(1)}`, `${id}.0`] : [`0${id}`, `${id}.0`, `+${id}`];

const bodyOf = ({ request }: Exchange): unknown => parsedJson(String(request.body ?? ''));
const segmentOf = ({ request }: Exchange): string => request.path.split('/').at(-1) ?? '';
const isAdmins = ({ request }: Exchange, { inputs }: Facts): boolean =>
  request.headers.Authorization === inputs.adminKey;

/** Tells statuses apart by the first response to a request of some kind. */
function byStatus(
  isMeant: (exchange: Exchange, facts: Facts) => boolean,
  observed: Readonly<Partial<Record<number | 'other', string>>>,
): Observer {
  return (facts) => {
    const exchange = facts.log.find((each) => isMeant(each, facts) && !isDisturbance(each.response));
    return exchange && (observed[exchange.response.status] ?? observed.other);
  };
}

const isUserPath = (exchange: Exchange, { inputs }: Facts): boolean => segmentOf(exchange) === inputs.userId;
const isUpdate = ({ request }: Exchange): boolean => request.operation === 'updateUser';
const isInvalidName = (exchange: Exchange): boolean => {
  const body = bodyOf(exchange);
  return isRecord(body) && body.name === 5;
};

const CONTENT_TYPES = { 200: 'accepted', 400: 'refused-400', 415: 'refused-415', other: 'other' };
const distinct = (values: readonly unknown[]): string[] => [...new Set(values.map(String))].sort();

/** The letters and digits of a name, in lower case. */
const spelling = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The members of some objects that the contract does not list, and those that are other spellings of a missing one. */
function unlisted(what: string, objects: readonly User[], name: SchemaName) {
  const known = Object.keys(schema(name).properties);
  const shown = new Set(objects.flatMap((each) => Object.keys(each)));
  const extra = [...shown].filter((member) => !known.includes(member));
  const respelled = extra.flatMap((member) => {
    const meant = known.find((each) => spelling(each) === spelling(member) && !shown.has(each));
    return meant === undefined ? [] : [`${what}.${member} in place of ${meant}`];
  });
  return { extra: extra.map((member) => `${what}.${member}`), respelled };
}

function shapeOf(role: unknown): 'integer' | 'object' | 'other' {
  if (Number.isInteger(role)) return 'integer';
  return isRecord(role) ? 'object' : 'other';
}

const USER_MEMBERS = Object.keys(schema('createUserResponseSchema').properties);
const BANNER_MEMBERS = Object.keys(schema('bannerSchema').properties);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function extraMembers({ users, banners, errors }: Facts): Seen {
  const all = [
    unlisted('user', users, 'createUserResponseSchema'),
    unlisted('banner', banners, 'bannerSchema'),
    unlisted('error', errors, 'errorSchema'),
  ];
  const [respelled, extra] = [all.flatMap((each) => each.respelled), all.flatMap((each) => each.extra)];
  if (respelled.length > 0) return { observed: 'respelled', detail: distinct(respelled) };
  if (users.length + banners.length + errors.length === 0) return undefined;
  return extra.length > 0 ? { observed: 'present', detail: distinct(extra) } : 'absent';
}

/** The roles that were accepted, by their form. */
function rolesInRequests({ log }: Facts): Seen {
  const sent = log.filter((each) => isUpdate(each) && each.response.status === 200).map(bodyOf);
  const forms = new Set(
    sent.flatMap((body) => (isRecord(body) && body.rootRole !== undefined ? [shapeOf(body.rootRole)] : [])),
  );
  if (forms.size === 0) return undefined;
  if (forms.has('other')) return 'other';
  return forms.size === 2 ? 'both' : [...forms][0];
}

function rolesInResponses({ users, log }: Facts): Seen {
  if (users.length === 0) return undefined;
  const withRole = users.filter((user) => Object.hasOwn(user, 'rootRole'));
  if (withRole.length === 0) return 'absent';
  const sentRole = log.filter((each) => {
    const body = bodyOf(each);
    return isUpdate(each) && each.response.status === 200 && isRecord(body) && Object.hasOwn(body, 'rootRole');
  });
  const onlyThere = sentRole.map(({ response }) => response.json);
  if (withRole.every((user) => onlyThere.includes(user)) && withRole.length < users.length) return 'only-when-sent';
  const forms = new Set(withRole.map(({ rootRole }) => shapeOf(rootRole)));
  return forms.size === 1 ? [...forms][0] : 'other';
}

/** The unusual names that were refused, of those that were sent. */
function unusualNames({ log, inputs }: Facts): Seen {
  const unusual = log.filter((each) => {
    // Bytes that are not UTF-8 are no name.
    if (typeof each.request.body !== 'string') return false;
    const body = bodyOf(each);
    const name = isRecord(body) && Object.keys(body).length === 1 ? body.name : undefined;
    const isOwn = isUserPath(each, { inputs } as Facts) || segmentOf(each) === inputs.otherUserId;
    return (
      isOwn &&
      each.request.headers.Authorization === inputs.adminKey &&
      typeof name === 'string' &&
      !/^Conformance [a-z ]+$/.test(name)
    );
  });
  if (unusual.length === 0) return undefined;
  const refused = unusual.filter(({ response }) => response.status === 400);
  const names = refused.map((each) => inWords((bodyOf(each) as User).name));
  return refused.length > 0 ? { observed: 'some-refused', detail: distinct(names) } : 'all-accepted';
}

function leftOut({ banners, log }: Facts): Seen {
  const isListed = log.some(({ request, response }) => request.operation === 'listBanners' && response.status === 200);
  if (banners.length === 0) return isListed ? 'no-banners' : undefined;
  const missing = BANNER_MEMBERS.filter((member) => banners.some((each) => (each[member] ?? null) === null));
  return missing.length > 0 ? { observed: 'some-left-out', detail: missing } : 'all-shown';
}

function valuesOf(objects: readonly User[], members: readonly string[]): Seen {
  if (objects.length === 0) return undefined;
  const detail = members.flatMap((member) => {
    const values = distinct(objects.map((each) => each[member]).filter((value) => typeof value === 'string'));
    return values.length === 0 ? [] : [`${member}: ${values.join(', ')}`];
  });
  return detail.length > 0 ? { observed: 'values', detail } : 'absent';
}

/** How each open point is observed. */
const OBSERVERS: Readonly<Record<string, Observer>> = {
  'open.limits': ({ log }) => {
    const pauses = log.filter(({ response }) => [429, 503].includes(response.status)).length;
    if (log.every(({ response }) => response.status === 0)) return undefined;
    return pauses > 0 ? { observed: 'throttled', detail: [`${pauses} times`] } : 'not-throttled';
  },
  'open.error-precedence': byStatus(
    (each, facts) => isInvalidName(each) && isAdmins(each, facts) && segmentOf(each) === facts.inputs.missingUserId,
    { 400: 'invalid-body-first', 404: 'missing-user-first', other: 'other' },
  ),
  'open.permission-precedence': byStatus(
    (each, { inputs }) =>
      isInvalidName(each) &&
      inputs.restrictedKey !== undefined &&
      each.request.headers.Authorization === inputs.restrictedKey,
    { 403: 'permission-first', 400: 'invalid-body-first', other: 'other' },
  ),
  'open.extra-members': extraMembers,
  'open.empty-body': byStatus(
    (each, facts) => isUserPath(each, facts) && isAdmins(each, facts) && each.request.body === '{}',
    { 200: 'accepted', 400: 'refused', other: 'other' },
  ),
  'open.content-type-absent': byStatus(
    (each) => isUpdate(each) && each.request.body === '{}' && each.request.headers['Content-Type'] === undefined,
    CONTENT_TYPES,
  ),
  'open.content-type-other': byStatus(
    (each) => isUpdate(each) && each.request.headers['Content-Type'] === 'text/plain',
    CONTENT_TYPES,
  ),
  'open.unknown-members': byStatus((each) => each.request.body === '{"conformanceProbe":true}', {
    200: 'ignored',
    400: 'refused',
    other: 'other',
  }),
  'open.non-integer-id': byStatus((each) => segmentOf(each) === 'abc', {
    400: 'invalid',
    404: 'not-found',
    other: 'other',
  }),
  'open.integer-spelling': ({ log, inputs }) => {
    const tried = log.filter((each) => spellingsOf(inputs.userId).includes(segmentOf(each)));
    const accepted = tried.filter(({ response }) => response.status === 200);
    if (tried.length === 0) return undefined;
    return accepted.length > 0 ? { observed: 'some-accepted', detail: accepted.map(segmentOf) } : 'none-accepted';
  },
  'open.banners-permission': byStatus(
    (each, { inputs }) =>
      each.request.operation === 'listBanners' &&
      inputs.restrictedKey !== undefined &&
      each.request.headers.Authorization === inputs.restrictedKey,
    { 200: 'listed', 403: 'refused', other: 'other' },
  ),
  'open.root-role-request': rolesInRequests,
  'open.root-role-response': rolesInResponses,
  'open.value-bounds': unusualNames,
  'open.shown-members': ({ users }) => {
    if (users.length === 0) return undefined;
    const hidden = USER_MEMBERS.filter((member) => users.every((user) => !Object.hasOwn(user, member)));
    return hidden.length > 0 ? { observed: 'some', detail: hidden } : 'all';
  },
  'open.account-type-values': ({ users }) => valuesOf(users, ['accountType']),
  'open.banner-fields': leftOut,
  'open.banner-values': ({ banners }) => valuesOf(banners, ['variant', 'icon', 'link']),
  'open.error-id-form': ({ errors }) => {
    const ids = errors.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    if (ids.length === 0) return undefined;
    if (ids.every((id) => UUID.test(id))) return 'uuid';
    return ids.every((id) => /^\d+$/.test(id)) ? 'digits' : 'other';
  },
  'open.undocumented-statuses': ({ log }) => {
    const seen = log.flatMap(({ request: { operation }, response: { status } }) =>
      status === 0 || documentedStatuses(operation).includes(status) ? [] : [`${route(operation).method} ${status}`],
    );
    if (log.every(({ response }) => response.status === 0)) return undefined;
    return seen.length > 0 ? { observed: 'seen', detail: distinct(seen) } : 'none';
  },
};

function factsOf(inputs: RunInputs, log: readonly Exchange[]): Facts {
  const bodies = log.flatMap(({ request, response }) => {
    const { status, json } = response;
    return isRecord(json) ? [{ operation: request.operation, status, json }] : [];
  });
  const shown = bodies.filter(({ status }) => status === 200);
  const listed = shown.filter(({ operation }) => operation === 'listBanners').map(({ json }) => json.banners);
  return {
    inputs,
    log,
    users: shown.filter(({ operation }) => operation === 'updateUser').map(({ json }) => json),
    banners: listed.flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : [])),
    errors: bodies.filter(({ status }) => errorName(status) !== undefined).map(({ json }) => json),
  };
}

/**
 * What a target does where the contract is silent, in the order of the contract. None of it is judged.
 *
 * @param log every exchange of the run
 * @param text withholds keys
 */
export function observationsOf(
  inputs: RunInputs,
  log: readonly Exchange[],
  text: (text: string) => string,
): Observation[] {
  const facts = factsOf(inputs, log);
  return openPoints.flatMap(({ id, observations }): Observation[] => {
    const observe = OBSERVERS[id];
    if (!observe) return [];
    const seen = observe(facts);
    const { observed, detail } = typeof seen === 'object' ? seen : { observed: seen, detail: undefined };
    const words = observations.find((each) => each.id === observed)?.text ?? 'This run did not see it.';
    return [
      { id, text: words, ...(observed !== undefined && { observed }), ...(detail && { detail: detail.map(text) }) },
    ];
  });
}
