import type { User } from '../../contract/document.ts';
import { Refused, type ApiRequest, type ApiResponse, type Rules, type Store } from '../../reference-server/rules.ts';
import type { WireAnswer } from '../wire/wire-server.ts';
import { replacing, type Behaviour } from './behaviour.ts';
import {
  type Answered,
  type Around,
  type Asked,
  type Members,
  type Which,
  aList,
  all,
  anError,
  answered,
  isList,
  isUpdate,
} from './requests.ts';

/** Counts responses by operation and status. */
function counting(): (request: ApiRequest, store: Store, status: number) => Answered {
  const counts = new Map<string, number>();
  return (request, store, status) => {
    const kind = [isUpdate({ request }), isList({ request }), status].join();
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
        const seen = count(request, store, answer.status);
        return which(seen) ? change(answer, seen, rules) : answer;
      };
    },
  };
}

/** Responds with another status, and with an error body if that is the status of an error. */
export function answeringWith(which: Which, status: number): Around {
  return answering(which, (answer, _answered, rules) =>
    status < 400 ? { ...answer, status } : { status, body: rules.refuse(status, 'The request was refused.').body },
  );
}

/** Refuses what is refused with another status. */
export function refusedWith(which: Which, status: number): Around {
  return answeringWith(all(anError, which), status);
}

/** Refuses some invalid updates with another status. */
export function refusedAs(status: number, which: Which): Around {
  return answeringWith(all(answered(400), isUpdate, which), status);
}

/** Responds to some requests in place of the reference server. */
export function responding(
  respond: (request: ApiRequest, rules: Rules, store: Store) => ApiResponse | undefined,
): Around {
  return {
    around: (handle, store, rules) => (request) => {
      try {
        return respond(request, rules, store) ?? handle(request);
      } catch (error) {
        if (error instanceof Refused) return rules.refuse(error.status, error.message);
        throw error;
      }
    },
  };
}

/** What is made of the body of a correct response. */
type Made<Body, Result> = (body: Body, answered: Answered) => Result;

/** Responds with another body. */
export function showing<Body = User>(which: Which, make: Made<Body, unknown>): Around {
  return answering(which, (answer, answered) => ({ ...answer, body: make(answer.body as Body, answered) }));
}

/** Responds with members added to the body, or replaced. */
export function adding<Body extends object = User>(which: Which, members: Members | Made<Body, Members>): Around {
  return showing<Body>(which, (body, answered) => ({
    ...body,
    ...(typeof members === 'function' ? members(body, answered) : members),
  }));
}

/** Responds with another body than the list. */
export function listing(make: Made<readonly Members[], unknown>): Around {
  return showing<{ banners: readonly Members[] }>(aList, ({ banners }, answered) => make(banners, answered));
}

/** Shows each banner in another way. */
export function showingBanners(change: Made<Members, unknown>): Around {
  return listing((banners, answered) => ({ banners: banners.map((banner) => change(banner, answered)) }));
}

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
export function changeUser({ users }: Store, id: number, members: Members | ((user: User) => Members)): void {
  const user = users.get(id);
  if (user) users.set(id, { ...user, ...(typeof members === 'function' ? members(user) : members) });
}

/** Counts a failed login of a user. */
export function countsLogin(id: number): Act {
  return ({ store }) => changeUser(store, id, ({ loginAttempts = 0 }) => ({ loginAttempts: loginAttempts + 1 }));
}

/** Changes some responses below the level of JSON; undefined closes the connection in their place. */
export function sending(
  which: Which,
  change: (answer: WireAnswer) => Partial<WireAnswer> | undefined,
): Required<Pick<Behaviour, 'change'>> {
  const count = counting();
  return {
    change: (request, answer, store) => {
      if (!which(count(request, store, answer.status))) return answer;
      const changed = change(answer);
      return changed && { ...answer, ...changed };
    },
  };
}

/** Sends text instead of the JSON body. */
export function sendingText(which: Which, change: (json: string) => string): Behaviour {
  return sending(which, ({ body }) => ({ body: Buffer.from(change(body.toString('utf8'))) }));
}

/** Declares another media type. */
export function declaring(which: Which, type: string): Behaviour {
  return sending(which, () => ({ headers: [['content-type', type]] }));
}

/** Closes the connection instead of responding. */
export function hungUpOn(which: Which): Behaviour {
  return sending(which, () => undefined);
}

/** Sends a string body unchanged, as HTML; all others as JSON. */
export function pagesAsHtml(): Required<Pick<Behaviour, 'replace'>> {
  return replacing(
    'serialize',
    (serialize) => (body) => (typeof body === 'string' ? { content: body, contentType: 'text/html' } : serialize(body)),
  );
}

/** Rewrites the JSON text of every body, which are counted from 1. */
export function writing(rewrite: (text: string, turn: number) => string): Required<Pick<Behaviour, 'replace'>> {
  return replacing('serialize', (serialize) => {
    let turn = 0;
    return (body) => {
      const { content, contentType } = serialize(body);
      return { content: rewrite(content.toString(), (turn += 1)), contentType };
    };
  });
}

/** Takes so many requests a second, and as many more at once as were not sent before that: what comes beyond gets this status. */
export const limiting = (perSecond: number, atOnce: number, status: number): Around => ({
  around: (handle, _store, rules) => {
    let [left, since] = [atOnce, performance.now()];
    return (request) => {
      const now = performance.now();
      left = Math.min(atOnce, left + ((now - since) * perSecond) / 1000);
      since = now;
      if (left < 1) return rules.refuse(status, 'Too many requests.');
      left -= 1;
      return handle(request);
    };
  },
});
