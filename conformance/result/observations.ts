/** What a target does where the contract is silent, as the exchanges of a run show it. */
import { arrayOf, isRecord } from '../../common/json.ts';
import { inWords } from '../../common/text.ts';
import { documentedStatuses, errorName, openPoints, route, schema, type SchemaName } from '../../contract/document.ts';
import { type Exchange, isDisturbance, sentIn } from '../facts/exchange.ts';
import type { Observation } from '../facts/result.ts';
import type { Target } from '../http/target.ts';
import type { RunInputs } from '../inputs.ts';
import { idIn, type User } from '../users/differences.ts';
import { spellingsOf } from '../checks/unspecified.ts';

/** What a run shows of one open point: one of its observations, with details; undefined if it shows nothing. */
type Seen = string | { readonly observed: string; readonly detail?: readonly string[] } | undefined;
/** Looks at the exchanges in which there was a response. */
type Observer = (log: readonly Exchange[], inputs: RunInputs) => Seen;

const isUpdate = ({ request }: Exchange): boolean => request.operation === 'updateUser';
const isList = ({ request }: Exchange): boolean => request.operation === 'listBanners';
const statusOf = ({ response }: Exchange): number => response.status;
const hasKey = ({ request }: Exchange, key: string | undefined): boolean =>
  key !== undefined && request.headers.Authorization === key;
const textIn = ({ request: { body } }: Exchange): string => (typeof body === 'string' ? body : '');
const bodiesOf = (exchanges: readonly Exchange[]): User[] =>
  exchanges.map(({ response }) => response.json).filter(isRecord);

const isAccepted = (each: Exchange): boolean => isUpdate(each) && statusOf(each) === 200;
const usersIn = (log: readonly Exchange[]): User[] => bodiesOf(log.filter(isAccepted));

/** Tells statuses apart by the first response to a request of some kind. */
function byStatus(
  isMeant: (exchange: Exchange, inputs: RunInputs) => boolean,
  observed: Readonly<Record<number, string>>,
): Observer {
  return (log, inputs) => {
    const found = log.find((each) => isMeant(each, inputs) && !isDisturbance(each.response));
    return found && (observed[statusOf(found)] ?? 'other');
  };
}

/** One observation where there are details, and another where there is none. */
const detailed = (detail: readonly string[], observed: string, none: string): Seen =>
  detail.length > 0 ? { observed, detail } : none;

const CONTENT_TYPES = { 200: 'accepted', 400: 'refused-400', 415: 'refused-415' };
const isInvalidName = ({ request }: Exchange): boolean => sentIn(request).name === 5;
const hasType = ({ request }: Exchange, type: string | undefined): boolean => request.headers['Content-Type'] === type;
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

