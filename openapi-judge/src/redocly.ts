import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { UsageError } from '../../common/process/args.ts';
import { execute, type Execution } from '../../common/process/process.ts';
import { arrayOf, type JsonObject, member, textOf } from '../../common/json.ts';

/** The command of Redocly. Throws UsageError if it is not installed. */
export function redoclyCommand(resolve: (path: string) => string = createRequire(import.meta.url).resolve): string {
  try {
    return join(dirname(resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  } catch {
    throw new UsageError('--redocly needs @redocly/cli, which is not installed: npm install --save-dev @redocly/cli');
  }
}

/** Runs Redocly for at most ten minutes, without telemetry and without its search for a newer version. */
function runRedocly(args: readonly string[], cwd?: string): Promise<Execution> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return execute([process.execPath, redoclyCommand(), ...args], { cwd, env, timeout: 600_000 });
}

/** What `redocly diff` rates as breaking. */
export interface RedoclyFinding {
  readonly rule: string;
  /** The place as it is reached from the path, through references. */
  readonly pointer: string;
  readonly message: string;
}

/** What breaks clients, and what breaks implementers. */
export type RedoclyReport = Readonly<Record<'clients' | 'implementers', readonly RedoclyFinding[]>>;

async function diff(folder: string, from: string, to: string): Promise<RedoclyFinding[]> {
  const args = ['diff', from, to, '--format', 'json', '--fail-on', 'none', '--lint-config', 'off'];
  const { error, stdout, stderr } = await runRedocly(args, folder);
  try {
    return findings(JSON.parse(stdout));
  } catch {
    throw new UsageError(`redocly diff gave no report: ${saidIn(stderr) || (error?.message ?? 'no reason')}`);
  }
}

/** What a text in colours and several lines says, in one line. */
function saidIn(text: string): string {
  const plain = stripVTControlCharacters(text);
  return plain
    .split('\n')
    .map((line) => line.replaceAll(/[^\p{L}\p{N}\p{P}\p{Sm} ]/gu, '').trim())
    .filter((line) => /\p{L}{2}/u.test(line))
    .join(' ')
    .slice(0, 300);
}

function findings(report: unknown): RedoclyFinding[] {
  return arrayOf(member(report, 'changes')).flatMap((each) =>
    arrayOf(member(each, 'verdicts')).flatMap((verdict) =>
      member(verdict, 'impact') === 'major'
        ? [
            {
              rule: textOf(member(verdict, 'ruleId')) ?? 'unnamed',
              pointer: (textOf(member(each, 'path')) ?? '').replace(/^#/, ''),
              message: textOf(member(verdict, 'message')) ?? '',
            },
          ]
        : [],
    ),
  );
}

/**
 * Asks `redocly diff` in both directions: what breaks clients, and, with the documents swapped, implementers.
 *
 * @throws UsageError if it gives no report: an error of the installation, not of the documents
 */
export async function redoclyBothWays(base: JsonObject, head: JsonObject): Promise<RedoclyReport> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-gate-'));
  try {
    await writeFile(join(folder, 'base.json'), JSON.stringify(base));
    await writeFile(join(folder, 'head.json'), JSON.stringify(head));
    const [clients, implementers] = await Promise.all([
      diff(folder, 'base.json', 'head.json'),
      diff(folder, 'head.json', 'base.json'),
    ]);
    return { clients, implementers };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
