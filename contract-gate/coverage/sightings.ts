import { isAccepted, type Exchange, type ResponseRecord } from '../../conformance/http/exchange.ts';
import type { JsonObject } from '../../common/json.ts';
import { isOfType, replacedAt, valuesAt } from './steps.ts';
import { SEEN, type Obligation } from './obligations.ts';

type Of<K extends Obligation['kind']> = Extract<Obligation, { kind: K }>;

/** How one thing in a contract is looked for in an exchange, and what it would be to have it wrong. */
export interface Look {
  /** The facets of it that an exchange shows. */
  readonly facetsIn: (exchange: Exchange) => readonly string[];
  /** The same exchange with this wrong; the exchange itself where it does not show it. Undefined if nothing can be wrong about it. */
  readonly wrong: ((exchange: Exchange) => Exchange) | undefined;
}

/** Statuses that no contract lists: one of them is an answer that is wrong. */
const WRONG_STATUSES = [418, 599];
const WRONG_MEDIA_TYPE = 'text/x-not-of-the-contract';
/** Values of every type, to find one that a schema does not allow. */
const VALUES: readonly unknown[] = [{}, [], 'not of the contract', 0.5, true, null];

function mediaTypeOf(header: string | undefined): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function statusFits(status: number, key: string, keys: readonly string[]): boolean {
  if (key === 'default') return !keys.some((other) => other !== 'default' && statusFits(status, other, keys));
  if (/^[1-5]XX$/i.test(key)) return !keys.includes(String(status)) && String(status).startsWith(key.slice(0, 1));
  return String(status) === key;
}

function isTo(operation: string, exchange: Exchange): boolean {
  return exchange.request.operation === operation;
}

function withResponse(exchange: Exchange, change: (response: ResponseRecord) => Partial<ResponseRecord>): Exchange {
  const { response } = exchange;
  return response ? { ...exchange, response: { ...response, ...change(response) } } : exchange;
}

/** The answer with this key of `responses`, if the exchange has it. */
function answerIn(
  { operation, status, statuses }: Pick<Of<'status'>, 'operation' | 'status' | 'statuses'>,
  exchange: Exchange,
): ResponseRecord | undefined {
  const { response } = exchange;
  return response && isTo(operation, exchange) && statusFits(response.status, status, statuses) ? response : undefined;
}

/** A look at answers: what they show, and how one that shows it is made wrong. */
function atAnswers(
  obligation: Pick<Of<'status'>, 'operation' | 'status' | 'statuses'>,
  facetsOf: (response: ResponseRecord) => readonly string[],
  wrong: ((response: ResponseRecord) => Partial<ResponseRecord>) | undefined,
): Look {
  const facetsIn = (exchange: Exchange): readonly string[] => {
    const response = answerIn(obligation, exchange);
    return response ? facetsOf(response) : [];
  };
  return {
    facetsIn,
    wrong: wrong && ((exchange) => (facetsIn(exchange).length === 0 ? exchange : withResponse(exchange, wrong))),
  };
}

function wrongStatus(statuses: readonly string[]): number {
  return WRONG_STATUSES.find((status) => !statuses.some((key) => statusFits(status, key, statuses))) ?? 599;
}

function typesSeen(values: readonly unknown[], facets: readonly string[]): readonly string[] {
  if (values.length === 0) return [];
  return facets.includes(SEEN) ? [SEEN] : facets.filter((type) => values.some((value) => isOfType(value, type)));
}

function withJson(response: ResponseRecord, change: (value: unknown) => unknown): Partial<ResponseRecord> {
  if (!response.json.ok) return {};
  const value = change(response.json.value);
  return { text: JSON.stringify(value), json: { ok: true, value } };
}

function lookAtResponseProperty(obligation: Of<'response-property'>): Look {
  const { steps, types, facets, mediaType } = obligation;
  const notAllowed = VALUES.find((value) => types.length > 0 && !types.some((type) => isOfType(value, type)));
  return atAnswers(
    obligation,
    ({ headers, json }) =>
      json.ok && mediaTypeOf(headers['content-type']) === mediaType
        ? typesSeen(valuesAt(json.value, steps), facets)
        : [],
    notAllowed === undefined
      ? undefined
      : (response) => withJson(response, (body) => replacedAt(body, steps, () => notAllowed)),
  );
}

/** The JSON body of a request, if the target accepted it. */
function acceptedBody(exchange: Exchange, operation: string, mediaType: string): { value: unknown } | undefined {
  const { body, headers } = exchange.request;
  const declared = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (body === undefined || !isTo(operation, exchange) || !isAccepted(exchange)) return undefined;
  if (mediaTypeOf(declared) !== mediaType) return undefined;
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    return undefined;
  }
}