function extraMembers(log: readonly Exchange[]): Seen {
  const lists = bodiesOf(log.filter((each) => isList(each) && statusOf(each) === 200));
  const banners = lists.flatMap((list) => arrayOf(list.banners).filter(isRecord));
  const errors = bodiesOf(log.filter((each) => errorName(statusOf(each)) !== undefined));
  const users = usersIn(log);
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

const sentRole = ({ request }: Exchange): unknown => sentIn(request).rootRole;

/** The roles that were accepted, by their form. */
function rolesInRequests(log: readonly Exchange[]): Seen {
  const roles = log.filter(isAccepted).map(sentRole);
  const forms = new Set(roles.filter((role) => role !== undefined).map(shapeOf));
  if (forms.has('other')) return 'other';
  return forms.size === 2 ? 'both' : [...forms][0];
}

function rolesInResponses(log: readonly Exchange[]): Seen {
  const users = usersIn(log);
  if (users.length === 0) return undefined;
  const withRole = users.filter((user) => Object.hasOwn(user, 'rootRole'));
  if (withRole.length === 0) return 'absent';
  const toSent = bodiesOf(log.filter((each) => sentRole(each) !== undefined));
  if (withRole.length < users.length && withRole.every((user) => toSent.includes(user))) return 'only-when-sent';
  const forms = new Set(withRole.map(({ rootRole }) => shapeOf(rootRole)));
  return forms.size === 1 ? [...forms][0] : 'other';
}

/** The unusual names that were refused, of those that were sent. */
function unusualNames(log: readonly Exchange[], { adminKey, userId, otherUserId }: RunInputs): Seen {
  const isUnusual = (each: Exchange): boolean => {
    const { name, ...others } = sentIn(each.request);
    const isName = typeof name === 'string' && !/^Conformance [a-z ]+$/.test(name);
    const isOwn = hasKey(each, adminKey) && [userId, otherUserId].includes(idIn(each.request));
    return isOwn && isName && Object.keys(others).length === 0 && textIn(each) !== '';
  };
  const unusual = log.filter(isUnusual);
  if (unusual.length === 0) return undefined;
  const refused = unusual.filter((each) => statusOf(each) === 400);
  return detailed(
    distinct(refused.map(({ request }) => inWords(sentIn(request).name))),
    'some-refused',
    'all-accepted',
  );
}

/** How each open point is observed. */
const OBSERVERS: Readonly<Record<string, Observer>> = {
  'open.limits': (log) => {
    const pauses = log.filter((each) => [429, 503].includes(statusOf(each)));
    return detailed(pauses.length > 0 ? [`${pauses.length} times`] : [], 'throttled', 'not-throttled');
  },
  'open.error-precedence': byStatus(
    (each, { adminKey, missingUserId }) =>
      isInvalidName(each) && hasKey(each, adminKey) && idIn(each.request) === missingUserId,
    { 400: 'invalid-body-first', 404: 'missing-user-first' },
  ),
  'open.permission-precedence': byStatus(
    (each, { restrictedKey }) => isInvalidName(each) && hasKey(each, restrictedKey),
    { 403: 'permission-first', 400: 'invalid-body-first' },
  ),
  'open.extra-members': extraMembers,
  'open.empty-body': byStatus(
    (each, { adminKey, userId }) => idIn(each.request) === userId && hasKey(each, adminKey) && textIn(each) === '{}',
    { 200: 'accepted', 400: 'refused' },
  ),
  'open.content-type-absent': byStatus((each) => isUpdate(each) && hasType(each, undefined), CONTENT_TYPES),
  'open.content-type-other': byStatus((each) => isUpdate(each) && hasType(each, 'text/plain'), CONTENT_TYPES),
  'open.unknown-members': byStatus((each) => textIn(each) === '{"conformanceProbe":true}', {
    200: 'ignored',
    400: 'refused',
  }),
  'open.non-integer-id': byStatus(({ request }) => idIn(request) === 'abc', {
    400: 'invalid',
    404: 'not-found',
  }),
  'open.integer-spelling': (log, { userId }) => {
    const tried = log.filter(({ request }) => spellingsOf(userId).includes(idIn(request)));
    const accepted = tried.filter(isAccepted).map(({ request }) => idIn(request));
    return tried.length === 0 ? undefined : detailed(accepted, 'some-accepted', 'none-accepted');
  },
  'open.banners-permission': byStatus((each, { restrictedKey }) => isList(each) && hasKey(each, restrictedKey), {
    200: 'listed',
    403: 'refused',
  }),
  'open.root-role-request': rolesInRequests,
  'open.root-role-response': rolesInResponses,
  'open.value-bounds': unusualNames,
  'open.shown-members': (log) => {
    const users = usersIn(log);
    const members = Object.keys(schema('createUserResponseSchema').properties);
    const hidden = members.filter((name) => users.every((user) => !Object.hasOwn(user, name)));
    return users.length === 0 ? undefined : detailed(hidden, 'some', 'all');
  },
  'open.undocumented-statuses': (log) => {
    const undocumented = log.filter((each) => !documentedStatuses(each.request.operation).includes(statusOf(each)));
    const seen = undocumented.map((each) => `${route(each.request.operation).method} ${statusOf(each)}`);
    return detailed(distinct(seen), 'seen', 'none');
  },
};

/**
 * What a target does where the contract is silent, in the order of the contract. None of it is judged.
 *
 * @param text withholds keys
 */
export function observationsOf(target: Pick<Target, 'inputs' | 'log'>, text: (text: string) => string): Observation[] {
  const log = target.log.filter((each) => statusOf(each) !== 0);
  return openPoints.flatMap(({ id, observations }): Observation[] => {
    const observe = OBSERVERS[id];
    if (!observe) return [];
    const seen = log.length === 0 ? undefined : observe(log, target.inputs);
    const { observed, detail } = typeof seen === 'object' ? seen : { observed: seen };
    const words = observations.find((each) => each.id === observed)?.text ?? 'This run did not see it.';
    return [{ id, text: words, observed, detail: detail?.map(text) }];
  });
}
