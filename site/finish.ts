import { ROOT } from './places.ts';

/** What a page may load: files of the site. `file:` is for pages opened from a disk. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' file:",
  "style-src 'self' 'unsafe-inline' file:",
  "img-src 'self' data: file:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ');

/** The relative address of the site's root from a page: empty, or `../` for each folder. */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}

/**
 * A browser loads no module from a disk, and complains if a page asks for one: there the page is read without. It is written, so
 * that it still runs before the page counts as loaded.
 */
function moduleUnlessOnDisk(_script: string, address: string): string {
  const written = `<script type="module" src="${address}"><\\/script>`;
  return `<script>if(location.protocol!=="file:")document.write('${written}')</script>`;
}

/**
 * A page that the generator made, so that it works in any folder of any host and asks no other host: its addresses are
 * relative, and it may load only files of the site.
 *
 * @param path from the site's root
 */
export function finishedPage(page: string, path: string): string {
  const root = rootFrom(path);
  return page
    .replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`)
    .replaceAll(/"\/__root__\/?(["#])/g, `"${root}index.html$1`)
    .replaceAll(`${ROOT}/`, root === '' ? './' : root)
    .replaceAll('"./', '"')
    .replaceAll(/<script type="module" src="([^"]*)"><\/script>/g, moduleUnlessOnDisk);
}

/**
 * The page for unknown addresses, which a server shows at any depth. It finds the root by the first folder of the site in the
 * address.
 *
 * @param folders the folders in the site's root
 */
export function finishedNotFoundPage(page: string, folders: readonly string[]): string {
  const script = `<script>
(() => {
  const parts = location.pathname.split('/').slice(0, -1);
  const depth = parts.findIndex((part) => ${JSON.stringify(folders)}.includes(part));
  const base = document.createElement('base');
  base.href = (depth < 0 ? parts : parts.slice(0, depth)).join('/') + '/';
  document.head.append(base);
})();
</script>`;
  const finished = finishedPage(page, '404.html').replaceAll('href="#', 'href="404.html#');
  return finished.replace('<meta charset="utf-8"/>', (charset) => charset + script);
}

/** A script that the generator made: it finds the root from its own address, one folder below. */
export function finishedScript(script: string): string {
  const root = '(new URL("..",import.meta.url).pathname)';
  return script.replaceAll(`"${ROOT}/"`, root).replaceAll(`"${ROOT}"`, `(${root}.slice(0,-1))`);
}
