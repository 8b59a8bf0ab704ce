import { isRecord } from '../common/json.ts';
import { html } from '../common/html.ts';

interface Item {
  readonly id: string;
}

function linked(title: string, page: string, items: unknown): string {
  const list = (items as readonly Item[] | undefined) ?? [];
  if (list.length === 0) return '';
  return `\n\n${title}: ${list.map(({ id }) => `[${id}](${page}#${id})`).join(', ')}`;
}

/**
 * The contract as the API reference shows it: each description ends with links to the requirements and open points of its
 * object.
 */
export function withLinks(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withLinks);
  if (!isRecord(node)) return node;
  const { 'x-requirements': requirements, 'x-open-points': openPoints, ...rest } = node;
  const copy = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withLinks(value)]));
  const links =
    linked('Requirements', 'requirements.html', requirements) + linked('Open points', 'open-points.html', openPoints);
  if (links === '') return copy;
  // What applies to the whole document is at its root, which has no description of its own.
  const info = copy.info;
  if (isRecord(info)) return { ...copy, info: { ...info, description: `${String(info.description)}${links}` } };
  return { ...copy, description: `${typeof copy.description === 'string' ? copy.description : ''}${links}`.trim() };
}

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";

const BAR_LINKS = [
  ['requirements.html', 'Requirements'],
  ['open-points.html', 'Open points'],
  ['checks/index.html', 'Checks'],
  ['downloads.html', 'Downloads'],
] as const;

/** Where Redoc loads its logo from. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini';

/** A label that hides the text of a button. */
const WRONG_LABEL = '"aria-label":`Example`,';

function replaceOne(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The page that Redoc made has no ${from}.`);
  return text.replace(from, () => to);
}

/**
 * Makes the page that Redoc built a part of the site: it sends no request to another host, and a bar leads back.
 *
 * @throws Error if the page differs from what this function expects
 */
export function silenceRedoc(page: string, product: string, description: string, style: string): string {
  const bar = html`<nav class="site-bar" aria-label="Site">
      <a href="index.html">${product}</a>${BAR_LINKS.map(([path, title]) => html`<a href="${path}">${title}</a>`)}
    </nav>
    <p class="site-noscript">
      This reference needs JavaScript. The <a href="requirements.html">requirements</a> and
      <a href="latest/openapi.yaml">openapi.yaml</a> contain the same.
    </p>
    <script>
      document.currentScript.previousElementSibling.remove();
    </script>`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <meta name="description" content="${html`${description}`.text}">
  <link rel="icon" href="data:,">`;
  if (!page.includes(LOGO)) throw new Error(`The page that Redoc made has no ${LOGO}.`);
  const withoutLogos = page.replaceAll(new RegExp(`${LOGO}[\\w-]*\\.svg`, 'g'), 'data:,');
  const withHead = replaceOne(withoutLogos, '<head>', `<head>\n  ${head}`);
  const withStyle = replaceOne(withHead, '</head>', `<style>${style}</style>\n</head>`);
  const withBar = replaceOne(withStyle, '<body>', `<body>\n${bar.text}`);
  const withLabels = replaceOne(withBar, WRONG_LABEL, '');
  // Until its script runs, Redoc's links are absolute paths.
  return withLabels.replaceAll('href="/', 'href="#/');
}
