import { compileValidators } from '../../contract/validators.ts';
import { defaultSeed, InvalidSeed, parseSeed, type Seed } from '../../reference-server/seed.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import type { Command } from './io.ts';
import { readGivenFile } from './target-options.ts';
import { parseArguments, UsageError, wholeNumber } from './usage.ts';

const SERVE_HELP = `Usage: admin-api-conformance serve [options]

Starts the reference server, with its users in memory, until it is stopped
(Ctrl-C, SIGTERM). Prints what to paste into another terminal to judge it.

  --port N        the port (0: a free one)
  --host H        the address to listen on (127.0.0.1)
  --seed FILE     JSON with "users", "banners" and "keys", each optional
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

function quoted(text: string): string {
  return /^[\w.,:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function missingId(ids: readonly number[]): number {
  return Math.max(404404, ...ids.map((id) => id + 1));
}

/** The lines that tell another shell how to judge this server. */
function environmentLines(url: string, { keys, users, banners }: Seed): string {
  const ids = users.map(({ id }) => id);
  const [user, other] = ids;
  const shownRoles = users.flatMap(({ rootRole }) => (rootRole === undefined ? [] : [JSON.stringify(rootRole)]));
  const roles = [...new Set(shownRoles)];
  const bannerIds = banners.map((banner) => banner.id).filter((id) => id !== undefined);
  const variables: Record<string, string | undefined> = {
    CONFORMANCE_BASE_URL: url,
    CONFORMANCE_ADMIN_KEY: keys.admin,
    CONFORMANCE_RESTRICTED_KEY: keys.restricted,
    CONFORMANCE_USER_ID: user === undefined ? undefined : String(user),
    CONFORMANCE_OTHER_USER_ID: other === undefined ? undefined : String(other),
    CONFORMANCE_MISSING_USER_ID: String(missingId(ids)),
    CONFORMANCE_ROLE_IDS: roles.length < 2 ? '1,2' : roles.join(','),
    CONFORMANCE_BANNER_IDS: bannerIds.length === 0 ? undefined : bannerIds.map((id) => JSON.stringify(id)).join(','),
  };
  return Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : [`export ${name}=${quoted(value)}\n`]))
    .join('');
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

/** `serve`: the reference server, for people and for scripts. */
export const serve: Command = async (args, io) => {
  const options = {
    port: { type: 'string' },
    host: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArguments(args, options, 0);
  if (values.help === true) {
    io.out.write(SERVE_HELP);
    return 0;
  }
  const port = wholeNumber('--port', (values.port as string | undefined) ?? '0', 0, 65_535);
  const host = (values.host as string | undefined) ?? '127.0.0.1';
  const seed = readSeed(values.seed as string | undefined);
  const server = await createReferenceServer({ seed, host, port }).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  io.out.write(environmentLines(server.url, seed));
  io.err.write(`reference server on ${server.url} (Ctrl-C stops it)\n`);
  await new Promise<void>((resolve) => {
    const stopListening = io.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
  await server.close();
  return 0;
};
