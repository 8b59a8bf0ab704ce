// Measures what is promised of speed (docs/performance.md), each figure beside what it is compared with, in turns.
//   npm run bench [-- --rounds N --only run,path,server,large,gate,loop]
// With fewer than 15 rounds it is a quicker look, with a smaller document and fewer banners.
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { requestsPerSecond, requestBytes } from './load.mjs';
import { median, metered, served, TYPESCRIPT } from './measure.mjs';
import { criticalPath, record } from './requests.mjs';
import { tableOf } from './table.mjs';
import { bundleEntries } from '../package/bundle.mjs';
import { entriesOf } from '../../common/process/args.ts';
import { operationIds } from '../../contract/document.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { stubs } from '../../proof/servers/stubs.ts';

const COMPLETE = 15;
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: String(COMPLETE) }, only: { type: 'string', multiple: true } },
});
const ROUNDS = Number(values.rounds);
const isComplete = ROUNDS >= COMPLETE;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const CLI = at('../../dist/cli/main.js');
const BUNDLES = at('../../build/bench/');
const [DIFF, LARGE_RUN] = ['diff', 'large-run'].map((name) => `${BUNDLES}${name}.js`);

/** ms that the delaying server takes for a response. */
const DELAY = 50;
/** ms for which a server is sent requests, each round. */
const LOAD = 700;
/** Times. */
const WARM_UP = isComplete ? 16 : 4;
const BANNERS = isComplete ? 100_000 : 10_000;
/** Bytes of the large document. */
const DOCUMENT = isComplete ? 13e6 : 1.3e6;

const times = (count, act) => Array.from({ length: count }).reduce((before) => before.then(act), Promise.resolve());
const fixed = (number, digits = 2) => number.toFixed(digits);

const ms = (number) => `${fixed(number, 0)} ms`;
const row = (what, figure, measured, goal) => ({ what, figure, ...goal(measured) });
const atMost =
  (limit, unit = '') =>
  (value) => ({ value: `${fixed(value)}${unit}`, goal: `at most ${limit}${unit}`, met: value <= limit });
const atLeast = (limit) => (value) => ({ value: fixed(value), goal: `at least ${limit}`, met: value >= limit });

async function benchRun(folder) {
  const { lines, close } = await served([CLI, 'serve'], /^export CONFORMANCE_BANNER_IDS=/);
  const environment = Object.fromEntries(
    lines.flatMap((line) => [/^export (\w+)=(.*)$/.exec(line)?.slice(1) ?? []]).filter(([name]) => name),
  );
  const file = join(folder, 'requests.json');
  const address = environment.CONFORMANCE_BASE_URL;
  writeFileSync(file, JSON.stringify(await record(inputsFor(address))));
  const pairs = [];
  await times(ROUNDS, async () => {
    pairs.push([await metered([CLI, 'run'], environment), await metered([at('measured/bare-run.mjs'), address, file])]);
  });
  await close();
  const [run, bare] = [0, 1].map((which) => median(pairs.map((pair) => pair[which].wall)));
  const ratio = (of) => median(pairs.map(([own, other]) => own[of] / other[of]));
  return [
    row('complete run : bare script, time', `${ms(run)} : ${ms(bare)}`, ratio('wall'), atMost(1.4)),
    row('complete run : bare script, CPU', '', ratio('cpu'), (value) => ({ value: fixed(value), goal: '' })),
  ];
}

async function benchPath() {
  const { lines, close } = await served([...TYPESCRIPT, at('measured/delaying-server.mjs'), String(DELAY)], /^http/);
  const inputs = inputsFor(lines.at(-1));
  const started = performance.now();
  const requests = await record(inputs);
  const took = performance.now() - started;
  const must = await record(inputs, { only: ['must'] });
  await close();
  const [path, pathOfMust] = [requests, must].map(criticalPath);
  const atMostForEach = (limit) => (value) => ({
    value: String(value),
    goal: `at most ${limit} for each operation`,
    met: value <= limit * operationIds.length,
  });
  return [
    row('critical path of a complete run', `${requests.length} requests`, path, atMostForEach(30)),
    row('critical path of --only must', `${must.length} requests`, pathOfMust, atMostForEach(15)),
    row(
      `target ${DELAY} ms away : critical path`,
      `${ms(took)} : ${ms(path * DELAY)}`,
      took / DELAY / path,
      atMost(1.3),
    ),
  ];
}

