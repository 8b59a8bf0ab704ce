/** Compares the addresses of operations. */
import { arrayOf, below, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import { BREAKS_BOTH, BREAKS_CLIENTS, change, type Change } from '../change.ts';
import { diffEntries, follow, type Description, type Located } from '../documents/description.ts';
import { sameJson } from '../unchanged.ts';
import type { Operation } from './value-diff.ts';

interface Server {
  readonly place: Located;
  readonly url: string;
  readonly variables: readonly Variable[];
}

/** A variable in an address; without a list it may have any value. */
interface Variable {
  readonly name: string;
  readonly default: string;
  readonly values: readonly string[] | undefined;
}

/** An address without the slash at its end; the letter case of scheme and host does not count. */
function trimmed(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/{]*/i, (start) => start.toLowerCase());
}

/** An address with the defaults of its variables. */
function usualAddress(server: unknown): string {
  const url = textOf(member(server, 'url')) ?? '';
  const usual = url.replaceAll(/\{([^}]*)\}/g, (variable, name: string) => {
    return textOf(member(member(member(server, 'variables'), name), 'default')) ?? variable;
  });
  return trimmed(usual);
}

function urlsOf(description: Description): readonly string[] {
  const urls = arrayOf(description.root.servers).map(usualAddress);
  return urls.length === 0 ? [''] : urls;
}

/** Whether the addresses of a path are those of the document. */
export function usesServersOfDocument(item: Located): boolean {
  const own = [item.value, ...Object.values(objectOf(item.value))];
  return own.every((holder) => member(holder, 'servers') === undefined);
}

/**
 * What moved from the end of each server's address in one document into the paths of the other: `/v1` for a server `https://host/v1`
 * with `/users` that became `https://host` with `/v1/users`. Empty if nothing did.
 */
export function movedIntoPaths(from: Description, to: Description): string {
  const [urls, left] = [urlsOf(from), urlsOf(to)];
  const [first = ''] = urls;
  const text = (list: readonly string[]): string => stableJson([...new Set(list)].sort());
  const moved = left
    .map((url) => (first.startsWith(url) ? first.slice(url.length) : ''))
    .find((path) => /^\/[^{]*$/.test(path) && text(left.map((url) => `${url}${path}`)) === text(urls));
  if (moved === undefined) return '';
  const paths = Object.entries(objectOf(to.root.paths)).filter(([path, value]) => {
    return !path.startsWith('x-') && usesServersOfDocument(follow({ description: to, pointer: '', value }));
  });
  return paths.length > 0 && paths.every(([path]) => path.startsWith(`${moved}/`)) ? moved : '';
}

/** The addresses that an operation says, or its path, or the document; with the pointer of what says them. */
function listOf({ operation, item }: Operation): readonly [pointer: string, servers: readonly unknown[]] {
  const root: Located = { description: operation.description, pointer: '', value: operation.description.root };
  for (const holder of [operation, item, root]) {
    const servers = arrayOf(member(holder.value, 'servers'));
    if (servers.length > 0) return [below(holder.pointer, 'servers'), servers];
  }
  return ['', [{ url: '' }]];
}

function serversOf(whole: Operation): readonly Server[] {
  const { description } = whole.operation;
  const [pointer, servers] = listOf(whole);
  return servers.map((value, index) => ({
    place: { description, pointer: pointer === '' ? '' : below(pointer, index), value },
    ...addressOf(value, whole.moved),
  }));
}

/** An address with its variables numbered by place, so that their names do not count. */
function addressOf(server: unknown, moved: string): Pick<Server, 'url' | 'variables'> {
  const whole = trimmed(textOf(member(server, 'url')) ?? '');
  const usual = usualAddress(server);
  // What moved into the paths may be the usual value of a variable.
  const left = moved !== '' && !whole.endsWith(moved) && usual.endsWith(moved) ? usual : whole;
  const names: string[] = [];
  const url = (left.endsWith(moved) ? left.slice(0, left.length - moved.length) : left).replaceAll(
    /\{([^}]*)\}/g,
    (_whole, name: string) => {
      names.push(name);
      return `{${names.length}}`;
    },
  );
  const variables = names.map((name) => {
    const variable = objectOf(member(member(server, 'variables'), name));
    const values = variable.enum === undefined ? undefined : arrayOf(variable.enum).map(String);
    return { name, default: stableJson(variable.default), values };
  });
  return { url, variables };
}

/** Compares the addresses of an operation. */
export function diffServers(was: Operation, is: Operation): Change[] {
  if (was.moved === is.moved && sameJson(listOf(was)[1], listOf(is)[1])) return [];
  const [before, after] = [was, is].map((each) => new Map(serversOf(each).map((server) => [server.url, server])));
  if (before === undefined || after === undefined) return [];
  const effect = [...before.keys()].some((url) => after.has(url)) ? BREAKS_CLIENTS : BREAKS_BOTH;
  return diffEntries(before, after, {
    gone: (server) => change('server-removed', server.place, `the server ${show(server)} is gone`, effect),
    come: (server) => change('server-added', server.place, `the server ${show(server)} is new: nobody has to use it`),
    both: diffVariables,
  });
}

/** The address of a server as it is written. */
function show({ place }: Server): string {
  const url = textOf(member(place.value, 'url')) ?? '';
  return url === '' ? '/' : url;
}

function diffVariables({ variables }: Server, now: Server): Change[] {
  const { place } = now;
  const lacks = (some: Variable, others: Variable): boolean =>
    some.values !== undefined && !(others.values ?? ['*']).every((each) => some.values?.includes(each));
  const valuesOf = ({ values }: Variable): string => values?.join(', ') ?? 'any value';
  return now.variables.flatMap((newer, index) => {
    const variable = variables[index] ?? newer;
    const where = `the server ${show(now)}: its variable ${newer.name}`;
    const values = { where, fact: `its values change from ${valuesOf(variable)} to ${valuesOf(newer)}` };
    const defaults = { where, fact: `the default changes from ${variable.default} to ${newer.default}` };
    const found = [
      variable.default !== newer.default && change('server-variable-default', place, defaults),
      lacks(newer, variable) && change('server-variable-narrowed', place, values),
      lacks(variable, newer) && change('server-variable-widened', place, values),
    ];
    return found.filter((each) => each !== false);
  });
}
