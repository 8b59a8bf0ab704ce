/** Makes words of faults: what the target does, what it should do, and what came. Nothing reads them back. */
import { counted, filled, inWords, listed, named, startOf } from '../../common/text.ts';
import { route } from '../../contract/document.ts';
import { isUpdate, type Request, sentIn } from '../facts/exchange.ts';
import {
  isNowAndThen,
  type Fault,
  type MemberChange,
  type MemberFault,
  type Problem,
  type ResponseFault,
  type ResponseRule,
  type SpecialFault,
  type StatusFault,
  type ToldRequest,
} from '../facts/fault.ts';
import { objectOf } from '../../common/json.ts';
import { idIn, isEmpty, isSame, isUpdatable } from '../users/differences.ts';

/** A fault in words. */
export interface Words {
  /** What the server does, in its implementer's words. */
  readonly title: string;
  readonly expected: string;
  readonly actual: string;
}

/** More statuses than these are told as a class. */
const MOST_STATUSES = 5;

function statusesInWords(statuses: readonly number[]): string {
  if (statuses.length <= MOST_STATUSES) return listed(statuses, 'or');
  return statuses.includes(200) ? '200 or a 4xx status' : 'a 4xx status';
}

const WHEN = {
  concurrently: ', sent during other updates,',
  'after-refusal': ' right after a refused request',
  'after-update': ', sent right after an update,',
  'between-updates': ', sent between two updates,',
} as const;

const PLAIN_FIELDS = { accept: 'application/json', 'content-type': 'application/json' } as const;

/** The header fields of a request that are not the usual ones. */
function unusualFields({ headers }: Request): string {
  const fields = Object.entries(headers).filter(([name, value]) => {
    const usual = PLAIN_FIELDS[name.toLowerCase() as keyof typeof PLAIN_FIELDS] as string | undefined;
    return usual !== undefined && usual !== value;
  });
  return fields.map(([name, value]) => ` with \`${name}: ${value}\``).join('');
}

/** The members of an update, if it sends those alone that an update can set, as text or number; undefined otherwise. */
function plainMembersOf(request: Request): readonly string[] | undefined {
  const sent = sentIn(request);
  const members = Object.keys(sent);
  const isPlain = members.length > 0 && members.every(isUpdatable) && JSON.stringify(sent) === request.body;
  return isPlain && !request.path.includes('?') ? members : undefined;
}

/** Of a body with more characters, their number is told. */
const LONG = 400;

/** The body of a request; of a long one the start, and how long it is. */
function bodyInWords({ body }: Request): string {
  const text = String(body);
  return text.length > LONG ? `${startOf(text)} (${counted(text.length, 'character')})` : startOf(text);
}

/** An update, as the start of a sentence: "Updating only `name`". */
function updateInWords({ request, how, when, isUnusual }: ToldRequest): string {
  const end = when === undefined ? '' : WHEN[when];
  if (how !== undefined) return `An update ${how}${end}`;
  const members = isUnusual ? undefined : plainMembersOf(request);
  if (members) return `Updating ${members.length === 1 ? 'only ' : ''}${named(members)}${unusualFields(request)}${end}`;
  const [, query] = request.path.split('?');
  if (query !== undefined) return `An update with the query ${startOf(`?${query}`)}${end}`;
  return `An update with ${bodyInWords(request)}${end}`;
}

/** A request, as the start of a sentence; without its query, in which a key may be. */
export function requestInWords({ request, how, when }: ToldRequest): string {
  const [address = ''] = request.path.split('?');
  const { method } = route(request.operation);
  const what = `${method} ${address}`;
  const end = when === undefined ? '' : WHEN[when];
  if (how !== undefined) return `${what} ${how}${end}`;
  if (method === 'GET') return `${what}${end}`;
  return `${what} ${request.body === undefined ? 'without a body' : `with ${bodyInWords(request)}`}${end}`;
}

function wordsOfStatus({ due, came, lost, ...told }: StatusFault): Words {
  const isOfUpdate = due.includes(200) && isUpdate(told.request);
  const what = isOfUpdate ? updateInWords(told) : requestInWords(told);
  const expected = statusesInWords(due);
  const actual = lost ? `no response (${lost.detail})` : String(came);
  return { title: `${what} got ${actual}${expected === '200' ? '' : `, not ${expected}`}`, expected, actual };
}

