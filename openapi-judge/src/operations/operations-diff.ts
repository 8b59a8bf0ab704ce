import { member, objectOf, without } from '../../../common/json.ts';
import { change, type Change, type Sender } from '../change.ts';
import { isUnchanged, sameJson } from '../unchanged.ts';
import {
  child,
  children,
  diffEntries,
  follow,
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
import type { Operation } from './value-diff.ts';

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

type PathItem = Omit<Operation, 'name' | 'operation'>;

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
    found.set(method, { ...item, name: `${method} ${item.path}`, operation });
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
    return diffEntries(operationsOf(before.get(path)), operationsOf(after.get(path)), {
      gone: ({ operation, name }) => {
        const sunset = passedSunset(operation);
        const found =
          sunset === undefined
            ? change('operation-removed', operation, `${name} is gone${left}`)
            : change('operation-removed-after-sunset', operation, `${name} is gone, as announced for ${sunset}${left}`);
        return { ...found, operations: [name] };
      },
      come: ({ operation, name }) => ({
        ...change('operation-added', operation, `${name} is new: a server has to offer it`),
        operations: [name],
      }),
      both: (was, is) => diffOperation(was, is, sender),
    });
  });
}

function diffOperation(was: Operation, is: Operation, sender: Sender): Change[] {
  const receiver: Sender = sender === 'client' ? 'server' : 'client';
  const inMessage = (message: 'request' | 'response', found: readonly Change[]): Change[] =>
    found.map((each) => ({ messages: [message], ...each }));
  const changes = [
    ...(sender === 'client' ? diffPath(was, is) : []),
    ...inMessage('request', [...diffParameters(was, is, sender), ...diffRequestBody(was, is, sender)]),
    ...inMessage('response', diffResponses(was, is, receiver)),
    ...diffPathItems(callbacksOf(was.operation), callbacksOf(is.operation), receiver),
    ...(haveSameSecurity(was, is) ? [] : diffSecurity(was, is, sender)),
    ...(sender === 'client' ? diffServers(was, is) : []),
  ];
  return changes.map((each) => ({ operations: [is.name], ...each }));
}

function haveSameSecurity(was: Operation, is: Operation): boolean {
  const [before, after] = [was.operation, is.operation];
  const areAlike = areAlikeAround(before.description, after.description);
  return areAlike && sameJson(member(before.value, 'security'), member(after.value, 'security'));
}

function diffPath(was: Operation, is: Operation): Change[] {
  if (was.path === is.path) return [];
  const message = `the path ${was.path} is now written ${is.path}; requests stay the same`;
  return [change('path-parameter-renamed', is.item, message)];
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
