import { readFileSync } from 'node:fs';
import { runTarget } from '../../conformance/run.ts';
import { inputsFor } from '../servers/behaviour.ts';
import { starved } from './starved.ts';

/** The most memory that this process had, in KiB. On Linux the usage of resources counts also what the parent had. */
function peak(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0);
}

// The process that judges a hostile target, at the default limits, and tells what came of it.
const [, , url = '', journal = ''] = process.argv;
const result = await runTarget(inputsFor(url), { journal });
const told = { result, peakMb: Math.round(peak() / 1024), starved: starved() };
process.stdout.write(JSON.stringify(told), () => process.exit());
