import { spawn, type ChildProcess } from 'node:child_process';
import { isSea } from 'node:sea';
import { DEFAULT_LIMITS } from '../../conformance/http/policy/limits.ts';
import { REPORTS } from '../../conformance/report/formats.ts';
import { targetWithout, type MatrixTarget } from '../../conformance/result/several/matrix.ts';
import { JUDGE_COMMAND, type FromJudge, type Task, type ToJudge } from './messages.ts';

/** The files in the folder of a target, each with its report. */
export const TARGET_FILES = { 'result.json': REPORTS.json, 'report.html': REPORTS.html } as const;

/** ms. What a run may take beside its deadline: starting, restoring the users and judging have bounds of their own. */
const GRACE = 120_000;

/** How this program is started once more; in a single executable the program is the executable itself. */
function ownCommand(): string[] {
  const script = process.argv[1];
  return isSea() || script === undefined ? [process.execPath] : [process.execPath, ...process.execArgv, script];
}

/** The environment without what says something of a target. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_')));
}

/** The process of a target while it is judged. */
export interface Judging {
  readonly target: Promise<MatrixTarget>;
  /** Ends the run early; the users are restored. */
  readonly stop: () => void;
  /** Ends the process at once. Returns the journal of the run, if there is one. */
  readonly kill: () => string | undefined;
}

/** How the process of a target is started. */
export interface JudgingOptions {
  /** The folder of the target as the matrix names it. */
  readonly folder: string;
  readonly command?: readonly string[];
  /** ms. The process is killed if it takes longer. */
  readonly most?: number;
}

function timeOf({ options, wait = 0 }: Task): number {
  return (options.limits?.deadline ?? DEFAULT_LIMITS.deadline) + wait * 1000 + GRACE;
}

function say(child: ChildProcess, message: ToJudge): void {
  // A process that has ended hears nothing, and its end says more than the error.
  if (child.connected) child.send(message, () => undefined);
}

/** A target without a result: an error of the suite. */
function unjudged({ name, inputs }: Task, problem: string, journal: string | undefined): MatrixTarget {
  return { ...targetWithout(name, inputs.baseUrl, 'error', problem), ...(journal !== undefined && { journal }) };
}

/**
 * Judges a target in a process of its own: whatever the target does to it (time, memory, a crash), the others go on, and the
 * process has no key but those of its target to send.
 */
export function startJudging(task: Task, options: JudgingOptions): Judging {
  const { folder, command = [...ownCommand(), JUDGE_COMMAND], most = timeOf(task) } = options;
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: cleanEnvironment(),
  });
  let journal: string | undefined;
  let judged: MatrixTarget | undefined;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, most);
  const target = new Promise<MatrixTarget>((resolve) => {
    child.on('message', (message: FromJudge) => {
      if (message.type === 'journal') journal = message.path;
      else judged = { ...message.target, ...(message.isWritten ? { folder } : {}) };
    });
    child.on('error', ({ message }) => {
      clearTimeout(timer);
      resolve(unjudged(task, `Its process could not be started: ${message}.`, journal));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const why = late
        ? `did not end within ${Math.round(most / 1000)} s`
        : `ended with ${signal ?? `code ${code ?? ''}`}`;
      resolve(judged ?? unjudged(task, `Its process ${why}, and has no result.`, journal));
    });
  });
  say(child, { type: 'judge', task });
  return {
    target,
    stop: () => say(child, { type: 'stop' }),
    kill: () => {
      child.kill('SIGKILL');
      return judged === undefined ? journal : judged.journal;
    },
  };
}
