import {
  documentedStatuses,
  errorName,
  type JsonSchema,
  type OperationId,
  type Requirement,
  schema,
  type SchemaName,
} from '../../contract/document.ts';
import type { Violation } from '../../contract/validators.ts';
import { isDeepStrictEqual } from 'node:util';
import { atPointer, rememberingEach } from '../../common/json.ts';
import { groupedBy } from '../../common/text.ts';
import {
  ABSENT,
  type Exchange,
  inWords,
  isAccepted,
  objectBody,
  type ResponseRecord,
  sentBody,
} from '../http/exchange.ts';
import type { Effect } from '../resources/effect.ts';
import { isMissing } from '../resources/inputs.ts';
import { internalsIn } from './internals.ts';
import type { Found, Notes } from './facts.ts';
import { isCarriedOut } from './outcomes.ts';
import { statusOf, type View } from './recording/view.ts';
import type { ResourceId } from '../resources/resource.ts';

/** An object in a body. */
export interface ShownObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly pointer: string;
}

/** What the bodies of an operation show, and how what is particular to it is judged. */
export interface JudgedOperation {
  /** Its `operationId` in openapi.yaml. */
  readonly id: OperationId;
  /** What it does to the resource that it addresses; an operation whose path has `{id}` needs it. */
  readonly effect?: Effect;
  /** What its 200 response shows; stands for it in the id `json-<shown>`. */
  readonly shown: string;
  /** What the objects of an accepted response are called, their schema, and each with its JSON pointer. */
  readonly shows: {
    readonly object: string;
    /** The resource that they are, if requests can address it. */
    readonly resource?: ResourceId;
    readonly schema: SchemaName;
    /** Undefined if the body does not have the shape to show any. */
    readonly objects: (exchange: Exchange) => readonly ShownObject[] | undefined;
  };
  /** Judges what is particular to its accepted bodies; false if nothing in the body can be read. */
  readonly judgeBody?: (exchange: Exchange, view: View, notes: Notes) => boolean;
  /** Judges the state of the resource that its updates show, over the run. */
  readonly judgeState?: (view: View, notes: Notes, damage: ReadonlyMap<Exchange, Exchange>, rows: Rows) => void;
  /** Judges what is particular to all that the run sent. */
  readonly judgeRun?: (view: View, notes: Notes) => void;
}

/** What is said of operations and traffic elsewhere. */
export interface Rows {
  /** The check that the refused requests of an item of the traffic change nothing. */
  readonly refusals: (item: string) => string | undefined;
  readonly operationOf: (id: OperationId) => JudgedOperation | undefined;
}

const { required: ERROR_MEMBERS = [] } = schema('errorSchema');

/**
 * The responses with a documented error status whose body the contract describes. Where an operation gets 404 only, the router
 * responded, and it may know nothing of the contract.
 */
export function documentedErrors(exchanges: readonly Exchange[]): readonly Exchange[] {
  const responded = exchanges.filter(({ response }) => response && response.status !== 404);
  const found = new Set(responded.map(({ request }) => request.operation));
  return exchanges.filter((each) => {
    const { request } = each;
    const status = statusOf(each);
    if (errorName(status) === undefined || !documentedStatuses(request.operation).includes(status)) return false;
    if (!found.has(request.operation)) return false;
    const isJson = request.headers['Content-Type'] === 'application/json';
    if (request.meant.id === 'unspecified' || (request.meant.body === 'unspecified' && !isJson)) return false;
    return !(request.meant.id === 'invalid' && status === 404);
  });
}

/** Responses to bodies that are not UTF-8, and those that show what they may have left in a user. */
function ofInvalidBytes(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const found = new Set<Exchange>();
  const left = new Set<string>();
  for (const exchange of exchanges) {
    const { request } = exchange;
    if (request.charset !== undefined) left.add(request.subject);
    else if (isAccepted(exchange) && Object.keys(sentBody(request) ?? {}).length > 0) left.delete(request.subject);
    if (left.has(request.subject)) found.add(exchange);
  }
  return found;
}

