import { compileValidators } from '../contract/validators.ts';
import { inputsFor, startBehaviour, type Behaviour } from '../proof/behaviour.ts';
import { defaultSeed, InvalidSeed, parseSeed, type Seed } from '../reference-server/seed.ts';
import type { Inputs } from '../conformance/target/inputs.ts';
import { environmentOf, exportLines } from './input/environment.ts';
import type { Command } from './output/io.ts';
import { loadProofServers, serverCalled } from './proof-servers.ts';
import { readGivenFile } from './input/target-options.ts';
import { parseArguments, UsageError, wholeNumber } from '../common/args.ts';

const SERVE_HELP = `Usage: admin-api-conformance serve [options]

Starts the reference server, with its users in memory, until it is stopped
(Ctrl-C, SIGTERM). Prints what to paste into another terminal to judge it.

  --port N        the port (0, a free one)
  --host H        the address to listen on (127.0.0.1)
  --seed FILE     JSON with "users", "banners" and "keys", each optional

Instead of the reference server, one that proves the suite:

  --defect ID     a broken server, which must fail ("list --defects")
  --variant ID    a lawful server that differs, which must not fail
                  ("list --variants")

Example, in two terminals:
  admin-api-conformance serve --port 4242
  (paste what it printed) admin-api-conformance run

Exit codes: 0 stopped, 2 usage, such as a port that is taken.
`;

function readSeed(path: string | undefined): Seed {
  if (path === undefined) return defaultSeed;
  try {
    return parseSeed(readGivenFile('--seed', path), compileValidators());
  } catch (error) {
    if (error instanceof InvalidSeed) throw new UsageError(`--seed ${path}: ${error.message}`);
    throw error;
  }
}

function missingId(ids: readonly number[]): number {
  return Math.max(404404, ...ids.map((id) => id + 1));
}

/** What is not told of a server of one's own seed by its keys, users and banners alone. */
function inputsOfSeed({ users }: Seed): Partial<Inputs> {
  const shownRoles = users.flatMap(({ rootRole }) => (rootRole === undefined ? [] : [JSON.stringify(rootRole)]));
  const roles = [...new Set(shownRoles)].map((role) => JSON.parse(role) as unknown);
  return {
    missingUserId: String(missingId(users.map(({ id }) => id))),
    ...(roles.length < 2 ? {} : { roleIds: roles }),
  };
}

/** A server to start, and what is said of it. */
interface Servable {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly inputs: Partial<Inputs>;
  /** What it is, one line each. */
  readonly about: readonly string[];
}

function servableSeed(path: string | undefined): Servable {
  const seed = readSeed(path);
  return { name: 'reference server', behaviour: { seed }, inputs: inputsOfSeed(seed), about: [] };
}

async function servableDefect(id: string): Promise<Servable> {
  const { defects, runLine } = await loadProofServers();
  const defect = serverCalled('defect', id, defects);
  const catches = Object.entries(defect.killedBy).map(([check, mode]) => `${check} (${mode})`);
  return {
    name: `defect ${id}`,
    behaviour: defect.behaviour,
    inputs: defect.inputs ?? {},
    about: [
      defect.title,
      `breaks: ${defect.breaks.join(', ')}`,
      `caught by: ${catches.join(', ')}`,
      `judge it: ${runLine(defect)}`,
    ],
  };
}

async function servableVariant(id: string): Promise<Servable> {
  const { variants, runLine } = await loadProofServers();
  const variant = serverCalled('variant', id, variants);
  return {
    name: `variant ${id}`,
    behaviour: variant.behaviour,
    inputs: variant.inputs ?? {},
    about: [variant.title, `judge it: ${runLine(variant)}`],
  };
}

type Choice = Readonly<Partial<Record<'seed' | 'defect' | 'variant', string>>>;

async function chosen({ seed, defect, variant }: Choice): Promise<Servable> {
  const given = Object.entries({ seed, defect, variant }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    throw new UsageError(`serve: ${given.map(([name]) => `--${name}`).join(' and ')} exclude each other.`);
  }
  if (defect !== undefined) return servableDefect(defect);
  if (variant !== undefined) return servableVariant(variant);
  return servableSeed(seed);
}

function listenProblem(error: unknown, host: string, port: number): UsageError {
  const { code, message } = error as { code?: string; message: string };
  const why: Record<string, string> = {
    EADDRINUSE: 'the port is taken; choose another with --port, or 0 for a free one',
    EACCES: 'this port may not be opened without more rights; choose one above 1023',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'there is no such host',
  };
  return new UsageError(`Cannot listen on ${host}:${port}: ${why[code ?? ''] ?? message}.`);
}

/** `serve`: the reference server, or one that proves the suite, for people and for scripts. */
export const serve: Command = async (args, io) => {
  const options = {
    port: { type: 'string' },
    host: { type: 'string' },
    seed: { type: 'string' },
    defect: { type: 'string' },
    variant: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArguments(args, options, 0);
  if (values.help === true) {
    io.out.write(SERVE_HELP);
    return 0;
  }
  const port = wholeNumber('--port', (values.port as string | undefined) ?? '0', 0, 65_535);
  const host = (values.host as string | undefined) ?? '127.0.0.1';
  const { name, behaviour, inputs, about } = await chosen(values);
  const server = await startBehaviour(behaviour, { host, port }).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  const lines = exportLines(environmentOf(inputsFor(server.url, server.seed, inputs)));
  io.out.write(lines.map((line) => `${line}\n`).join(''));
  io.err.write([...about, `${name} on ${server.url} (Ctrl-C stops it)`].map((line) => `${line}\n`).join(''));
  await new Promise<void>((resolve) => {
    const stopListening = io.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
  await server.close();
  return 0;
};
