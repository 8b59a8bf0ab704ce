import { once } from 'node:events';
import { createServer } from 'node:net';
import { environmentOf } from '../../cli/settings.ts';
import { using } from '../../common/using.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import type { ApiRequest } from '../../reference-server/rules.ts';
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from '../../reference-server/server.ts';
import { cli } from './cli.ts';
import type { TemporaryFolder } from './folder.ts';

/** Starts a server, lets something be done with it and with the requests that it got, and ends it whatever happens. */
export function withServer<T>(
  options: ReferenceServerOptions,
  use: (server: ReferenceServer, requests: readonly ApiRequest[]) => Promise<T>,
): Promise<T> {
  const requests: ApiRequest[] = [];
  const around: ReferenceServerOptions['around'] = (handle, store, rules) => {
    const own = options.around?.(handle, store, rules) ?? handle;
    return (request) => {
      requests.push(request);
      return own(request);
    };
  };
  return using(createReferenceServer({ ...options, around }), (server) => use(server, requests));
}

/** What an operator would set to have this server judged in full. */
export function environmentFor({ url, seed }: ReferenceServer): Record<string, string> {
  return environmentOf(inputsFor(url, seed));
}

/** A server that shows the same name, whatever is stored. */
export const ignoresName: NonNullable<ReferenceServerOptions['replace']> = (rules) => ({
  presentUser: (user) => ({ ...(rules.presentUser(user) as object), name: 'always' }),
});

/** Judges one check on a server that conforms and on one that does not, and writes the results: good.json and bad.json. */
export async function writeResults({ at }: TemporaryFolder): Promise<void> {
  const run = (path: string) => ['run', '--quiet', '--only', 'update-name', '--report', `json=${path}`];
  await withServer({}, (server) => cli(run(at('good.json')), environmentFor(server)));
  await withServer({ replace: ignoresName }, (server) => cli(run(at('bad.json')), environmentFor(server)));
}

/** Makes a server stop in the middle of a run, whatever the speed of the machine. */
export function hold() {
  let release = (): void => undefined;
  let change = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const changed = new Promise<void>((done) => (change = done));
  const around: NonNullable<ReferenceServerOptions['around']> = (handle, { users }) => {
    const before = JSON.stringify([...users]);
    let holding = false;
    return async (request) => {
      const response = handle(request);
      holding ||= JSON.stringify([...users]) !== before;
      if (holding) {
        change();
        await released;
      }
      return response;
    };
  };
  return {
    around,
    /** Resolves when an update has changed a user; the responses from this one on are held back. */
    changed,
    /** Lets them go. */
    release,
  };
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  await server[Symbol.asyncDispose]();
  return port;
}