/** The 200 responses to requests that the target must not refuse, by operation. */
export const successesIn = rememberingEach(
  (exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> => {
    const invalid = ofInvalidBytes(exchanges);
    const found = exchanges.filter((exchange) => {
      const { credential, meant, subject } = exchange.request;
      const mustBeRefused = meant.id !== 'valid' || meant.body === 'invalid' || isMissing(subject);
      const mayBeRefused = credential.role !== 'admin' || meant.body !== 'valid';
      if (statusOf(exchange) !== 200 || credential.role === undefined || mustBeRefused || invalid.has(exchange))
        return false;
      return isAccepted(exchange) || !mayBeRefused;
    });
    return new Map(groupedBy(found, ({ request }) => request.operation));
  },
);

/** A deviation in one aspect of a response, which one check judges. */
export function aspect(found: Omit<Found, 'kind'>): Found {
  return { kind: 'response', ...found };
}

function judgeMediaType(x: Exchange, check: string, notes: Notes): boolean {
  const { headers, json, text } = x.response ?? {};
  const type = headers?.['content-type'];
  const status = statusOf(x);
  const own = { x, checks: [check], requirements: ['bodies.json'] };
  if (json && !json.ok) {
    const message = `The body of a ${status} response cannot be read as JSON: ${json.reason}.`;
    notes.deviates({ kind: 'shape', ...own, mode: 'not-json', expected: 'a JSON text', actual: text ?? '', message });
    return false;
  }
  if (!/^(application|text)\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(type ?? '')) {
    const message = `The Content-Type of a ${status} response is ${type === undefined ? 'missing' : JSON.stringify(type)}, expected a JSON media type.`;
    notes.deviates(
      aspect({ ...own, mode: 'wrong-media-type', expected: 'application/json', actual: type ?? ABSENT, message }),
    );
  } else notes.holds([check], x);
  return true;
}

const ERROR_BODY = `an object with the strings ${ERROR_MEMBERS.join(', ')}`;

/** Judges that an error shows nothing of the inside of the server. */
function judgeInternals(x: Exchange, response: ResponseRecord, notes: Notes): void {
  const internals = internalsIn(response);
  if (internals === undefined) {
    notes.holds(['error-shows-no-internals'], x);
    return;
  }
  const message = `${x.request.purpose}: the ${statusOf(x)} response shows ${internals}.`;
  const own = { x, checks: ['error-shows-no-internals'], requirements: ['errors.no-internals'] };
  notes.deviates(
    aspect({ ...own, mode: 'internals-shown', expected: 'a description for clients', actual: internals, message }),
  );
}

/** Notes that an error response shows that its request was carried out. */
function noteCarriedOut(x: Exchange, notes: Notes): void {
  const { json, text } = x.response ?? {};
  const status = statusOf(x);
  const own = json?.ok
    ? { checks: [`error-body-${status}`], requirements: ['errors.body'], mode: 'wrong-error-body' }
    : { checks: ['json-error'], requirements: ['bodies.json'], mode: 'not-json' };
  const message = `The body of a ${status} response shows that the target goes on after it refused: it carried the request out.`;
  const actual = json?.ok ? json.value : text;
  notes.deviates({ kind: 'carried-out', x, ...own, expected: ERROR_BODY, actual, message });
}

/** Notes that some checks have nothing to judge in responses with a status, unless another one has. */
function doubtBodies(x: Exchange, checks: readonly string[], notes: Notes): void {
  const detail = `no ${statusOf(x)} response has such a body`;
  notes.doubtful(checks, { reason: 'precondition-failed', detail, exchanges: [x], isWeak: true });
}

/** Judges the shape of an error body, and its name. */
function judgeErrorBody(x: Exchange, validators: View['validators'], notes: Notes): void {
  const status = statusOf(x);
  const actual = x.response?.json.ok ? x.response.json.value : undefined;
  const [violation] = validators.bodies.errorSchema(actual);
  if (violation) {
    const { pointer } = violation;
    const what = pointer === '' ? `it ${violation.message}` : `\`${pointer.slice(1)}\` ${violation.message}`;
    const message = `The body of a ${status} response is not an error body: ${what}.`;
    const own = { x, checks: [`error-body-${status}`], requirements: ['errors.body'], mode: 'wrong-error-body' };
    const expected = pointer === '' ? ERROR_BODY : `(${violation.expected})`;
    notes.deviates(aspect({ ...own, actual: atPointer(actual, pointer), expected, pointer, message }));
    doubtBodies(x, [`error-name-${status}`, 'error-message-given', 'error-id-distinct'], notes);
    return;
  }
  notes.holds([`error-body-${status}`], x);
  const [name, expected] = [objectBody(x)?.name, errorName(status)];
  if (name === expected) {
    notes.holds([`error-name-${status}`], x);
    return;
  }
  const message = `A ${status} response has the error name ${inWords(name)}, expected ${JSON.stringify(expected)}.`;
  const own = { x, checks: [`error-name-${status}`], requirements: ['errors.name'], mode: 'wrong-error-name' };
  notes.deviates(aspect({ ...own, expected, actual: name, pointer: '/name', message }));
}

function judgeErrorMessage(x: Exchange, actual: unknown, notes: Notes): void {
  if (typeof actual !== 'string') return;
  if (actual.trim() !== '') {
    notes.holds(['error-message-given'], x);
    return;
  }
  const own = { x, checks: ['error-message-given'], requirements: ['errors.message'], mode: 'empty' };
  const message = `The \`message\` of a ${statusOf(x)} response is empty.`;
  notes.deviates(aspect({ ...own, expected: '(a description)', actual, pointer: '/message', message }));
}

/** @param ids those of earlier errors, with the first exchange that shows each */
function judgeErrorId(x: Exchange, actual: unknown, ids: Map<string, Exchange>, notes: Notes): void {
  if (typeof actual !== 'string') return;
  const earlier = ids.get(actual);
  if (!earlier) {
    if (ids.size > 0) notes.holds(['error-id-distinct'], x);
    ids.set(actual, x);
    return;
  }
  const message = `Two error responses have the same id ${inWords(actual)}.`;
  const own = { x, shows: [earlier, x], checks: ['error-id-distinct'], requirements: ['errors.id-per-instance'] };
  notes.deviates(aspect({ ...own, mode: 'repeated-id', expected: '(a unique id)', actual, pointer: '/id', message }));
}

/** Judges the bodies of all documented errors. Source: Resources, Error body; Errors. */
export function judgeErrors(view: View, notes: Notes): void {
  const { exchanges, validators } = view;
  const ids = new Map<string, Exchange>();
  for (const x of exchanges) if (x.response && statusOf(x) >= 400) judgeInternals(x, x.response, notes);
  for (const x of documentedErrors(exchanges)) {
    const status = statusOf(x);
    if (x.request.due.class === 'refuse' && isCarriedOut(x, view)) noteCarriedOut(x, notes);
    if (!judgeMediaType(x, 'json-error', notes)) {
      doubtBodies(x, [`error-body-${status}`, `error-name-${status}`], notes);
      continue;
    }
    judgeErrorBody(x, validators, notes);
    const body = objectBody(x);
    judgeErrorMessage(x, body?.message, notes);
    judgeErrorId(x, body?.id, ids, notes);
  }
}

function requirementOf(definition: JsonSchema): Requirement | undefined {
  return ((definition['x-requirements'] ?? []) as Requirement[])[0];
}

/** The members of a schema that have a requirement, each with its check. */
export const membersOf = (
  name: SchemaName,
): readonly { member: string; requirement: Requirement; isRequired: boolean; isSample: boolean; check: string }[] => {
  const { properties, required = [] } = schema(name);
  return Object.entries(properties).flatMap(([member, definition]: [string, JsonSchema]) => {
    const requirement = requirementOf(definition);
    if (!requirement) return [];
    const check = requirement.id.replace('.', '-');
    return [
      { member, requirement, check, isRequired: required.includes(member), isSample: 'x-sample-type' in definition },
    ];
  });
};

/** How a value is wrong: null, or a value of one type in place of another one. */
export function wayOf(value: unknown, violation: string): string {
  return value === null ? 'null' : `${typeof value} ${violation.split(' or ')[0] ?? ''}`;
}

function invalidSent(view: View): (member: string, value: unknown, before: Exchange) => boolean {
  // What was refused and shows all the same may have been stored; null may come from somewhere else.
  const isLike = (each: Exchange, value: unknown): boolean => value !== null || isAccepted(each);
  const sent = view.exchanges.filter(({ request }) => request.meant.body === 'invalid');
  return (member, value, before) =>
    sent.some((each) => {
      const body = sentBody(each.request) ?? {};
      const isSent = Object.hasOwn(body, member) && isDeepStrictEqual(body[member], value);
      return each.startedAt < before.startedAt && isSent && isLike(each, value);
    });
}

/** Judges the members of an object that a response shows. */
function judgeMembers(
  x: Exchange,
  { value, pointer }: ShownObject,
  { shows: { schema: name, object } }: JudgedOperation,
  members: ReturnType<typeof membersOf>,
  { validators }: View,
  wasSentInvalid: ReturnType<typeof invalidSent>,
  notes: Notes,
): void {
  for (const { member, requirement, isRequired, isSample, check } of members) {
    const place = `${pointer}/${member}`;
    const own = {
      kind: 'member',
      ...{ x, checks: [check], requirements: [requirement.id], member },
      ...(pointer === '' ? { subject: x.request.subject } : {}),
    } as const;
    const actual = value[member];
    const [violation]: readonly Violation[] = validators.members[name].get(member)?.(actual) ?? [];
    const expected = `(${violation?.expected ?? ''})`;
    if (!Object.hasOwn(value, member) || (isSample && actual === null)) {
      const message = `The 200 body has no \`${place.slice(1)}\`: a ${object} must have it.`;
      if (isRequired) notes.deviates({ ...own, mode: 'missing', expected, actual: ABSENT, pointer: place, message });
      continue;
    }
    if (!violation) notes.holds([check], x);
    else if (!wasSentInvalid(member, actual, x)) {
      const wrong = atPointer(actual, violation.pointer);
      const at = (pointer === '' ? member : place) + violation.pointer;
      const message = `${at} is ${inWords(wrong)}; it ${violation.message}.`;
      const way = { mode: 'wrong-type', old: wayOf(wrong, violation.message) };
      notes.deviates({ ...own, ...way, expected, actual: wrong, pointer: place + violation.pointer, message });
    }
  }
}

/** Judges the bodies of accepted requests: JSON, the shape, and each member of the objects that they show. */
export function judgeBodies(view: View, operations: readonly JudgedOperation[], notes: Notes): void {
  const wasSentInvalid = invalidSent(view);
  const looked = new Set<unknown>();
  for (const operation of operations) {
    const { shows, shown, id } = operation;
    const members = membersOf(shows.schema);
    const successes = successesIn(view.exchanges).get(id) ?? [];
    for (const x of successes) {
      if (!judgeMediaType(x, `json-${shown}`, notes)) continue;
      const body = objectBody(x);
      if (body !== undefined && looked.has(body)) continue;
      looked.add(body);
      if (operation.judgeBody?.(x, view, notes) === false) continue;
      for (const object of shows.objects(x) ?? [])
        judgeMembers(x, object, operation, members, view, wasSentInvalid, notes);
    }
    if (!successes.some((x) => shows.objects(x) !== undefined)) continue;
    for (const { member, check } of members)
      notes.absent(check, `no response showed a ${shows.object} with \`${member}\``);
  }
}