async function benchServer() {
  const { keys, users } = defaultSeed;
  const update = {
    method: 'PUT',
    path: '/api/admin/user-admin/1',
    headers: { Authorization: keys.admin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: users[0].name, email: users[0].email }),
  };
  const prism = await stubs.find(({ id }) => id === 'prism-mock').start();
  const reference = await served([CLI, 'serve'], /^export CONFORMANCE_BASE_URL=/);
  const bare = await served([at('measured/bare-server.mjs'), JSON.stringify(users[0])], /^http/);
  const urls = [reference.lines.at(-1).split('=')[1], bare.lines.at(-1), prism.url];
  const rates = [];
  const measure = (url) => requestsPerSecond(url, requestBytes(url, update), LOAD);
  // What a server does often is compiled after a while.
  for (let time = 0; time < WARM_UP; time += 1) for (const url of urls.slice(0, 2)) await measure(url);
  await times(ROUNDS, async () => {
    rates.push([await measure(urls[0]), await measure(urls[1]), await measure(urls[2])]);
  });
  await Promise.all([prism, reference, bare].map(({ close }) => close()));
  const of = (which) => `${fixed(median(rates.map((each) => each[which])), 0)}/s`;
  const ratio = (which) => median(rates.map((each) => each[0] / each[which]));
  return [
    row('reference server : bare server, requests', `${of(0)} : ${of(1)}`, ratio(1), atLeast(0.8)),
    row('reference server : prism mock, requests', `${of(0)} : ${of(2)}`, ratio(2), atLeast(10)),
  ];
}

async function judgedFrom(file) {
  const { lines, close } = await served([...TYPESCRIPT, at('measured/large-server.mjs'), file], /^http/);
  const figures = await metered([LARGE_RUN], { CONFORMANCE_BASE_URL: lines.at(-1) });
  await close();
  return { ...figures, ...JSON.parse(figures.stdout) };
}

async function benchLarge(folder) {
  // In a small body, what every run takes outweighs what the body takes.
  const goal = (limit) => (value) => ({ ...atMost(limit)(value), ...(isComplete ? {} : { met: undefined }) });
  const [large, small] = ['large.json', 'small.json'].map((name) => join(folder, name));
  const banner = { ...defaultSeed.banners[0], dialog: 'The service is read-only from *08:00* to *10:00*. '.repeat(3) };
  writeFileSync(small, JSON.stringify({ banners: [{ ...banner, id: 1 }] }));
  writeFileSync(
    large,
    JSON.stringify({ banners: Array.from({ length: BANNERS }, (_each, index) => ({ ...banner, id: index + 1 })) }),
  );
  const size = statSync(large).size;
  const [judged, without] = [await judgedFrom(large), await judgedFrom(small)];
  const parse = async (count) => (await metered([at('measured/parse.mjs'), large, String(count)])).cpu;
  // More than a tick of the clock that counts CPU time.
  const more = isComplete ? 4 : 40;
  const parsed = ((await parse(1 + more)) - (await parse(1))) / more;
  const own = (judged.cpu - without.cpu) / judged.bodies;
  const of = `${fixed(size / 1e6, 0)} MB`;
  return [
    row(
      `judging ${of} : JSON.parse of it, CPU`,
      `${ms(own * 1000)} : ${ms(parsed * 1000)}, ${judged.bodies} bodies, ${judged.verdict}`,
      own / parsed,
      goal(2),
    ),
    row(`peak memory : the body of ${of}`, `${fixed(judged.peak / 1e6, 0)} MB`, judged.peak / size, goal(6)),
  ];
}

