import {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  COMPATIBLE,
  change,
  type Change,
  type Effect,
} from './change.ts';
import { follow, placeOf, type Description, type Located } from './description.ts';
import { below } from '../../common/json.ts';
import { arrayOf, member, objectOf, stableJson, textOf } from '../json.ts';
import { diffSchemas, effectOnSides, type Medium } from './schemas/schema-diff.ts';
import { formOf } from './schemas/normalize.ts';
import type { Conjunction, Sender } from './schemas/value-set.ts';
import { diffSecurity } from './security-diff.ts';
import { diffServers, movedIntoPaths, usesServersOfDocument } from './servers-diff.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Compares everything that goes over the wire: operations with their parameters, bodies, answers, keys and addresses. */
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

/** A place that may not be there. */
type MaybeLocated = Located | undefined;

function child(located: MaybeLocated, ...steps: (string | number)[]): MaybeLocated {
  let current = located;
  for (const step of steps) {
    if (current === undefined) return undefined;
    const at = follow(current);
    const value = Array.isArray(at.value) ? (at.value as unknown[])[Number(step)] : member(at.value, String(step));
    current =
      value === undefined ? undefined : { description: at.description, pointer: below(at.pointer, step), value };
  }
  return current === undefined ? undefined : follow(current);
}

function children(located: MaybeLocated): Map<string, Located> {
  const found = new Map<string, Located>();
  if (located === undefined) return found;
  for (const key of Object.keys(objectOf(follow(located).value))) {
    const each = child(located, key);
    if (each !== undefined) found.set(key, each);
  }
  return found;
}

/** Entries under a key that both documents agree on, side by side. */
function concurrent<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): [string, T | undefined, T | undefined][] {
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => [key, before.get(key), after.get(key)]);
}

interface PathItem {
  readonly path: string;
  readonly item: Located;
  /** What of the path stands in the addresses of the servers; the other document has it in the path. */
  readonly moved: string;
}

function itemsOf(description: Description, key: 'paths' | 'webhooks', prefix: string): Map<string, PathItem> {
  const found = new Map<string, PathItem>();
  for (const [written, item] of children({ description, pointer: `/${key}`, value: description.root[key] })) {
    if (written.startsWith('x-')) continue;
    const moved = usesServersOfDocument(item) ? prefix : '';
    const path = `${moved}${written}`;
    let form = key === 'paths' ? pathForm(path) : path;
    // Two templates of one form cannot be told apart by requests; their names have to do.
    if (found.has(form)) form = path;
    found.set(form, { path, item, moved });
  }
  return found;
}

/** An operation with the path item that it stands in. */
export interface Operation {
  readonly path: string;
  readonly name: string;
  readonly item: Located;
  readonly moved: string;
  readonly operation: Located;
}

function operationsOf({ path, item, moved }: PathItem): Map<string, Operation> {
  const found = new Map<string, Operation>();
  const others = [...children(child(item, 'additionalOperations'))];
  for (const [method, operation] of [...children(item), ...others]) {
    if (!METHODS.includes(method) && !others.some(([each]) => each === method)) continue;
    found.set(method.toUpperCase(), { path, name: `${method.toUpperCase()} ${path}`, item, moved, operation });
  }
  return found;
}

/** The comparison of one operation: what is said in it, and who sends its requests. */
interface Context {
  readonly operation: string;
  readonly sender: Sender;
}

function diffPathItems(
  before: ReadonlyMap<string, PathItem>,
  after: ReadonlyMap<string, PathItem>,
  sender: Sender,
): Change[] {
  const empty = new Map<string, Operation>();
  return concurrent(before, after).flatMap(([, old, now]) => {
    const pairs = concurrent(old ? operationsOf(old) : empty, now ? operationsOf(now) : empty);
    return pairs.flatMap(([, was, is]) => {
      if (was && is) return diffOperation(was, is, sender);
      if (was) {
        const renamed = now === undefined ? '; a client that calls it gets no such answer any more' : '';
        return [change('operation-removed', placeOf(was.operation), BREAKS_CLIENTS, `${was.name} is gone${renamed}`)];
      }
      return is ? [change('operation-added', placeOf(is.operation), BREAKS_IMPLEMENTERS, `${is.name} is new`)] : [];
    });
  });
}

