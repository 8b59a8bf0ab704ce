import { isAccepted, type Exchange, type ResponseRecord } from '../../conformance/http/exchange.ts';
import { arrayOf, isRecord, member, objectOf, parsedJson, textOf, without } from '../../common/json.ts';
import { valuesUnder } from '../../common/openapi.ts';
import {
  child,
  children,
  METHODS,
  partAt,
  type Description,
  type Located,
  type MaybeLocated,
} from '../../openapi-judge/src/index.ts';

/** What kind of part has to be exercised, with the words for several of them. */
export const KINDS = {
  operation: 'operations',
  parameter: 'parameters',
  security: 'security schemes',
  'request-media-type': 'request media types',
  'request-property': 'request properties',
  status: 'statuses',
  'response-header': 'response headers',
  'response-media-type': 'response media types',
  'response-property': 'response properties',
  requirement: 'requirements',
} as const;

/** One part of a contract that a run has to exercise. */
export interface Part {
  readonly kind: keyof typeof KINDS;
  /** JSON pointer of it in the document. */
  readonly pointer: string;
  /** The operation, the status, the media type; empty for an operation and a requirement. */
  readonly place: string;
  /** `banners[].id`, `apiKey`, `update.repeatable`. */
  readonly name: string;
  /** What has to be seen, each by itself: the types of a union, `sent` and `left out` of a key. */
  readonly facets: readonly string[];
  /** How it is looked for in exchanges. Undefined for a requirement, which is judged. */
  readonly look?: Look;
}

/** How one part of a contract is looked for in an exchange, and how it is corrupted there. */
export interface Look {
  /** The facets of it that an exchange shows. */
  readonly facetsIn: (exchange: Exchange) => readonly string[];
  /** The same exchange with this corrupted; the exchange itself if it does not show it. Undefined: nothing can be wrong about it. */
  readonly wrong: ((exchange: Exchange) => Exchange) | undefined;
}

/** The facet of what has no types or the like. */
export const SEEN = 'seen';

/** The values of a part that an exchange shows. */
type Values = (exchange: Exchange) => readonly unknown[];

/** Makes a part of an operation. */
type Make = (
  kind: Part['kind'],
  at: Located,
  place: string,
  name: string,
  valuesOf: Values,
  wrong?: Look['wrong'],
  facets?: readonly string[],
  shows?: (value: unknown, facet: string) => boolean,
) => Part;

const seenIf = (condition: boolean): readonly true[] => (condition ? [true] : []);

/** Whether a value is of a type; an integer is a number, too. */
function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

function makerFor(operation: string): Make {
  return (kind, { pointer }, place, name, valuesOf, wrong, facets = [SEEN], shows = isOfType) => {
    const facetsIn = (exchange: Exchange): readonly string[] => {
      const values = exchange.request.operation === operation ? valuesOf(exchange) : [];
      return facets.filter((facet) => values.some((value) => facet === SEEN || shows(value, facet)));
    };
    const corrupt = wrong && ((exchange: Exchange) => (facetsIn(exchange).length === 0 ? exchange : wrong(exchange)));
    return { kind, pointer, place, name, facets, look: { facetsIn, wrong: corrupt } };
  };
}

function withResponse(exchange: Exchange, change: (response: ResponseRecord) => Partial<ResponseRecord>): Exchange {
  const { response } = exchange;
  return response ? { ...exchange, response: { ...response, ...change(response) } } : exchange;
}

function withRequest(exchange: Exchange, change: Partial<Exchange['request']>): Exchange {
  return { ...exchange, request: { ...exchange.request, ...change } };
}

/** The value of a header field, whatever the letter case of its name. */
function fieldOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1];
}

function isOfMediaType(headers: Readonly<Record<string, string>>, mediaType: string): boolean {
  return fieldOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() === mediaType;
}

