// Measures a complete run, as a process of its own, beside a bare undici script (bench-bare.mjs) that sends the same
// requests in the same order of dependence. Both go to the same reference server in a third process, in turns.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { run } from '../dist/conformance/index.js';

const ROUNDS = 15;
const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const BARE = fileURLToPath(new URL('bench-bare.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));

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

/** Every request with the requests that had ended before it was asked for. */
async function record(environment) {
  const exchanges = [];
  await run(
    {
      baseUrl: environment.CONFORMANCE_BASE_URL,
      adminKey: environment.CONFORMANCE_ADMIN_KEY,
      restrictedKey: environment.CONFORMANCE_RESTRICTED_KEY,
      userId: environment.CONFORMANCE_USER_ID,
      otherUserId: environment.CONFORMANCE_OTHER_USER_ID,
      missingUserId: environment.CONFORMANCE_MISSING_USER_ID,
      roleIds: JSON.parse(`[${environment.CONFORMANCE_ROLE_IDS}]`),
      bannerIds: JSON.parse(`[${environment.CONFORMANCE_BANNER_IDS}]`),
    },
    { onEvent: (event) => event.type === 'exchange' && exchanges.push(event.exchange) },
  );
  const restoring = exchanges.findIndex(({ request }) => request.purpose === 'Putting the user back');
  const shift = Math.max(...exchanges.slice(0, restoring).map(({ startedAt, duration }) => startedAt + duration));
  const times = exchanges.map(({ queuedAt, startedAt, duration }, index) => {
    const offset = index < restoring ? 0 : shift;
    return { queued: queuedAt + offset, ended: startedAt + duration + offset };
  });
  return exchanges.map(({ request }, index) => {
    const { credential, headers, method, path, body } = request;
    return {
      method,
      path: path + (credential.query === undefined ? '' : `?${credential.query}`),
      headers: {
        ...headers,
        ...credential.otherHeaders,
        ...(credential.header === undefined ? {} : { Authorization: credential.header }),
      },
      body,
      after: times.flatMap(({ ended }, other) => (ended <= times[index].queued ? [other] : [])),
    };
  });
}

function longestChain(requests) {
  const lengths = [];
  const lengthOf = (index) => {
    lengths[index] ??= 1 + Math.max(0, ...requests[index].after.map(lengthOf));
    return lengths[index];
  };
  return Math.max(...requests.map((_request, index) => lengthOf(index)));
}

function timed(args, environment) {
  const started = performance.now();
  execFileSync(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return performance.now() - started;
}

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];

const { child, environment } = await startServer();
try {
  const requests = await record(environment);
  const file = join(folder, 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  const suite = [];
  const bare = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    suite.push(timed([CLI, 'run'], environment));
    bare.push(timed([BARE, environment.CONFORMANCE_BASE_URL, file], environment));
  }
  const ratio = median(suite.map((time, round) => time / bare[round]));
  console.log(`requests of a complete run        ${requests.length}`);
  console.log(`longest chain of dependent ones   ${longestChain(requests)}`);
  console.log(`complete run, own process         ${median(suite).toFixed(0)} ms (median of ${ROUNDS})`);
  console.log(`bare undici, same requests        ${median(bare).toFixed(0)} ms (median of ${ROUNDS})`);
  console.log(`ratio, side by side               ${ratio.toFixed(2)}`);
} finally {
  child.kill();
  rmSync(folder, { recursive: true });
}