/** The contract with its paths and schemas again and again under other names, in about so many bytes. */
function largeDocument(bytes) {
  const { paths, components, ...rest } = JSON.parse(readFileSync(at('../../contract/openapi.json'), 'utf8'));
  const copies = Math.ceil(bytes / JSON.stringify({ paths, schemas: components.schemas }).length);
  const copy = (part, index) =>
    Object.entries(
      JSON.parse(
        JSON.stringify(part)
          .replaceAll(/"#\/components\/schemas\/(\w+)"/g, `"#/components/schemas/$1${index}"`)
          .replaceAll(/"operationId":"(\w+)"/g, `"operationId":"$1${index}"`),
      ),
    );
  const indices = Array.from({ length: copies }, (_each, index) => index);
  return {
    ...rest,
    paths: Object.fromEntries(
      indices.flatMap((index) => copy(paths, index).map(([path, item]) => [`/v${index}${path}`, item])),
    ),
    components: {
      ...components,
      schemas: Object.fromEntries([
        // Shared responses refer to these.
        ...Object.entries(components.schemas),
        ...indices.flatMap((index) => copy(components.schemas, index).map(([name, schema]) => [name + index, schema])),
      ]),
    },
  };
}

async function benchGate(folder) {
  const [base, head, large] = ['base.json', 'head.json', 'document.json'].map((name) => join(folder, name));
  const contract = readFileSync(at('../../contract/openapi.json'), 'utf8');
  writeFileSync(base, contract);
  writeFileSync(head, contract.replace('"loginAttempts"', '"attempts"'));
  writeFileSync(large, JSON.stringify(largeDocument(DOCUMENT)));
  const pairs = [];
  await times(Math.min(ROUNDS, 5), async () => pairs.push(await metered([DIFF, base, head])));
  const self = await metered([DIFF, large, large]);
  const size = `${fixed(statSync(large).size / 1e6, 1)} MB`;
  return [
    row('gate:diff of a small pair, CPU', '', median(pairs.map(({ cpu }) => cpu)), atMost(0.8, ' s')),
    row(`gate:diff of ${size} with itself, CPU`, '', self.cpu, atMost(30, ' s')),
    row(`gate:diff of ${size} with itself, memory`, '', self.peak / 1e9, atMost(1, ' GB')),
  ];
}

/** From a change of a check to its test, and to the verdict on the servers that name it. */
async function benchLoop() {
  const touched = at('../../conformance/checks/errors.ts');
  const test = [
    at('../../node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'unit',
    'test/conformance/checks/selection.test.ts',
  ];
  const prove = (...args) => [...TYPESCRIPT, at('../../proof/main.ts'), ...args];
  const cpuOf = async (args, rounds) => {
    const runs = [];
    await times(rounds, async () => {
      utimesSync(touched, new Date(), new Date());
      runs.push(await metered(args));
    });
    return median(runs.map(({ cpu }) => cpu));
  };
  const rounds = Math.min(ROUNDS, 5);
  // The whole proof is a gate by itself; in a quick look it would take longest.
  const whole = isComplete ? await metered(prove('--out', at('../../build/proof'))) : undefined;
  const unlessQuick = (limit) =>
    whole ? atMost(limit, ' s') : () => ({ value: '', goal: `at most ${limit} s`, met: undefined });
  return [
    row('touch a check and run a test, CPU', '', await cpuOf(test, rounds), atMost(3, ' s')),
    row('prove --check ID, CPU', '', await cpuOf(prove('--check', 'update-name-stored'), rounds), atMost(5, ' s')),
    row('the whole proof, CPU', '', whole?.cpu, unlessQuick(60)),
    row('the whole proof, time', '', whole && whole.wall / 1000, unlessQuick(45)),
  ];
}

const COLUMNS = ['what', 'figure', 'value', 'goal', 'met'];

const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
const programs = { diff: 'contract-gate/diff.ts', 'large-run': 'scripts/bench/measured/large-run.mjs' };
await bundleEntries(at('../../'), BUNDLES, programs);
try {
  const parts = {
    run: benchRun,
    path: benchPath,
    server: benchServer,
    large: benchLarge,
    gate: benchGate,
    loop: benchLoop,
  };
  const wanted = values.only === undefined ? Object.keys(parts) : entriesOf(values.only);
  const rows = [];
  for (const name of wanted) rows.push(...(await parts[name](folder)));
  console.log(`${cpus().length} CPUs (${cpus()[0].model}), Node ${process.versions.node}, ${ROUNDS} rounds\n`);
  const met = (isMet) => (isMet === undefined ? '' : isMet ? 'yes' : 'no');
  console.log(
    tableOf(
      COLUMNS,
      rows.map((each) => ({ ...each, met: met(each.met) })),
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}