/** What became of a member, as the server's author would say it. */
function changeInWords({ member, due, came }: MemberFault): string {
  if (isEmpty(came)) return `cleared \`${member}\` (was ${inWords(due)})`;
  return `changed \`${member}\` from ${inWords(due)} to ${inWords(came)}`;
}

/** Signs that stand for characters which are not to be seen. */
const MASKS = /[*\u2022\u25cf\u2026]|x{3,}|X{3,}|\[(?:redacted|hidden|masked|filtered)\]/i;

/** Whether a value is shown with some of its characters hidden. */
const isMasked = ({ due, came }: MemberFault): boolean =>
  typeof due === 'string' && typeof came === 'string' && MASKS.test(came) && !MASKS.test(due);

/** What is special about the update of a fault, if its body does not tell; it begins with a blank. */
const specialOf = ({ how, request }: MemberFault): string => (how === undefined ? unusualFields(request) : ` ${how}`);

/** What was due; a number that was sent and that JavaScript rounds, as the body spells it. */
function sentInWords({ due, member, request: { body } }: MemberFault): string {
  if (typeof due !== 'number' || Number.isSafeInteger(due) || typeof body !== 'string') return inWords(due);
  const spelled = new RegExp(`"${member}"\\s*:\\s*(-?\\d[\\d.eE+-]*)`).exec(body)?.[1];
  return spelled !== undefined && Number(spelled) === due ? startOf(spelled) : inWords(due);
}

/** Whether a member has neither the value that it had nor the one that the request sent. */
function isUnsent({ request, member, came }: MemberFault): boolean {
  const sent = sentIn(request)[member];
  return typeof sent === 'string' && typeof came === 'string' && !isEmpty(came) && !isSame(member, sent, came);
}

/**
 * What became of a member: {subject} and {request} start a sentence, {changed} says what the request made of the member,
 * {addressed} is the user that it updates.
 */
const TITLES: Readonly<Record<MemberChange, string>> = {
  'not-stored': '{subject} is not stored: {sent} was sent, and later responses show {came}',
  'not-shown': 'The response to {update} shows {came} as `{member}`, and {sent} was sent',
  'only-shown': 'The response to {update} shows {came} as `{member}`, which is still {due}',
  changed: '{request} {changed}',
  'changed-by-refused': '{request} was refused, and still {changed}{unsent}',
  'changed-with-other-user': 'Updating user {addressed}{special} changed `{member}` of user {user}',
  'changed-by-reading': '{request} changed `{member}` of user {user}',
  reverted: '{request} reverted `{member}`, updated just before',
  undone: 'A concurrent update of other members undid that of `{member}`',
  'rolled-back': 'A refused request rolled {rolled} update of `{member}` back',
  'mixed-up': 'While the other user was updated, user {user} got another `{member}` than was sent',
  'shown-late':
    '`{member}` of user {user} shows late: an update with {came} was accepted, and a later response still showed {due}',
  'changed-later': '`{member}` of user {user} changed later, with no request under way',
  'not-restored': 'The old `{member}` of user {user} cannot be restored: {due} was sent, and it is {came}',
};

/** The same of a value that is shown with some of its characters hidden. */
const MASKED: Readonly<Partial<Record<MemberChange, string>>> = {
  'not-stored': '{subject} is shown masked: {sent} was sent, and later responses show {came}',
  'not-shown': '`{member}` is shown masked: {sent} was sent, and {came} is shown',
};

function wordsOfMember(fault: MemberFault): Words {
  const { change, member, user, request, when } = fault;
  const special = specialOf(fault);
  const [due, came, sent] = [inWords(fault.due), inWords(fault.came), sentInWords(fault)];
  const isAccepted = isUpdate(request) && change !== 'changed-by-refused';
  const title = (isMasked(fault) ? MASKED[change] : undefined) ?? TITLES[change];
  const values = {
    member,
    user,
    due,
    came,
    sent,
    special,
    update: `an update${special}`,
    subject: special === '' ? `\`${member}\`` : `The \`${member}\` of an update${special}`,
    addressed: idIn(request),
    request: isAccepted ? updateInWords(fault) : requestInWords(fault),
    changed: changeInWords(fault),
    unsent: isUnsent(fault) ? ', which it did not send' : '',
    rolled: when === 'concurrently' ? 'a concurrent' : 'the last',
  };
  // Of what shows late, the later value is due.
  const [expected, actual] = change === 'shown-late' ? [came, due] : [sent, came];
  return { title: filled(title, values), expected, actual };
}