/** The types that a schema names; those of its sample where it demands none itself, and `seen` where it has none. */
function typesOf(schema: MaybeLocated): readonly string[] {
  const own = [objectOf(schema?.value).type ?? []].flat().map(String);
  const sample = child(schema, 'x-sample-type');
  const types = own.length > 0 ? own : branchesOf(schema).flatMap(typesOf);
  return types.length > 0 ? [...new Set(types)] : sample ? typesOf(sample) : [SEEN];
}

function branchesOf(schema: MaybeLocated): readonly Located[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listAt(schema, keyword));
}

/** The elements of a list, with references followed. */
function listAt(holder: MaybeLocated, keyword: string): readonly Located[] {
  return arrayOf(child(holder, keyword)?.value).flatMap((_each, index) => child(holder, keyword, index) ?? []);
}

/** The step to every element of an array; other steps are the names of members. */
const EACH = '[]';

/** A schema and every part of it that can be seen by itself, with the steps to it: the value, its members, its elements, and theirs. */
function schemasIn(
  schema: Located,
  steps: readonly string[] = [],
  above: readonly string[] = [],
): readonly (readonly [steps: readonly string[], at: Located])[] {
  if (above.includes(schema.pointer)) return [];
  const inside = (at: Located, ...more: string[]) => schemasIn(at, [...steps, ...more], [...above, schema.pointer]);
  const items = child(schema, 'items');
  return [
    [steps, schema],
    ...[...children(child(schema, 'properties'))].flatMap(([name, each]) => inside(each, name)),
    ...(items ? inside(items, EACH) : []),
    // What stands in a branch says more of the same value.
    ...branchesOf(schema).flatMap((branch) => inside(branch).slice(1)),
  ];
}

/** The steps as a person writes them: `banners[].id`. */
function stepsText(steps: readonly string[]): string {
  return steps.length === 0 ? '(the body)' : steps.join('.').replaceAll(`.${EACH}`, EACH);
}

