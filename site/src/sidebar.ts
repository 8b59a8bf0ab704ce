/** The navigation, those for maintainers last: Markdown files of the repository, and pages that are made of data. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: { 'Get started': 'README.md', Install: 'docs/install.md' },
  Guides: {
    'Write a server': 'docs/write-a-server.md',
    'Servers to copy': 'docs/servers/README.md',
    'Run it in CI': 'docs/ci.md',
    'Read a report': 'docs/reports.md',
    'Use the library': 'docs/library.md',
  },
  Contract: {
    'API reference': '/api/',
    Requirements: '/requirements/',
    'Open points': '/open-points/',
    'What changed': '/changes/',
  },
  Suite: {
    Checks: '/checks/',
    'Command line': 'docs/cli.md',
    Configuration: 'docs/configuration.md',
    Implementations: '/implementations/',
  },
  'For maintainers': {
    Contributing: 'CONTRIBUTING.md',
    Architecture: 'docs/architecture.md',
    'How it is proven': 'docs/proof.md',
    Versions: 'docs/versioning.md',
  },
};

const isFile = (target: string): boolean => target.endsWith('.md');
/** The files that the site shows beside the servers to copy. */
export const guides = Object.values(groups).flatMap((items) => Object.values(items).filter(isFile));

/** Where the site shows a file of the repository, without slashes around it; undefined if it does not. */
export function slugOf(source: string): string | undefined {
  if (!guides.includes(source) && !/^docs\/servers\/[\w-]+\.md$/.test(source)) return undefined;
  if (source === 'README.md') return 'get-started';
  const path = source.replace(/^docs\//, source.startsWith('docs/servers/') ? '' : 'guides/');
  return path.replace(/(\/README)?\.md$/, '').toLowerCase();
}

export const sidebar = Object.entries(groups).map(([label, items]) => ({
  label,
  items: Object.entries(items).map(([name, target]) =>
    isFile(target) ? { label: name, slug: slugOf(target) ?? '' } : { label: name, link: target },
  ),
}));
