import { readFileSync } from 'node:fs';
import { posix, relative, resolve } from 'node:path';
import { glob, type Loader } from 'astro/loaders';
import type { Link, Nodes, Root, RootContent, Table } from 'mdast';
import { SKIP, visit, type VisitorResult } from 'unist-util-visit';
import type { VFile } from 'vfile';
import { guides, slugOf } from './sidebar';

const ROOT = resolve('..');

/** A table that scrolls by itself on a narrow screen, also by keyboard. */
function scrolling(table: Table): RootContent {
  const hProperties = { className: ['scrolling'], role: 'group', ariaLabel: 'Table', tabIndex: 0 };
  return { type: 'blockquote', data: { hName: 'div', hProperties }, children: [table] };
}

/** The address of a page, or of `openapi.yaml`, that a relative link in a Markdown file leads to. */
function addressOf(link: string, from: string, base: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(from), path);
  const slug = target === 'openapi.yaml' ? 'latest/openapi.yaml' : slugOf(target);
  if (slug === undefined) return undefined;
  const page = slug.endsWith('.yaml') ? slug : `${slug}/`;
  return base + page + (anchor === undefined ? '' : `#${anchor}`);
}

/**
 * Makes a page of a Markdown file of the repository. Starlight shows the title itself, so the heading goes; a link to another file
 * leads to its page, or becomes text if the site does not show that file. The id of a requirement leads to its place.
 *
 * @param base what every address of the site begins with, a slash at its end
 */
export function remarkRepository(base: string) {
  const requirements = new Set(
    (JSON.parse(readFileSync('.data/requirements.json', 'utf8')) as { id: string }[]).map(({ id }) => id),
  );
  return () => (tree: Root, file: VFile) => {
    const source = relative(ROOT, file.path);
    visit(tree, (node: Nodes, index, parent): VisitorResult => {
      if (parent === undefined || index === undefined) return undefined;
      const isTitle = node.type === 'heading' && node.depth === 1;
      if (isTitle || (node.type === 'html' && node.value.startsWith('<!--'))) {
        parent.children.splice(index, 1);
        return [SKIP, index];
      }
      if (node.type === 'table' && parent.type === 'root') {
        parent.children.splice(index, 1, scrolling(node));
        return index;
      }
      if (node.type === 'inlineCode' && parent.type !== 'link' && requirements.has(node.value)) {
        const link: Link = { type: 'link', url: `${base}requirements/#${node.value}`, children: [node] };
        parent.children.splice(index, 1, link);
        return SKIP;
      }
      if (node.type !== 'link' || /^(https?:|#)/.test(node.url)) return undefined;
      // An address that a finding shows belongs to nobody.
      const address = node.url.startsWith('mailto:') ? undefined : addressOf(node.url, source, base);
      if (address === undefined) {
        parent.children.splice(index, 1, ...node.children);
        return [SKIP, index];
      }
      node.url = address;
      return undefined;
    });
  };
}

/** Reads the title of a page from its heading, and its description from the first paragraph. */
function frontMatterOf(path: string): { title: string; description: string } {
  const [, title = '', rest = ''] = /^# (.+)\n+([^]*)/.exec(readFileSync(path, 'utf8')) ?? [];
  const paragraph = rest.split('\n\n').find((part) => /^\w/.test(part)) ?? '';
  const description = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
  return { title, description: description.replaceAll(/\s+/g, ' ').trim() };
}

/** Loads the guides of the sidebar and the servers to copy from where the repository has them. */
export function repositoryLoader(): Loader {
  const files = glob({
    base: '..',
    pattern: [...guides, 'docs/servers/*.md'],
    generateId: ({ entry }) => slugOf(entry) ?? entry,
  });
  return {
    name: 'repository',
    load: (context) =>
      files.load({
        ...context,
        parseData: ({ id, data, filePath }) => {
          const withTitle = { ...data, ...frontMatterOf(resolve(filePath ?? '')) };
          return context.parseData({ id, data: withTitle as typeof data, ...(filePath && { filePath }) });
        },
      }),
  };
}
