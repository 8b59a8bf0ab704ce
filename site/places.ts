import { posix } from 'node:path';
import { areaOf, type Defect } from './model.ts';

/** What every address begins with until `finish.ts` makes it relative to its page. */
export const ROOT = '/__root__';

/** The address of a file of the site, by its path from the site's root. */
export function to(path: string): string {
  return `${ROOT}/${path}`;
}

/** Where things are on the site. */
export const at = {
  requirement: (id: string): string => to(`requirements.html#${id}`),
  check: (id: string): string => to(`checks/${id}.html`),
  mode: (check: string, mode: string): string => to(`checks/${check}.html#${mode}`),
  openPoint: (id: string): string => to(`open-points.html#${id}`),
  operation: (id: string): string => to(`reference.html#operation/${id}`),
  proofOf: (requirement: string): string => to(`proof/${areaOf(requirement)}.html#${requirement}`),
  defect: ({ id, breaks: [first = ''] }: Pick<Defect, 'id' | 'breaks'>): string =>
    to(`proof/${areaOf(first)}.html#${id}`),
  variant: (id: string): string => to(`proof/variants.html#${id}`),
  implementation: (id: string): string => to(`implementations/${id}.html`),
  item: (id: string): string => (id.startsWith('open.') ? at.openPoint(id) : at.requirement(id)),
} as const;

/** A page that shows documents of the repository. */
export interface DocumentPlace {
  /** From the site's root. */
  readonly path: string;
  readonly title: string;
  /** Markdown files from the root of the repository, one after the other; `README.md#Title` is one section. */
  readonly sources: readonly string[];
}

function place(path: string, title: string, ...sources: string[]): DocumentPlace {
  return { path: `docs/${path}.html`, title, sources };
}

/** Every page that shows documents. `Get started` is the start page, which has parts of its own. */
export const DOCUMENTS = {
  start: { path: 'index.html', title: 'Get started', sources: ['README.md#Try it', 'README.md#Judge your own server'] },
  install: place('install', 'Install', 'docs/install.md'),
  ci: place('ci', 'Run it in CI', 'README.md#CI', 'docs/ci.md'),
  server: place('write-a-server', 'Write a server', 'docs/write-a-server.md'),
  safety: place('safety', 'Safety', 'README.md#Safety'),
  reports: place('reports', 'Read a report', 'README.md#Read the result', 'docs/reports.md'),
  fleets: place('fleets', 'Judge many servers', 'docs/fleets.md'),
  library: place('library', 'Use the library', 'README.md#Library', 'docs/library.md'),
  implementations: place('implementations', 'Add your implementation', 'docs/implementations.md'),
  express: place('servers/express', 'Express', 'docs/servers/express.md'),
  fastapi: place('servers/fastapi', 'FastAPI', 'docs/servers/fastapi.md'),
  django: place('servers/django-rest-framework', 'Django REST framework', 'docs/servers/django-rest-framework.md'),
  springBoot: place('servers/spring-boot', 'Spring Boot', 'docs/servers/spring-boot.md'),
  go: place('servers/go', 'Go', 'docs/servers/go.md'),
  axum: place('servers/axum', 'Axum', 'docs/servers/axum.md'),
  sinatra: place('servers/sinatra', 'Sinatra', 'docs/servers/sinatra.md'),
  cli: place('cli', 'Command line', 'docs/cli.md'),
  configuration: place('configuration', 'Configuration', 'docs/configuration.md'),
  contractFiles: place('contract-files', 'Contract files', 'docs/contract-files.md'),
  versioning: place('versioning', 'Compatibility', 'docs/versioning.md'),
  contractRules: place('contract-rules', 'Rules of contract changes', 'docs/contract-rules.md'),
  performance: place('performance', 'How fast it is', 'docs/performance.md'),
  peers: place('peers', 'Beside other tools', 'docs/peers.md'),
  proof: place('proof', 'How it is proven', 'README.md#How it is proven', 'docs/proof.md'),
  contributing: place('contributing', 'How to contribute', 'CONTRIBUTING.md'),
  security: place('security', 'Security', 'SECURITY.md'),
  architecture: place('architecture', 'Architecture', 'docs/architecture.md'),
  dependencies: place('dependencies', 'Dependencies', 'docs/dependencies.md'),
  governance: place('governance', 'Governance', 'docs/governance.md'),
  releasing: place('releasing', 'Releasing', 'docs/releasing.md'),
} as const satisfies Readonly<Record<string, DocumentPlace>>;

/** A link of the navigation: its words and the path of a page. */
type Link = readonly [title: string, path: string];

function linked(...names: readonly (keyof typeof DOCUMENTS)[]): Link[] {
  return names.map((name) => [DOCUMENTS[name].title, DOCUMENTS[name].path]);
}

/** The navigation, by groups. */
export const NAVIGATION: readonly (readonly [group: string, links: readonly Link[]])[] = [
  ['Start', linked('start', 'install')],
  ['Guides', linked('ci', 'server', 'safety', 'reports', 'fleets', 'library')],
  ['Servers to copy', linked('express', 'fastapi', 'django', 'springBoot', 'go', 'axum', 'sinatra')],
  [
    'Reference',
    [
      ['API', 'reference.html'],
      ...linked('cli', 'configuration'),
      ['Result format', 'result.html'],
      ['Requirements', 'requirements.html'],
      ['Checks', 'checks.html'],
      ['Open points', 'open-points.html'],
      ['Library', 'api/index.html'],
      ...linked('versioning', 'contractRules'),
    ],
  ],
  ['Proof', [...linked('proof'), ['Results of the proof', 'proof.html'], ...linked('performance', 'peers')]],
  ['Implementations', [['Results', 'implementations.html'], ...linked('implementations')]],
  ['Contract', [['Downloads', 'downloads.html'], ...linked('contractFiles'), ['Changelog', 'changelog.html']]],
  ['Contributing', linked('contributing', 'security', 'architecture', 'dependencies', 'governance', 'releasing')],
];

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * The ways to judge a server, as tabs of the start page: each shows the first block of code in a section of a document. A way
 * whose section is not written has no tab, so that the page promises nothing that does not exist.
 */
export const WAYS: readonly (readonly [title: string, source: string])[] = [
  ['npx', 'docs/install.md#With Node'],
  ['Single binary', 'docs/install.md#Without Node: one executable'],
  ['Container', 'docs/install.md#Container'],
  ['GitHub Actions', 'docs/install.md#GitHub Actions'],
];

const PLACES: ReadonlyMap<string, string> = new Map([
  ...Object.values<DocumentPlace>(DOCUMENTS).flatMap(({ path, sources }) =>
    sources.map((source) => {
      const [file = '', section] = source.split('#');
      if (section === undefined) return [file, path] as const;
      const anchor = anchorOf(section);
      // The start page keeps the headings of its sections; elsewhere a section is the beginning of the page.
      return [`${file}#${anchor}`, path === DOCUMENTS.start.path ? `${path}#${anchor}` : path] as const;
    }),
  ),
  ['README.md', DOCUMENTS.start.path],
  ['CHANGELOG.md', 'changelog.html'],
  ['openapi.yaml', 'latest/openapi.yaml'],
]);

/**
 * Where a relative link of a document leads on the site, from its root.
 *
 * @returns undefined if the site does not have the file
 */
export function siteTarget(source: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(source), file);
  const whole = anchor === undefined ? undefined : PLACES.get(`${target}#${anchor}`);
  const page = PLACES.get(target);
  return whole ?? (page === undefined || anchor === undefined ? page : `${page}#${anchor}`);
}
