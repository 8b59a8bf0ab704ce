import { isAccepted, type Exchange, type ResponseRecord } from '../../conformance/http/exchange.ts';
import { parsedJson, type JsonObject } from '../../common/json.ts';
import { isOfType, replacedAt, valuesAt, type Step } from './steps.ts';

/** How one part of a contract is looked for in an exchange, and how it is corrupted there. */
export interface Look {
  /** The facets of it that an exchange shows. */
  readonly facetsIn: (exchange: Exchange) => readonly string[];
  /** The same exchange with this corrupted; the exchange itself if it does not show it. Undefined: nothing can be wrong about it. */
  readonly wrong: ((exchange: Exchange) => Exchange) | undefined;
}

/** A key of `responses` of an operation, with all its keys. */
export interface Status {
  readonly operation: string;
  readonly status: string;
  readonly statuses: readonly string[];
}

/** The facet of what has no types or the like. */
export const SEEN = 'seen';

/** Statuses that no contract lists. */
const WRONG_STATUSES = [418, 599];
const WRONG_MEDIA_TYPE = 'text/x-not-of-the-contract';
/** Values of every type, to find one that a schema does not allow. */
const VALUES: readonly unknown[] = [{}, [], 'not of the contract', 0.5, true, null];

function look(operation: string, facetsOf: Look['facetsIn'], wrong?: Look['wrong']): Look {
  const facetsIn = (exchange: Exchange): readonly string[] =>
    exchange.request.operation === operation ? facetsOf(exchange) : [];
  return { facetsIn, wrong: wrong && ((exchange) => (facetsIn(exchange).length === 0 ? exchange : wrong(exchange))) };
}

const seenIf = (condition: boolean): readonly string[] => (condition ? [SEEN] : []);

/** Those of the facets that some value shows; the only facet of a part without types is shown by any value. */
function facetsShown<T>(facets: readonly string[], values: readonly T[], shows: (value: T, facet: string) => boolean) {
  return facets.filter((facet) => values.some((value) => facet === SEEN || shows(value, facet)));
}

function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

function statusFits(status: number, key: string, keys: readonly string[]): boolean {
  if (key === 'default') return !keys.some((other) => other !== 'default' && statusFits(status, other, keys));
  if (/^[1-5]XX$/i.test(key)) return !keys.includes(String(status)) && String(status).startsWith(key.slice(0, 1));
  return String(status) === key;
}

function withResponse(exchange: Exchange, change: (response: ResponseRecord) => Partial<ResponseRecord>): Exchange {
  const { response } = exchange;
  return response ? { ...exchange, response: { ...response, ...change(response) } } : exchange;
}

function withRequest(exchange: Exchange, change: Partial<Exchange['request']>): Exchange {
  return { ...exchange, request: { ...exchange.request, ...change } };
}

/** The look at the responses with one status: what they show, and how one that shows it is corrupted. */
function atResponses(
  { operation, status, statuses }: Status,
  facetsOf: (response: ResponseRecord) => readonly string[],
  wrong?: (response: ResponseRecord) => Partial<ResponseRecord>,
): Look {
  return look(
    operation,
    ({ response }) => (response && statusFits(response.status, status, statuses) ? facetsOf(response) : []),
    wrong && ((exchange) => withResponse(exchange, wrong)),
  );
}

export function lookAtStatus(key: Status): Look {
  const { statuses } = key;
  const other = WRONG_STATUSES.find((status) => !statuses.some((each) => statusFits(status, each, statuses))) ?? 599;
  return atResponses(
    key,
    () => [SEEN],
    () => ({ status: other }),
  );
}

export function lookAtResponseHeader(key: Status, header: string): Look {
  const name = header.toLowerCase();
  return atResponses(
    key,
    ({ headers }) => seenIf(name in headers),
    ({ headers }) => ({ headers: Object.fromEntries(Object.entries(headers).filter(([field]) => field !== name)) }),
  );
}

export function lookAtResponseMediaType(key: Status, mediaType: string): Look {
  return atResponses(
    key,
    ({ headers }) => seenIf(mediaTypeOf(headers) === mediaType),
    ({ headers }) => ({ headers: { ...headers, 'content-type': WRONG_MEDIA_TYPE } }),
  );
}

export function lookAtResponseProperty(
  key: Status,
  mediaType: string,
  steps: readonly Step[],
  facets: readonly string[],
): Look {
  const notAllowed = VALUES.find((value) => !facets.some((type) => type === SEEN || isOfType(value, type)));
  return atResponses(
    key,
    ({ headers, json }) =>
      json.ok && mediaTypeOf(headers) === mediaType ? facetsShown(facets, valuesAt(json.value, steps), isOfType) : [],
    notAllowed === undefined
      ? undefined
      : ({ json }) => {
          if (!json.ok) return {};
          const value = replacedAt(json.value, steps, () => notAllowed);
          return { text: JSON.stringify(value), json: { ok: true, value } };
        },
  );
}

