import { arrayOf, atPointer, below, isRecord, type JsonObject, objectOf } from '../../common/json.ts';
import { stepsText, type Step } from './steps.ts';

interface Common {
  /** JSON pointer into the document: where that stands which has to be covered. */
  readonly pointer: string;
  /** What has to be seen, each by itself: the types of a union, `sent` and `left out` of a key. */
  readonly facets: readonly string[];
}

interface OfOperation extends Common {
  readonly operation: string;
}

interface OfAnswer extends OfOperation {
  /** A key of `responses`. */
  readonly status: string;
  /** The other keys, for `default`. */
  readonly statuses: readonly string[];
}

/** One thing in a contract that a run has to exercise. */
export type Obligation =
  | (OfOperation & { readonly kind: 'operation' })
  | (OfOperation & {
      readonly kind: 'parameter';
      readonly name: string;
      readonly in: string;
      /** The template of the operation's path. */
      readonly path: string;
    })
  | (OfOperation & { readonly kind: 'security'; readonly scheme: string; readonly definition: JsonObject })
  | (OfOperation & { readonly kind: 'request-media-type'; readonly mediaType: string })
  | (OfOperation & { readonly kind: 'request-property'; readonly mediaType: string; readonly steps: readonly Step[] })
  | (OfAnswer & { readonly kind: 'status' })
  | (OfAnswer & { readonly kind: 'response-header'; readonly name: string })
  | (OfAnswer & { readonly kind: 'response-media-type'; readonly mediaType: string })
  | (OfAnswer & {
      readonly kind: 'response-property';
      readonly mediaType: string;
      readonly steps: readonly Step[];
      /** The types that conform; none where the schema demands nothing. */
      readonly types: readonly string[];
    })
  | (Common & { readonly kind: 'requirement'; readonly id: string });

/** What kind of thing has to be exercised. */
export type ObligationKind = Obligation['kind'];

/** The facet of what has no types or the like. */
export const SEEN = 'seen';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}

