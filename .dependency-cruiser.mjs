/** From the bottom to the top: a module imports from its own floor and from those below. Entries of one line share a floor. */
const FLOORS = [
  ['common'],
  ['openapi-judge/src'],
  ['contract'],
  ['reference-server'],
  ['conformance/http'],
  ['conformance/resources'],
  ['conformance/model'],
  ['conformance/traffic'],
  ['conformance/operations'],
  ['conformance/checks'],
  ['conformance/result'],
  ['conformance/run', 'conformance/report'],
  ['conformance/index.ts'],
  ['proof'],
  ['cli'],
  ['contract-gate'],
  ['contract-publish'],
  ['site'],
  ['scripts'],
  ['openapi-judge/test'],
  ['test'],
];

/** What knows users; all else iterates over resources. */
const KNOW_USERS = [
  'conformance/resources/user',
  'conformance/resources/index.ts',
  'conformance/operations',
  'conformance/model/user',
  'conformance/traffic/users',
];

/** What is started or loaded by its name, not by an import. */
const ENTRY_POINTS = [
  'cli/main.ts',
  'conformance/index.ts',
  'contract-gate/coverage/main.ts',
  'contract-gate/diff.ts',
  'contract-gate/gate.ts',
  'contract-gate/redocly-plugin.mjs',
  'contract-publish/build-contract.ts',
  'contract-publish/main.ts',
  'openapi-judge/src/index.ts',
  'openapi-judge/src/main.ts',
  'proof/main.ts',
  'proof/disturbed/main.ts',
  'proof/hostile/main.ts',
  'proof/mutants/main.ts',
  // The entry of a bundle that it makes.
  'proof/mutants/judge.ts',
  'proof/mutants/test-runner.ts',
  'site/build.ts',
  'site/implementations/unleash.mjs',
  'site/server-pages.ts',
];

const pattern = (entry) => `^${entry.replaceAll('.', '\\.')}${entry.includes('.') ? '$' : '/'}`;
const patterns = (floors) => floors.flat().map(pattern);
const nameOf = (entry) => entry.replace('/index.ts', '-index').replaceAll('/', '-');

const upward = FLOORS.flatMap((floor, level) =>
  floor.map((entry) => {
    const siblings = floor.filter((other) => other !== entry);
    return {
      name: `${nameOf(entry)}-imports-only-down`,
      comment: `${entry} may import from its own folder and from the floors below it.`,
      severity: 'error',
      from: { path: pattern(entry) },
      to: { path: patterns([siblings, ...FLOORS.slice(level + 1)]) },
    };
  }),
).filter(({ to }) => to.path.length > 0);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
    {
      name: 'users-in-their-folders',
      comment: 'Iterate over resources and operations.',
      severity: 'error',
      from: {
        path: ['^conformance/', '^cli/'],
        pathNot: patterns(KNOW_USERS),
      },
      to: { path: ['^conformance/(resources|model)/user/', '^conformance/traffic/users/'] },
    },
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
        path: patterns(FLOORS.slice(0, -3)),
        pathNot: [...ENTRY_POINTS.map(pattern), '^conformance/report/html/script\\.js$', '\\.d\\.ts$'],
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
    exclude: '(^|/)(dist|build|coverage|examples|\\.build-[^/]*)/|^site/(\\.astro|src|astro\\.config)',
  },
};
