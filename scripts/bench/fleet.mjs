// Judges fleets of reference servers with "run --targets", and shows time and memory as they grow. The servers share a process of
// their own; the figures are those of the fleet's processes: the time of the clock, the time of the CPUs (which other work on the
// machine does not change much), and memory as Linux shares it out among them (PSS).
//   npm run bench:fleet [-- --sizes 10,50 --parallel 4 --chart docs/fleet-growth.svg]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { growthChart } from '../growth-chart.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const SELF = fileURLToPath(import.meta.url);
const MEGABYTE = 1024;
const POLL_MS = 250;

/** As a process of its own: starts servers, and tells where they are. */
async function serve(count) {
  const { createReferenceServer } = await import('../../reference-server/server.ts');
  const { inputsFor } = await import('../../proof/servers/behaviour.ts');
  const servers = await Promise.all(Array.from({ length: count }, () => createReferenceServer()));
  const [{ url, seed }] = servers;
  process.send({ urls: servers.map((each) => each.url), inputs: inputsFor(url, seed) });
  process.once('disconnect', () => process.exit());
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

/** The memory of a process and of those that it has started, in KiB; undefined where the system does not tell. */
function memoryOf(root) {
  if (process.platform !== 'linux') return undefined;
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => [Number(id), Number(/\) \S (\d+)/.exec(read(`/proc/${id}/stat`))?.[1])]);
  const ids = parents.filter(([id, parent]) => id === root || parent === root).map(([id]) => id);
  return ids.reduce((sum, id) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0), 0);
}

/** The time that the CPUs gave to a process and to those of its processes that have ended, in seconds. */
function cpuOf(id) {
  // Behind the name, which may have blanks: utime, stime, cutime and cstime, in ticks of 10 ms.
  const fields = read(`/proc/${id}/stat`).split(') ').at(-1).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
  return Number.isNaN(ticks) ? 0 : ticks / 100;
}

async function measure(count, parallel) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-fleet-'));
  const servers = fork(SELF, ['--serve', String(count)]);
  try {
    const [{ urls, inputs: given }] = await once(servers, 'message');
    const { adminKey, restrictedKey, ...inputs } = given;
    const write = (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600 });
    write('admin.key', adminKey);
    write('restricted.key', restrictedKey);
    const defaults = { adminKeyFile: 'admin.key', restrictedKeyFile: 'restricted.key', ...inputs };
    const targets = urls.map((baseUrl, index) => ({ name: `server-${index + 1}`, baseUrl }));
    write('targets.json', JSON.stringify({ defaults, targets }));
    const options = ['--targets', join(folder, 'targets.json'), '--output', folder, '--parallel', String(parallel)];
    const started = performance.now();
    const fleet = spawn(process.execPath, [CLI, 'run', ...options, '--quiet'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    let memory;
    let cpu = 0;
    const timer = setInterval(() => {
      const now = memoryOf(fleet.pid);
      if (now === undefined) return;
      memory = Math.max(memory ?? 0, now);
      cpu = Math.max(cpu, cpuOf(fleet.pid));
    }, POLL_MS);
    const [code] = await once(fleet, 'exit');
    clearInterval(timer);
    const seconds = (performance.now() - started) / 1000;
    const { counts } = JSON.parse(readFileSync(join(folder, 'matrix.json'), 'utf8'));
    if (code !== 0 || counts.passed !== count)
      throw new Error(`${JSON.stringify(counts)} of ${count}, exit code ${code}`);
    return { count, seconds, ...(memory === undefined ? {} : { cpu, megabytes: memory / MEGABYTE }) };
  } finally {
    servers.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10,50,100,250,500' },
      parallel: { type: 'string', default: '4' },
      chart: { type: 'string' },
      serve: { type: 'string' },
    },
  });
  if (values.serve !== undefined) return serve(Number(values.serve));
  const note = `${values.parallel} targets at a time, ${cpus().length} CPUs, Node ${process.versions.node}; the servers run on the same machine`;
  const figures = [];
  console.log('targets   seconds       CPU   memory');
  for (const size of values.sizes.split(',').map(Number)) {
    const figure = await measure(size, Number(values.parallel));
    figures.push(figure);
    const { count, seconds, cpu, megabytes } = figure;
    const told = (value, unit, digits) => (value === undefined ? '-' : `${value.toFixed(digits)} ${unit}`);
    const columns = [told(seconds, 's', 1), told(cpu, 's', 1), told(megabytes, 'MB', 0)];
    console.log([String(count).padStart(7), ...columns.map((each) => each.padStart(10))].join(''));
    if (values.chart !== undefined) writeFileSync(values.chart, growthChart(figures, note));
  }
}

await main();
