import { toApiRequest } from '../../reference-server/service.ts';
import type { ApiRequest } from '../../reference-server/rules.ts';
import type { Behaviour } from '../behaviour.ts';
import { deliverPlain, type WireAnswer } from '../wire/wire-server.ts';
import { isUpdate } from './requests.ts';

/** An answer that is right so far, and the request that it is for. */
export interface Answered {
  readonly request: ApiRequest;
  readonly status: number;
  /** How many such answers the server has given, with this one. */
  readonly count: number;
}

export type WhichAnswer = (answered: Answered) => boolean;

export const anUpdate: WhichAnswer = ({ request, status }) => isUpdate(request) && status === 200;
export const theBanners: WhichAnswer = ({ request, status }) => !isUpdate(request) && status === 200;
export const anError: WhichAnswer = ({ status }) => status >= 400;

/** Answers with another body. */
export function showing(which: WhichAnswer, change: (body: unknown, answered: Answered) => unknown): Behaviour {
  return {
    around: (handle) => {
      let count = 0;
      return (request) => {
        const answer = handle(request);
        const answered = { request, status: answer.status, count: count + 1 };
        if (!which(answered)) return answer;
        count += 1;
        return { ...answer, body: change(answer.body, answered) };
      };
    },
  };
}

/** Changes answers below JSON: their media type, their bytes. */
export function delivering(
  which: WhichAnswer,
  change: (answer: WireAnswer, answered: Answered) => Partial<WireAnswer>,
): Behaviour {
  let count = 0;
  return {
    deliver: (delivery) => {
      const { answer } = delivery;
      const { method, target, headers, body } = delivery.request;
      const request = toApiRequest(method, target, headers, body);
      const answered = { request, status: answer.status, count: count + 1 };
      if (!which(answered)) return deliverPlain(delivery);
      count += 1;
      const changed = change(answer, answered);
      return deliverPlain({ ...delivery, answer: { ...answer, ...changed } });
    },
  };
}

/** Sends a text in place of the JSON body; null leaves the Content-Type out. */
export function sendingText(
  which: WhichAnswer,
  change: (json: string) => string,
  contentType: string | null = 'application/json',
): Behaviour {
  return delivering(which, ({ body }) => ({
    body: Buffer.from(change(body.toString('utf8'))),
    headers: contentType === null ? [] : [['content-type', contentType]],
  }));
}

/** A page as web servers and frameworks send it. */
export function page(title: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}