function diffOperation(was: Operation, is: Operation, sender: Sender): Change[] {
  const context: Context = { operation: is.name, sender };
  const changes = [
    ...(was.path === is.path || sender === 'server'
      ? []
      : [
          change(
            'path-parameter-renamed',
            placeOf(is.item),
            COMPATIBLE,
            `${was.path} is written ${is.path}; requests stay the same`,
            'patch',
          ),
        ]),
    ...diffParameters(was, is, context),
    ...diffRequestBody(child(was.operation, 'requestBody'), child(is.operation, 'requestBody'), is, was, context),
    ...diffResponses(was.operation, is.operation, context),
    ...diffCallbacks(was.operation, is.operation, sender),
    ...(sender === 'client' ? [...diffSecurity(was, is), ...diffServers(was, is)] : []),
  ];
  return changes.map((each) => ({ operations: [is.name], ...each }));
}

function diffCallbacks(was: Located, is: Located, sender: Sender): Change[] {
  const other = sender === 'client' ? 'server' : 'client';
  const itemsIn = (operation: Located): Map<string, PathItem> =>
    new Map(
      [...children(child(operation, 'callbacks'))].flatMap(([name, callback]) =>
        [...children(callback)]
          .filter(([expression]) => !expression.startsWith('x-'))
          .map(([expression, item]): [string, PathItem] => [
            `${name} ${expression}`,
            { path: `${name} (${expression})`, item, moved: '' },
          ]),
      ),
    );
  return diffPathItems(itemsIn(was), itemsIn(is), other);
}

/** Changes of a schema, as seen by clients and implementers. */
function diffValue(
  before: Conjunction,
  after: Conjunction,
  sender: Sender,
  name: string,
  operation: string,
  medium: Medium,
): Change[] {
  return diffSchemas(before, after, sender, name, medium).map((each) => ({
    ...change(each.rule, placeOf(each.at), effectOnSides(each, sender), each.message),
    operations: [operation],
  }));
}

function schemaAt(located: MaybeLocated): Conjunction {
  const schema = located === undefined ? undefined : member(located.value, 'schema');
  if (located === undefined || schema === undefined) return [];
  return [{ description: located.description, pointer: below(located.pointer, 'schema'), value: schema }];
}

/** Whoever sends breaks where less may be sent, whoever receives where more may come. */
function sides(sender: Sender, broken: { readonly sender?: boolean; readonly receiver?: boolean }): Effect {
  const clients = sender === 'client' ? broken.sender : broken.receiver;
  const implementers = sender === 'client' ? broken.receiver : broken.sender;
  return { clients: clients ? 'breaking' : 'compatible', implementers: implementers ? 'breaking' : 'compatible' };
}

const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function parametersOf({ item, operation, path }: Operation): Map<string, Located> {
  const positions = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  const found = new Map<string, Located>();
  for (const holder of [item, operation]) {
    const list = child(holder, 'parameters');
    arrayOf(list?.value).forEach((_each, index) => {
      const parameter = child(list, index);
      const name = textOf(member(parameter?.value, 'name')) ?? '';
      const place = textOf(member(parameter?.value, 'in')) ?? '';
      if (parameter === undefined || (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase()))) return;
      const key = place === 'header' ? name.toLowerCase() : place === 'path' ? positions.indexOf(name) : name;
      found.set(`${place} ${key}`, parameter);
    });
  }
  return found;
}

function labelOf(parameter: Located): string {
  return `${textOf(member(parameter.value, 'in')) ?? ''} parameter ${textOf(member(parameter.value, 'name')) ?? ''}`;
}

function diffParameters(was: Operation, is: Operation, { sender, operation }: Context): Change[] {
  return concurrent(parametersOf(was), parametersOf(is)).flatMap(([, before, after]) => {
    const found = before && after ? diffParameter(before, after, sender, operation) : [];
    if (before && !after) {
      const required = member(before.value, 'required') === true;
      const effect = required && sender === 'client' ? BREAKS_BOTH : BREAKS_CLIENTS;
      found.push(change('parameter-removed', placeOf(before), effect, `${labelOf(before)} is gone`));
    }
    if (after && !before) {
      const required = member(after.value, 'required') === true;
      const honour = sender === 'client' || required;
      const effect = sides(sender, sender === 'client' ? { sender: required, receiver: honour } : { sender: required });
      const rule = required ? 'required-parameter-added' : 'parameter-added';
      found.push(change(rule, placeOf(after), effect, `${labelOf(after)} is new${required ? ' and required' : ''}`));
    }
    return found;
  });
}

