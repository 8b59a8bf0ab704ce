import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { tool } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read, ROOT } from '../support/repository.ts';

const folder = temporaryFolder();
const recorded = {
  verdict: 'failed',
  findings: [
    { level: 'must', requirement: 'errors.body', title: 'No error has an error body.' },
    { level: 'should', requirement: 'errors.message', title: 'The message is empty.' },
  ],
};

/** Runs the script over a folder with one implementation, `mine`, whose run gives this result. */
async function implementations(result: object, ...args: readonly string[]) {
  folder.write('mine.yaml', `script: cp '${folder.at('judged')}' "$RESULT"\n`);
  folder.write('judged', JSON.stringify(result));
  const ran = await tool('scripts/implementations.mjs', ['--implementations', folder.path, ...args, 'mine']);
  return { ...ran, kept: folder.json('mine.json') };
}

describe('the script that records the results of implementations', () => {
  beforeEach(() => folder.write('mine.json', JSON.stringify(recorded)));

  it('writes no folder of this machine, which a stack trace may show', async () => {
    const trace = `at (${homedir()}/.cache/x/node_modules/raw-body/index.js:1) and ${homedir()}/server.js`;
    const { kept } = await implementations({ ...recorded, trace });
    expect(kept).toMatchObject({ trace: 'at (node_modules/raw-body/index.js:1) and ~/server.js' });
  });

  it('with --check, accepts a result that differs in its words', async () => {
    const other = { ...recorded, findings: recorded.findings.map((each) => ({ ...each, title: 'Other words.' })) };
    const { code, stdout, kept } = await implementations(other, '--check');
    expect({ code, stdout, kept }).toEqual({ code: 0, stdout: 'mine: as recorded\n', kept: recorded });
  });

  it('with --check, fails on another verdict and on other findings, and keeps the recorded result', async () => {
    const findings = [recorded.findings[1], { level: 'must', requirement: 'user.id' }];
    const { code, stderr, kept } = await implementations({ verdict: 'inconclusive', findings }, '--check');
    expect({ code, kept }).toEqual({ code: 1, kept: recorded });
    const lines = ['- must errors.body', '- verdict: failed', '+ must user.id', '+ verdict: inconclusive'];
    expect(stderr).toBe(`mine: not as recorded:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  });
});

it('has a command for each generator of code, and a row in the guide', () => {
  const generators = JSON.parse(read('examples/generated/generators.json')) as { name: string; isServer?: true }[];
  for (const { name, isServer } of generators) {
    expect(existsSync(`${ROOT}/examples/generated/${name}${isServer ? '/run' : ''}.sh`), name).toBe(true);
    expect(read('docs/write-a-server.md')).toContain(name);
  }
});
