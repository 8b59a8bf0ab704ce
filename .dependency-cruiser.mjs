/** From the bottom to the top: a module imports from its own floor and from those below. Entries of one line share a floor. */
const FLOORS = [
  ['common'],
  ['openapi-judge/src'],
  ['contract'],
  ['contract/gate'],
  ['reference-server'],
  ['conformance/inputs.ts', 'conformance/tool.ts', 'conformance/facts'],
  ['conformance/http'],
  ['conformance/users'],
  ['conformance/audit'],
  ['conformance/engine'],
  ['conformance/checks'],
  ['conformance/result'],
  ['conformance/report'],
  ['conformance/run.ts', 'conformance/index.ts'],
  ['proof'],
  ['cli'],
  ['contract/publish'],
  ['site'],
  ['scripts'],
  ['openapi-judge/test'],
  ['test'],
];

/** What is started or loaded by its name, not by an import. */
const ENTRY_POINTS = [
  // Only the pages of the site import it, which have packages of their own.
  'common/matrix.ts',
  'cli/main.ts',
  'conformance/index.ts',
  'contract/gate/diff.ts',
  'contract/gate/gate.ts',
  'contract/gate/redocly-plugin.mjs',
  'contract/publish/contract-files.ts',
  'contract/publish/main.ts',
  'openapi-judge/src/index.ts',
  'openapi-judge/src/main.ts',
  'proof/disturbed/main.ts',
  'proof/hostile/main.ts',
  'proof/hostile/victim.ts',
  'proof/prove.ts',
  'proof/thread.ts',
  'site/build.ts',
  'site/implementations/unleash.mjs',
  'scripts/server-pages.ts',
];

const escaped = (path) => path.replaceAll('.', '\\.');
const endOf = (entry) => (entry.includes('.') ? '$' : '/');
/** What matches the files of a floor, without those inside it that have a floor of their own. */
const pattern = (entry) => {
  const inside = FLOORS.flat().filter((other) => other.startsWith(`${entry}/`));
  const others = inside.map((other) => escaped(other.slice(entry.length + 1)) + endOf(other));
  return `^${escaped(entry)}${endOf(entry)}${others.length > 0 ? `(?!${others.join('|')})` : ''}`;
};
const patterns = (floors) => floors.flat().map(pattern);

const upward = FLOORS.flatMap((floor, level) =>
  floor.map((entry) => ({
    name: `${entry.replace('.ts', '').replaceAll('/', '-')}-imports-only-down`,
    comment: `${entry} may import from its own floor and from those below it.`,
    severity: 'error',
    from: { path: pattern(entry) },
    to: { path: patterns(FLOORS.slice(level + 1)) },
  })),
).filter(({ to }) => to.path.length > 0);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
    {
      name: 'no-circle',
      comment: 'Imports of types count: whoever reads one module of a circle has to read them all.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      comment: 'No entry point reaches this module: delete it, or list it in ENTRY_POINTS.',
      severity: 'error',
      from: { path: ENTRY_POINTS.map(pattern) },
      to: {
        path: patterns(
          FLOORS.slice(
            0,
            FLOORS.findIndex((floor) => floor.includes('site')),
          ),
        ),
        // The pages of the site, which are not read here, have the matrix; a report has its script as text.
        pathNot: [...ENTRY_POINTS.map(pattern), '\\.d\\.ts$', '^common/matrix\\.ts$', '^conformance/report/page\\.js$'],
        reachable: false,
      },
    },
    {
      name: 'no-folder-without-floor',
      comment: 'Give the folder a floor in FLOORS.',
      severity: 'error',
      from: { path: '/', pathNot: patterns(FLOORS) },
      to: {},
    },
    {
      name: 'no-import-without-floor',
      comment: 'The imported module has no floor: give its folder one in FLOORS.',
      severity: 'error',
      from: { path: patterns(FLOORS) },
      to: { dependencyTypes: ['local'], pathNot: [...patterns(FLOORS), '^package\\.json$'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: 'node_modules',
    exclude: '(^|/)(dist|build|coverage|examples|\\.build-[^/]*)/|^site/(\\.astro|\\.data|src|astro\\.config)',
  },
};
