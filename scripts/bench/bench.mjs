// Measures the cost of a run (docs/performance.md), next to a bare script and to Prism.
//   npm run bench [-- --rounds 15 --only run,away,gate,loop,peers]
// The exit code is 1 if a goal is not met.
import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { request as send } from 'undici';
import { environmentOf } from '../../cli/settings.ts';
import { runTarget } from '../../conformance/run.ts';
import { defects } from '../../proof/catalogue.ts';
import { inputsFor, needsSocket, startBehaviour } from '../../proof/servers/behaviour.ts';
import { startPrism } from '../../proof/servers/prism.ts';
import { median, printTable, ran, ratioOf, served, times, TYPESCRIPT } from './measure.mjs';

const PARTS = { run: benchRun, away: benchAway, gate: benchGate, loop: benchLoop, peers: benchPeers };
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: Object.keys(PARTS).join() },
  },
});
const rounds = Number(values.rounds);
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [CLI, BARE, SERVER] = ['dist/cli/main.js', 'scripts/bench/bare-run.mjs', 'scripts/bench/slow-server.mjs'].map(at);
const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));

/** ms. */
const AWAY = 50;
/** How many defects Prism and the suite are asked about; a few rounds take fewer. */
const SAMPLE = Math.min(40, 4 * rounds);

/** A row of the table: what was measured, the figure, and the most that it may be. */
const row = (what, figure, unit = '', most = undefined) => ({ what, figure, unit, most });

/** The requests of a run as they were sent, each `after` those that had ended; written to a file. */
async function record(inputs) {
  const sent = [];
  const ended = [];
  const transport = async ({ method, path, headers, body }) => {
    const index = sent.push({ method, path, headers, body, after: [...ended] }) - 1;
    const response = await send(inputs.baseUrl.origin + path, { method, headers, body: body ?? null });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    ended.push(index);
    return { status: response.statusCode, headers: response.headers, bytes };
  };
  await runTarget(inputs, { transport, journal: false });
  const file = join(folder, 'requests.json');
  const asText = ({ body, ...rest }) => ({ ...rest, ...(body !== undefined && { body: body.toString() }) });
  writeFileSync(file, JSON.stringify(sent.map(asText)));
  return { file, count: sent.length };
}

/** @throws Error unless the program ended with 0: the time of one that failed says nothing */
async function succeeded(args, environment) {
  const run = await ran(args, environment);
  if (run.code !== 0)
    throw new Error(`${args.join(' ')} ended with the exit code ${run.code}. Is it built (npm run build)?`);
  return run;
}

const judge = (url) => succeeded([CLI, 'run'], environmentOf(inputsFor(url)));

function benchRun() {
  return served([...TYPESCRIPT, SERVER, '0'], async (url) => {
    const { file, count } = await record(inputsFor(url));
    const pairs = await times(rounds, async () => [await judge(url), await succeeded([BARE, url, file])]);
    const own = (figure) => median(pairs.map(([run]) => run[figure]));
    return [
      row('requests of a complete run', count, '', 700),
      row('time of a complete run', own('seconds'), 's'),
      row('… : of a bare script with its requests', ratioOf(pairs, 'seconds'), '', 1.5),
      row('CPU of a complete run', own('cpu'), 's'),
      row('… : of the bare script', ratioOf(pairs, 'cpu')),
      row('memory of a complete run', own('memory'), 'MB', 200),
      row(
        'time of --version',
        median((await times(rounds, () => succeeded([CLI, '--version']))).map((each) => each.seconds)),
        's',
      ),
    ];
  });
}

function benchAway() {
  return served([...TYPESCRIPT, SERVER, String(AWAY)], async (url) => {
    const { seconds } = await judge(url);
    return [row(`time of a complete run, ${AWAY} ms away`, seconds, 's', 16)];
  });
}

async function benchGate() {
  const contract = at('contract/openapi.json');
  const runs = await times(Math.min(rounds, 5), () =>
    succeeded([at('openapi-judge/dist/main.cjs'), contract, contract]),
  );
  return [row('CPU of openapi-judge, the contract with itself', median(runs.map(({ cpu }) => cpu)), 's', 0.8)];
}

/** What an author waits for: the tests of a check that has changed, and the whole proof. */
async function benchLoop() {
  const touched = at('conformance/checks/updates.ts');
  const test = [at('node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit', 'test/engine/verbs.test.ts'];
  const runs = await times(Math.min(rounds, 5), () => {
    utimesSync(touched, new Date(), new Date());
    return succeeded(test);
  });
  const proof = await succeeded([...TYPESCRIPT, at('proof/prove.ts')]);
  return [
    row('touch a check and run its test', median(runs.map(({ seconds }) => seconds)), 's', 3),
    row('npm run prove', proof.seconds, 's', 60),
  ];
}

/** Whether Prism, between the bare script and a server, says anything about a response. */
async function prismComplains(url, file) {
  const prism = await startPrism('proxy', url);
  try {
    const { code, stdout } = await ran([BARE, prism.url, file, '--decodable']);
    return code !== 0 || Number(stdout) > 0;
  } finally {
    await prism.close();
  }
}

/** Of some defects, how many the suite finds, and how many Prism does with the same requests. */
async function benchPeers() {
  const usual = defects.filter(({ behaviour, inputs }) => !needsSocket(behaviour) && inputs === undefined);
  const step = Math.ceil(usual.length / SAMPLE);
  const sample = usual.filter((_defect, index) => index % step === 0);
  const reference = await startBehaviour({});
  const { file } = await record(inputsFor(reference.url));
  if (await prismComplains(reference.url, file)) throw new Error('Prism complains about the reference server, too.');
  await reference.close();
  const found = { suite: 0, prism: 0 };
  for (const { behaviour } of sample) {
    const { url, close } = await startBehaviour(behaviour);
    if (await prismComplains(url, file)) found.prism += 1;
    if ((await ran([CLI, 'run', '--fail-on', 'should'], environmentOf(inputsFor(url)))).code === 1) found.suite += 1;
    await close();
  }
  return [
    row(`defects that the suite finds, of ${sample.length}`, found.suite),
    row(`defects that Prism finds in its requests, of ${sample.length}`, found.prism),
  ];
}

function cellsOf({ what, figure, unit, most }) {
  const value = `${Number.isInteger(figure) ? figure : figure.toFixed(2)} ${unit}`.trim();
  if (most === undefined) return [what, value, '', ''];
  return [what, value, `at most ${most} ${unit}`.trim(), figure <= most ? 'yes' : 'no'];
}

const rows = [];
try {
  for (const name of values.only.split(',')) rows.push(...(await PARTS[name]()));
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${cpus().length} CPUs (${cpus()[0].model}), Node ${process.versions.node}, ${rounds} rounds\n`);
printTable([['what', 'value', 'goal', 'met'], ...rows.map(cellsOf)]);
if (rows.some(({ figure, most }) => most !== undefined && figure > most)) process.exitCode = 1;
