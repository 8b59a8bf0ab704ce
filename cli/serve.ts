import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Behaviour, inputsFor, startBehaviour } from '../proof/servers/behaviour.ts';
import { type Command, type CommandIo, programName } from './command.ts';
import { made, option, wholeNumber } from './option.ts';
import { environmentOf } from './settings.ts';

/** The id of one of some servers, which it stands for. */
function idOf<Server extends { readonly id: string }>(servers: readonly Server[], list: string) {
  return made(z.string(), (id) => {
    const found = servers.find((each) => each.id === id);
    if (found) return found;
    const ids = servers.map((each) => each.id);
    throw new UsageError(`there is no ${id}.${hint(id, ids) || ` See "${list}".`}`);
  });
}

const LOOPBACK = /^(127\..*|::1|localhost)$/;

const DEFECT = 'a server with a defect instead, which must fail ("list --defects")';
const VARIANT = 'a conforming variant instead, which must not fail ("list --variants")';
const OPTIONS = {
  port: option('--port N', wholeNumber(0, 65_535), 'the port; 0 is a free one', { default: 0 }),
  host: option('--host H', z.string(), 'the address to listen on', { default: '127.0.0.1' }),
  defect: option('--defect ID', idOf(defects, 'list --defects'), DEFECT),
  variant: option('--variant ID', idOf(variants, 'list --variants'), VARIANT),
};

/** @throws UsageError if nothing can listen there */
async function startAt(host: string, port: number, behaviour: Behaviour = {}) {
  try {
    return await startBehaviour(behaviour, { host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    const why = isTaken ? 'the port is in use; choose another with --port, or 0 for a free one' : message;
    throw new UsageError(`Cannot listen on ${host}:${port}: ${why}.`);
  }
}

/** Resolves at the first signal. */
function interruption({ onInterrupt }: CommandIo): Promise<void> {
  return new Promise((resolve) => {
    const stopListening = onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
}

type Defect = (typeof defects)[number];
type Variant = (typeof variants)[number];

/** What a server is called, and what else is said of it. */
function wordsOf(defect?: Defect, variant?: Variant): readonly [name: string, ...lines: readonly string[]] {
  if (defect) return [`defect ${defect.id}`, defect.title, `breaks: ${defect.breaks.join(', ')}`];
  return variant ? [`variant ${variant.id}`, variant.title] : ['reference server'];
}

/** `serve`: the reference server, or one that proves the suite, for people and for scripts. */
export const command: Command<typeof OPTIONS> = {
  about: `Starts the reference server, with its users in memory, until it is stopped
(Ctrl-C, SIGTERM). Prints the settings to paste into another terminal.`,
  options: OPTIONS,
  more: `Example, in two terminals:
  admin-api-conformance serve --port 4242
  (paste what it printed) admin-api-conformance run`,
  exitCodes: '0 stopped, 2 usage, such as a port that is in use.',
  run: async ({ port = 0, host = '127.0.0.1', defect, variant }, io) => {
    if (defect && variant) throw new UsageError('serve: --defect and --variant exclude each other.');
    const chosen = defect ?? variant;
    const server = await startAt(host, port, chosen?.behaviour);
    // Before the address is printed: whoever reads it may stop the server at once.
    const interrupted = interruption(io);
    if (!LOOPBACK.test(host))
      io.err.write(`warning: --host ${host}: whoever reaches this machine can use the keys below\n`);
    const settings = environmentOf(inputsFor(server.url, server.seed, chosen?.inputs));
    for (const [variable, value] of Object.entries(settings)) io.out.write(`export ${variable}=${shellWord(value)}\n`);
    const [name, ...lines] = wordsOf(defect, variant);
    for (const line of lines) io.err.write(`${line}\n`);
    io.err.write(`to judge it, paste these settings and run: ${programName(io.environment)} run\n`);
    io.err.write(`${name} on ${server.url} (Ctrl-C stops it)\n`);
    await interrupted;
    await server.close();
    return 0;
  },
};
