import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { isLoopback } from '../conformance/http/route.ts';
import type { Inputs } from '../conformance/inputs.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Behaviour, inputsFor, startBehaviour } from '../proof/servers/behaviour.ts';
import { type Command, programName } from './command.ts';
import { flagsOf, option, wholeNumber } from './option.ts';
import { environmentOf, exportLines } from './settings.ts';

/** A server to start, and what is known of it. */
interface Servable {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly inputs?: Partial<Inputs>;
  readonly about: readonly string[];
}

function chosen({ defect, variant }: { readonly defect?: string; readonly variant?: string }): Servable {
  if (defect !== undefined && variant !== undefined)
    throw new UsageError('serve: --defect and --variant exclude each other.');
  const id = defect ?? variant;
  if (id === undefined) return { name: 'reference server', behaviour: {}, about: [] };
  const [kind, servers] = defect === undefined ? (['variant', variants] as const) : (['defect', defects] as const);
  const server = servers.find((each) => each.id === id);
  if (!server) {
    const ids = servers.map((each) => each.id);
    throw new UsageError(`--${kind} ${id}: unknown ${kind}.${hint(id, ids) || ` See "list --${kind}s".`}`);
  }
  const broken = 'breaks' in server ? [`breaks: ${server.breaks.join(', ')}`] : [];
  return { ...server, name: `${kind} ${id}`, about: [server.title, ...broken] };
}

function listenProblem(error: unknown, host: string, port: number): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isTaken = code === 'EADDRINUSE';
  const why = isTaken ? 'the port is in use; choose another with --port, or 0 for a free one' : message;
  return new UsageError(`Cannot listen on ${host}:${port}: ${why}.`);
}

const ANYWHERE = ['0.0.0.0', '::'];

const text = z.string();
const OPTIONS = {
  port: option('--port N', wholeNumber(0, 65_535), 'the port; 0 is a free one', { default: 0 }),
  host: option('--host H', text, 'the address to listen on', { default: '127.0.0.1' }),
  defect: option('--defect ID', text, 'a server with a defect instead, which must fail ("list --defects")'),
  variant: option('--variant ID', text, 'a conforming variant instead, which must not fail ("list --variants")'),
};

/** `serve`: the reference server, or one that proves the suite, for people and for scripts. */
export const command: Command = {
  usage: 'serve',
  about: `Starts the reference server, with its users in memory, until it is stopped
(Ctrl-C, SIGTERM). Prints the settings to paste into another terminal.`,
  options: { '': OPTIONS },
  more: `Example, in two terminals:
  admin-api-conformance serve --port 4242
  (paste what it printed) admin-api-conformance run`,
  exitCodes: '0 stopped, 2 usage, such as a port that is in use.',
  run: async (parsed, { out, err, environment, onInterrupt }) => {
    const { port = 0, host = '127.0.0.1', ...choice } = flagsOf(OPTIONS, parsed);
    const { name, behaviour, inputs, about } = chosen(choice);
    const server = await startBehaviour(behaviour, { host, port }).catch((error: unknown) => {
      throw listenProblem(error, host, port);
    });
    // Before the address is printed: whoever reads it may stop the server at once.
    const interrupted = new Promise<void>((resolve) => {
      const stopListening = onInterrupt(() => {
        stopListening();
        resolve();
      });
    });
    if (!isLoopback(host) || ANYWHERE.includes(host))
      err.write(`warning: --host ${host}: whoever reaches this machine can use the keys below\n`);
    for (const line of exportLines(environmentOf(inputsFor(server.url, server.seed, inputs)))) out.write(`${line}\n`);
    const judgeIt = `to judge it, paste these settings and run: ${programName(environment)} run`;
    for (const line of [...about, judgeIt, `${name} on ${server.url} (Ctrl-C stops it)`]) err.write(`${line}\n`);
    await interrupted;
    await server.close();
    return 0;
  },
};
