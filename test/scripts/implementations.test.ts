import { homedir } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/index.ts';
import { tool } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read, ROOT } from '../support/repository.ts';

const folder = temporaryFolder();
const text = JSON.stringify(JSON.parse(read('site/implementations/unleash-8.json')));

/** Runs the script over a folder with one implementation, `mine`, which is judged as this result. */
async function implementations(result: string, ...args: readonly string[]) {
  folder.write('mine.yaml', `script: cp '${folder.at('judged')}' "$RESULT"\n`);
  folder.write('judged', result);
  const ran = await tool('scripts/implementations.mjs', ['--implementations', folder.path, ...args, 'mine']);
  return { ...ran, committed: readFileSync(folder.at('mine.json'), 'utf8') };
}

const findings = (level: string): number =>
  (JSON.parse(text) as Result).findings.filter((each) => each.level === level).length;

function planted(plant: (result: Result) => object): string {
  const result = JSON.parse(text) as Result;
  return JSON.stringify({ ...result, ...plant(result) });
}

describe('the script that renews the results of implementations', () => {
  beforeEach(() => folder.write('mine.json', text));

  it('writes the result as it is, and remembers what changed', async () => {
    const other = planted(() => ({ verdict: 'passed', findings: [] }));
    for (const result of [text, other, other]) {
      const { code, stderr, committed } = await implementations(result);
      expect({ code, stderr, committed }).toEqual({ code: 0, stderr: '', committed: `${result.trim()}\n` });
    }
    const { mine } = JSON.parse(readFileSync(folder.at('history.json'), 'utf8')) as { mine: object[] };
    expect(mine).toMatchObject([{ must: findings('must') }, { must: 0, should: 0 }]);
  });

  it('writes no folder of this machine, which a stack trace may show', async () => {
    const told = planted(() => ({
      hints: [
        { id: 'trace', text: `at (${homedir()}/.cache/x/node_modules/raw-body/index.js:1) and ${homedir()}/server.js` },
      ],
    }));
    const { committed } = await implementations(told);
    expect(committed).toContain('at (node_modules/raw-body/index.js:1) and ~/server.js');
    expect(committed).not.toContain(`${homedir()}/`);
  });

  it('with --check, accepts a result that differs in what no two runs share', async () => {
    const other = planted(({ summary, findings }) => ({
      startedAt: '2020-01-01T00:00:00.000Z',
      summary: { ...summary, requests: summary.requests + 4 },
      findings: findings.map((finding) => ({ ...finding, title: `${finding.title} (in round 2)` })),
    }));
    expect(await implementations(other, '--check')).toMatchObject({ code: 0, stdout: 'mine: as committed\n' });
  });

  it.each<[what: string, plant: (result: Result) => object, expected: string]>([
    ['the verdict', () => ({ verdict: 'inconclusive' }), '- verdict: failed\n  + verdict: inconclusive\n'],
    [
      'a requirement that is no longer broken',
      ({ requirements }) => ({ requirements: requirements.filter(({ id }) => id !== 'request-body.required') }),
      '- broken requirement: request-body.required (must)\n',
    ],
    [
      'a new finding',
      ({ findings: [first, ...others] }) => ({ findings: [first, { ...first, id: 'errors.name.other' }, ...others] }),
      '+ finding: errors.name.other (must)\n',
    ],
    [
      'a user who was not restored',
      ({ restoration }) => ({
        restoration: {
          ...restoration,
          users: restoration.users.map(({ subject }) => ({
            subject,
            members: [{ member: 'name', outcome: 'not-restored' }],
          })),
        },
      }),
      '+ user: name not-restored\n',
    ],
  ])('with --check, fails on %s, and keeps the committed result', async (_what, plant, expected) => {
    const { code, stderr, committed } = await implementations(planted(plant), '--check');
    expect({ code, committed }).toEqual({ code: 1, committed: text });
    expect(stderr).toContain(expected);
  });
});

it('judges the server on Express as committed', async () => {
  const { code, stdout } = await tool('scripts/implementations.mjs', ['--examples', '--check', 'express'], {
    folder: ROOT,
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'express: as committed\n' });
});

const docs = read('docs/proof.md');

it.each([
  ['unleash-5', 'unleash-server 5.12.8'],
  ['unleash-8', 'unleash-server 8.2.0'],
])('docs/proof.md says what the committed result of %s says', (name, version) => {
  const file = join(ROOT, `site/implementations/${name}.json`);
  const { requirements, findings, summary, restoration } = JSON.parse(readFileSync(file, 'utf8')) as Result;
  const broken = requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const [, ...cells] =
    docs
      .split('\n')
      .find((line) => line.includes(`| ${version}`))
      ?.split('|') ?? [];
  expect(cells.slice(1, 3).map(Number)).toEqual([broken.length, findings.length]);
  expect(broken.filter((id) => !docs.includes(`\`${id}\``))).toEqual([]);
  expect(summary.requests).toBeLessThanOrEqual(600);
  for (const { members } of restoration.users) {
    const restored = members.filter(({ outcome }) => outcome === 'restored').map(({ member }) => member);
    expect(restored).toEqual(['name', 'email']);
  }
});