/** A part of a document that may be a reference, with the pointer of what it stands for. */
function resolve(document: JsonObject, node: unknown, pointer: string): Place {
  let place = { node: isRecord(node) ? node : {}, pointer };
  for (let depth = 0; typeof place.node.$ref === 'string'; depth += 1) {
    const reference = place.node.$ref;
    const found = atPointer(document, reference.slice(1));
    if (!reference.startsWith('#/') || !isRecord(found) || depth > 100) {
      throw new Error(`${place.pointer}: the reference ${reference} leads nowhere.`);
    }
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

/** A schema and everything in it that can be seen by itself: the value, its members, its elements, theirs. */
function membersOf(document: JsonObject, start: Place, direction: 'request' | 'response'): Member[] {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const found = new Map<string, Member>();
  const visit = (schema: unknown, at: string, steps: readonly Step[], above: readonly string[]): void => {
    const place = resolve(document, schema, at);
    if (above.includes(place.pointer) || place.node[hidden] === true) return;
    const inside = [...above, place.pointer];
    const key = `${place.pointer} ${stepsText(steps)}`;
    if (!found.has(key)) found.set(key, { ...place, steps, types: typesOf(document, place) });
    for (const [name, member] of Object.entries(objectOf(place.node.properties))) {
      visit(member, below(`${place.pointer}/properties`, name), [...steps, { member: name }], inside);
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

function orSeen(facets: readonly string[]): readonly string[] {
  return facets.length === 0 ? [SEEN] : facets;
}

function parametersOf(document: JsonObject, path: string, item: Place, operation: Place, id: string): Obligation[] {
  const places = [item, operation].flatMap(({ node, pointer }) =>
    arrayOf(node.parameters).map((parameter, index) => resolve(document, parameter, `${pointer}/parameters/${index}`)),
  );
  // An operation's parameter takes the place of the path's one of the same name.
  const byName = new Map(places.map((place) => [`${String(place.node.in)} ${String(place.node.name)}`, place]));
  return [...byName.values()].map(({ node, pointer }) => ({
    kind: 'parameter',
    operation: id,
    pointer,
    name: String(node.name),
    in: String(node.in),
    path,
    facets: orSeen(typesOf(document, resolve(document, node.schema, `${pointer}/schema`))),
  }));
}

function securityOf(document: JsonObject, { node }: Place, id: string): Obligation[] {
  const alternatives = arrayOf(node.security ?? document.security);
  const schemes = new Set(alternatives.flatMap((alternative) => Object.keys(isRecord(alternative) ? alternative : {})));
  return [...schemes].map((scheme) => {
    const { node: definition, pointer } = resolve(
      document,
      { $ref: `#${below('/components/securitySchemes', scheme)}` },
      '/security',
    );
    return { kind: 'security', operation: id, pointer, scheme, definition, facets: ['sent', 'left out'] };
  });
}

function requestOf(document: JsonObject, operation: Place, id: string): Obligation[] {
  const body = resolve(document, operation.node.requestBody, `${operation.pointer}/requestBody`);
  return Object.entries(objectOf(body.node.content)).flatMap(([mediaType, content]): Obligation[] => {
    const pointer = below(`${body.pointer}/content`, mediaType);
    const schema = resolve(document, isRecord(content) ? content.schema : undefined, `${pointer}/schema`);
    return [
      { kind: 'request-media-type', operation: id, pointer, mediaType, facets: [SEEN] },
      ...membersOf(document, schema, 'request').map((member): Obligation => ({
        kind: 'request-property',
        operation: id,
        pointer: member.pointer,
        mediaType,
        steps: member.steps,
        facets: orSeen(member.types),
      })),
    ];
  });
}

function answersOf(document: JsonObject, operation: Place, id: string): Obligation[] {
  const statuses = Object.entries(objectOf(operation.node.responses)).map(([status]) => status);
  return Object.entries(objectOf(operation.node.responses)).flatMap(([status, response]): Obligation[] => {
    const own = below(`${operation.pointer}/responses`, status);
    const { node, pointer } = resolve(document, response, own);
    const common = { operation: id, status, statuses, facets: [SEEN] };
    return [
      { ...common, kind: 'status', pointer: own },
      ...Object.entries(objectOf(node.headers)).map(([name]): Obligation => ({
        ...common,
        kind: 'response-header',
        pointer: below(`${pointer}/headers`, name),
        name,
      })),
      ...Object.entries(objectOf(node.content)).flatMap(([mediaType, content]): Obligation[] => {
        const at = below(`${pointer}/content`, mediaType);
        const schema = resolve(document, isRecord(content) ? content.schema : undefined, `${at}/schema`);
        return [
          { ...common, kind: 'response-media-type', pointer: at, mediaType },
          ...membersOf(document, schema, 'response').map((member): Obligation => ({
            ...common,
            kind: 'response-property',
            pointer: member.pointer,
            mediaType,
            steps: member.steps,
            types: member.types,
            facets: orSeen(member.types),
          })),
        ];
      }),
    ];
  });
}

function requirementsOf(document: JsonObject): Obligation[] {
  const found: Obligation[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, child] of Object.entries(node)) {
      if (name !== 'x-requirements') visit(child, below(pointer, name));
      else {
        for (const { id } of arrayOf(child) as { id: string }[]) {
          found.push({ kind: 'requirement', pointer, id, facets: [SEEN] });
        }
      }
    }
  };
  visit(document, '');
  return found;
}

/**
 * Everything in a contract that a run has to exercise, in the order of the document.
 *
 * @param document an OpenAPI 3.1 document whose references stay inside of it
 * @throws Error if a reference leads nowhere
 */
export function obligationsOf(document: JsonObject): Obligation[] {
  const operations = Object.entries(objectOf(document.paths)).flatMap(([path, given]) => {
    const item = resolve(document, given, below('/paths', path));
    return METHODS.filter((method) => isRecord(item.node[method])).flatMap((method): Obligation[] => {
      const operation = resolve(document, item.node[method], `${item.pointer}/${method}`);
      const { operationId } = operation.node;
      const id = typeof operationId === 'string' ? operationId : `${method.toUpperCase()} ${path}`;
      return [
        { kind: 'operation', operation: id, pointer: operation.pointer, facets: [SEEN] },
        ...parametersOf(document, path, item, operation, id),
        ...securityOf(document, operation, id),
        ...requestOf(document, operation, id),
        ...answersOf(document, operation, id),
      ];
    });
  });
  return [...operations, ...requirementsOf(document)];
}

/** Where that stands which has to be exercised: the operation, the status, the media type. */
export function placeOf(obligation: Obligation): string {
  switch (obligation.kind) {
    case 'requirement':
    case 'operation':
      return '';
    case 'response-header':
    case 'response-media-type':
      return `${obligation.operation} ${obligation.status}`;
    case 'request-property':
      return `${obligation.operation} ${obligation.mediaType}`;
    case 'response-property':
      return `${obligation.operation} ${obligation.status} ${obligation.mediaType}`;
    default:
      return obligation.operation;
  }
}

/** The name of what has to be exercised: `banners[].id`, `apiKey`, `update.repeatable`. */
export function nameOf(obligation: Obligation): string {
  switch (obligation.kind) {
    case 'parameter':
    case 'response-header':
      return obligation.name;
    case 'security':
      return obligation.scheme;
    case 'requirement':
      return obligation.id;
    case 'request-property':
    case 'response-property':
      return stepsText(obligation.steps) || '(the body)';
    case 'request-media-type':
    case 'response-media-type':
      return obligation.mediaType;
    case 'status':
      return obligation.status;
    case 'operation':
      return obligation.operation;
  }
}
