// Measures the processor time that judges of contract changes take for pairs of documents, in turns, with the start of the program:
//   node scripts/bench/judge-times.mjs FOLDER [--rounds 5]
// FOLDER has the older document of each pair as NAME-old.json or .yaml, and the newer as NAME-new. oasdiff has to be on the PATH.
// Prints the medians of each pair, the median of the shares that ours takes, and the largest.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';
import { fileURLToPath } from 'node:url';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('judge-times: a folder with pairs is needed: node scripts/bench/judge-times.mjs FOLDER');
  process.exit(2);
}
const JUDGES = {
  'openapi-judge': [process.execPath, fileURLToPath(new URL('../../openapi-judge/dist/main.cjs', import.meta.url))],
  oasdiff: ['oasdiff', 'breaking'],
};

/** Seconds of the program and of the system. */
function cpuOf(command, pair) {
  const script = '"$@" >/dev/null 2>&1; code=$?; times; exit $code';
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', ...command, ...pair], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} gives no verdict on ${pair.join(' ')}`);
  const spent = stdout.trim().split('\n').at(-1);
  return [...spent.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * minutes + +seconds,
    0,
  );
}

const olds = readdirSync(folder).filter((name) => /-old\.(json|yaml)$/.test(name));
const sized = olds.map((name) => ({ name, size: statSync(`${folder}/${name}`).size }));
const shares = [];
for (const { name, size } of sized.sort((a, b) => a.size - b.size)) {
  const pair = [`${folder}/${name}`, `${folder}/${name.replace('-old.', '-new.')}`];
  const spent = { 'openapi-judge': [], oasdiff: [] };
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [judge, command] of Object.entries(JUDGES)) spent[judge].push(cpuOf(command, pair));
  const [ours, theirs] = Object.values(spent).map(median);
  shares.push(ours / theirs);
  const figures = `${ours.toFixed(2)} s, oasdiff ${theirs.toFixed(2)} s, share ${(ours / theirs).toFixed(2)}`;
  console.log(`${name.replace('-old', '')} (${(size / 1e6).toFixed(1)} MB): ${figures}`);
}
console.log(`median of the shares: ${median(shares).toFixed(2)}, largest: ${Math.max(...shares).toFixed(2)}`);
