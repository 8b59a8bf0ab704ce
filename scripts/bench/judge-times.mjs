// Measures the processor time that judges of contract changes take for two documents, each in turns, with the start of the program:
//   node scripts/bench/judge-times.mjs BASE HEAD [--rounds 5]
// oasdiff takes part if it is on the PATH. Prints the median of each, and the share that ours takes.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
if (positionals.length !== 2) {
  console.error('judge-times: two documents are needed: node scripts/bench/judge-times.mjs BASE HEAD');
  process.exit(2);
}
const JUDGES = {
  'openapi-judge': [process.execPath, new URL('../../openapi-judge/dist/main.js', import.meta.url).pathname],
  oasdiff: ['oasdiff', 'breaking'],
};

/** Seconds of the program and of the system; undefined if the program is not there or gives no verdict. */
function cpuOf(command) {
  const script = '"$@" >/dev/null 2>&1; code=$?; times; exit $code';
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', ...command, ...positionals], { encoding: 'utf8' });
  const spent = stdout
    .trim()
    .split('\n')
    .at(-1)
    .matchAll(/(\d+)m([\d.]+)s/g);
  return status === 0
    ? [...spent].reduce((sum, [, minutes, seconds]) => sum + 60 * minutes + Number(seconds), 0)
    : undefined;
}

const spent = Object.fromEntries(Object.keys(JUDGES).map((name) => [name, []]));
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const [name, command] of Object.entries(JUDGES)) spent[name].push(cpuOf(command));
const medians = Object.entries(spent).filter(([, own]) => !own.includes(undefined));
for (const [name, own] of medians) console.log(`${name}: ${median(own).toFixed(2)} s`);
const [ours, theirs] = Object.keys(JUDGES).map((name) => median(spent[name]));
if (medians.length === 2) console.log(`share: ${(ours / theirs).toFixed(2)}`);
