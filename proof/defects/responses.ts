import { type OperationId, operationIds } from '../../contract/document.ts';
import type { ApiResponse, ApiRequest } from '../../reference-server/rules.ts';
import type { Behaviour } from '../behaviour.ts';
import { deliverPlain, type WireAnswer } from '../wire/wire-server.ts';
import { apiRequest, isTo } from './requests.ts';

/** A correct response and its request, before a fault changes it. */
export interface Answered {
  readonly request: ApiRequest;
  readonly status: number;
  /** How many requests to this operation have had a response with this status, including this one. */
  readonly count: number;
}

export type WhichResponse = (answered: Answered) => boolean;

/** Matches the 200 responses of an operation. */
export function success(operation: OperationId): WhichResponse {
  const isToIt = isTo(operation);
  return ({ request, status }) => status === 200 && isToIt(request);
}

export const anError: WhichResponse = ({ status }) => status >= 400;

const predicates = operationIds.map(isTo);

/** Counts responses by operation and status. */
function counting(): (request: ApiRequest, status: number) => Answered {
  const counts = new Map<string, number>();
  return (request, status) => {
    const kind = `${predicates.findIndex((isToIt) => isToIt(request))} ${status}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return { request, status, count };
  };
}

/** Changes the response. */
export function answering(
  which: WhichResponse,
  change: (answer: ApiResponse, answered: Answered) => ApiResponse,
): Behaviour {
  return {
    around: (handle) => {
      const count = counting();
      return (request) => {
        const answer = handle(request);
        const answered = count(request, answer.status);
        return which(answered) ? change(answer, answered) : answer;
      };
    },
  };
}

/** Responds with another body. */
export function showing(which: WhichResponse, change: (body: unknown, answered: Answered) => unknown): Behaviour {
  return answering(which, (answer, answered) => ({ ...answer, body: change(answer.body, answered) }));
}

/** Changes responses below the level of JSON: their media type and bytes. */
export function delivering(
  which: WhichResponse,
  change: (answer: WireAnswer, answered: Answered) => Partial<WireAnswer>,
): Behaviour {
  const count = counting();
  return {
    deliver: (delivery) => {
      const { answer } = delivery;
      const answered = count(apiRequest(delivery.request), answer.status);
      const changed = which(answered) ? change(answer, answered) : {};
      return deliverPlain({ ...delivery, answer: { ...answer, ...changed } });
    },
  };
}

/** Sends text instead of the JSON body; null omits the Content-Type. */
export function sendingText(
  which: WhichResponse,
  change: (json: string) => string,
  contentType: string | null = 'application/json',
): Behaviour {
  return delivering(which, ({ body }) => ({
    body: Buffer.from(change(body.toString('utf8'))),
    headers: contentType === null ? [] : [['content-type', contentType]],
  }));
}

/** An HTML page such as web servers and frameworks send. */
export function page(title: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}
