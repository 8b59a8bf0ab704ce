import { BREAKS_BOTH, BREAKS_CLIENTS, change, COMPATIBLE, type Change } from '../change.ts';
import { follow, placeOf, type Description, type Located } from '../description.ts';
import { arrayOf, below, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import type { Operation } from './operation.ts';

interface Server {
  readonly place: Located;
  readonly url: string;
  readonly variables: string;
}

/** An address without the slash at its end. */
function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

function urlsOf(description: Description): readonly string[] {
  const urls = arrayOf(description.root.servers).map((each) => trimmed(textOf(member(each, 'url')) ?? ''));
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

function serversOf({ operation, item, moved }: Operation): readonly Server[] {
  const { description } = operation;
  const root: Located = { description, pointer: '', value: description.root };
  for (const holder of [operation, item, root]) {
    const list = arrayOf(member(holder.value, 'servers'));
    if (list.length > 0) {
      return list.map((value, index) => ({
        place: { description, pointer: below(holder.pointer, 'servers', index), value },
        ...addressOf(value, moved),
      }));
    }
  }
  return [{ place: { ...root, pointer: '' }, url: '', variables: '{}' }];
}

/** An address with its variables numbered by place, so that their names do not count. */
function addressOf(server: unknown, moved: string): { url: string; variables: string } {
  const names: string[] = [];
  const whole = trimmed(textOf(member(server, 'url')) ?? '');
  const url = (whole.endsWith(moved) ? whole.slice(0, whole.length - moved.length) : whole).replaceAll(
    /\{([^}]*)\}/g,
    (_whole, name: string) => {
      names.push(name);
      return `{${names.length}}`;
    },
  );
  const variables = names.map((name) => {
    const variable = objectOf(member(member(server, 'variables'), name));
    const values = variable.enum === undefined ? undefined : arrayOf(variable.enum).map(String).sort();
    return { default: variable.default, values };
  });
  return { url, variables: stableJson(variables) };
}

/** Compares the addresses of an operation. */
export function diffServers(was: Operation, is: Operation): Change[] {
  const [before, after] = [serversOf(was), serversOf(is)];
  const same = (one: Server, other: Server): boolean => one.url === other.url;
  const removed = before.filter((each) => !after.some((other) => same(each, other)));
  const added = after.filter((each) => !before.some((other) => same(each, other)));
  const replaced = removed.length > 0 && removed.length === before.length;
  return [
    ...removed.map((server) => {
      const effect = replaced ? BREAKS_BOTH : BREAKS_CLIENTS;
      return change('server-removed', placeOf(server.place), effect, `the server ${show(server)} is gone`);
    }),
    ...added.map((server) =>
      change(
        'server-added',
        placeOf(server.place),
        COMPATIBLE,
        `the server ${show(server)} is new: nobody has to use it`,
      ),
    ),
    ...after.flatMap((now) => {
      const old = before.find((each) => same(each, now));
      return old === undefined || old.variables === now.variables ? [] : diffVariables(old, now);
    }),
  ];
}

/** The address of a server as it is written. */
function show({ place }: Server): string {
  return textOf(member(place.value, 'url')) ?? '/';
}

interface Variable {
  readonly default?: unknown;
  readonly values?: readonly string[];
}

function diffVariables(old: Server, now: Server): Change[] {
  const before = JSON.parse(old.variables) as Variable[];
  const after = JSON.parse(now.variables) as Variable[];
  const names = [...show(now).matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return before.flatMap((variable, index) => {
    const newer = after[index] ?? {};
    const found: Change[] = [];
    const place = placeOf(now.place);
    const label = `the server ${show(now)}: its variable ${names[index] ?? ''}`;
    if (variable.default !== newer.default)
      found.push(change('server-variable-default', place, BREAKS_BOTH, `${label}: the default changes`));
    const lost =
      newer.values !== undefined && !(variable.values ?? ['*']).every((each) => newer.values?.includes(each));
    const gained =
      variable.values !== undefined && !(newer.values ?? ['*']).every((each) => variable.values?.includes(each));
    if (lost) found.push(change('server-variable-narrowed', place, BREAKS_CLIENTS, `${label}: values are gone`));
    if (gained) found.push(change('server-variable-widened', place, COMPATIBLE, `${label}: more values are allowed`));
    return found;
  });
}
