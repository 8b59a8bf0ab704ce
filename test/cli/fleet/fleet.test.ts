import { describe, expect, it } from 'vitest';
import { startJudging } from '../../../cli/fleet/process.ts';
import type { Task } from '../../../cli/fleet/messages.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();

const task: Task = {
  name: 'berlin',
  inputs: { baseUrl: 'http://127.0.0.1:9', emailDomain: 'example.com' },
  options: {},
  secrets: [],
  folder: folder.path,
};

/** Starts a process that does what a script says in place of judging. */
function started(name: string, script: string, most?: number) {
  const command = [process.execPath, folder.write(`${name}.mjs`, script)];
  return startJudging(task, { folder: 'targets/berlin', command, ...(most === undefined ? {} : { most }) });
}

const JOURNAL = "process.send({ type: 'journal', path: '/tmp/journal.json' });";
const TARGET = "{ name: 'berlin', baseUrl: 'http://127.0.0.1:9', verdict: 'passed', findings: [], requirements: {} }";

describe('the process of a target', () => {
  it('says what came of it', async () => {
    const script = `process.send({ type: 'judged', target: ${TARGET}, isWritten: true }); process.disconnect();`;
    expect(await started('judged', script).target).toMatchObject({ verdict: 'passed', folder: 'targets/berlin' });
  });

  it('is killed if it hangs, so that others go on, and its journal is named', async () => {
    const hanging = started('hanging', `${JOURNAL} for (;;);`, 1_000);
    expect(await hanging.target).toMatchObject({
      verdict: 'error',
      problem: 'Its process did not end within 1 s, and has no result.',
    });
  });

  it.each([
    ['crashes', 'process.exit(7);', 'Its process ended with code 7, and has no result.'],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'Its process ended with SIGKILL, and has no result.'],
  ])('is an error of the suite if it %s', async (name, script, problem) => {
    const said = `${JOURNAL.replace(');', `, () => { ${script} });`)} process.on('message', () => undefined);`;
    expect(await started(name.replace(' ', '-'), said).target).toMatchObject({
      verdict: 'error',
      problem,
      journal: '/tmp/journal.json',
    });
  });

  it('is an error of the suite if it cannot be started', async () => {
    const { target } = startJudging(task, { folder: 'x', command: [folder.at('nothing')] });
    expect(await target).toMatchObject({ verdict: 'error', problem: expect.stringContaining('ENOENT') as string });
  });

  it('has nothing of the environment that says something of a target', async () => {
    process.env.CONFORMANCE_ADMIN_KEY = 'not-for-all';
    try {
      const problem = "Object.keys(process.env).filter((name) => name.startsWith('CONFORMANCE_')).join()";
      const target = `{ ...${TARGET}, problem: ${problem} }`;
      const script = `process.send({ type: 'judged', target: ${target}, isWritten: false }); process.disconnect();`;
      expect(await started('environment', script).target).toMatchObject({ problem: '' });
    } finally {
      delete process.env.CONFORMANCE_ADMIN_KEY;
    }
  });
});
