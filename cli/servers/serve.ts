import { readGivenFile, UsageError, wholeNumber } from '../../common/process/args.ts';
import { hint } from '../../common/nearest.ts';
import { validators } from '../../contract/validators.ts';
import { defaultSeed, InvalidSeed, parseSeed, type Seed, SEED_MEMBERS } from '../../reference-server/seed.ts';
import { isLoopback } from '../../conformance/http/transport/route.ts';
import type { Inputs } from '../../conformance/resources/inputs.ts';
import { inputsFor, startBehaviour, type Behaviour } from '../../proof/servers/behaviour.ts';
import type { Defect } from '../../proof/defect.ts';
import type { Variant } from '../../proof/variant.ts';
import { commandOf } from '../input/command-table.ts';
import { optionHelp } from '../input/options.ts';
import { environmentOf, exportLines } from '../input/settings.ts';
import { loadProofServers } from './proof-servers.ts';

const OPTIONS = [
  { flag: '--port N', meaning: 'the port; 0 is a free one', default: 0 },
  { flag: '--host H', meaning: 'the address to listen on', default: '127.0.0.1' },
  { flag: '--data FILE', meaning: `JSON with members among ${SEED_MEMBERS}` },
];
const PROOF_OPTIONS = [
  { flag: '--defect ID', meaning: 'a server with a defect, which must fail ("list --defects")' },
  { flag: '--variant ID', meaning: 'a conforming variant, which must not fail ("list --variants")' },
];

function readData(path: string | undefined): Seed {
  if (path === undefined) return defaultSeed;
  try {
    return parseSeed(readGivenFile('--data', path), validators);
  } catch (error) {
    if (error instanceof InvalidSeed) throw new UsageError(`--data ${path}: ${error.message}`);
    throw error;
  }
}

/** The inputs that do not follow from keys, users and banners alone. */
function inputsOfSeed({ users }: Seed): Partial<Inputs> {
  const shownRoles = users.flatMap(({ rootRole }) => (rootRole === undefined ? [] : [JSON.stringify(rootRole)]));
  const roleIds = [...new Set(shownRoles)].map((role) => JSON.parse(role) as unknown);
  const missingUserId = String(Math.max(404404, ...users.map(({ id }) => id + 1)));
  return { missingUserId, ...(roleIds.length < 2 ? {} : { roleIds }) };
}

/** A server to start, and what is known of it. */
interface Servable {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly inputs: Partial<Inputs>;
  /** What it is, one line each. */
  readonly about: readonly string[];
}

async function servableOf(kind: 'defect' | 'variant', id: string): Promise<Servable> {
  const proof = await loadProofServers();
  const servers: readonly (Defect | Variant)[] = proof[`${kind}s`];
  const server = servers.find((each) => each.id === id);
  if (!server) {
    const ids = servers.map((each) => each.id);
    throw new UsageError(`--${kind} ${id}: unknown ${kind}.${hint(id, ids) || ` See "list --${kind}s".`}`);
  }
  const { behaviour, inputs = {}, title } = server;
  const about = [title, `judge it: ${proof.runLine(server)}`];
  if ('breaks' in server) {
    const killers = Object.entries(server.killedBy).map(([check, mode]) => `${check} (${mode})`);
    about.splice(1, 0, `breaks: ${server.breaks.join(', ')}`, `killed by: ${killers.join(', ')}`);
  }
  return { name: `${kind} ${id}`, behaviour, inputs, about };
}

type Choice = Readonly<Partial<Record<'data' | 'defect' | 'variant', string>>>;

async function chosen({ data, defect, variant }: Choice): Promise<Servable> {
  const given = Object.entries({ data, defect, variant }).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw new UsageError(`serve: ${given.map(([name]) => `--${name}`).join(' and ')} exclude each other.`);
  if (defect !== undefined) return servableOf('defect', defect);
  if (variant !== undefined) return servableOf('variant', variant);
  const seed = readData(data);
  return { name: 'reference server', behaviour: { seed }, inputs: inputsOfSeed(seed), about: [] };
}

function listenProblem(error: unknown, host: string, port: number): UsageError {
  const { code, message } = error as { code?: string; message: string };
  const why: Record<string, string> = {
    EADDRINUSE: 'the port is in use; choose another with --port, or 0 for a free one',
    EACCES: 'this port needs more rights; choose one above 1023',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'unknown host',
  };
  return new UsageError(`Cannot listen on ${host}:${port}: ${why[code ?? ''] ?? message}.`);
}

/** `serve`: the reference server, or one that proves the suite, for people and for scripts. */
export const command = commandOf({
  usage: 'serve',
  summary: 'start the reference server, or one that proves the suite',
  calls: ['serve [options]'],
  about: `Starts the reference server, with its users in memory, until it is stopped
(Ctrl-C, SIGTERM). Prints the settings to paste into another terminal.`,
  options: [...OPTIONS, ...PROOF_OPTIONS],
  optionsHelp: optionHelp(OPTIONS),
  more: `Servers that prove the suite, instead of the reference server:
${optionHelp(PROOF_OPTIONS)}

Example, in two terminals:
  admin-api-conformance serve --port 4242
  (paste what it printed) admin-api-conformance run`,
  exitCodes: '0 stopped, 2 usage, such as a port that is in use.',
  before: (args) => {
    if (!args.some((arg) => /^--seed(=|$)/.test(arg))) return args;
    throw new UsageError('--seed: unknown option of serve; use --data FILE.');
  },
  run: async ({ values }, io) => {
    const { port: portText = '0', host = '127.0.0.1', ...choice } = values as Readonly<Record<string, string>>;
    const port = wholeNumber('--port', portText, 0, 65_535);
    const { name, behaviour, inputs, about } = await chosen(choice);
    const server = await startBehaviour(behaviour, { host, port }).catch((error: unknown) => {
      throw listenProblem(error, host, port);
    });
    // Before the address is printed: whoever reads it may stop the server at once.
    const interrupted = new Promise<void>((resolve) => {
      const stopListening = io.onInterrupt(() => {
        stopListening();
        resolve();
      });
    });
    const lines = exportLines(environmentOf(inputsFor(server.url, server.seed, inputs)));
    if (!isLoopback(host))
      io.err.write(`warning: --host ${host}: whoever reaches this machine can use the keys below\n`);
    io.out.write(lines.map((line) => `${line}\n`).join(''));
    io.err.write([...about, `${name} on ${server.url} (Ctrl-C stops it)`].map((line) => `${line}\n`).join(''));
    await interrupted;
    await server.close();
    return 0;
  },
});