function diffParameter(before: Located, after: Located, sender: Sender, operation: string): Change[] {
  const name = labelOf(after);
  const found: Change[] = [];
  const flag = (located: Located, key: string): boolean => member(located.value, key) === true;
  if (!flag(before, 'required') && flag(after, 'required')) {
    found.push(
      change('parameter-required', placeOf(after), sides(sender, { sender: true }), `${name} is required now`),
    );
  }
  if (flag(before, 'required') && !flag(after, 'required')) {
    const effect = sides(sender, { receiver: true });
    found.push(change('parameter-optional', placeOf(after), effect, `${name} is no longer required`));
  }
  const [written, newWritten] = [writingOf(before), writingOf(after)];
  if (written !== newWritten) {
    found.push(change('parameter-serialization', placeOf(after), BREAKS_BOTH, `${name} is written differently`));
  }
  for (const key of ['allowReserved', 'allowEmptyValue']) {
    if (flag(before, key) === flag(after, key)) continue;
    const effect = sides(sender, flag(after, key) ? { receiver: true } : { sender: true });
    found.push(change('parameter-characters', placeOf(after), effect, `${name}: \`${key}\` changes`));
  }
  return [...found, ...diffCarried(before, after, sender, name, operation)];
}

/** The values of a parameter or header: by `schema`, or by `content` with one media type. */
function diffCarried(before: Located, after: Located, sender: Sender, name: string, operation: string): Change[] {
  const carried = (located: Located): readonly [string, Conjunction] => {
    const [entry] = children(child(located, 'content'));
    return entry === undefined ? ['', schemaAt(located)] : [entry[0], schemaAt(entry[1])];
  };
  const [type, schema] = carried(before);
  const [newType, newSchema] = carried(after);
  if (type !== newType) {
    const message = `${name} is written as ${newType === '' ? 'a plain value' : newType}`;
    return [change('parameter-media-type', placeOf(after), BREAKS_BOTH, message)];
  }
  return diffValue(schema, newSchema, sender, name, operation, type === '' ? 'text' : mediumOf(type));
}

const STYLES: Readonly<Record<string, string>> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

/** How the values of a parameter are put into text, as far as it shows. */
function writingOf(parameter: Located): string {
  const place = textOf(member(parameter.value, 'in')) ?? 'header';
  const style = textOf(member(parameter.value, 'style')) ?? STYLES[place] ?? 'simple';
  const explode = member(parameter.value, 'explode') ?? style === 'form';
  let structured: boolean;
  try {
    const form = formOf(schemaAt(parameter), 'client');
    structured = form.has('array') || form.has('object');
  } catch {
    structured = true;
  }
  if (structured) return `${style} ${JSON.stringify(explode)}`;
  return ['label', 'matrix'].includes(style) ? style : 'plain';
}

function diffRequestBody(
  before: MaybeLocated,
  after: MaybeLocated,
  is: Operation,
  was: Operation,
  context: Context,
): Change[] {
  const { sender } = context;
  const required = (body: MaybeLocated): boolean => member(body?.value, 'required') === true;
  if (before === undefined && after === undefined) return [];
  if (before === undefined) {
    const effect = sides(sender, { sender: required(after), receiver: sender === 'client' });
    return [change('request-body-added', placeOf(after ?? is.operation), effect, `${is.name} takes a body now`)];
  }
  if (after === undefined) {
    const effect = required(before) && sender === 'client' ? BREAKS_BOTH : BREAKS_CLIENTS;
    return [change('request-body-removed', placeOf(before), effect, `${was.name} takes no body any more`)];
  }
  const found: Change[] = [];
  if (!required(before) && required(after)) {
    const effect = sides(sender, { sender: true });
    found.push(change('request-body-required', placeOf(after), effect, `${is.name}: the body is required now`));
  }
  if (required(before) && !required(after)) {
    const effect = sides(sender, { receiver: true });
    found.push(change('request-body-optional', placeOf(after), effect, `${is.name}: the body may be left out now`));
  }
  return [...found, ...diffContent(before, after, sender, 'body', context, 'request')];
}

function isJson(type: string): boolean {
  return /[/+]json$/i.test(type);
}

