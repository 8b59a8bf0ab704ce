import { symlinkSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CommandIo, programName } from '../../cli/command.ts';
import { untilInterrupted } from '../../cli/judge.ts';
import { makeProgress } from '../../cli/progress.ts';
import { runProgram } from '../../cli/program.ts';
import { outputFile, writeOutput } from '../../common/process/files.ts';
import { outputTo } from '../../common/process/output.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { RunEvent } from '../../conformance/run.ts';

const folder = temporaryFolder();

afterEach(() => {
  vi.useRealTimers();
});

/** What is written through a door to a stream. */
function writtenTo(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string>>,
  write: (door: ReturnType<typeof outputTo>) => void,
): string {
  const sink = new PassThrough();
  write(outputTo(Object.assign(sink, stream) as unknown as NodeJS.WriteStream, environment, (text) => text));
  return (sink.read() as Buffer | null)?.toString() ?? '';
}

describe('the door to a stream', () => {
  const text = '\u001b[31mred\u001b[39m \u001b[2J \u001b[8mhidden \u202eturned \u009b8m\n';

  it('lets no control character pass', () => {
    expect(writtenTo({}, {}, ({ write }) => write(text))).toMatch(/^[ -~\n]*$/);
  });

  it('lets the colours of a report pass, and nothing that moves the cursor, or hides or turns what follows', () => {
    const written = writtenTo({}, {}, ({ writeStyled }) => writeStyled(text));
    expect(written).toContain('\u001b[31mred\u001b[39m');
    expect(written.replaceAll('\u001b[31m', '').replaceAll('\u001b[39m', '')).toMatch(/^[ -~\n]*$/);
  });

  it.each<[object, Record<string, string>, color: boolean, width: number]>([
    [{}, {}, false, 80],
    [{ isTTY: true, columns: 60 }, {}, true, 60],
    [{ isTTY: true, columns: 300 }, { NO_COLOR: '1' }, false, 100],
    [{ isTTY: true, columns: 0 }, { TERM: 'dumb' }, false, 80],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, 80],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false, 80],
  ])('knows colour and width: %j %j', (stream, environment, color, width) => {
    const door = outputTo(stream as NodeJS.WriteStream, environment, (text) => text);
    expect([door.color, door.width]).toEqual([color, width]);
  });
});

/** What is written where a run ends with this error, and its exit code. */
async function failing(error: Error, ...args: readonly string[]) {
  const sink = new PassThrough();
  const stream = sink as unknown as NodeJS.WriteStream;
  const onInterrupt = (): never => {
    throw error;
  };
  const io = { out: stream, err: stream, environment: {}, onInterrupt, exit: () => undefined };
  return { code: await runProgram(['run', '--reference', ...args], io), text: String(sink.read()) };
}

it('an error of the suite is one line without a key, and with --verbose has its trace', async () => {
  const error = new Error('broken\nin two lines');
  expect(await failing(error, '--quiet')).toEqual({
    code: 4,
    text: 'admin-api-conformance: error of the suite (broken); please report it, with what --verbose says.\n',
  });
  const { text } = await failing(error, '--verbose');
  expect(text).toMatch(/error of the suite \(broken\); please report it:\n.*\n.*\n +at /);
});

it('a machine that allows too few open files is named as that', async () => {
  const error = Object.assign(new Error('too many open files, open x.js'), { code: 'EMFILE' });
  const { code, text } = await failing(error, '--quiet');
  expect(code).toBe(2);
  expect(text).toMatch(/^admin-api-conformance: this machine allows too few open files \(EMFILE\)/);
});