/** What breaks a rule, what is due, and what came if it is not the value itself. */
const RULES: Readonly<Record<ResponseRule, readonly [title: string, expected: string, actual?: string]>> = {
  'key-of-body-shown': [
    'A {status} response repeats what the body sent, with a key in it',
    'no key',
    'the key of the body',
  ],
  'key-shown': ['A {status} response repeats the key', 'no key', 'the key of the request'],
  'internals-shown': ['A {status} error shows {names}', 'a description for clients'],
  'not-json': ['The body of a {status} response is not JSON', 'JSON', '{body}'],
  cut: ['The body of a {status} response ends before its JSON does', 'JSON', '{body}'],
  'not-utf-8': ['The body of a {status} response is not in UTF-8', 'JSON in UTF-8', '{body}'],
  'media-type': ['The Content-Type of a {status} response is not that of JSON', 'application/json', '{type}'],
  'error-members': [
    'The body of a {status} response is not an error body: {members}',
    'an object with the strings id, name and message',
  ],
  'error-name': ['A {status} error is named {came}', '{due}'],
  'error-message': ['The message of a {status} error is empty', 'a description'],
  'error-id': ['Two errors have the same id', 'a new id for each error'],
  'no-user': ['The body of a response about a user is not the user', 'the user itself'],
  'secret-shown': ['A user is shown with a secret: `{names}`', 'no secret', 'a secret'],
  'no-id': ['A user is shown without `id`', 'an integer', 'no `id`'],
  'other-id': ['A response about user {plain} shows the user {came}', '{plain}'],
  'member-type': ['The `{first}` of a {second} is {came}', '{plain}'],
  'creation-time-varies': ['`createdAt` is another time in each response', 'the same time', 'another time each time'],
  'username-shared': ['The users {first} and {second} have the same `username`', 'different names'],
  'no-list': ['The list of banners has no array `banners`', '{"banners": […]}'],
  'no-banner': ['A banner is not an object', 'an object'],
  'banner-id-shared': ['Two banners have the id {came}', 'an id of its own'],
};

function wordsOfResponse({ rule, status, due, came, names = [] }: ResponseFault): Words {
  const [first = '', second = ''] = names;
  const isAbsent = names.every((member) => !Object.hasOwn(objectOf(came), member));
  const values = {
    status,
    first,
    second,
    came: inWords(came),
    due: inWords(due),
    plain: String(due),
    names: names.join(),
    body: came === '' ? 'no body' : inWords(came),
    type: typeof came === 'string' ? came : 'no Content-Type',
    members: `${named(names)} ${names.length === 1 ? 'is' : 'are'} ${isAbsent ? 'missing' : 'not of type string'}`,
  };
  const [title, expected, actual = '{came}'] = RULES[rule];
  return { title: filled(title, values), expected: filled(expected, values), actual: filled(actual, values) };
}

const wordsOfSpecial = ({ says, due, came }: SpecialFault): Words => ({ title: says, expected: due, actual: came });

/** A fault in words. */
export function wordsOf(fault: Fault): Words {
  if (fault.kind === 'status') return wordsOfStatus(fault);
  if (fault.kind === 'member') return wordsOfMember(fault);
  return fault.kind === 'response' ? wordsOfResponse(fault) : wordsOfSpecial(fault);
}

/** A fault in words, with how often it showed if it comes now and then. */
export function wordsOfProblem(problem: Problem): Words {
  const { fault, seen } = problem;
  const words = wordsOf(fault);
  if (!seen || !isNowAndThen(problem)) return words;
  return { ...words, title: `Now and then (${seen.times} of ${seen.of} requests): ${words.title}` };
}
