// Lets other tools and this suite judge the same servers (docs/peers.md): the reference server, and some of those with a fault, of
// the proof and of the independent implementation. A tool finds a fault if it fails there, and passes without the fault.
//   npm run bench:peers [-- --only own,respect,dredd,portman,prism --sample 100 --seed 1 --rounds 5 --missed]
// Dredd, Portman and Newman are installed into a folder of their own (scripts/bench/peers/tools.mjs). --missed also lists the
// faults that each tool misses. The exit code is 1 if the reference server does not pass a tool.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ran } from '../measure.mjs';
import { peers } from './peers.mjs';
import { faulty, proofServer } from './servers.mjs';
import { install, versionOf } from './tools.mjs';
import { tableOf } from '../table.mjs';
import { entriesOf, oneOf, parseArguments, UsageError, wholeNumber } from '../../../common/process/args.ts';
import { mapBounded } from '../../../common/pool.ts';
import { shuffle } from '../../../conformance/run/shuffle.ts';

/** ms. A tool that takes longer is ended, and finds nothing. */
const HANGS = 120_000;
/** What the faults of a kind are called in the table. */
const FOUND = { must: '`must` defects', should: '`should` defects', independent: 'independent faults' };
const COLUMNS = ['tool', 'version', 'passes', 'time', 'CPU', 'requests', ...Object.values(FOUND), 'not comparable'];

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

async function onServer(server, use) {
  const { url, inputs, close } = await server.start();
  try {
    return await use(url, inputs);
  } finally {
    await close();
  }
}

/** Lets a tool judge a server. Returns its exit code, which is null if it hung, and what it took. */
function judge({ command }, server, prepared) {
  return onServer(server, (url, inputs) => {
    const [args, environment] = command(url, inputs, prepared);
    return ran(args, { env: { ...process.env, ...environment }, timeout: HANGS, signal: stop.signal });
  });
}

/** For all servers that are alike: what a tool prepares once, and whether the one without a fault passes. */
function preparing(peer, folder) {
  const made = new Map();
  const prepare = async (conforming) => {
    const own = mkdtempSync(join(folder, 'peer-'));
    const prepared = await onServer(conforming, (_url, inputs) => peer.prepare?.(inputs, own));
    const { code } = await judge(peer, conforming, prepared);
    return { prepared, passes: code === 0 };
  };
  return ({ like, conforming }) => {
    if (!made.has(like)) made.set(like, prepare(conforming()));
    return made.get(like);
  };
}

const REFERENCE = proofServer({ behaviour: {} });

/** What the tools make of the reference server, and what they take for it: the same for each, in turns. */
async function measure(examined, rounds) {
  let requests = 0;
  const around = (handle) => (request) => {
    requests += 1;
    return handle(request);
  };
  const results = examined.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { peer, prepare }] of examined.entries()) {
      requests = 0;
      const { prepared } = await prepare(REFERENCE);
      results[index].push({ ...(await judge(peer, proofServer({ behaviour: { around } }), prepared)), requests });
    }
  return results.map((own) => ({
    passes: own.every(({ code }) => code === 0) ? 'yes' : 'no',
    time: `${(median(own.map(({ wall }) => wall)) / 1000).toFixed(1)} s`,
    CPU: `${median(own.map(({ cpu }) => cpu)).toFixed(1)} s`,
    requests: String(median(own.map((each) => each.requests))),
  }));
}

/** Lets a tool judge servers with faults, several at once. Returns those that it misses. */
async function missedBy(peer, prepare, tried) {
  let done = 0;
  const missed = await mapBounded(tried, availableParallelism(), async (each) => {
    const { prepared, passes } = await prepare(each.server);
    const { code } = await judge(peer, each.server, prepared);
    done += 1;
    if (done % 10 === 0) console.error(`${peer.tool}: ${done} of ${tried.length}`);
    return passes && code !== 0 && code !== null ? [] : [each];
  });
  return missed.flat();
}

function foundIn(tried, missed) {
  const found = Object.entries(FOUND).map(([kind, column]) => {
    const [all, without] = [tried, missed].map((list) => list.filter((each) => each.kind === kind).length);
    return [column, `${all - without} of ${all}`];
  });
  return Object.fromEntries(found);
}

async function main({ missed: showsMissed, only, ...values }, folder) {
  const seed = wholeNumber('--seed', values.seed, 0, Number.MAX_SAFE_INTEGER);
  const rounds = wholeNumber('--rounds', values.rounds, 1, 99);
  const sample = wholeNumber('--sample', values.sample, 1, Math.max(...faulty.map(({ length }) => length)));
  const chosen = (only ? entriesOf(only) : Object.keys(peers)).map(
    (name) => peers[oneOf('--only', name, Object.keys(peers))],
  );
  install(chosen.flatMap(({ packages }) => packages));
  const samples = faulty.map((list) => shuffle(list, ({ id }) => id, seed).slice(0, sample));
  const tried = samples.flat();
  const examined = chosen.map((peer) => ({ peer, prepare: preparing(peer, folder) }));
  const measured = await measure(examined, rounds);
  const missed = [];
  for (const { peer, prepare } of examined) missed.push(await missedBy(peer, prepare, tried));
  const rows = chosen.map(({ tool, packages, apart }, index) => ({
    ...{ tool, version: packages.map(versionOf).join(', ') },
    ...measured[index],
    ...foundIn(tried, missed[index]),
    'not comparable': apart,
  }));
  const [ofDefects, ofFaults] = faulty.map(({ length }, index) => `${samples[index].length} of ${length}`);
  const machine = `${cpus().length} CPUs (${cpus()[0].model}), Node ${process.versions.node}, ${rounds} rounds`;
  console.log(`${machine}; ${ofDefects} defects, ${ofFaults} independent faults, seed ${seed}\n`);
  console.log(tableOf(COLUMNS, rows));
  if (rows.some(({ passes }) => passes === 'no')) process.exitCode = 1;
  if (!showsMissed) return;
  for (const [index, { tool }] of chosen.entries())
    console.log(`\n${tool} misses: ${missed[index].map(({ id }) => id).join(', ')}`);
}

const text = (fallback) => ({ type: 'string', default: fallback });
const OPTIONS = {
  only: { type: 'string', multiple: true },
  sample: text('100'),
  seed: text('1'),
  rounds: text('5'),
  missed: { type: 'boolean' },
};

const folder = mkdtempSync(join(tmpdir(), 'conformance-peers-'));
try {
  await main(parseArguments(process.argv.slice(2), OPTIONS, 0).values, folder);
} catch (error) {
  if (!(error instanceof UsageError) && !stop.signal.aborted) throw error;
  console.error(error.message);
  process.exitCode = stop.signal.aborted ? 130 : 2;
} finally {
  rmSync(folder, { recursive: true });
}
