import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { entriesOf } from '../../common/process/args.ts';
import { matchesGlob } from '../../conformance/checks/selection.ts';
import type { Result } from '../../conformance/result/result.ts';
import { baseAddress, INPUT_HELP, type InputName, type Inputs } from '../../conformance/resources/inputs.ts';
import { inputsFor } from '../servers/behaviour.ts';
import type { Restoration } from '../../conformance/traffic/keeping/restoration.ts';
import { startRawServer } from '../wire/raw-server.ts';
import { startWireServer } from '../wire/wire-server.ts';
import { type HostileTarget, hostileTargets } from './targets.ts';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/**
 * Writes the peak of the memory, in KiB, to the fourth stream. On Linux the usage of resources counts also what the parent
 * had when it started the process.
 */
const PEAK = `
import { existsSync, readFileSync, writeSync } from 'node:fs';
const own = () => existsSync('/proc/self/status') && /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
process.on('exit', () => writeSync(3, String(own() || process.resourceUsage().maxRSS)));
`;

/** Bounds at the default limits: seconds, and MB. */
const MOST_SECONDS = 60;
const MOST_MB = 400;
const EXIT_CODES = [0, 1, 3];

/** What came of judging one hostile target. */
export interface Row {
  readonly target: HostileTarget;
  readonly verdict: string;
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly peakMb: number;
  /** What came of restoring the users. */
  readonly restoration: Restoration['outcome'] | 'none';
  /** What is out of bounds; empty if nothing is. */
  readonly problems: readonly string[];
}

function problemsOf({ target, verdict, exitCode, seconds, peakMb, restoration }: Omit<Row, 'problems'>): string[] {
  const conforms = target.verdict === 'passed';
  const isRight = target.verdict === undefined ? verdict !== 'passed' : verdict === target.verdict;
  return [
    ...(exitCode === null || !EXIT_CODES.includes(exitCode) ? [`exit code ${String(exitCode)}`] : []),
    ...(isRight ? [] : [`verdict ${verdict}`]),
    ...(seconds > MOST_SECONDS && !conforms ? [`${seconds} s`] : []),
    ...(peakMb > MOST_MB ? [`${peakMb} MB`] : []),
    ...(target.isRestored && restoration !== 'complete' ? [`restoration ${restoration}`] : []),
  ];
}

/** The environment variables that say what a target is. */
function environmentFor(inputs: Inputs): Record<string, string> {
  const variables = (Object.keys(INPUT_HELP) as InputName[]).flatMap((name) => {
    const value = inputs[name];
    if (value === undefined) return [];
    return [
      [INPUT_HELP[name].variable, typeof value === 'string' ? value : value.map((each) => JSON.stringify(each)).join()],
    ];
  });
  return { CONFORMANCE_BASE_URL: baseAddress(inputs.baseUrl), ...(Object.fromEntries(variables) as object) };
}

/** Runs the built command against a hostile target, with the default limits. */
export async function judgeHostile(target: HostileTarget): Promise<Row> {
  const server = await (target.wire ? startWireServer(target.wire) : startRawServer(target.raw ?? {}));
  const folder = mkdtempSync(join(tmpdir(), 'conformance-hostile-'));
  const started = performance.now();
  try {
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(PEAK)}`,
      CLI,
      'run',
      '--format',
      'json',
      '--quiet',
    ];
    const child = spawn(process.execPath, [...args, '--journal', join(folder, 'journal.json')], {
      env: { PATH: process.env.PATH, ...environmentFor(inputsFor(server.url)) },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    const texts = { output: '', peak: '' };
    child.stdio[1]?.on('data', (chunk: Buffer) => (texts.output += chunk.toString()));
    child.stdio[3]?.on('data', (chunk: Buffer) => (texts.peak += chunk.toString()));
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
    const { output, peak } = texts;
    const result = output === '' ? undefined : (JSON.parse(output) as Result);
    const { verdict = 'none', restoration: { outcome: restoration } = { outcome: 'none' } } = result ?? {};
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const row = { target, verdict, exitCode, seconds, peakMb: Math.round(Number(peak) / 1024), restoration };
    return { ...row, problems: problemsOf(row) };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell, index) => cell.padEnd([26, 58, 12, 4, 7, 7][index] ?? 0)).join(' | ')} |\n`;
}

/** `npm run hostile -- [--only PATTERN]`: a table of all hostile targets; exit code 1 if one is out of bounds. */
async function main(): Promise<void> {
  const { only = ['*'] } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
  const selected = hostileTargets.filter(({ name }) => entriesOf(only).some((glob) => matchesGlob(glob, name)));
  writeSync(1, line(['target', 'what it does', 'verdict', 'exit', 's', 'peak MB']) + line(Array(6).fill('---')));
  let bad = 0;
  for (const target of selected) {
    const { verdict, exitCode, seconds, peakMb, problems } = await judgeHostile(target);
    writeSync(1, line([target.name, target.does, verdict, String(exitCode), seconds.toFixed(1), String(peakMb)]));
    if (problems.length > 0) writeSync(2, `${target.name}: ${problems.join(', ')}\n`);
    bad += problems.length > 0 ? 1 : 0;
  }
  writeSync(1, `${selected.length} targets, ${bad} out of bounds\n`);
  process.exitCode = bad > 0 || selected.length === 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
