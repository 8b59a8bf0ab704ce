/** A page that shows a Markdown file of the repository. */
interface Guide {
  readonly label: string;
  /** From the root of the repository. */
  readonly source: string;
  /** Its address on the site, without slashes around it. */
  readonly slug: string;
}

/** A page that Astro makes of data. */
interface DataPage {
  readonly label: string;
  readonly link: string;
}

const guide = (label: string, source: string, slug = source.replace(/^docs\/(.*)\.md$/, 'guides/$1')): Guide => ({
  label,
  source,
  slug,
});

const groups: readonly { readonly label: string; readonly items: readonly (Guide | DataPage)[] }[] = [
  { label: 'Start', items: [guide('Get started', 'README.md', 'index'), guide('Install', 'docs/install.md')] },
  {
    label: 'Guides',
    items: [
      guide('Write a server', 'docs/write-a-server.md'),
      guide('Servers to copy', 'docs/servers/README.md', 'servers'),
      guide('Run it in CI', 'docs/ci.md'),
      guide('Read a report', 'docs/reports.md'),
      guide('Use the library', 'docs/library.md'),
    ],
  },
  {
    label: 'Contract',
    items: [
      { label: 'API reference', link: '/api/' },
      { label: 'Requirements', link: '/requirements/' },
      { label: 'Open points', link: '/open-points/' },
      { label: 'What changed', link: '/changes/' },
    ],
  },
  {
    label: 'Suite',
    items: [
      { label: 'Checks', link: '/checks/' },
      guide('Command line', 'docs/cli.md'),
      guide('Configuration', 'docs/configuration.md'),
      { label: 'Implementations', link: '/implementations/' },
    ],
  },
  {
    label: 'For maintainers',
    items: [
      guide('Contributing', 'CONTRIBUTING.md', 'contributing'),
      guide('Architecture', 'docs/architecture.md'),
      guide('Versions', 'docs/versioning.md'),
    ],
  },
];

/** The navigation: at most twenty links, those for maintainers last. */
export const sidebar = groups.map(({ label, items }) => ({
  label,
  items: items.map((item) => ('link' in item ? { ...item } : { label: item.label, slug: item.slug })),
}));

/** The files that the site shows beside those of docs/servers, by their path in the repository. */
export const guides: ReadonlyMap<string, string> = new Map(
  groups.flatMap(({ items }) => items.flatMap((item) => ('source' in item ? [[item.source, item.slug] as const] : []))),
);