/** The value with another one in every place that the steps lead to. */
function replacedAt(value: unknown, [step, ...rest]: readonly string[], other: (old: unknown) => unknown): unknown {
  if (step === undefined) return other(value);
  if (step === EACH && Array.isArray(value)) return value.map((each: unknown) => replacedAt(each, rest, other));
  if (!isRecord(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: replacedAt(value[step], rest, other) };
}

/** Every value that the steps lead to. */
function valuesAt(value: unknown, steps: readonly string[]): readonly unknown[] {
  const found: unknown[] = [];
  replacedAt(value, steps, (each) => found.push(each));
  return found;
}

/** How the bodies of requests or of responses are seen and corrupted. */
interface Message {
  readonly kind: 'request' | 'response';
  readonly isOf: (exchange: Exchange, mediaType: string) => boolean;
  /** The body as JSON; a list of one or none. */
  readonly bodyOf: Values;
  readonly wrongMediaType?: (exchange: Exchange) => Exchange;
  /** How a value is corrupted of which these are the types. */
  readonly wrongValue: (facets: readonly string[], steps: readonly string[]) => ((old: unknown) => unknown) | undefined;
  readonly withBody: (exchange: Exchange, body: unknown) => Exchange;
}

/** Another value of the same type. */
function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value} otherwise`;
  if (typeof value === 'number') return value + 1_000_003;
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? [...(value as unknown[]), 'otherwise'] : { id: 'otherwise' };
}

const REQUEST: Message = {
  kind: 'request',
  isOf: (exchange, mediaType) => isAccepted(exchange) && isOfMediaType(exchange.request.headers, mediaType),
  bodyOf: ({ request: { body } }) => [parsedJson(body ?? '')].filter((value) => value !== undefined),
  // As if something else had been sent: an update of which nothing shows afterwards.
  wrongValue: (_facets, steps) => (steps.length === 0 ? undefined : another),
  withBody: (exchange, body) => withRequest(exchange, { body: JSON.stringify(body) }),
};

/** Values of every type, to find one that a schema does not allow. */
const VALUES: readonly unknown[] = [{}, [], 'not of the contract', 0.5, true, null];

const RESPONSE: Omit<Message, 'isOf'> = {
  kind: 'response',
  bodyOf: ({ response }) => (response?.json.ok === true ? [response.json.value] : []),
  wrongMediaType: (exchange) =>
    withResponse(exchange, ({ headers }) => ({
      headers: { ...headers, 'content-type': 'text/x-not-of-the-contract' },
    })),
  wrongValue: (facets) => {
    const wrong = VALUES.find((value) => !facets.some((type) => type === SEEN || isOfType(value, type)));
    return wrong === undefined ? undefined : () => wrong;
  },
  withBody: (exchange, value) =>
    withResponse(exchange, () => ({ text: JSON.stringify(value), json: { ok: true, value } })),
};

/** The media types of a body and the properties of each. */
function contentParts(part: Make, holder: MaybeLocated, place: string, message: Message): Part[] {
  const { kind, isOf, bodyOf, wrongMediaType, wrongValue, withBody } = message;
  return [...children(child(holder, 'content'))].flatMap(([type, media]): Part[] => {
    const schema = child(media, 'schema');
    const bodies: Values = (exchange) => (isOf(exchange, type) ? bodyOf(exchange) : []);
    const isSeen: Values = kind === 'request' ? bodies : (exchange) => seenIf(isOf(exchange, type));
    const properties = (schema ? schemasIn(schema) : []).map(([steps, at]) => {
      const facets = typesOf(at);
      const other = wrongValue(facets, steps);
      const valuesOf: Values = (exchange) => bodies(exchange).flatMap((body) => valuesAt(body, steps));
      const wrong = (exchange: Exchange): Exchange =>
        bodyOf(exchange).reduce<Exchange>(
          (each, body) => withBody(each, replacedAt(body, steps, other ?? another)),
          exchange,
        );
      const name = stepsText(steps);
      return part(`${kind}-property`, at, `${place} ${type}`, name, valuesOf, other && wrong, facets);
    });
    return [part(`${kind}-media-type`, media, place, type, isSeen, wrongMediaType), ...properties];
  });
}

function responseParts(part: Make, operation: Located, id: string): Part[] {
  const responses = children(child(operation, 'responses'));
  return [...responses].flatMap(([status, response]): Part[] => {
    const place = `${id} ${status}`;
    const isOwn = (exchange: Exchange): boolean => String(exchange.response?.status) === status;
    const headersOf = ({ response }: Exchange) => response?.headers ?? {};
    return [
      part(
        'status',
        partAt(child(operation, 'responses') ?? operation, status),
        id,
        status,
        (exchange) => seenIf(isOwn(exchange)),
        // A status that no contract lists.
        (exchange) => withResponse(exchange, () => ({ status: 418 })),
      ),
      ...[...children(child(response, 'headers'))].map(([name, header]) =>
        part(
          'response-header',
          header,
          place,
          name,
          (exchange) => seenIf(isOwn(exchange) && fieldOf(headersOf(exchange), name) !== undefined),
          (exchange) =>
            withResponse(exchange, ({ headers }) => ({
              headers: without(headers, name.toLowerCase()) as typeof headers,
            })),
        ),
      ),
      ...contentParts(part, response, place, {
        ...RESPONSE,
        isOf: (exchange, mediaType) => isOwn(exchange) && isOfMediaType(headersOf(exchange), mediaType),
      }),
    ];
  });
}

function parameterParts(part: Make, item: Located, operation: Located, path: string, id: string): Part[] {
  const all = [item, operation].flatMap((holder) => listAt(holder, 'parameters'));
  // An operation's parameter takes the place of the path's one of the same name.
  const byName = new Map(all.map((each) => [`${String(member(each.value, 'in'))} ${nameOf(each)}`, each]));
  return [...byName.values()].map((parameter) => {
    const [place, name] = [member(parameter.value, 'in'), nameOf(parameter)];
    const at = path.split('/').indexOf(`{${name}}`);
    const segments = ({ request }: Exchange): readonly string[] => (request.path.split('?')[0] ?? '').split('/');
    const texts = (exchange: Exchange): readonly (string | undefined)[] => {
      if (place === 'path') return segments(exchange).slice(at, at + 1);
      const query = new URLSearchParams(exchange.request.path.split('?')[1] ?? '');
      return place === 'query' ? query.getAll(name) : [fieldOf(exchange.request.headers, name)];
    };
    const carried = (text = ''): readonly unknown[] => (text === '' ? [] : [text, parsedJson(text)]);
    const otherPath = (exchange: Exchange): Exchange =>
      withRequest(exchange, {
        path: segments(exchange)
          .map((text, index) => (index === at ? `${text}7` : text))
          .join('/'),
      });
    return part(
      'parameter',
      parameter,
      id,
      name,
      (exchange) => (isAccepted(exchange) ? texts(exchange).flatMap(carried) : []),
      place === 'path' ? otherPath : undefined,
      typesOf(child(parameter, 'schema')),
    );
  });
}

function nameOf({ value }: Located): string {
  return String(member(value, 'name'));
}

/** The keys in a header that an operation asks for; another kind of key is never seen. */
function securityParts(part: Make, root: Located, operation: Located, id: string): Part[] {
  const alternatives = arrayOf((child(operation, 'security') ?? child(root, 'security'))?.value);
  const names = new Set(alternatives.flatMap((each) => Object.keys(objectOf(each))));
  const isRefused = ({ request: { credential }, response }: Exchange): boolean =>
    response?.status === 401 &&
    [credential.header, credential.query, credential.otherHeaders].every((each) => each === undefined);
  return [...names].map((name) => {
    const scheme = child(root, 'components', 'securitySchemes', name) ?? root;
    const isSent = (exchange: Exchange): boolean => {
      const { header, fieldName = 'Authorization' } = exchange.request.credential;
      const field = member(scheme.value, 'in') === 'header' ? nameOf(scheme) : '';
      return header !== undefined && isAccepted(exchange) && fieldName.toLowerCase() === field.toLowerCase();
    };
    return part(
      'security',
      scheme,
      id,
      name,
      (exchange) => (isSent(exchange) ? ['sent'] : isRefused(exchange) ? ['left out'] : []),
      (exchange) => (isRefused(exchange) ? withResponse(exchange, () => ({ status: 200 })) : exchange),
      ['sent', 'left out'],
      (value, facet) => value === facet,
    );
  });
}

/** Everything in a contract that a run has to exercise, in the order of the document. */
export function partsOf(description: Description): Part[] {
  const root: Located = { description, pointer: '', value: description.root };
  const operations = [...children(child(root, 'paths'))].flatMap(([path, item]) =>
    METHODS.flatMap((method): Part[] => {
      const operation = child(item, method);
      if (operation === undefined) return [];
      const id = textOf(member(operation.value, 'operationId')) ?? `${method.toUpperCase()} ${path}`;
      const part = makerFor(id);
      return [
        part('operation', operation, '', id, ({ response }) => seenIf(response !== undefined)),
        ...parameterParts(part, item, operation, path, id),
        ...securityParts(part, root, operation, id),
        ...contentParts(part, child(operation, 'requestBody'), id, REQUEST),
        ...responseParts(part, operation, id),
      ];
    }),
  );
  const requirements = valuesUnder('x-requirements', description.root).flatMap(({ value, pointer }) =>
    arrayOf(value).map((each): Part => {
      return { kind: 'requirement', pointer, place: '', name: String(member(each, 'id')), facets: [SEEN] };
    }),
  );
  return [...operations, ...requirements];
}
