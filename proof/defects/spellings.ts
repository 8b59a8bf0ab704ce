import { isRecord, parsedJson } from '../../common/json.ts';
import { READ_ONLY_MEMBERS } from '../../conformance/users/differences.ts';
import type { User } from '../../contract/document.ts';
import type { ApiRequest } from '../../reference-server/rules.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import { any, isUpdate, sentMembers, sentValue, takenAs, toBody } from '../servers/requests.ts';
import { responding } from '../servers/responses.ts';
import { reading, refusing, refusingText, sent, updating } from '../servers/updates.ts';

/** Whether a text has half of a surrogate pair. */
const isBroken = (text: unknown): boolean => typeof text === 'string' && Buffer.from(text).toString() !== text;

/** How a body is written changes what it says. Source: opening paragraph; RFC 8259. */
export const jsonDefects: readonly Defect[] = [
  ...breaking('update.json-faithful', {
    'lone-surrogate-ends-text: It stores what comes before half of a surrogate pair': updating(
      ({ body }) => isBroken(body.name),
      ({ body }) => ({ name: String(body.name).replace(/\p{Surrogate}.*/u, '') }),
    ),
    'lone-surrogate-fails: It fails on half of a surrogate pair': refusing(({ name }) => isBroken(name), 500),
    'escaped-member-name-missed: It compares member names before it reads their escapes': reading((value, text) =>
      text.includes('n\\u0061me') ? {} : value,
    ),
    'byte-order-mark-read-as-no-body: A body after a byte order mark counts as `{}`': replacing(
      'parseBody',
      (parse) => (body) => (body[0] === 0xef ? {} : parse(body)),
    ),
    'role-cut-to-integer: It cuts the fraction of a role off': reading((value, text) => {
      const [, digits] = /"rootRole":(\d+)\.\d*[1-9]/.exec(text) ?? [];
      return digits === undefined ? value : { rootRole: Number(digits) };
    }),
    'role-wraps-at-64-bits: It keeps roles in 64 bits': reading((value, text) => {
      const [, digits] = /"rootRole":(\d{20,})/.exec(text) ?? [];
      return digits === undefined ? value : { rootRole: Number(BigInt.asIntN(64, BigInt(digits))) };
    }),
    'role-with-fraction-fails: It fails on a role written as `4.0`': refusingText(/"rootRole":\d+\.0/, 500),
  }),
  ...breaking('request-body.spelling', {
    'white-space-before-body-refused: A body that does not begin with a brace gets 400': refusingText(/^\s/),
    'escaped-values-not-read: It keeps the escapes of a text that has nothing else': reading((value, text) => {
      const [, name] = /"\s*:\s*"((?:\\u[\da-f]{4}){5,})"/.exec(text) ?? [];
      return name !== undefined && isRecord(value) ? { ...value, name } : value;
    }),
  }),
];

/** Refuses updates whose header fields are written in some way. */
function refusingWith(which: (headers: ApiRequest['headers']) => boolean, status: number): Behaviour {
  return responding((request, rules) =>
    isUpdate({ request }) && which(request.headers)
      ? rules.refuse(status, 'The request is not acceptable.')
      : undefined,
  );
}

const hasCharset = (headers: ApiRequest['headers']): boolean => String(headers['content-type']).includes(';');

/** How header fields are written changes what a request says. Source: Endpoints, request headers; RFC 9110, 8.3 and 12.5. */
export const headerDefects: readonly Defect[] = [
  ...breaking('request-body.media-type-forms', {
    'charset-refused: A Content-Type with a charset gets 415': refusingWith(hasCharset, 415),
    'body-with-charset-not-read: A body with a charset counts as `{}`': takenAs(
      ({ request }) => isUpdate({ request }) && hasCharset(request.headers),
      (request) => toBody(request, {}),
    ),
  }),
  ...breaking('update.accept-forms', {
    'accept-compared-as-text: An update whose Accept header lists other media types too gets 406': refusingWith(
      ({ accept }) => accept !== 'application/json',
      406,
    ),
  }),
];

/** Merges the whole body into the user, whatever its id is. */
const bodyMerged = replacing('applyUpdate', () => (store, user, body) => {
  const [id = user.id] = [...store.users].find(([, each]) => each === user) ?? [];
  const after: User = { ...user, ...body };
  store.users.set(id, after);
  return after;
});

/** Takes the second of two names for the e-mail address. */
const secondNameAsEmail = reading((value, text) => {
  const [, second] = [...text.matchAll(/"name":("[^"]*")/g)];
  return second && !text.includes('__proto__') ? { ...(value as object), email: parsedJson(second[1] ?? '') } : value;
});

/** Merges a member `__proto__` into the body, as a deep copy in JavaScript may. */
const protoMerged = reading((value) => {
  const proto: unknown = isRecord(value) ? Object.getOwnPropertyDescriptor(value, '__proto__')?.value : undefined;
  return isRecord(proto) ? { ...proto, ...(value as object) } : value;
});

/** Puts the parameters of the query into the body. */
const queryMerged = takenAs(
  ({ request }) => isUpdate({ request }) && /(^|&)name=/.test(request.query) && isRecord(sentValue(request)),
  (request) => toBody(request, { ...sentMembers(request), ...Object.fromEntries(new URLSearchParams(request.query)) }),
);

const readInAnyCase = reading((value, text) =>
  text.includes('"EMAIL"') && isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
    : value,
);

/** Members that no update can send. Source: Endpoints, PUT user, request body and rule. */
export const unlistedDefects: readonly Defect[] = [
  ...breaking('update.unlisted-members', {
    'every-member-applied: It stores every member of a user that the body contains': updating(any, ({ body }) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => READ_ONLY_MEMBERS.includes(name))),
    ),
    'unlisted-members-fail: It fails on members it does not know': refusing((body) => 'loginAttempts' in body, 500),
  }),
  ...breaking(['update.unlisted-members', 'update.id-matches-path'], {
    'body-merged: It merges the whole body into the user, with an `id`': bodyMerged,
  }),
  ...breaking('update.unusual-members', {
    'member-twice-fails: It fails on a member that is sent twice': refusingText(/^\{"name":[^,]*,"name":/, 500),
    'member-twice-taken-for-email: Of two names, the second one is stored as the e-mail address': secondNameAsEmail,
    'members-read-in-any-case: Member names are compared without regard to case': readInAnyCase,
    'proto-merged: A member `__proto__` is merged into the body': protoMerged,
    'member-with-dollar-sign-applied: The database knows members that begin with a dollar sign, and gets the body as it is':
      reading((value) => (isRecord(value) && isRecord(value.$set) ? { ...value, ...value.$set } : value)),
    'nested-member-fails: It fails on a member with deeply nested arrays': refusingText(/^\{.*\[{50}/, 500),
    'member-of-every-object-fails: It calls a method that the body brings along': refusingText(/"hasOwnProperty"/, 500),
    'unknown-member-alone-empties-name: A body without any known member resets the name': updating(
      ({ body }) => Object.keys(body).length > 0 && sent(body).length === 0,
      { name: '' },
    ),
    'query-wins: Parameters of the query replace members of the body': queryMerged,
  }),
];
