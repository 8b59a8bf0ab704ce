import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CONTRACT = fileURLToPath(new URL('../../contract/openapi.json', import.meta.url));
const require = createRequire(import.meta.url);

/**
 * Starts Prism with the contract on a free port of the loopback interface: `mock` responds to every request with an example;
 * `proxy` passes requests on to a server, and names each violation of the contract in the header `sl-violations` of the response.
 *
 * @throws Error if it ends before it listens
 */
export async function startPrism(
  ...[command, ...server]: ['mock'] | ['proxy', string]
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const binary = require.resolve('@stoplight/prism-cli/dist/index.js');
  const prism = spawn(process.execPath, [binary, command, CONTRACT, ...server, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((done) => prism.once('exit', done));
  const url = await new Promise<string>((listening, failed) => {
    createInterface({ input: prism.stdout }).on('line', (line) => {
      const [, address] = /Prism is listening on (\S+)/.exec(line) ?? [];
      if (address !== undefined) listening(address);
    });
    prism.once('exit', () => failed(new Error('Prism ended before it listened.')));
  });
  return {
    url,
    close: async () => {
      if (prism.kill()) await ended;
    },
  };
}
