import fc from 'fast-check';
import { outputTo } from '../../cli/output/io.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { UsageError } from '../../common/process/args.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HOSTILE_TEXTS, hostileResult } from '../support/results.ts';
import { examples } from '../support/sample.ts';

/** Those that neither listen, send, nor write into the working directory. */
const NAMES = ['plan', 'list', 'explain', 'render', 'compare', 'observations', 'schema', 'restore'] as const;

const folder = temporaryFolder();
const result = JSON.stringify(hostileResult(HOSTILE_TEXTS[0]));
const journal = JSON.stringify({ journalVersion: 1, baseUrl: 'http://127.0.0.1:9', startedAt: 'x', users: [] });

/** A file that is nearly what a command reads. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .tuple(
      fc.constantFrom(result, journal, 'baseUrl: http://x\nonly: [a]\n'),
      fc.nat(),
      fc.nat(12),
      fc.constantFrom('', '[', '{', '"', 'null', '-1', '__proto__', '\u0000'),
    )
    .map(([text, at, length, other]) => {
      const start = at % text.length;
      return Buffer.from(text.slice(0, start) + other + text.slice(start + length));
    }),
);
const argument = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    ...['--format', '--only', '--skip', '--report', '--config', '--baseline', '--user-id', '--role-ids', '--timeout'],
    ...['--json', '--help', '--', '-', '', '*', '-1', '1e999', '[]', '[{', 'json', 'junit', '__proto__'],
    ...['http://[', '--x=y'],
  ),
  fc.constantFrom(...HOSTILE_TEXTS.map((text) => text.slice(0, 50))),
);

it('Whatever arguments and files a command gets, it ends with an exit code or one line for each mistake', async () => {
  mkdirSync(folder.at('in'));
  const path = folder.at('in/file');
  const stream = outputTo({ write: () => true, isTTY: false, columns: 80 } as unknown as NodeJS.WriteStream, {});
  const io = { out: stream, err: stream, environment: {}, onInterrupt: () => () => undefined, exit: () => undefined };
  // An option that writes gets the folder, which is no file.
  const safe = (args: readonly string[]) => args.filter((arg) => !/[=/\\]/.test(arg) || arg.startsWith('http'));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...NAMES),
      fc.array(argument, { maxLength: 4 }),
      fc.nat(4),
      content,
      async (name, args, at, bytes) => {
        writeFileSync(path, bytes);
        const all = safe(args);
        all.splice(at, 0, path);
        try {
          const { command } = (await commands[name]?.()) ?? {};
          expect([0, 1, 2, 3, 4]).toContain(await command?.run(all, io));
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          expect(error.lines.length).toBeGreaterThan(0);
          for (const line of error.lines) expect(line).toMatch(/^[^\n\r]+$/);
        }
      },
    ),
    examples(300),
  );
});