/** A media type or range without its parameters' case and blanks, and without what holds for every JSON text. */
function mediaTypeForm(type: string): string {
  const [name = '', ...parameters] = type.split(';').map((each) => each.trim());
  const said = parameters
    .map((each) => each.toLowerCase())
    .filter((each) => !(isJson(name) && each === 'charset=utf-8'));
  return [name.toLowerCase(), ...said.sort()].join(';');
}

function covers(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1));
  return false;
}

/** The most exact entry for a media type. */
function entryFor(entries: ReadonlyMap<string, Located>, type: string): MaybeLocated {
  const fitting = [...entries].filter(([range]) => covers(range, type));
  return fitting.sort(([a], [b]) => a.split('*').length - b.split('*').length)[0]?.[1];
}

function contentOf(located: Located): Map<string, Located> {
  return new Map([...children(child(located, 'content'))].map(([type, each]) => [mediaTypeForm(type), each]));
}

function mediumOf(type: string): Medium {
  if (/^(multipart\/|application\/x-www-form-urlencoded)/.test(type)) return 'form';
  return /[/+]xml(;|$)|\*/.test(type) ? 'xml' : 'json';
}

/** Whether a body is bytes that its schema says no more of, as OpenAPI 3.0 writes it. */
function isBytes(type: string, media: Located): boolean {
  if (/^text\/|[/+](json|xml)(;|$)|\*/.test(type) || mediumOf(type) === 'form') return false;
  const schema = child(media, 'schema')?.value;
  const said = Object.keys(objectOf(schema)).filter((key) => !['description', 'title'].includes(key));
  return said.sort().join() === 'format,type' && member(schema, 'format') === 'binary';
}

/** How the parts of a form are written, where that is not how they are written anyway. */
function encodingOf(media: Located): string {
  const parts = [...children(child(media, 'encoding'))].map(([name, { value }]) => {
    const type = member(child(media, 'schema', 'properties', name)?.value, 'type');
    const usual = type === 'object' ? 'application/json' : type === 'array' ? undefined : 'text/plain';
    const said = Object.entries(objectOf(value)).filter(
      ([key, each]) => key !== 'contentType' || type === undefined || each !== usual,
    );
    return [name, Object.fromEntries(said)] as const;
  });
  return stableJson(Object.fromEntries(parts.filter(([, said]) => Object.keys(said).length > 0)));
}

function diffContent(
  before: Located,
  after: Located,
  sender: Sender,
  name: string,
  { operation }: Context,
  of: 'request' | 'response',
): Change[] {
  const [old, now] = [contentOf(before), contentOf(after)];
  const found: Change[] = [];
  for (const type of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [entryFor(old, type), entryFor(now, type)];
    if (was && is) {
      const medium = mediumOf(type);
      const [schema, newSchema] = [was, is].map((each) => (isBytes(type, each) ? [] : schemaAt(each)));
      found.push(...diffValue(schema ?? [], newSchema ?? [], sender, name, operation, medium));
      const [encoding, newEncoding] = [was, is].map((each) => (medium === 'form' ? encodingOf(each) : ''));
      if (encoding !== newEncoding) {
        found.push(change('encoding-changed', placeOf(is), BREAKS_BOTH, `${name}: the encoding of ${type} changes`));
      }
    } else if (was) {
      const message = `${name}: ${type} is no longer ${of === 'request' ? 'taken' : 'answered'}`;
      const effect = of === 'request' ? BREAKS_CLIENTS : BREAKS_BOTH;
      found.push(
        change(
          'media-type-removed',
          placeOf(was),
          sender === 'client' || of === 'response' ? effect : BREAKS_BOTH,
          message,
        ),
      );
    } else if (is) {
      const ranged = type.includes('*');
      const message = `${name}: ${type} is ${of === 'request' ? 'taken' : 'answered'} now`;
      // A client asks for the media type that it knows; a range lets the server choose another.
      const effect = of === 'response' && ranged ? BREAKS_BOTH : BREAKS_IMPLEMENTERS;
      found.push(
        change(
          'media-type-added',
          placeOf(is),
          old.size === 0 && of === 'response' ? BREAKS_IMPLEMENTERS : effect,
          message,
        ),
      );
    }
  }
  return found;
}

