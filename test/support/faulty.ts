import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { cli } from './cli.ts';
import type { TemporaryFolder } from './folder.ts';
import { environmentFor, withServer } from './target.ts';

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
