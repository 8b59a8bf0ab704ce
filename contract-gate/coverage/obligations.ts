import { METHODS } from '../../openapi-judge/src/index.ts';
import { arrayOf, atPointer, below, isRecord, type JsonObject, member, objectOf, textOf } from '../../common/json.ts';
import { valuesUnder } from '../../common/openapi.ts';
import * as sightings from './sightings.ts';
import { SEEN, type Look } from './sightings.ts';
import { stepsText, type Step } from './steps.ts';

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
export interface Obligation {
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

interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}

/** A part of a document that may be a reference, with the pointer of what it stands for. */
function resolve(document: JsonObject, node: unknown, pointer: string): Place {
  let place = { node: objectOf(node), pointer };
  for (let depth = 0; typeof place.node.$ref === 'string'; depth += 1) {
    const reference = place.node.$ref;
    const found = atPointer(document, reference.slice(1));
    if (!reference.startsWith('#/') || !isRecord(found) || depth > 100)
      throw new Error(`${place.pointer}: the reference ${reference} leads nowhere.`);
    place = { node: found, pointer: reference.slice(1) };
  }
  return place;
}

/** The types that a schema names; those of its sample where it demands none itself. */
function typesOf(document: JsonObject, { node, pointer }: Place): string[] {
  if (typeof node.type === 'string') return [node.type];
  if (Array.isArray(node.type)) return node.type.map(String);
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    arrayOf(node[keyword]).flatMap((branch, index) =>
      typesOf(document, resolve(document, branch, `${pointer}/${keyword}/${index}`)),
    ),
  );
  if (branches.length > 0) return [...new Set(branches)];
  const sample = node['x-sample-type'];
  return isRecord(sample) ? typesOf(document, { node: sample, pointer }) : [];
}

interface Member extends Place {
  readonly steps: readonly Step[];
  readonly types: readonly string[];
}

/** A schema and every part of it that can be seen by itself: the value, its members, its elements, and theirs. */
function membersOf(document: JsonObject, start: Place, direction: 'request' | 'response'): Member[] {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const found = new Map<string, Member>();
  const visit = (schema: unknown, at: string, steps: readonly Step[], above: readonly string[]): void => {
    const place = resolve(document, schema, at);
    if (above.includes(place.pointer) || place.node[hidden] === true) return;
    const inside = [...above, place.pointer];
    const key = `${place.pointer} ${stepsText(steps)}`;
    if (!found.has(key)) found.set(key, { ...place, steps, types: typesOf(document, place) });
    for (const [name, each] of Object.entries(objectOf(place.node.properties))) {
      visit(each, below(`${place.pointer}/properties`, name), [...steps, { member: name }], inside);
    }
    if (isRecord(place.node.items)) visit(place.node.items, `${place.pointer}/items`, [...steps, 'each'], inside);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      arrayOf(place.node[keyword]).forEach((branch, index) => {
        visit(branch, `${place.pointer}/${keyword}/${index}`, steps, inside);
      });
    }
  };
  visit(start.node, start.pointer, [], []);
  return [...found.values()];
}

function facetsOf(types: readonly string[]): readonly string[] {
  return types.length === 0 ? [SEEN] : types;
}

function parametersOf(document: JsonObject, path: string, item: Place, operation: Place, id: string): Obligation[] {
  const places = [item, operation].flatMap(({ node, pointer }) =>
    arrayOf(node.parameters).map((parameter, index) => resolve(document, parameter, `${pointer}/parameters/${index}`)),
  );
  // An operation's parameter takes the place of the path's one of the same name.
  const byName = new Map(places.map((place) => [`${String(place.node.in)} ${String(place.node.name)}`, place]));
  return [...byName.values()].map(({ node, pointer }) => {
    const facets = facetsOf(typesOf(document, resolve(document, node.schema, `${pointer}/schema`)));
    const look = sightings.lookAtParameter(id, node, path, facets);
    return { kind: 'parameter', pointer, place: id, name: String(node.name), facets, look };
  });
}

function securityOf(document: JsonObject, { node }: Place, id: string): Obligation[] {
  const schemes = new Set(arrayOf(node.security ?? document.security).flatMap((each) => Object.keys(objectOf(each))));
  return [...schemes].map((name) => {
    const reference = { $ref: `#${below('/components/securitySchemes', name)}` };
    const { node: definition, pointer } = resolve(document, reference, '/security');
    const look = sightings.lookAtSecurity(id, definition);
    return { kind: 'security', pointer, place: id, name, facets: ['sent', 'left out'], look };
  });
}

