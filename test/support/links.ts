import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './folder.ts';

/** The values of attributes of a page, without what scripts contain. */
function valuesIn(page: string, attributes: string): string[] {
  const markup = page.replaceAll(/(<script\b[^>]*>)[^]*?<\/script>/g, '$1');
  const found = markup.matchAll(new RegExp(`\\s(?:${attributes})="([^"]*)"`, 'g'));
  return [...found].map(([, value = '']) => value.replaceAll('&amp;', '&'));
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