/** The answers that a status may find: those for it alone, for its hundred, for any. */
function responseFor(responses: ReadonlyMap<string, Located>, status: string): MaybeLocated {
  const range = /^[1-5]\d\d$/.test(status) ? `${status.charAt(0)}XX` : status;
  const success = status.startsWith('2');
  const successNamed = [...responses.keys()].some((each) => each.startsWith('2'));
  const fallback = success && successNamed ? undefined : responses.get('default');
  return responses.get(status) ?? responses.get(range) ?? fallback;
}

function responsesOf(operation: Located): Map<string, Located> {
  const named = [...children(child(operation, 'responses'))].filter(([key]) => !key.startsWith('x-'));
  return new Map(named.map(([key, each]) => [key.replace(/xx$/i, 'XX'), each]));
}

function diffResponses(was: Located, is: Located, context: Context): Change[] {
  const sender: Sender = context.sender === 'client' ? 'server' : 'client';
  const [old, now] = [responsesOf(was), responsesOf(is)];
  const found: Change[] = [];
  for (const status of new Set([...old.keys(), ...now.keys()])) {
    const [before, after] = [responseFor(old, status), responseFor(now, status)];
    if (before && after) {
      found.push(...diffResponse(before, after, sender, status, context));
      if (old.has(status) && !now.has(status)) {
        const message = `the answer ${status} is no longer promised by itself`;
        found.push(change('response-generalised', placeOf(before), sides(sender, { receiver: true }), message));
      }
    } else if (before && status.endsWith('XX') && [...now.keys()].some((each) => each.startsWith(status.charAt(0)))) {
      const message = `of the answers ${status} only some are left`;
      found.push(change('response-narrowed', placeOf(before), sides(sender, { sender: true }), message));
    } else if (before) {
      found.push(change('response-removed', placeOf(before), BREAKS_BOTH, `the answer ${status} is gone`));
    } else if (after) {
      const success = /^[23]/.test(status);
      const effect = success ? sides(sender, { receiver: true }) : COMPATIBLE;
      found.push(change('response-added', placeOf(after), effect, `the answer ${status} is new`));
    }
  }
  return found;
}

function diffResponse(before: Located, after: Located, sender: Sender, status: string, context: Context): Change[] {
  const found = diffContent(before, after, sender, `answer ${status}`, context, 'response');
  const headersOf = (response: Located): Map<string, Located> =>
    new Map(
      [...children(child(response, 'headers'))]
        .map(([name, header]): [string, Located] => [name.toLowerCase(), header])
        .filter(([name]) => name !== 'content-type'),
    );
  const required = (header: Located): boolean => member(header.value, 'required') === true;
  for (const [name, old, now] of concurrent(headersOf(before), headersOf(after))) {
    const label = `answer ${status}, header ${name}`;
    if (old && now) {
      if (!required(old) && required(now)) {
        const effect = sides(sender, { sender: true });
        found.push(change('header-required', placeOf(now), effect, `${label} is required now`));
      }
      if (required(old) && !required(now)) {
        const effect = sides(sender, { receiver: true });
        found.push(change('header-optional', placeOf(now), effect, `${label} is no longer required`));
      }
      if (writingOf(old) !== writingOf(now)) {
        found.push(change('header-serialization', placeOf(now), BREAKS_BOTH, `${label} is written differently`));
      }
      found.push(...diffCarried(old, now, sender, label, context.operation));
    } else if (old) {
      found.push(change('header-removed', placeOf(old), BREAKS_CLIENTS, `${label} is gone`));
    } else if (now) {
      const effect = sides(sender, { sender: required(now) });
      found.push(change('header-added', placeOf(now), effect, `${label} is new`));
    }
  }
  const [error, newError] = [before, after].map((each) => member(each.value, 'x-error-name'));
  if (error !== newError) {
    const effect = error === undefined ? BREAKS_IMPLEMENTERS : newError === undefined ? BREAKS_CLIENTS : BREAKS_BOTH;
    const message = `answer ${status}: the error name changes from ${stableJson(error)} to ${stableJson(newError)}`;
    found.push(change('error-name-changed', placeOf(after), effect, message));
  }
  const links = [before, after].map((each) => stableJson(member(each.value, 'links')));
  if (links[0] !== links[1]) {
    found.push(change('links-changed', placeOf(after), COMPATIBLE, `answer ${status}: the links change`));
  }
  return found;
}