/** The media types of a body and the properties of each. */
function contentOf(
  document: JsonObject,
  { node, pointer }: Place,
  direction: 'request' | 'response',
  place: string,
  lookAtMediaType: (mediaType: string) => Look,
  lookAtProperty: (mediaType: string, steps: readonly Step[], facets: readonly string[]) => Look,
): Obligation[] {
  return Object.entries(objectOf(node.content)).flatMap(([mediaType, content]): Obligation[] => {
    const at = below(`${pointer}/content`, mediaType);
    const schema = resolve(document, objectOf(content).schema, `${at}/schema`);
    const look = lookAtMediaType(mediaType);
    return [
      { kind: `${direction}-media-type`, pointer: at, place, name: mediaType, facets: [SEEN], look },
      ...membersOf(document, schema, direction).map(({ pointer, steps, types }): Obligation => {
        const [name, facets] = [stepsText(steps) || '(the body)', facetsOf(types)];
        const look = lookAtProperty(mediaType, steps, facets);
        return { kind: `${direction}-property`, pointer, place: `${place} ${mediaType}`, name, facets, look };
      }),
    ];
  });
}

function requestOf(document: JsonObject, operation: Place, id: string): Obligation[] {
  return contentOf(
    document,
    resolve(document, operation.node.requestBody, `${operation.pointer}/requestBody`),
    'request',
    id,
    (mediaType) => sightings.lookAtRequestMediaType(id, mediaType),
    (...property) => sightings.lookAtRequestProperty(id, ...property),
  );
}

function responsesOf(document: JsonObject, operation: Place, id: string): Obligation[] {
  const responses = Object.entries(objectOf(operation.node.responses));
  const statuses = responses.map(([status]) => status);
  return responses.flatMap(([status, given]): Obligation[] => {
    const own = below(`${operation.pointer}/responses`, status);
    const response = resolve(document, given, own);
    const [key, place] = [{ operation: id, status, statuses }, `${id} ${status}`];
    const header = (name: string): Obligation => {
      const look = sightings.lookAtResponseHeader(key, name);
      return {
        kind: 'response-header',
        pointer: below(`${response.pointer}/headers`, name),
        place,
        name,
        facets: [SEEN],
        look,
      };
    };
    return [
      { kind: 'status', pointer: own, place: id, name: status, facets: [SEEN], look: sightings.lookAtStatus(key) },
      ...Object.keys(objectOf(response.node.headers)).map(header),
      ...contentOf(
        document,
        response,
        'response',
        place,
        (mediaType) => sightings.lookAtResponseMediaType(key, mediaType),
        (...property) => sightings.lookAtResponseProperty(key, ...property),
      ),
    ];
  });
}

function requirementsOf(document: JsonObject): Obligation[] {
  return valuesUnder('x-requirements', document).flatMap(({ value, pointer }) =>
    arrayOf(value).map((each): Obligation => {
      return { kind: 'requirement', pointer, place: '', name: String(member(each, 'id')), facets: [SEEN] };
    }),
  );
}

/**
 * Everything in a contract that a run has to exercise, in the order of the document.
 *
 * @param document an OpenAPI 3.1 document without references to other documents
 * @throws Error if a reference leads nowhere
 */
export function obligationsOf(document: JsonObject): Obligation[] {
  const operations = Object.entries(objectOf(document.paths)).flatMap(([path, given]) => {
    const item = resolve(document, given, below('/paths', path));
    return METHODS.filter((method) => isRecord(item.node[method])).flatMap((method): Obligation[] => {
      const operation = resolve(document, item.node[method], `${item.pointer}/${method}`);
      const { pointer } = operation;
      const id = textOf(operation.node.operationId) ?? `${method.toUpperCase()} ${path}`;
      return [
        { kind: 'operation', pointer, place: '', name: id, facets: [SEEN], look: sightings.lookAtOperation(id) },
        ...parametersOf(document, path, item, operation, id),
        ...securityOf(document, operation, id),
        ...requestOf(document, operation, id),
        ...responsesOf(document, operation, id),
      ];
    });
  });
  return [...operations, ...requirementsOf(document)];
}
