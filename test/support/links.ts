import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

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

/** A page with what it links to and what can be linked to in it. */
export interface LinkedPage {
  readonly path: string;
  readonly targets: readonly string[];
  readonly ids: ReadonlySet<string>;
}

export function readLinkedPage(folder: string, path: string): LinkedPage {
  // Scripts hold text that only looks like markup.
  const text = readFileSync(join(folder, path), 'utf8').replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.slice(0, script.indexOf('>') + 1),
  );
  const values = (attribute: string): string[] =>
    [...text.matchAll(new RegExp(`\\s(?:${attribute})="([^"]*)"`, 'g'))].map(([, value = '']) => decoded(value));
  return { path, targets: values('href|src'), ids: new Set(values('id')) };
}

/**
 * What is wrong with the links of a site, each in one sentence: an address that is not relative, a file that is not there,
 * an anchor that is not there. Addresses of other hosts and `data:` are passed over.
 */
export function brokenLinks(pages: readonly LinkedPage[], files: readonly string[]): string[] {
  const known = new Set(files);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap(({ path, targets, ids }) =>
    targets.flatMap((target) => {
      if (/^(https?:|data:|mailto:)/.test(target)) return [];
      if (/^(\/|file:)/.test(target)) return [`${path}: ${target} is not relative`];
      const [file = '', anchor = ''] = target.split('#').map(decodeURIComponent);
      const resolved = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
      if (!known.has(resolved)) return [`${path}: ${target} is not there`];
      const anchors = file === '' ? ids : byPath.get(resolved)?.ids;
      return anchor === '' || anchors === undefined || anchors.has(anchor)
        ? []
        : [`${path}: ${target} has no such anchor`];
    }),
  );
}
