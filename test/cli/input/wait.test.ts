import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitForTarget } from '../../../cli/input/wait.ts';
import { cli } from '../../support/cli.ts';
import { freePort } from '../../support/ports.ts';
import { environmentFor, withServer } from '../../support/target.ts';

/** A port that no test listens on, and that no other process gets by chance. */
const NOBODY = 'http://127.0.0.1:1';
/** Said of the first attempt if the limit ends it: on a slow machine the limit has to be longer. */
const CUT_OFF = 'it does not respond';
/** ms. */
const LONGEST = 100_000;

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
    let why: string | undefined = CUT_OFF;
    for (let ms = 300; why === CUT_OFF && ms < LONGEST; ms *= 4)
      why = await waitForTarget(new URL(NOBODY), AbortSignal.timeout(ms));
    expect(why).toBe('ECONNREFUSED');
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
    let run = { code: 3, stdout: '', stderr: CUT_OFF };
    for (let seconds = 1; run.stderr.includes(CUT_OFF) && seconds * 1000 < LONGEST; seconds *= 4)
      run = await cli(['run', NOBODY, '--wait', String(seconds)]);
    expect(run.stderr).toMatch(
      /^admin-api-conformance: 127\.0\.0\.1:1 accepted no connection within \d+ seconds? \(ECONNREFUSED\)\. .*--wait\.\n$/,
    );
    expect([run.code, run.stdout]).toEqual([3, '']);
  });
});