describe('the progress of a run', () => {
  const EVENTS = [
    { type: 'journal', path: 'j.json' },
    { type: 'stage', text: 'updates' },
    { type: 'exchange', count: 7, record: () => expect.fail('Nothing is shown of it.') },
    { type: 'away', why: 'ECONNREFUSED' },
  ] as const;
  const shown = (stream: object, environment: Record<string, string>, verbosity: 'quiet' | 'normal'): string =>
    writtenTo(stream, environment, (door) => {
      const progress = makeProgress(door, verbosity);
      for (const event of EVENTS) progress.onEvent(event);
      progress.end();
    });

  it('moves in one line of a terminal', () => {
    const text = shown({ isTTY: true, columns: 40 }, { NO_COLOR: '1' }, 'normal');
    expect(text).toContain('\r\u001b[2K7 requests · updates\r');
    expect(text).toContain('journal j.json');
    expect(text).toContain('the target is away (ECONNREFUSED); waiting for it\n');
    for (const line of text.split('\r\u001b[2K')) expect(line.length).toBeLessThan(80);
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });

  /** What is shown of events that come 48 s after the run began. */
  const shownAfter48s = (...events: readonly RunEvent[]): string => {
    let now = 0;
    return writtenTo({ isTTY: true, columns: 80 }, { NO_COLOR: '1' }, (door) => {
      const progress = makeProgress(door, 'normal', () => now);
      now = 48_000;
      for (const event of events) progress.onEvent(event);
    });
  };

  it('tells checks, failures and the time that is left, and once how a limit slows it down', () => {
    const text = shownAfter48s(
      { type: 'progress', done: 64, of: 116, failed: 1 },
      ...[250, 500].map((intervalMs) => ({ type: 'limited', intervalMs, pauseMs: 0 }) as const),
      { type: 'exchange', count: 400, record: () => expect.fail('Nothing is shown of it.') },
    );
    expect(text).toContain('64/116 checks · 1 failed · ~39 s left');
    expect(text).not.toContain('the suite waits');
    expect(text.match(/limits the rate: .* a request every \d+ ms; the run takes about 78 s more/g)).toHaveLength(1);
  });

  it('tells how long a limit makes it wait', () => {
    expect(
      shownAfter48s(
        { type: 'progress', done: 100, of: 116, failed: 0 },
        { type: 'limited', intervalMs: 200, pauseMs: 54_000 },
      ),
    ).toContain('the suite waits 54 s, and from here on, a request every 200 ms; the run takes about');
  });

  it('does not move elsewhere, and names only the journal with --quiet', () => {
    expect(shown({}, {}, 'normal')).not.toContain('\u001b[2K');
    expect(shown({}, {}, 'quiet')).toMatch(/^journal j\.json .*\n$/);
  });
});

it('the exchanges of --trace, and notes, show control characters as text', () => {
  const hidden = '\u001b[30m\u001b[40mhidden\u001b[0m\u001b[32m PASSED';
  const response = { status: 200, headers: {}, body: hidden };
  const request = { method: 'GET', url: 'http://a.test/', headers: {} };
  const record = () => ({ request, response, startedMs: 0, durationMs: 1, curl: '' });
  for (const verbosity of ['trace', 'quiet'] as const) {
    const text = writtenTo({ isTTY: true }, { FORCE_COLOR: '1' }, (door) => {
      const { note, onEvent } = makeProgress(door, verbosity);
      onEvent({ type: 'exchange', count: 1, record });
      note(hidden);
    });
    expect(text).toContain('\\u001b[30m\\u001b[40mhidden');
    for (const code of [30, 40, 0, 32]) expect(text).not.toContain(`\u001b[${code}m`);
  }
});

it.each<[signals: string, pauses: readonly number[], calls: readonly string[]]>([
  ['SIGINT', [0], ['first']],
  // npx passes a signal on, and a closed terminal sends two.
  ['SIGINT SIGINT SIGTERM', [0, 5, 900], ['first']],
  ['SIGINT SIGINT', [0, 1_500], ['first', 'again']],
  ['SIGHUP SIGHUP', [0, 5_000], ['first']],
])('%s after %j ms mean %j', async (signals, pauses, calls) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const called: string[] = [];
  let send: (signal: NodeJS.Signals) => void = () => undefined;
  const onInterrupt = (callback: typeof send) => {
    send = callback;
    return () => undefined;
  };
  const io = { onInterrupt, exit: () => called.push('again'), environment: {} } as unknown as CommandIo;
  await untilInterrupted(
    io,
    () => undefined,
    async (signal) => {
      signal.addEventListener('abort', () => called.push('first'));
      for (const [index, name] of signals.split(' ').entries()) {
        vi.advanceTimersByTime(pauses[index] ?? 0);
        send(name as NodeJS.Signals);
      }
      return Promise.resolve();
    },
  );
  expect(called).toEqual(calls);
});

it('a file to write takes the place of the old one as a whole, and that of a link that leads nowhere', () => {
  const { at, read, write } = folder.fresh();
  write('whole', 'a long text that was there before');
  symlinkSync('nowhere', at('link'));
  const files = ['whole', 'link'].map((name) => outputFile(at(name)));
  write('nowhere', 'written meanwhile');
  for (const file of files) writeOutput(file, 'short');
  const texts = ['whole', 'link', 'nowhere'].map(read);
  expect(texts).toEqual(['short', 'short', 'written meanwhile']);
});

it('the program is named so that a line with its name can be pasted', () => {
  const [, script] = process.argv;
  try {
    const nameFor = (path: string, environment = {}): string => {
      process.argv[1] = path;
      return programName(environment);
    };
    expect(nameFor('/usr/local/bin/admin-api-conformance')).toBe('admin-api-conformance');
    expect(nameFor('/x/node_modules/.bin/admin-api-conformance')).toBe('npx admin-api-conformance');
    expect(nameFor('/usr/bin/admin-api-conformance', { npm_command: 'exec' })).toBe('npx admin-api-conformance');
    expect(nameFor(`${process.cwd()}/dist/cli/main.js`)).toBe('node dist/cli/main.js');
  } finally {
    process.argv[1] = script ?? '';
  }
});
