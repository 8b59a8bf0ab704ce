import { operationIds, type User } from '../../contract/document.ts';
import type { ApiResponse, ApiRequest, Rules, Store } from '../../reference-server/rules.ts';
import { replacing, type Behaviour, type Replacing } from './behaviour.ts';
import type { WireAnswer } from '../wire/wire-server.ts';
import { type Answered, type Around, type Asked, type Members, type Which, all, anError, isTo } from './requests.ts';

const predicates = operationIds.map(isTo);

/** Counts responses by operation and status. */
function counting(): (request: ApiRequest, store: Store, status: number) => Answered {
  const counts = new Map<string, number>();
  return (request, store, status) => {
    const kind = `${predicates.findIndex((isToIt) => isToIt({ request }))} ${status}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return { request, store, status, count };
  };
}

/** Changes the response. */
export function answering(
  which: Which,
  change: (answer: ApiResponse, answered: Answered, rules: Rules) => ApiResponse,
): Around {
  return {
    around: (handle, store, rules) => {
      const count = counting();
      return (request) => {
        const answer = handle(request);
        const answered = count(request, store, answer.status);
        return which(answered) ? change(answer, answered, rules) : answer;
      };
    },
  };
}

/** What is made of the body of a correct response. */
type Made<Body, Result> = (body: Body, answered: Answered) => Result;

/** Responds with another body. */
export function showing<Body = unknown>(which: Which, make: Made<Body, unknown>): Around {
  return answering(which, (answer, answered) => ({ ...answer, body: make(answer.body as Body, answered) }));
}

/** Responds with members added to the body, or replaced. */
export function adding<Body extends object>(which: Which, members: Members | Made<Body, Members>): Around {
  return showing<Body>(which, (body, answered) => ({
    ...body,
    ...(typeof members === 'function' ? members(body, answered) : members),
  }));
}

/** Refuses what is refused with another status, or with another error name. */
export function refusedWith(which: Which, status: number, name?: string): Around {
  return answering(all(anError, which), (_answer, _answered, rules) => {
    const { body } = rules.refuse(status, 'The request was refused.');
    return { status, body: name === undefined ? body : { ...(body as object), name } };
  });
}

/** Replaces the response to a refused request. */
export function answeredWith(which: Which, give: (refused: Answered) => ApiResponse): Around {
  return answering(all(anError, which), (_answer, refused) => give(refused));
}

/** What a server keeps. */
export type Keeping = Pick<Asked, 'store'>;

/** What a request does to what the server keeps. */
export type Act = (asked: Asked) => void;

/** Responds correctly, and then has a side effect. */
export function followedBy(which: Which, act: Act): Around {
  return answering(which, (answer, answered) => {
    act(answered);
    return answer;
  });
}

/** Changes a user without applying any rule. */
export function changes<Seen extends Keeping = Keeping>(
  id: number,
  members: Members | ((user: User, seen: Seen) => Members),
): (seen: Seen) => void {
  return (seen) => {
    const { users } = seen.store;
    const user = users.get(id);
    if (user) users.set(id, { ...user, ...(typeof members === 'function' ? members(user, seen) : members) });
  };
}

/** A failed login of a user. */
export function countsLogin(id: number): (seen: Keeping) => void {
  return changes(id, ({ loginAttempts = 0 }) => ({ loginAttempts: loginAttempts + 1 }));
}

/** Changes some responses below the level of JSON, or closes the connection in their place. */
function sending(which: Which, change: (answer: WireAnswer) => WireAnswer | undefined): Behaviour {
  const count = counting();
  return {
    change: ({ request, answer, store }) => (which(count(request, store, answer.status)) ? change(answer) : answer),
  };
}

/** Changes responses below the level of JSON: their media type and bytes. */
export function delivering(which: Which, change: (answer: WireAnswer) => Partial<WireAnswer>): Behaviour {
  return sending(which, (answer) => ({ ...answer, ...change(answer) }));
}

/** Sends text instead of the JSON body; null omits the Content-Type. */
export function sendingText(
  which: Which,
  change: (json: string) => string,
  contentType: string | null = 'application/json',
): Behaviour {
  return delivering(which, ({ body }) => ({
    body: Buffer.from(change(body.toString('utf8'))),
    headers: contentType === null ? [] : [['content-type', contentType]],
  }));
}

/** Closes the connection instead of responding. */
export function hungUpOn(which: Which): Behaviour {
  return sending(which, () => undefined);
}

/** Responds as a proxy whose server ended the connection instead of responding. */
export function badGatewayFor(which: Which): Behaviour {
  const page = { headers: [['content-type', 'text/html']] as const, body: Buffer.from('<h1>502 Bad Gateway</h1>') };
  return delivering(which, () => ({ status: 502, reason: 'Bad Gateway', ...page }));
}

/** Responds 204, without a body. */
export function noContent(which: Which): Behaviour {
  return delivering(which, () => ({ status: 204, reason: 'No Content', headers: [], body: Buffer.alloc(0) }));
}

/** Sends a string body unchanged, as a media type; all others as JSON. */
export function textsAs(contentType: string): Replacing {
  return replacing(
    'serialize',
    (serialize) => (body) => (typeof body === 'string' ? { content: body, contentType } : serialize(body)),
  );
}

/** An HTML page such as web servers and frameworks send. */
export function page(title: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}
