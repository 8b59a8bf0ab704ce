import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitForTarget } from '../../../cli/input/wait.ts';
import { cli } from '../../support/cli.ts';
import { freePort } from '../../support/ports.ts';
import { environmentFor, withServer } from '../../support/target.ts';

describe('waiting for a target', () => {
  it('ends once the target accepts connections, without sending anything', async () => {
    const port = await freePort();
    const waiting = waitForTarget(new URL(`http://127.0.0.1:${port}/base`), new AbortController().signal);
    let sent = 0;
    const server = createServer((socket) => socket.on('data', ({ length }) => (sent += length)));
    server.listen(port, '127.0.0.1');
    expect(await waiting).toBeUndefined();
    server.close();
    await once(server, 'close');
    expect(sent).toBe(0);
  });

  it('says why the last attempt failed, if the time runs out first', async () => {
    const port = await freePort();
    const limit = AbortSignal.timeout(300);
    expect(await waitForTarget(new URL(`http://127.0.0.1:${port}`), limit)).toBe('ECONNREFUSED');
  });
});

describe('run --wait', () => {
  it('judges a target that is there', async () => {
    await withServer({}, async (server) => {
      const args = ['run', '--wait', '3600', '--only', 'banners', '--quiet'];
      expect(await cli(args, environmentFor(server))).toMatchObject({ code: 0 });
    });
  });

  it('says in one line that a target did not come up', async () => {
    const { code, stdout, stderr } = await cli(['run', `http://127.0.0.1:${await freePort()}`, '--wait', '1']);
    expect(stderr).toMatch(
      /^admin-api-conformance: 127\.0\.0\.1:\d+ accepted no connection within 1 second \(ECONNREFUSED\)\. .*--wait\.\n$/,
    );
    expect([code, stdout]).toEqual([3, '']);
  });
});
