import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandIo } from '../../cli/output/io.ts';
import { command } from '../../cli/run.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();
/** The time, while it stands still. */
let frozen: number | undefined;

beforeEach(() => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => frozen ?? now());
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** An event that is waited for, and may come earlier. */
function event(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => undefined;
  const happened = new Promise<void>((done) => (happen = done));
  return { happened, happen };
}

interface Running {
  /** Sends a signal, so many ms after the one before. */
  readonly signal: (name: NodeJS.Signals, after: number) => void;
  readonly exit: ReturnType<typeof vi.fn>;
  readonly stderr: () => string;
}

/**
 * Runs the command in this process against a server that holds each response back from one request on: that with the number, or
 * the first after the first signal.
 */
async function whileHeld(
  at: 'an update' | 'the restoration',
  use: (running: Running) => void,
): Promise<{ readonly code: number; readonly isRestored: boolean }> {
  const [held, released] = [event(), event()];
  let requests = 0;
  let isInterrupted = false;
  let interrupt: ((signal: NodeJS.Signals) => void) | undefined;
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => async (request) => {
    requests += 1;
    if (requests === 30 && at === 'the restoration') {
      isInterrupted = true;
      interrupt?.('SIGINT');
    } else if (isInterrupted || (requests >= 30 && at === 'an update')) {
      held.happen();
      await released.happened;
    }
    return handle(request);
  };
  return withServer({ around }, async (server) => {
    const before = JSON.stringify([...server.store.users]);
    const exit = vi.fn();
    const stream = new PassThrough().resume() as unknown as NodeJS.WriteStream;
    let stderr = '';
    const err = new PassThrough().on('data', (chunk: Buffer) => (stderr += chunk.toString())) as unknown;
    const io: CommandIo = {
      out: stream,
      err: err as NodeJS.WriteStream,
      environment: environmentFor(server),
      onInterrupt: (callback) => {
        interrupt = callback;
        return () => (interrupt = undefined);
      },
      exit,
    };
    const code = command.run(['--quiet', '--journal', folder.at(`${at}.json`)], io);
    await held.happened;
    const signal = (name: NodeJS.Signals, after: number): void => {
      frozen = performance.now() + after;
      interrupt?.(name);
    };
    use({ signal, exit, stderr: () => stderr });
    frozen = undefined;
    released.happen();
    return { code: await code, isRestored: JSON.stringify([...server.store.users]) === before };
  });
}

describe('a second Ctrl-C', () => {
  it.each([
    ['a run', 'an update'],
    ['the restoration of its users', 'the restoration'],
  ] as const)('during %s leaves at once, and says how to restore the users', async (_what, at) => {
    await whileHeld(at, ({ signal, exit, stderr }) => {
      if (at === 'an update') signal('SIGINT', 0);
      expect(stderr()).toContain('restoring the users first (press again to leave at once)');
      expect(exit).not.toHaveBeenCalled();
      signal('SIGINT', 1_000);
      expect(exit.mock.calls).toEqual([[130]]);
      expect(stderr()).toContain(
        `stopped without restoring the users; use: admin-api-conformance restore ${folder.at(`${at}.json`)}\n`,
      );
    });
  });

  it.each<[string, NodeJS.Signals, number]>([
    ['that comes with the first', 'SIGINT', 999],
    ['that is the end of the terminal', 'SIGHUP', 5_000],
  ])('%s does not', async (_which, name, after) => {
    const { code, isRestored } = await whileHeld('an update', ({ signal, exit }) => {
      signal('SIGINT', 0);
      signal(name, after);
      expect(exit).not.toHaveBeenCalled();
    });
    expect([code, isRestored]).toEqual([130, true]);
  });
});
