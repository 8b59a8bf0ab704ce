import { isRecord, member, parsedJson } from '../../common/json.ts';
import { documentedStatuses, errorName, openPoints, route, schema, type SchemaName } from '../../contract/document.ts';
import { type Exchange, isDisturbance } from '../http/exchange.ts';
import type { Observation } from '../result/result.ts';
import { idIn, type User } from './compare.ts';
import type { On } from './on.ts';
import type { RunInputs } from './target.ts';
import { NONE } from './claims.ts';
import { inWords } from './words.ts';

/** What a run shows of one open point: one of its observations, with details; undefined if it shows nothing. */
type Seen = string | { readonly observed: string; readonly detail: readonly string[] } | undefined;
type Observer = (facts: Facts) => Seen;

/** An exchange, as observers look at it. */
interface Sent {
  readonly exchange: Exchange;
  readonly status: number;
  readonly isUpdate: boolean;
  readonly key: 'admin' | 'restricted' | undefined;
  /** Of an update, the last segment of its path. */
  readonly id: string | undefined;
  /** The body, if it is text, and its value, if it is JSON. */
  readonly body: string;
  readonly value: unknown;
}

interface Facts {
  readonly inputs: RunInputs;
  /** What got a response. */
  readonly log: readonly Sent[];
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

const spellingsOf = (id: string): string[] =>
  id.startsWith('-') ? [`-0${id.slice(1)}`, `${id}.0`] : [`0${id}`, `${id}.0`, `+${id}`];

/** Tells statuses apart by the first response to a request of some kind. */
function byStatus(
  isMeant: (sent: Sent, inputs: RunInputs) => boolean,
  observed: Readonly<Partial<Record<number | 'other', string>>>,
): Observer {
  return ({ log, inputs }) => {
    const found = log.find((each) => isMeant(each, inputs) && !isDisturbance(each.exchange.response));
    return found && (observed[found.status] ?? observed.other);
  };
}

/** One observation where there are details, and another where there is none. */
const detailed = (detail: readonly string[], observed: string, none: string): Seen =>
  detail.length > 0 ? { observed, detail } : none;

const CONTENT_TYPES = { 200: 'accepted', 400: 'refused-400', 415: 'refused-415', other: 'other' };
const isInvalidName = ({ value }: Sent): boolean => member(value, 'name') === 5;
const isOfType = ({ exchange: { request } }: Sent, type: string | undefined): boolean =>
  request.headers['Content-Type'] === type;
const distinct = (values: readonly unknown[]): string[] => [...new Set(values.map(String))].sort();

/** The letters and digits of a name, in lower case. */
const spelling = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The members of some objects that the contract does not list, and those that are other spellings of a missing one. */
function unlisted(what: string, objects: readonly User[], name: SchemaName) {
  const known = Object.keys(schema(name).properties);
  const shown = new Set(objects.flatMap((each) => Object.keys(each)));
  const extra = [...shown].filter((each) => !known.includes(each));
  const respelled = extra.flatMap((each) => {
    const meant = known.find((other) => spelling(other) === spelling(each) && !shown.has(other));
    return meant === undefined ? [] : [`${what}.${each} in place of ${meant}`];
  });
  return { extra: extra.map((each) => `${what}.${each}`), respelled };
}

function extraMembers({ users, banners, errors }: Facts): Seen {
  if (users.length + banners.length + errors.length === 0) return undefined;
  const all = [
    unlisted('user', users, 'createUserResponseSchema'),
    unlisted('banner', banners, 'bannerSchema'),
    unlisted('error', errors, 'errorSchema'),
  ];
  const respelled = distinct(all.flatMap((each) => each.respelled));
  if (respelled.length > 0) return { observed: 'respelled', detail: respelled };
  return detailed(distinct(all.flatMap((each) => each.extra)), 'present', 'absent');
}

function shapeOf(role: unknown): 'integer' | 'object' | 'other' {
  if (Number.isInteger(role)) return 'integer';
  return isRecord(role) ? 'object' : 'other';
}

const isAccepted = ({ isUpdate, status }: Sent): boolean => isUpdate && status === 200;
const sentRole = ({ value }: Sent): unknown => member(value, 'rootRole');

/** The roles that were accepted, by their form. */
function rolesInRequests({ log }: Facts): Seen {
  const roles = log.filter(isAccepted).map(sentRole);
  const forms = new Set(roles.filter((role) => role !== undefined).map(shapeOf));
  if (forms.has('other')) return 'other';
  return forms.size === 2 ? 'both' : [...forms][0];
}

function rolesInResponses({ users, log }: Facts): Seen {
  if (users.length === 0) return undefined;
  const withRole = users.filter((user) => Object.hasOwn(user, 'rootRole'));
  if (withRole.length === 0) return 'absent';
  const toSent = log.filter((each) => sentRole(each) !== undefined).map(({ exchange }) => exchange.response.json);
  if (withRole.length < users.length && withRole.every((user) => toSent.includes(user))) return 'only-when-sent';
  const forms = new Set(withRole.map(({ rootRole }) => shapeOf(rootRole)));
  return forms.size === 1 ? [...forms][0] : 'other';
}

/** The unusual names that were refused, of those that were sent. */
function unusualNames({ log, inputs }: Facts): Seen {
  const unusual = log.flatMap(({ value, key, id, status }) => {
    const name = isRecord(value) && Object.keys(value).length === 1 ? value.name : undefined;
    const isOwn = key === 'admin' && (id === inputs.userId || id === inputs.otherUserId);
    return isOwn && typeof name === 'string' && !/^Conformance [a-z ]+$/.test(name) ? [{ name, status }] : [];
  });
  if (unusual.length === 0) return undefined;
  const refused = unusual.filter(({ status }) => status === 400).map(({ name }) => inWords(name));
  return detailed(distinct(refused), 'some-refused', 'all-accepted');
}

/** How each open point is observed. */
const OBSERVERS: Readonly<Record<string, Observer>> = {
  'open.limits': ({ log }) => {
    const pauses = log.filter(({ status }) => status === 429 || status === 503);
    return detailed(pauses.length > 0 ? [`${pauses.length} times`] : [], 'throttled', 'not-throttled');
  },
  'open.error-precedence': byStatus(
    (each, { missingUserId }) => isInvalidName(each) && each.key === 'admin' && each.id === missingUserId,
    { 400: 'invalid-body-first', 404: 'missing-user-first', other: 'other' },
  ),
  'open.permission-precedence': byStatus((each) => isInvalidName(each) && each.key === 'restricted', {
    403: 'permission-first',
    400: 'invalid-body-first',
    other: 'other',
  }),
  'open.extra-members': extraMembers,
  'open.empty-body': byStatus(({ id, key, body }, { userId }) => id === userId && key === 'admin' && body === '{}', {
    200: 'accepted',
    400: 'refused',
    other: 'other',
  }),
  'open.content-type-absent': byStatus((each) => each.body === '{}' && isOfType(each, undefined), CONTENT_TYPES),
  'open.content-type-other': byStatus((each) => each.isUpdate && isOfType(each, 'text/plain'), CONTENT_TYPES),
  'open.unknown-members': byStatus(({ body }) => body === '{"conformanceProbe":true}', {
    200: 'ignored',
    400: 'refused',
    other: 'other',
  }),
  'open.non-integer-id': byStatus(({ id }) => id === 'abc', { 400: 'invalid', 404: 'not-found', other: 'other' }),
  'open.integer-spelling': ({ log, inputs }) => {
    const tried = log.filter(({ id = '' }) => spellingsOf(inputs.userId).includes(id));
    const accepted = tried.filter(isAccepted).map(({ id }) => String(id));
    return tried.length === 0 ? undefined : detailed(accepted, 'some-accepted', 'none-accepted');
  },
  'open.banners-permission': byStatus(({ isUpdate, key }) => !isUpdate && key === 'restricted', {
    200: 'listed',
    403: 'refused',
    other: 'other',
  }),
  'open.root-role-request': rolesInRequests,
  'open.root-role-response': rolesInResponses,
  'open.value-bounds': unusualNames,
  'open.shown-members': ({ users }) => {
    const members = Object.keys(schema('createUserResponseSchema').properties);
    const hidden = members.filter((name) => users.every((user) => !Object.hasOwn(user, name)));
    return users.length === 0 ? undefined : detailed(hidden, 'some', 'all');
  },
  'open.undocumented-statuses': ({ log }) => {
    const seen = log.flatMap(({ exchange: { request }, status }) =>
      documentedStatuses(request.operation).includes(status) ? [] : [`${route(request.operation).method} ${status}`],
    );
    return detailed(distinct(seen), 'seen', 'none');
  },
};

function factsOf(inputs: RunInputs, exchanges: readonly Exchange[]): Facts {
  const log = exchanges.flatMap((exchange): Sent[] => {
    const { request, response } = exchange;
    if (response.status === 0) return [];
    const { Authorization: key } = request.headers;
    const isUpdate = request.operation === 'updateUser';
    const body = typeof request.body === 'string' ? request.body : '';
    const restricted = key === inputs.restrictedKey && key !== undefined ? 'restricted' : undefined;
    return [
      {
        ...{ exchange, status: response.status, isUpdate, body, value: parsedJson(body) },
        id: isUpdate ? idIn(request) : undefined,
        key: key === inputs.adminKey ? 'admin' : restricted,
      },
    ];
  });
  const bodiesOf = (some: readonly Sent[]): User[] =>
    some.map(({ exchange }) => exchange.response.json).filter(isRecord);
  const lists = bodiesOf(log.filter(({ isUpdate, status }) => !isUpdate && status === 200));
  return {
    inputs,
    log,
    users: bodiesOf(log.filter(isAccepted)),
    banners: lists.flatMap(({ banners }) => (Array.isArray(banners) ? banners.filter(isRecord) : [])),
    errors: bodiesOf(log.filter(({ status }) => errorName(status) !== undefined)),
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
    const seen = facts.log.length === 0 ? undefined : observe(facts);
    const { observed, detail } = typeof seen === 'object' ? seen : { observed: seen, detail: undefined };
    const words = observations.find((each) => each.id === observed)?.text ?? 'This run did not see it.';
    return [
      { id, text: words, ...(observed !== undefined && { observed }), ...(detail && { detail: detail.map(text) }) },
    ];
  });
}