/** The JSON body of a request, if the target accepted it; a list of one or none. */
function acceptedBody(exchange: Exchange, mediaType: string): readonly unknown[] {
  const { body, headers } = exchange.request;
  if (body === undefined || !isAccepted(exchange) || mediaTypeOf(headers) !== mediaType) return [];
  const value = parsedJson(body);
  return value === undefined ? [] : [value];
}

/** Another value of the same type. */
function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value} otherwise`;
  if (typeof value === 'number') return value + 1_000_003;
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? [...(value as unknown[]), 'otherwise'] : { id: 'otherwise' };
}

export function lookAtRequestMediaType(operation: string, mediaType: string): Look {
  return look(operation, (exchange) => seenIf(acceptedBody(exchange, mediaType).length > 0));
}

export function lookAtRequestProperty(
  operation: string,
  mediaType: string,
  steps: readonly Step[],
  facets: readonly string[],
): Look {
  return look(
    operation,
    (exchange) =>
      facetsShown(
        facets,
        acceptedBody(exchange, mediaType).flatMap((body) => valuesAt(body, steps)),
        isOfType,
      ),
    // As if something else had been sent: an update of which nothing shows afterwards.
    steps.length === 0
      ? undefined
      : (exchange) => {
          const [body] = acceptedBody(exchange, mediaType);
          return withRequest(exchange, { body: JSON.stringify(replacedAt(body, steps, another)) });
        },
  );
}

function segmentsOf(path: string): string[] {
  return (path.split('?')[0] ?? '').split('/');
}

/** The texts in which a request carries a parameter; `at` is the segment of a path parameter. */
function parameterTexts(place: string, name: string, at: number, { path, headers }: Exchange['request']): string[] {
  if (place === 'path') return [segmentsOf(path)[at] ?? ''].filter((text) => text !== '');
  if (place === 'query') return new URLSearchParams(path.split('?')[1] ?? '').getAll(name);
  const named = (wanted: string): string[] =>
    Object.entries(headers).flatMap(([field, text]) => (field.toLowerCase() === wanted.toLowerCase() ? [text] : []));
  if (place !== 'cookie') return named(name);
  const cookies = named('cookie').flatMap((text) => text.split(';'));
  return cookies.filter((text) => text.trim().startsWith(`${name}=`));
}

/** Whether a text in a request may stand for a value of a type. */
function mayBe(text: string, type: string): boolean {
  if (type === 'integer') return /^-?\d+$/.test(text);
  if (type === 'number') return text !== '' && Number.isFinite(Number(text));
  if (type === 'boolean') return text === 'true' || text === 'false';
  return type === 'string';
}

/** @param path the template of the operation's path */
export function lookAtParameter(
  operation: string,
  { in: place, name }: JsonObject,
  path: string,
  facets: readonly string[],
): Look {
  const at = segmentsOf(path).indexOf(`{${String(name)}}`);
  return look(
    operation,
    (exchange) => {
      const texts = isAccepted(exchange) ? parameterTexts(String(place), String(name), at, exchange.request) : [];
      return facetsShown(facets, texts, mayBe);
    },
    place !== 'path'
      ? undefined
      : (exchange) => {
          const segments = segmentsOf(exchange.request.path).map((text, index) => (index === at ? `${text}7` : text));
          return withRequest(exchange, { path: segments.join('/') });
        },
  );
}

/** Whether a request carries a key as the scheme says. */
function carriesKey({ type, in: place, name, scheme }: JsonObject, { request: { credential } }: Exchange): boolean {
  if (type === 'apiKey' && place === 'query') return new URLSearchParams(credential.query ?? '').has(String(name));
  if (credential.header === undefined || (type === 'apiKey' && place !== 'header')) return false;
  const field = type === 'apiKey' ? String(name) : 'Authorization';
  if ((credential.fieldName ?? 'Authorization').toLowerCase() !== field.toLowerCase()) return false;
  return type !== 'http' || credential.header.toLowerCase().startsWith(`${String(scheme).toLowerCase()} `);
}

export function lookAtSecurity(operation: string, definition: JsonObject): Look {
  const isRefused = ({ request: { credential }, response }: Exchange): boolean =>
    response?.status === 401 &&
    [credential.header, credential.query, credential.otherHeaders].every((each) => each === undefined);
  return look(
    operation,
    (exchange) => [
      ...(isAccepted(exchange) && carriesKey(definition, exchange) ? ['sent'] : []),
      ...(isRefused(exchange) ? ['left out'] : []),
    ],
    (exchange) => (isRefused(exchange) ? withResponse(exchange, () => ({ status: 200 })) : exchange),
  );
}

export function lookAtOperation(operation: string): Look {
  return look(operation, ({ response }) => seenIf(response !== undefined));
}
