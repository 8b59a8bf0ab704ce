import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { listenForInterruption } from '../../cli/output/interruption.ts';
import { type CommandIo, outputTo } from '../../cli/output/io.ts';
import { command } from '../../cli/run.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();

/** Calls back as a process does; `signal` is what it calls. */
function signals() {
  let callback: (name: NodeJS.Signals) => void = () => undefined;
  const onInterrupt: CommandIo['onInterrupt'] = (listener) => {
    callback = listener;
    return () => (callback = () => undefined);
  };
  /** Sends a signal, at a time in ms. */
  const signal = (name: NodeJS.Signals, at = performance.now()): void => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(at);
    callback(name);
    clock.mockRestore();
  };
  return { onInterrupt, signal };
}

it.each<[which: string, name: NodeJS.Signals, after: number, leaves: boolean]>([
  ['that comes with the first', 'SIGINT', 999, false],
  ['that is pressed again', 'SIGINT', 1_000, true],
  ['of somebody who waited', 'SIGTERM', 5_000, true],
  ['of a terminal that is closed', 'SIGHUP', 5_000, false],
])('a second signal %s (%s after %i ms) leaves at once: %s', (_which, name, after, leaves) => {
  const { onInterrupt, signal } = signals();
  const [first, again] = [vi.fn(), vi.fn()];
  listenForInterruption({ onInterrupt }, { first, again });
  signal('SIGINT', 0);
  expect(first).toHaveBeenCalledOnce();
  signal(name, after);
  expect(first).toHaveBeenCalledOnce();
  expect(again).toHaveBeenCalledTimes(leaves ? 1 : 0);
});

it('a second Ctrl-C while its users are restored leaves a run at once, and says how to restore them', async () => {
  const { onInterrupt, signal } = signals();
  let requests = 0;
  let hold = (): void => undefined;
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (hold = done));
  const released = new Promise<void>((done) => (release = done));
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => async (request) => {
    requests += 1;
    if (requests === 30) signal('SIGINT');
    if (requests > 30) {
      hold();
      await released;
    }
    return handle(request);
  };
  await withServer({ around }, async (server) => {
    const exit = vi.fn();
    let stderr = '';
    const stream = new PassThrough().on('data', (chunk: Buffer) => (stderr += chunk.toString())) as unknown;
    const environment = environmentFor(server);
    const err = outputTo(stream as NodeJS.WriteStream, environment);
    const io: CommandIo = { out: err, err, environment, onInterrupt, exit };
    const journal = folder.at('journal.json');
    const code = command.run(['--quiet', '--journal', journal], io);
    await held;
    expect(stderr).toContain('restoring the users first (press again to leave at once)');
    expect(exit).not.toHaveBeenCalled();
    signal('SIGINT', performance.now() + 1_000);
    expect(exit.mock.calls).toEqual([[130]]);
    expect(stderr).toContain(`stopped without restoring the users; use: admin-api-conformance restore ${journal}\n`);
    release();
    expect(await code).toBe(130);
  });
});
