import { join } from 'node:path';
import { RunRefused } from '../../conformance/traffic/run-refused.ts';
import { targetOfResult, targetWithout } from '../../conformance/result/several/matrix.ts';
import type { Verdict } from '../../conformance/result/verdict.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { UsageError } from '../../common/process/args.ts';
import { refusalWithin } from '../input/wait.ts';
import { writeOutput } from '../output/output-file.ts';
import type { Command } from '../output/io.ts';
import type { FromJudge, Task, ToJudge } from './messages.ts';
import { TARGET_FILES } from './process.ts';

async function judge(task: Task, signal: AbortSignal, tell: (message: FromJudge) => void): Promise<void> {
  const { name, options, wait, secrets, folder } = task;
  const baseUrl = new URL(task.inputs.baseUrl);
  const conclude = (verdict: Verdict, problem: string): void =>
    tell({ type: 'judged', target: targetWithout(name, task.inputs.baseUrl, verdict, problem), isWritten: false });
  // A target that is not ready is judged all the same: the report says what is wrong.
  if (wait !== undefined) await refusalWithin(wait, baseUrl, signal);
  try {
    const result = await judgeTarget(
      { ...task.inputs, baseUrl },
      {
        ...options,
        secrets,
        signal,
        onEvent: (event) => {
          if (event.type === 'journal') tell(event);
        },
      },
    );
    for (const [file, report] of Object.entries(TARGET_FILES))
      writeOutput(name, join(folder, file), await report(result));
    tell({ type: 'judged', target: targetOfResult(name, result), isWritten: true });
  } catch (error) {
    const isExpected = error instanceof RunRefused || error instanceof UsageError || 'syscall' in (error as Error);
    if (!isExpected) throw error;
    conclude('inconclusive', (error as Error).message);
  }
}

/** The hidden command that judges one target of a fleet: the fleet tells it which, and hears what came of it. */
export const command: Command = {
  usage: '',
  summary: '',
  help: '',
  run: (_args, { onInterrupt }) => {
    if (process.send === undefined) throw new UsageError('This command is for "run --targets" alone.');
    const stop = new AbortController();
    // The terminal sends its signals to all processes; the fleet decides what they mean.
    onInterrupt(() => undefined);
    return new Promise<number>((resolve, reject) => {
      const disconnect = (): void => {
        if (process.connected) process.disconnect();
      };
      // Without the fleet nobody waits for the verdict, but the users are still to be restored.
      process.on('disconnect', () => stop.abort());
      process.on('message', (message: ToJudge) => {
        if (message.type === 'stop') stop.abort();
        else {
          const tell = (said: FromJudge): void => {
            if (process.connected) process.send?.(said);
          };
          judge(message.task, stop.signal, tell)
            .finally(disconnect)
            .then(() => resolve(0), reject);
        }
      });
    });
  },
};
