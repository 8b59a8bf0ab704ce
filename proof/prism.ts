import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startRawServer } from './wire/raw-server.ts';

const BINARY = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
const CONTRACT = fileURLToPath(new URL('../contract/openapi.json', import.meta.url));

/**
 * Starts Prism with the contract on a free port.
 *
 * @param command `mock` responds with examples; `proxy` judges what passes between the suite and another server
 * @param upstream the address of that server
 * @throws Error if it ends before it listens
 */
export async function startPrism(
  command: 'mock' | 'proxy',
  ...upstream: readonly string[]
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { url, close } = await startRawServer({});
  await close();
  const prism = spawn(process.execPath, [BINARY, command, CONTRACT, ...upstream, '--port', new URL(url).port], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((done) => prism.once('exit', done));
  await new Promise<void>((listening, failed) => {
    createInterface({ input: prism.stdout }).on('line', (line) => {
      if (line.includes('Prism is listening')) listening();
    });
    prism.once('exit', () => {
      failed(new Error('Prism ended before it listened.'));
    });
  });
  return {
    url,
    close: async () => {
      prism.kill();
      await ended;
    },
  };
}
