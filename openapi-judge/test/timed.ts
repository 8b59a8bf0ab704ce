/** Judges pairs of documents in a file, and prints the judgement of each with the processor time (µs) that it took. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { judge } from '../src/classify.ts';
import { describeText } from '../src/load.ts';

const [file = ''] = process.argv.slice(2);
const pairs = JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly [object, object])[];
const results = pairs.map(([base, head]) => {
  const start = process.cpuUsage();
  const before = describeText('base', JSON.stringify(base), 'base');
  const judgement = judge(before, describeText('head', JSON.stringify(head), 'head'));
  const { user, system } = process.cpuUsage(start);
  return { judgement, time: user + system };
});
process.stdout.write(JSON.stringify(results));
