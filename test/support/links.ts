import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Every file below a folder, by its path from there. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

const NAMED: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&' };

/** A text of HTML without its character references. */
export function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name = '') => {
    const code = decimal ?? (hex === undefined ? undefined : `0x${hex}`);
    return code === undefined ? (NAMED[String(name)] ?? all) : String.fromCodePoint(Number(code));
  });
}

/** The values of attributes of a page, without what scripts contain. */
function valuesIn(page: string, attributes: string): string[] {
  const markup = page.replaceAll(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, '$1');
  return [...markup.matchAll(new RegExp(`\\s(?:${attributes})="([^"]*)"`, 'g'))].map(([, value = '']) =>
    decoded(value),
  );
}

/**
 * What is wrong with the links of a built site, each in one line: a file or an anchor that is not there, an address outside its
 * base. Links to other hosts are passed over.
 *
 * @param base the path of the site on its host, with a slash at its end
 */
export function brokenLinks(folder: string, base: string): string[] {
  const pages = filesBelow(folder).filter((path) => path.endsWith('.html'));
  const texts = new Map(pages.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const ids = new Map([...texts].map(([path, text]) => [path, new Set(valuesIn(text, 'id'))]));
  const problemOf = (page: string, target: string): string | undefined => {
    const url = new URL(target, `http://site${base}${page}`);
    if (url.host !== 'site') return undefined;
    if (!url.pathname.startsWith(base)) return 'is outside the base';
    const path = decodeURIComponent(url.pathname.slice(base.length));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!existsSync(join(folder, file)) || !statSync(join(folder, file)).isFile()) return 'is not there';
    const anchor = decodeURIComponent(url.hash.slice(1));
    return anchor === '' || ids.get(file)?.has(anchor) ? undefined : 'has no such anchor';
  };
  return [...texts].flatMap(([page, text]) =>
    valuesIn(text, 'href|src').flatMap((target) => {
      const problem = problemOf(page, target);
      return problem === undefined ? [] : [`${page}: ${target} ${problem}`];
    }),
  );
}
