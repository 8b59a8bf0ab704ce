import { contributing, guides } from './documents.ts';
import { html, Html, type Content } from '../common/html.ts';

/** From an address in the site's root to one relative to the page. */
export type Link = (target: string) => string;

/** An entry of the list "On this page". */
export interface Entry {
  readonly id: string;
  readonly title: string;
}

/** A page of the site. */
export interface Page {
  /** From the site's root. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for search engines and for the head of the page. */
  readonly description: string;
  /** The entry of the navigation that the page belongs to, if it has none of its own. */
  readonly within?: string;
  readonly contents?: readonly Entry[];
  readonly body: (to: Link) => Content;
}

const NAVIGATION: readonly (readonly [group: string, entries: readonly (readonly [path: string, title: string])[]])[] =
  [
    ['Docs', guides.map(({ path, title }) => [path, title])],
    [
      'The contract',
      [
        ['reference.html', 'API reference'],
        ['requirements.html', 'Requirements'],
        ['open-points.html', 'Open points'],
        ['downloads.html', 'Downloads'],
        ['changelog.html', 'Changelog'],
      ],
    ],
    [
      'The suite',
      [
        ['checks/index.html', 'Checks'],
        ['proof/index.html', 'Proof'],
        ['api/index.html', 'Library reference'],
      ],
    ],
    ['In use', [['implementations/index.html', 'Implementations']]],
    ['Contributing', contributing.map(({ path, title }) => [path, title])],
  ];

/** A square with a check mark, as the address of an image. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f4e8c"/>' +
    '<path d="M4 8.5 7 11.5 12 5" fill="none" stroke="#fff" stroke-width="2"/></svg>',
)}`;

/** What a page of this site may load: files of the site, and images that are in it. `file:` is for pages opened from a disk. */
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'";

/** The relative address of the site's root from a page: empty, or `../` for each folder. */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}

function navigation(page: Page, to: Link): Html {
  const current = page.within ?? page.path;
  const entry = ([path, title]: readonly [string, string]): Html =>
    html`<li>
      <a
        href="${to(path)}"
        ${path === page.path ? html` aria-current="page"` : path === current && html` aria-current="true"`}
        >${title}</a
      >
    </li>`;
  return html`<nav class="pages" id="site-pages" aria-label="Site">
    ${NAVIGATION.map(
      ([group, entries]) =>
        html`<p>${group}</p>
          <ul>
            ${entries.map(entry)}
          </ul> `,
    )}
  </nav>`;
}

function contentsList(contents: readonly Entry[]): Html {
  return html`<nav class="contents" aria-labelledby="site-contents">
    <h2 id="site-contents">On this page</h2>
    <ul>
      ${contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
  </nav>`;
}

/** The head of a page, with what only this page has. */
function head(title: string, description: string, policy: string, own: Content): Html {
  return html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${description}" />
    <title>${title}</title>
    <link rel="icon" href="${ICON}" />
    ${own}
  </head>`;
}

const SEARCH = html`<form class="search" role="search" hidden>
  <label for="site-search">Search</label>
  <input
    id="site-search"
    type="search"
    role="combobox"
    aria-expanded="false"
    aria-controls="site-results"
    aria-autocomplete="list"
    aria-describedby="site-search-state"
    autocomplete="off"
    spellcheck="false"
    placeholder="Search (press /)"
  />
  <ul id="site-results" role="listbox" aria-label="Search results" hidden></ul>
  <p id="site-search-state" class="unseen" role="status"></p>
</form>`;

/** A whole page. */
export function layout(page: Page, product: string, version: string): string {
  const root = rootFrom(page.path);
  const to: Link = (target) => root + target;
  const { contents = [] } = page;
  const isStart = page.path === 'index.html';
  return html`<!doctype html>
    <html lang="en" data-root="${root}">
      ${head(
        isStart ? page.title : `${page.title} – ${product}`,
        page.description,
        POLICY,
        html`<link rel="stylesheet" href="${to('assets/style.css')}" />
          <script src="${to('assets/site.js')}" defer></script>`,
      )}
      <body>
        <a class="skip" href="#site-main">Skip to the content</a>
        <header class="top">
          <a class="product" href="${to('index.html')}" ${isStart && html` aria-current="page"`}>${product}</a>
          <span class="version">contract ${version}</span>
          <a class="menu" href="#site-pages">Menu</a>
          ${SEARCH}
        </header>
        <div class="columns">
          <div class="side">${navigation(page, to)} ${contents.length > 1 && contentsList(contents)}</div>
          <main id="site-main" tabindex="-1">
            <h1>${page.title}</h1>
            ${page.body(to)}
          </main>
        </div>
        <footer class="bottom">
          <p>${product}, contract ${version}. Apache-2.0. <a href="${to('downloads.html')}">Downloads</a></p>
        </footer>
      </body>
    </html> `.text;
}

/**
 * The page that a server shows for an unknown address. It can be shown at any depth below any prefix, so it contains its
 * style, and finds the start page by the first folder of the site in the address.
 *
 * @param folders the folders in the site's root
 */
export function notFoundPage(product: string, style: string, folders: readonly string[]): string {
  const script = `
(() => {
  const parts = location.pathname.split('/').slice(0, -1);
  const depth = parts.findIndex((part) => ${JSON.stringify(folders)}.includes(part));
  const root = depth < 0 ? parts : parts.slice(0, depth);
  for (const link of document.querySelectorAll('a')) link.href = root.join('/') + '/' + link.getAttribute('href');
})();
`;
  return html`<!doctype html>
    <html lang="en">
      ${head(
        `No such page – ${product}`,
        'There is no page at this address.',
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
        html`<style>
          ${new Html(style)}
        </style>`,
      )}
      <body>
        <header class="top"><a class="product" href="index.html">${product}</a></header>
        <main id="site-main" class="alone">
          <h1>No such page</h1>
          <p>
            There is no page at this address. Checks, requirements and open points keep their ids: search for the id on
            the <a href="index.html">start page</a>, or look in the lists of
            <a href="requirements.html">requirements</a> and <a href="checks/index.html">checks</a>.
          </p>
        </main>
        <script>
          ${new Html(script)};
        </script>
      </body>
    </html> `.text;
}
