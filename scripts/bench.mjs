// Compares a complete run, in its own process, with a bare undici script (bench-bare.mjs) that sends the same requests and waits
// for the same responses in between. Both send to one reference server in a third process, in turns. A run against a server
// that delays each response shows that no request waits for others than those on the critical path, and for a free connection.
//   npm run bench [-- --rounds N]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { judgeTarget } from '../dist/conformance/run/run.js';
import { inputsFor, startBehaviour } from '../dist/proof/behaviour.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const ROUNDS = Number(values.rounds);
const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const BARE = fileURLToPath(new URL('bench-bare.mjs', import.meta.url));

async function startServer() {
  const child = spawn(process.execPath, [CLI, 'serve'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const environment = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    environment[name] = value;
    if (name === 'CONFORMANCE_BANNER_IDS') break;
  }
  return { child, environment };
}

/** Sends a complete run. Returns its requests, each `after` those that had ended when the suite asked for it. */
async function record(inputs, options = {}) {
  const sent = [];
  const onEvent = (event) => {
    if (event.type !== 'exchange') return;
    const { request, queuedAt, startedAt, duration } = event.exchange;
    const ended = performance.now();
    sent.push({ request, ended, queued: ended - duration - (startedAt - queuedAt) });
  };
  // The events of the library show no keys; those of the runner have the requests as they were sent.
  await judgeTarget(inputs, { ...options, onEvent });
  return sent.map(({ request: { credential, headers, method, path, body }, queued }) => ({
    method,
    path: credential.query === undefined ? path : `${path}?${credential.query}`,
    headers: {
      ...headers,
      ...credential.otherHeaders,
      ...(credential.header === undefined ? {} : { Authorization: credential.header }),
    },
    body,
    after: sent.flatMap(({ ended }, index) => (ended <= queued ? [index] : [])),
  }));
}

/** How many requests have to wait for each other, one after another. */
function criticalPath(requests) {
  const lengths = [];
  for (const { after } of requests) lengths.push(1 + Math.max(0, ...after.map((index) => lengths[index])));
  return Math.max(...lengths);
}

/** ms that the delaying server takes for a response. */
const DELAY = 50;

/**
 * A run on a server that delays each response: requests that wait for each other are seen as such, and the run may take hardly
 * longer than the critical path.
 */
async function delayed(options) {
  const around = (handle) => async (request) => {
    await sleep(DELAY);
    return handle(request);
  };
  const { url, seed, close } = await startBehaviour({ around });
  const started = performance.now();
  const requests = await record(inputsFor(url, seed), options);
  const took = performance.now() - started;
  await close();
  const path = criticalPath(requests);
  return { count: requests.length, path, took, ratio: took / DELAY / path };
}

function timed(args, environment) {
  const started = performance.now();
  execFileSync(process.execPath, args, { env: { ...process.env, ...environment }, stdio: 'ignore' });
  return performance.now() - started;
}

const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];

const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
const { child, environment } = await startServer();
try {
  const requests = await record(inputsFor(environment.CONFORMANCE_BASE_URL));
  const late = await delayed({});
  const must = await delayed({ only: ['must'] });
  const file = join(folder, 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  const suite = [];
  const bare = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    suite.push(timed([CLI, 'run'], environment));
    bare.push(timed([BARE, environment.CONFORMANCE_BASE_URL, file]));
  }
  const ratio = median(suite.map((time, round) => time / bare[round]));
  console.log(`requests      ${late.count}, ${late.path} of them on the critical path`);
  console.log(`--only must   ${must.count}, ${must.path} of them on the critical path`);
  console.log(`${DELAY} ms away    ${late.took.toFixed(0)} ms, ${late.ratio.toFixed(2)} times the critical path`);
  console.log(`complete run  ${median(suite).toFixed(0)} ms`);
  console.log(`bare script   ${median(bare).toFixed(0)} ms`);
  console.log(`ratio         ${ratio.toFixed(2)} (median of ${ROUNDS})`);
} finally {
  child.kill();
  rmSync(folder, { recursive: true });
}
