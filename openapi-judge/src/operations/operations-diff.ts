/** Compares everything that goes over the wire, operation by operation. */
import { member, objectOf, without } from '../../../common/json.ts';
import { change, type Change, type Sender } from '../change.ts';
import { isUnchanged, sameJson } from '../unchanged.ts';
import {
  child,
  children,
  diffEntries,
  follow,
  isPublic,
  METHODS,
  partAt,
  passedSunset,
  rememberingPair,
  type Description,
  type Located,
} from '../documents/description.ts';
import { diffRequestBody } from './bodies-diff.ts';
import { diffParameters } from './parameters-diff.ts';
import { diffResponses } from './responses-diff.ts';
import { diffSecurity } from './security-diff.ts';
import { diffServers, movedIntoPaths, usesServersOfDocument } from './servers-diff.ts';
import type { Operation, OperationPair } from './value-diff.ts';

/** Compares everything that goes over the wire: operations with their parameters, bodies, responses, keys and addresses. */
export function diffOperations(base: Description, head: Description): Change[] {
  const paths = [
    itemsOf(base, 'paths', movedIntoPaths(base, head)),
    itemsOf(head, 'paths', movedIntoPaths(head, base)),
  ] as const;
  return [
    ...diffPathItems(...paths, 'client'),
    ...diffPathItems(itemsOf(base, 'webhooks', ''), itemsOf(head, 'webhooks', ''), 'server'),
  ];
}

/** A path in which the names of parameters do not count: `/users/{id}` → `/users/{}`. */
function pathForm(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

type PathItem = Omit<Operation, 'name' | 'method' | 'operation'>;

function itemsOf(description: Description, key: 'paths' | 'webhooks', prefix: string): Map<string, PathItem> {
  const found = new Map<string, PathItem>();
  for (const [written, item] of pathItemsAt({ description, pointer: `/${key}`, value: description.root[key] })) {
    const moved = usesServersOfDocument(item) ? prefix : '';
    const path = `${moved}${written}`;
    let form = key === 'paths' ? pathForm(path) : path;
    // Requests cannot tell apart two templates of one form, so their names count.
    if (found.has(form)) form = path;
    found.set(form, { path, item, moved });
  }
  return found;
}

/** The path items in an object. What stands beside a reference of one belongs to it. */
function pathItemsAt(holder: Located): Map<string, Located> {
  const items = [...children(holder)].filter(([name]) => !name.startsWith('x-'));
  return new Map(
    items.map(([name, item]) => {
      const written = objectOf(member(follow(holder).value, name));
      const own = without(written, '$ref');
      if (written.$ref === undefined || Object.keys(own).length === 0) return [name, item];
      return [name, { ...partAt(follow(holder), name), value: { ...objectOf(item.value), ...own } }];
    }),
  );
}

function operationsOf(item: PathItem | undefined): Map<string, Operation> {
  const found = new Map<string, Operation>();
  if (item === undefined) return found;
  const named = [...children(item.item)].filter(([key]) => METHODS.includes(key.toLowerCase()));
  const methods = named.map(([key, operation]) => [key.toUpperCase(), operation] as const);
  // The letter case of other methods counts.
  for (const [method, operation] of [...methods, ...children(child(item.item, 'additionalOperations'))])
    found.set(method, { ...item, method, name: `${method} ${item.path}`, operation });
  return found;
}

/** Whether two documents say the same for all operations. */
const areAlikeAround = rememberingPair((before, after) => {
  const around = ({ root: { components, security, servers } }: Description): unknown => [
    ...[member(components, 'securitySchemes'), security, servers],
  ];
  return sameJson(around(before), around(after));
});

/** Whether two path items are written alike, and so is all that they rest on. */
function isSame(was: PathItem, is: PathItem): boolean {
  const [before, after] = [was.item, is.item];
  const isAround = was.path === is.path && was.moved === is.moved;
  return isAround && areAlikeAround(before.description, after.description) && isUnchanged(before, after);
}

/** Compares path items whose requests this sender sends. */
function diffPathItems(
  before: ReadonlyMap<string, PathItem>,
  after: ReadonlyMap<string, PathItem>,
  sender: Sender,
): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old && now && isSame(old, now)) return [];
    const left = after.has(path) ? '' : ', and so is its path';
    const [olds, news] = [operationsOf(before.get(path)), operationsOf(after.get(path))];
    return diffEntries(publicOf(olds), publicOf(news), {
      gone: (old, method) => {
        const hidden = news.get(method);
        return hidden === undefined ? operationRemoved(old, left) : operationHidden(hidden);
      },
      come: ({ operation, name }) => ({
        ...change('operation-added', operation, 'is new: a server has to offer it'),
        operations: [name],
      }),
      both: (was, is) => diffOperation({ was, is, sender }),
    });
  });
}

/** Operations without those that are internal, or not even beta: nobody may count on them. */
function publicOf(operations: ReadonlyMap<string, Operation>): Map<string, Operation> {
  return new Map(
    [...operations].filter(([, { item, operation }]) => isPublic(item.value) && isPublic(operation.value)),
  );
}

function operationHidden({ operation, name }: Operation): Change {
  return { ...change('operation-hidden', operation, 'is no longer public'), operations: [name] };
}

function operationRemoved({ operation, name }: Operation, left: string): Change {
  const sunset = passedSunset(operation);
  const found =
    sunset === undefined
      ? change('operation-removed', operation, `is gone${left}`)
      : change('operation-removed-after-sunset', operation, `is gone, as announced for ${sunset}${left}`);
  return { ...found, operations: [name] };
}

function diffOperation(pair: OperationPair): Change[] {
  const { was, is, sender } = pair;
  const receiver: Sender = sender === 'client' ? 'server' : 'client';
  const inMessage = (message: 'request' | 'response', found: readonly Change[]): Change[] =>
    found.map((each) => ({ messages: [message], ...each }));
  const changes = [
    ...(sender === 'client' ? diffPath(was, is) : []),
    ...inMessage('request', [...diffParameters(pair), ...diffRequestBody(pair)]),
    ...inMessage('response', diffResponses(pair, receiver)),
    ...diffPathItems(callbacksOf(was.operation), callbacksOf(is.operation), receiver),
    ...diffSecurity(pair),
    ...(sender === 'client' ? diffServers(was, is) : []),
  ];
  return changes.map((each) => ({ operations: [is.name], ...each }));
}

function diffPath(was: Operation, is: Operation): Change[] {
  if (was.path === is.path) return [];
  const fact = `the path ${was.path} is now written ${is.path}; requests stay the same`;
  return [change('path-parameter-renamed', is.item, fact)];
}

/** By their expressions: the name of a callback does not go over the wire. */
function callbacksOf(operation: Located): Map<string, PathItem> {
  const found = new Map<string, PathItem>();
  for (const [name, callback] of children(child(operation, 'callbacks'))) {
    for (const [expression, item] of pathItemsAt(callback)) {
      const path = `${name} (${expression})`;
      found.set(found.has(expression) ? path : expression, { path, item, moved: '' });
    }
  }
  return found;
}
