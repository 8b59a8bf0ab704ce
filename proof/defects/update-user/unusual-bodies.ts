import type { User } from '../../../contract/document.ts';
import { isRecord, parsedJson } from '../../../common/json.ts';
import { Refused, type ApiRequest } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { isUpdatable, UNTOUCHED_MEMBERS } from '../../../conformance/resources/user/members.ts';
import { breaking } from '../../table.ts';
import { any, sentKey, sentMembers, sentValue, takenAs } from '../requests.ts';
import { type Body, isUpdate, refusing, sent, updating } from './updates.ts';

/** Whether a text has half of a surrogate pair. */
function isBroken(text: unknown): boolean {
  return typeof text === 'string' && Buffer.from(text).toString() !== text;
}

/** Stores an update first, and then fails because of what was or is stored. */
function failingOnStored(fails: (before: User, after: User, body: Body) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => (store, before, body) => {
    const after = apply(store, before, body);
    if (fails(before, after, body)) throw new Refused(500, 'The user cannot be written.');
    return after;
  });
}

/** The members of a body with these names. */
function membersOf(body: object, which: (member: string) => boolean): object {
  return Object.fromEntries(Object.entries(body).filter(([member]) => which(member)));
}

/** Stores some members that clients cannot set. */
function applying(...members: readonly string[]): Behaviour {
  return updating(any, ({ body }) => ({ ...membersOf(body, (member) => members.includes(member)) }));
}

/** Merges these members of the body into the user, whatever its id is. */
function merging(which: (member: string) => boolean): Behaviour {
  return replacing('applyUpdate', () => (store, user, body) => {
    const [id = user.id] = [...store.users].find(([, each]) => each === user) ?? [];
    const after = { ...user, ...membersOf(body, which) };
    store.users.set(id, after);
    return after;
  });
}

/** Reads a body in another way. */
function reading(read: (value: unknown, text: string) => unknown): Behaviour {
  return replacing('parseBody', (parse) => (body) => read(parse(body), body.toString('utf8')));
}

const PROTO = '__proto__';

