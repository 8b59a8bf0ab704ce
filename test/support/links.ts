import { readdirSync, readFileSync } from 'node:fs';
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
  const markup = page.replaceAll(/(<script\b[^>]*>)[^]*?<\/script>/g, '$1');
  const found = markup.matchAll(new RegExp(`\\s(?:${attributes})="([^"]*)"`, 'g'));
  return [...found].map(([, value = '']) => decoded(value));
}

/**
 * The links of a built site, each with its page, to a file or an anchor that is not there. Links to other hosts are passed over.
 *
 * @param base the path of the site on its host, with a slash at its end
 */
export function brokenLinks(folder: string, base: string): string[] {
  const texts = new Map(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const pages = [...texts].filter(([path]) => path.endsWith('.html'));
  const ids = new Map(pages.map(([path, text]) => [path, new Set(valuesIn(text, 'id'))]));
  const isBroken = (page: string, target: string): boolean => {
    const { host, pathname, hash } = new URL(target, `http://site${base}${page}`);
    if (host !== 'site') return false;
    const path = decodeURIComponent(pathname).replace(/\/$/, '/index.html');
    const file = path.startsWith(base) ? path.slice(base.length) : '';
    const anchor = decodeURIComponent(hash.slice(1));
    return !texts.has(file) || (anchor !== '' && ids.get(file)?.has(anchor) !== true);
  };
  return pages.flatMap(([page, text]) =>
    valuesIn(text, 'href|src')
      .filter((target) => isBroken(page, target))
      .map((target) => `${page}: ${target}`),
  );
}
