import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read } from '../support/repository.ts';

interface Frozen {
  contractVersion: string;
  requirements: Record<string, string>;
  openPoints: string[];
  observations: string[];
  checks: Record<string, string>;
  failureModes: string[];
  ahead: Record<string, string>;
}

const folder = temporaryFolder();
const committed = read('contract/frozen.json');

/** Freezes the ids of this repository over the committed file, edited before. */
async function freeze(
  edit: (frozen: Frozen) => unknown,
  args: readonly string[] = [],
  retired: readonly object[] = [],
) {
  const frozen = JSON.parse(committed) as Frozen;
  edit(frozen);
  const file = folder.write('frozen.json', JSON.stringify(frozen));
  folder.write('retired-ids.json', JSON.stringify(retired));
  const { code, stderr } = await tool('scripts/contract/freeze.mjs', [...args, file]);
  return { code, stderr, written: readFileSync(file, 'utf8') };
}

const withoutCheck = (frozen: Frozen): void => {
  delete frozen.checks['update-name-stored'];
  frozen.failureModes = frozen.failureModes.filter((mode) => !mode.startsWith('update-name-stored#'));
};

describe('npm run freeze', () => {
  const retired = [{ id: 'open.gone', since: '1.0.0', reason: 'The source was corrected.' }];

  it.each<[does: string, ...Parameters<typeof freeze>]>([
    ['has nothing to add to contract/frozen.json (else run it, and commit what it writes)', () => undefined],
    [
      'adds what is new',
      (frozen) => {
        delete frozen.requirements['update.concurrent-users'];
        for (const ids of [frozen.openPoints, frozen.observations, frozen.failureModes]) ids.pop();
      },
    ],
    ['drops an id that is retired', ({ openPoints }) => openPoints.push('open.gone'), [], retired],
    [
      'freezes the checks of a new version',
      (frozen) => {
        withoutCheck(frozen);
        frozen.contractVersion = '0.9.0';
      },
    ],
    ['freezes the checks of a version that was never released', withoutCheck, ['--unreleased']],
  ])('%s', async (_does, ...given) => {
    expect(await freeze(...given)).toEqual({ code: 0, stderr: '', written: committed });
  });

  it('drops no id silently', async () => {
    const { code, stderr, written } = await freeze(({ openPoints, checks }) => {
      openPoints.push('open.gone');
      checks['gone-check'] = 'must';
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The id open.gone (openPoints) is frozen and no longer exists.');
    expect(stderr).toContain('{ "id": "gone-check", "since": "');
    expect(written).toContain('open.gone');
  });

  it('leaves the checks of a released version as they are', async () => {
    const { code, stderr, written } = await freeze(withoutCheck);
    expect(code).toBe(0);
    expect(stderr).toContain('these count from the next version on: update-name-stored.');
    const { checks, failureModes, ahead } = JSON.parse(written) as Frozen;
    expect(Object.keys(checks)).not.toContain('update-name-stored');
    expect(failureModes.join()).not.toContain('update-name-stored#');
    expect(ahead).toEqual({ 'update-name-stored': 'must' });
  });
});
