import { readFileSync } from 'node:fs';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';

const { pages } = JSON.parse(readFileSync(process.env.SITE_DATA, 'utf8'));

/** Stands for a part in HTML, while Markdown is rendered around it. */
const placeholder = (index) => `<div data-part="${index}"></div>`;

/** Renders the Markdown of a page as one document, so that its anchors are unique. */
async function rendered(parts, renderMarkdown) {
  const text = parts.map(({ markdown }, index) => markdown ?? placeholder(index)).join('\n\n');
  const { html } = await renderMarkdown(text);
  let tables = 0;
  return html
    .replaceAll(/<table>[\s\S]*?<\/table>/g, (table) => {
      tables += 1;
      return `<div class="wide" role="region" aria-label="Table ${tables}" tabindex="0">${table}</div>`;
    })
    .replaceAll(/<div data-part="(\d+)"><\/div>/g, (_part, index) => parts[index].html);
}

function headingsOf(html) {
  return [...html.matchAll(/<h([2-4])[^>]* id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/g)].map(([, depth, slug, inner]) => ({
    depth: Number(depth),
    slug,
    // A label behind a title is not part of it.
    text: inner.replaceAll(/<span[^>]*>.*?<\/span>|<[^>]*>/g, '').trim(),
  }));
}

/** The pages that the builder wrote. */
const loader = {
  name: 'pages',
  load: async ({ store, parseData, renderMarkdown }) => {
    store.clear();
    for (const { path, title, description, parts, depth = 2, prev, next } of pages) {
      const id = path.replace(/\.html$/, '');
      const tableOfContents = depth === 0 ? false : { minHeadingLevel: 2, maxHeadingLevel: depth };
      const data = await parseData({ id, data: { title, description, tableOfContents, prev, next } });
      const html = await rendered(parts, renderMarkdown);
      store.set({ id, data, rendered: { html, metadata: { headings: headingsOf(html) } } });
    }
  },
};

export const collections = { docs: defineCollection({ loader, schema: docsSchema() }) };