/** Another value of the same type. */
function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value} otherwise`;
  if (typeof value === 'number') return value + 1_000_003;
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? [...(value as unknown[]), 'otherwise'] : { id: 'otherwise' };
}

function lookAtRequestProperty({ operation, mediaType, steps, facets }: Of<'request-property'>): Look {
  return {
    facetsIn: (exchange) => {
      const body = acceptedBody(exchange, operation, mediaType);
      return body ? typesSeen(valuesAt(body.value, steps), facets) : [];
    },
    // As if something else had been sent: an update of which nothing shows afterwards.
    wrong:
      steps.length === 0
        ? undefined
        : (exchange) => {
            const body = acceptedBody(exchange, operation, mediaType);
            if (!body || valuesAt(body.value, steps).length === 0) return exchange;
            const text = JSON.stringify(replacedAt(body.value, steps, another));
            return { ...exchange, request: { ...exchange.request, body: text } };
          },
  };
}

/** The path of a request as a list of segments, if it fits a template; the base URL is not part of it. */
function segmentsOf(path: string): string[] {
  return (path.split('?')[0] ?? '').split('/');
}

/** The texts with which a request carries a parameter. */
function parameterTexts({ name, in: place, path }: Of<'parameter'>, { request }: Exchange): string[] {
  if (place === 'path') {
    const at = segmentsOf(path).indexOf(`{${name}}`);
    const text = at === -1 ? undefined : segmentsOf(request.path)[at];
    return text === undefined || text === '' ? [] : [text];
  }
  if (place === 'query') return new URLSearchParams(request.path.split('?')[1] ?? '').getAll(name);
  const headers = Object.entries(request.headers);
  if (place === 'cookie') {
    const cookies = headers
      .filter(([field]) => field.toLowerCase() === 'cookie')
      .flatMap(([, text]) => text.split(';'));
    return cookies.filter((text) => text.trim().startsWith(`${name}=`));
  }
  return headers.filter(([field]) => field.toLowerCase() === name.toLowerCase()).map(([, text]) => text);
}

/** The types that a text in a request may stand for. */
function typesOfText(text: string): string[] {
  if (/^-?\d+$/.test(text)) return ['integer', 'number', 'string'];
  if (text !== '' && Number.isFinite(Number(text))) return ['number', 'string'];
  return text === 'true' || text === 'false' ? ['boolean', 'string'] : ['string'];
}

function lookAtParameter(obligation: Of<'parameter'>): Look {
  const { operation, facets, in: place, name, path } = obligation;
  const facetsIn = (exchange: Exchange): readonly string[] => {
    if (!isTo(operation, exchange) || !isAccepted(exchange)) return [];
    const types = parameterTexts(obligation, exchange).flatMap(typesOfText);
    return facets.includes(SEEN) ? (types.length > 0 ? [SEEN] : []) : facets.filter((facet) => types.includes(facet));
  };
  const at = segmentsOf(path).indexOf(`{${name}}`);
  return {
    facetsIn,
    wrong:
      place !== 'path'
        ? undefined
        : (exchange) => {
            if (facetsIn(exchange).length === 0) return exchange;
            const segments = segmentsOf(exchange.request.path).map((text, index) => (index === at ? `${text}7` : text));
            return { ...exchange, request: { ...exchange.request, path: segments.join('/') } };
          },
  };
}

/** Whether a request carries a key as the scheme says. */
function carriesKey({ type, in: place, name, scheme }: JsonObject, { request: { credential } }: Exchange): boolean {
  if (type === 'apiKey' && place === 'query') {
    return new URLSearchParams(credential.query ?? '').has(String(name));
  }
  if (credential.header === undefined || (type === 'apiKey' && place !== 'header')) return false;
  const field = type === 'apiKey' ? String(name) : 'Authorization';
  if ((credential.fieldName ?? 'Authorization').toLowerCase() !== field.toLowerCase()) return false;
  return type !== 'http' || credential.header.toLowerCase().startsWith(`${String(scheme).toLowerCase()} `);
}

function lookAtSecurity({ operation, definition }: Of<'security'>): Look {
  const withoutKey = ({ request: { credential } }: Exchange): boolean =>
    credential.header === undefined && credential.query === undefined && credential.otherHeaders === undefined;
  const isRefused = (exchange: Exchange): boolean => exchange.response?.status === 401 && withoutKey(exchange);
  return {
    facetsIn: (exchange) => {
      if (!isTo(operation, exchange)) return [];
      const sent = isAccepted(exchange) && carriesKey(definition, exchange) ? ['sent'] : [];
      return [...sent, ...(isRefused(exchange) ? ['left out'] : [])];
    },
    wrong: (exchange) =>
      isTo(operation, exchange) && isRefused(exchange) ? withResponse(exchange, () => ({ status: 200 })) : exchange,
  };
}

/** How something that has to be exercised is looked for in exchanges. Requirements are judged, not looked for. */
export function lookAt(obligation: Exclude<Obligation, { kind: 'requirement' }>): Look {
  switch (obligation.kind) {
    case 'operation': {
      const { operation } = obligation;
      return {
        facetsIn: (exchange) => (exchange.response && isTo(operation, exchange) ? [SEEN] : []),
        wrong: undefined,
      };
    }
    case 'parameter':
      return lookAtParameter(obligation);
    case 'security':
      return lookAtSecurity(obligation);
    case 'request-media-type': {
      const { operation, mediaType } = obligation;
      return { facetsIn: (exchange) => (acceptedBody(exchange, operation, mediaType) ? [SEEN] : []), wrong: undefined };
    }
    case 'request-property':
      return lookAtRequestProperty(obligation);
    case 'status':
      return atAnswers(
        obligation,
        () => [SEEN],
        () => ({ status: wrongStatus(obligation.statuses) }),
      );
    case 'response-header': {
      const name = obligation.name.toLowerCase();
      return atAnswers(
        obligation,
        ({ headers }) => (name in headers ? [SEEN] : []),
        ({ headers }) => ({ headers: Object.fromEntries(Object.entries(headers).filter(([field]) => field !== name)) }),
      );
    }
    case 'response-media-type':
      return atAnswers(
        obligation,
        ({ headers }) => (mediaTypeOf(headers['content-type']) === obligation.mediaType ? [SEEN] : []),
        ({ headers }) => ({ headers: { ...headers, 'content-type': WRONG_MEDIA_TYPE } }),
      );
    case 'response-property':
      return lookAtResponseProperty(obligation);
  }
}