/** Reads a body with the member `name` twice in another way. */
function readingTwice(read: (body: object, names: readonly unknown[]) => unknown): Behaviour {
  return reading((value, text) => {
    const names = [...text.matchAll(/"name":("[^"]*")/g)].map(([, name = '']) => parsedJson(name));
    return names.length > 1 && !text.includes(PROTO) ? read(value as object, names) : value;
  });
}

/** Reads a body with a member `__proto__` in another way. */
function readingProto(read: (body: object, proto: object) => unknown): Behaviour {
  return reading((value) => {
    const proto: unknown = isRecord(value) ? Object.getOwnPropertyDescriptor(value, PROTO)?.value : undefined;
    return isRecord(proto) ? read(value as object, proto) : value;
  });
}

function sendsUnknownAlone(body: object): boolean {
  return Object.keys(body).length > 0 && sent(body).length === 0;
}

/** Joins the parameters of the query that an update can send with the members of the body. */
function mergingQuery(merge: (query: object, body: object) => object): Behaviour {
  return takenAs(
    ({ request }) => isUpdate({ request }) && /(^|&)name=/.test(request.query) && isRecord(sentValue(request)),
    (request) => {
      const query = Object.fromEntries(new URLSearchParams(request.query));
      return { ...request, body: Buffer.from(JSON.stringify(merge(query, sentMembers(request)))) };
    },
  );
}

function failing(message: string): () => never {
  return () => {
    throw new Refused(500, message);
  };
}

/** Refuses updates whose header fields are written in some way, whoever sends them with the admin key. */
function refusedWithout(which: (request: ApiRequest) => boolean, status: number): Behaviour {
  return {
    around:
      (handle, { keys }, rules) =>
      (request) =>
        isUpdate({ request }) && sentKey(request) === keys.admin && !which(request)
          ? rules.refuse(status, 'The request is not acceptable.')
          : handle(request),
  };
}

function withMediaType(which: (mediaType: string) => boolean, status = 415): Behaviour {
  return refusedWithout(({ headers }) => which(String(headers['content-type'])), status);
}

/** Bodies with unusual JSON or unusual members. Source: Endpoints, PUT user, request body and rule. */
export const unusualBodiesDefects: readonly WrittenDefect[] = [
  ...breaking('update.json-faithful', {
    'lone-surrogate-ends-text: stores what comes before half of a surrogate pair': updating(
      ({ body }) => isBroken(body.name),
      ({ body }) => ({ name: String(body.name).replace(/\p{Surrogate}.*/u, '') }),
    ),
    'lone-surrogate-fails: fails on half of a surrogate pair': refusing(({ name }) => isBroken(name), 500),
    'lone-surrogate-fails-later: stores half of a surrogate pair, and fails whenever it has to show it':
      failingOnStored((before, _after, body) => isBroken(before.name) && body.name === undefined),
    'escaped-pair-split: reads each half of an escaped surrogate pair as a character of its own': updating(
      ({ body }) => String(body.name).includes('\u00e9\u00df'),
      ({ body }) => ({ name: String(body.name).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd') }),
    ),
    'escaped-member-name-missed: compares member names before it reads their escapes': reading((value, text) =>
      text.includes('n\\u0061me') ? {} : value,
    ),
    'byte-order-mark-fails: fails on a byte order mark': replacing('parseBody', (parse) => (body) => {
      if (body[0] === 0xef) throw new Refused(500, 'Unexpected token.');
      return parse(body);
    }),
    'byte-order-mark-read-as-no-body: reads a body after a byte order mark as `{}`': replacing(
      'parseBody',
      (parse) => (body) => (body[0] === 0xef ? {} : parse(body)),
    ),
  }),
  ...breaking('update.json-faithful', {
    'role-with-fraction-fails: fails on a role that is written with a fraction': reading((value, text) =>
      /"rootRole":\d+\.0/.test(text) ? failing('No such role.')() : value,
    ),
  }),
  ...breaking('request-body.media-type-forms', {
    'charset-refused: compares the whole Content-Type, and responds 415 to one with a charset': withMediaType(
      (mediaType) => !mediaType.includes(';'),
    ),
    'media-type-compared-in-lower-case: does not know a media type in capitals': withMediaType(
      (mediaType) => !mediaType.startsWith('Application'),
    ),
    'body-with-charset-not-read: reads a body with a charset as `{}`': {
      around: (handle) => (request) =>
        handle(
          isUpdate({ request }) && String(request.headers['content-type']).includes(';')
            ? { ...request, body: Buffer.from('{}') }
            : request,
        ),
    },
  }),
  ...breaking('update.accept-forms', {
    'accept-compared-as-text: responds 406 to an update whose Accept header lists other media types too':
      refusedWithout(({ headers }) => headers.accept === 'application/json', 406),
  }),
  ...breaking('request-body.spelling', {
    'white-space-before-body-refused: takes a body that does not begin with a brace for no JSON': reading(
      (value, text) => {
        if (/^\s/.test(text)) throw new Refused(400, 'The body is not JSON.');
        return value;
      },
    ),
    'white-space-in-body-not-read: looks for members with a pattern that knows no white space': reading(
      (value, text) => (/"\s+:/.test(text) ? {} : value),
    ),
    'escaped-values-not-read: keeps the escapes of a text that has nothing else': reading((value, text) => {
      const [, name] = /"\s*:\s*"((?:\\u[\da-f]{4}){5,})"/.exec(text) ?? [];
      return name !== undefined && isRecord(value) ? { ...value, name } : value;
    }),
  }),
  ...breaking('update.unlisted-members', {
    'every-member-applied: stores every member of a user that the body contains': applying(...UNTOUCHED_MEMBERS),
    'username-applied: stores a `username` in the body': applying('username'),
    'unlisted-members-fail: fails on members that its query does not know': refusing(
      (body) => 'loginAttempts' in body,
      500,
    ),
  }),
  ...breaking(['update.unlisted-members', 'update.id-matches-path'], {
    'body-merged: merges the whole body into the user, with an `id`': merging(() => true),
  }),
  ...breaking('update.id-matches-path', {
    'id-applied: stores an `id` in the body as that of the user': merging(
      (member) => member === 'id' || isUpdatable(member),
    ),
  }),
  ...breaking('update.unusual-members', {
    'member-twice-joined: stores a member that is sent twice as both values, separated by a comma': readingTwice(
      (body, both) => ({ ...body, name: both.join(',') }),
    ),
    'member-twice-fails: fails on a member that is sent twice': readingTwice(failing('duplicate key')),
    'member-twice-taken-for-email: If two names are sent, the server stores the second one as the e-mail address.':
      readingTwice((body, [, second]) => ({ ...body, email: second })),
    'members-read-in-any-case: compares member names without regard to case': reading((value, text) =>
      text.includes('"NAME"') && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
        : value,
    ),
    'proto-merged: merges a member `__proto__` into the body, without replacing members of the body': readingProto(
      (body, proto) => ({ ...proto, ...body }),
    ),
    'proto-wins: replaces members of the body with those of a member `__proto__`': readingProto((body, proto) => ({
      ...body,
      ...proto,
    })),
    'nested-member-fails: fails on a member with deeply nested arrays': reading((value, text) =>
      text.includes('['.repeat(50)) && isRecord(value) ? failing('Stack overflow.')() : value,
    ),
    'member-of-every-object-fails: calls a method that the body brings along': reading((value, text) =>
      text.includes('"hasOwnProperty"') ? failing('hasOwnProperty is not a function')() : value,
    ),
    'member-with-dollar-sign-applied: hands the body to the database, which knows members that begin with a dollar sign':
      reading((value) => (isRecord(value) && isRecord(value.$set) ? { ...value, ...value.$set } : value)),
    'unknown-member-alone-fails: The server builds an empty query from a body with unknown members alone, and fails.':
      refusing((body) => sendsUnknownAlone(body), 500),
    'unknown-member-alone-empties-name: The server takes a body without any member that it knows for one that resets the name.':
      updating(({ body }) => sendsUnknownAlone(body), { name: '' }),
    'query-merged: The server merges the parameters of the query into the body.': mergingQuery((query, body) => ({
      ...query,
      ...body,
    })),
    'query-wins: The server replaces members of the body with parameters of the query.': mergingQuery(
      (query, body) => ({
        ...body,
        ...query,
      }),
    ),
  }),
];
