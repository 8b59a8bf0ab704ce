import { describe, expect, it } from 'vitest';
import { cli, startCli, succeeds } from '../support/cli.ts';
import { isPosix } from '../support/platform.ts';
import { withServer } from '../support/target.ts';

// They end the server by a signal.
describe.runIf(isPosix)('serve', () => {
  it('starts a server that the suite judges with the printed lines, and says what it breaks', async () => {
    const running = startCli(['serve', '--defect', 'update-open-without-key']);
    await running.says(/^defect \S+ on http:/m);
    const lines = running.stdout().trimEnd().split('\n');
    const settings = lines.map((line) => /^export (CONFORMANCE_\w+)=(.*)$/.exec(line)?.slice(1) as [string, string]);
    const { code, stdout } = await cli(['run', '--only', 'update-name,auth*'], Object.fromEntries(settings));
    expect([code, stdout.includes('auth.key-required')]).toEqual([1, true]);
    running.process.kill('SIGTERM');
    expect((await succeeds(running.ended)).stderr.split('\n')[1]).toBe('breaks: auth.key-required');
  });

  it('says if the port is in use, and who can reach it', async () => {
    await withServer({}, async ({ url }) => {
      const { code, stderr } = await cli(['serve', '--port', new URL(url).port]);
      expect([code, stderr.includes('the port is in use')]).toEqual([2, true]);
    });
    const running = startCli(['serve', '--host', '0.0.0.0']);
    await running.says(/ on http:/);
    running.process.kill('SIGTERM');
    expect((await succeeds(running.ended)).stderr).toContain('whoever reaches this machine can use the keys');
  });
});
