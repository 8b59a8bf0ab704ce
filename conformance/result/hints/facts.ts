import { errorName } from '../../../contract/document.ts';
import { isAccepted, objectBody, type Exchange } from '../../http/exchange.ts';
import { baseAddress, INPUT_HELP, type InputName, type Inputs } from '../../target/inputs.ts';
import { carriesAdminKey, isKeyRefused } from '../../traffic/bearer-probe.ts';

/** A guess: what looks wrong with the address, the keys or the ids, or why the target cannot be judged. It is not a verdict. */
export interface Hint {
  /** A stable name. */
  readonly id: string;
  /** What was seen, what it looks like, and what to try. */
  readonly text: string;
}

/** What hints are made from. */
export interface Symptoms {
  readonly inputs: Inputs;
  /** Every exchange of the run, in the order of completion. */
  readonly exchanges: readonly Exchange[];
  /** The request with `Bearer ` before the key, if it was sent. */
  readonly bearer?: Exchange | undefined;
  /** ms; for one request. */
  readonly timeout: number;
  /** Whether every certificate was trusted. */
  readonly insecure?: boolean;
}

/** The symptoms, with what follows from them. */
export type Facts = ReturnType<typeof factsOf>;

/** Derives what all hints need. */
export function factsOf(symptoms: Symptoms) {
  const { exchanges, inputs } = symptoms;
  const withKey = exchanges.filter(
    (exchange) =>
      carriesAdminKey(exchange) && exchange.request.meant.id === 'valid' && exchange.transportError?.kind !== 'aborted',
  );
  const working = new Set(withKey.filter(isGood).map(({ request }) => request.operation));
  // Valid requests with the admin key to operations that never gave a good response.
  const refused = withKey.filter(
    ({ request }) =>
      !working.has(request.operation) && request.subject !== 'missing-user' && request.meant.body !== 'invalid',
  );
  return {
    ...symptoms,
    refused,
    // Whether no operation gave a good response.
    nothingWorks: refused.length > 0 && working.size === 0,
    // Whether every request with the admin key got 401.
    keyRefused: isKeyRefused(exchanges),
    base: baseAddress(inputs.baseUrl),
  };
}

/** Hints by their ids: the text of each; false or undefined if it does not apply. */
export type HintTexts = Readonly<Record<string, string | false | undefined>>;

/** Of hints that exclude each other, the first one that applies. */
export function firstOf(texts: HintTexts): HintTexts {
  const [first] = Object.entries(texts).filter(([, text]) => text);
  return first ? Object.fromEntries([first]) : {};
}

/** The environment variable of an input. */
export const variable = (name: InputName): string => INPUT_HELP[name].variable;

/** The status of a response; 0 without one. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** Whether a response looks like one of the operation itself: accepted, with a JSON object. */
export function isGood(exchange: Exchange): boolean {
  return isAccepted(exchange) && objectBody(exchange) !== undefined;
}

/** Whether the body is the error that the contract gives to the status. */
export function isErrorOfContract(exchange: Exchange): boolean {
  const expected = errorName(statusOf(exchange));
  return expected !== undefined && objectBody(exchange)?.name === expected;
}

/** The first refused request, if nothing works and all refused requests are so: only then they tell about the whole target. */
export function allAre({ refused, nothingWorks }: Facts, is: (exchange: Exchange) => boolean): Exchange | undefined {
  return nothingWorks && refused.every(is) ? refused[0] : undefined;
}

/** Method, path and status of an exchange, as the start of a sentence. */
export function gotLine(exchange: Exchange): string {
  const { method, path } = exchange.request;
  return `${method} ${path} got ${statusOf(exchange)}`;
}
