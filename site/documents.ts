import { posix } from 'node:path';

/** A Markdown file of the repository, and its page on the site. */
export interface DocumentPlace {
  /** From the root of the repository. */
  readonly source: string;
  /** From the root of the site. */
  readonly path: string;
  readonly title: string;
}

function place(source: string, title: string): DocumentPlace {
  const name = source === 'README.md' ? 'index' : posix.basename(source, '.md').toLowerCase();
  return { source, path: `docs/${name}.html`, title };
}

/** The documents for users, in the order of the navigation. */
export const guides: readonly DocumentPlace[] = [
  place('README.md', 'Get started'),
  place('docs/cli.md', 'Command line'),
  place('docs/configuration.md', 'Configuration'),
  place('docs/reports.md', 'Reports'),
  place('docs/fleets.md', 'Fleets'),
  place('docs/library.md', 'Library'),
  place('docs/contract-files.md', 'Contract files'),
  place('docs/proof.md', 'How it is proven'),
  place('docs/implementations.md', 'Add your implementation'),
];

/** The documents for contributors. */
export const contributing: readonly DocumentPlace[] = [
  place('CONTRIBUTING.md', 'How to contribute'),
  place('docs/architecture.md', 'Architecture'),
  place('docs/dependencies.md', 'Dependencies'),
  place('docs/versioning.md', 'Versions'),
  place('docs/governance.md', 'Governance'),
  place('docs/releasing.md', 'Releasing'),
];

const PLACES: ReadonlyMap<string, string> = new Map([
  ...[...guides, ...contributing].map(({ source, path }) => [source, path] as const),
  ['CHANGELOG.md', 'changelog.html'],
  ['openapi.yaml', 'latest/openapi.yaml'],
]);

/**
 * Where a relative link of a document leads on the site.
 *
 * @returns undefined if the site does not have the file
 */
export function siteTarget(source: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = PLACES.get(posix.join(posix.dirname(source), file));
  return target === undefined || anchor === undefined ? target : `${target}#${anchor}`;
}
