import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

interface Frozen {
  contractVersion: string;
  requirements: Record<string, string>;
  openPoints: string[];
  observations: string[];
  checks: Record<string, string>;
  failureModes: string[];
}

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const committed = readFileSync(join(root, 'contract/frozen.json'), 'utf8');

interface Outcome {
  readonly status: number | null;
  readonly stderr: string;
  readonly written: string;
}

/** Freezes the ids of this repository over the committed file, edited before. */
function freeze(
  edit: (frozen: Frozen) => void,
  args: readonly string[] = [],
  retired: readonly object[] = [],
): Outcome {
  const frozen = JSON.parse(committed) as Frozen;
  edit(frozen);
  const file = folder.write('frozen.json', JSON.stringify(frozen));
  folder.write('retired-ids.json', JSON.stringify(retired));
  const script = join(root, 'scripts/freeze.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...args, file], { encoding: 'utf8' });
  return { status, stderr, written: readFileSync(file, 'utf8') };
}

const unedited = (): void => undefined;
const withoutCheck = (frozen: Frozen): void => {
  delete frozen.checks['update-name-stored'];
  frozen.failureModes = frozen.failureModes.filter((mode) => !mode.startsWith('update-name-stored#'));
};

describe('npm run freeze', () => {
  it('has nothing to add to contract/frozen.json (else run it, and commit what it writes)', () => {
    expect(freeze(unedited)).toMatchObject({ status: 0, written: committed });
  });

  it('adds what is new', () => {
    const { status, written } = freeze((frozen) => {
      delete frozen.requirements['update.concurrent-users'];
      frozen.openPoints.pop();
      frozen.observations.pop();
      frozen.failureModes.pop();
    });
    expect(status).toBe(0);
    expect(written).toBe(committed);
  });

  it('drops no id silently', () => {
    const { status, stderr, written } = freeze(({ openPoints, checks }) => {
      openPoints.push('open.gone');
      checks['gone-check'] = 'must';
    });
    expect(status).toBe(1);
    expect(stderr).toContain('The id open.gone (openPoints) is frozen and no longer exists.');
    expect(stderr).toContain('{ "id": "gone-check", "since": "');
    expect(written).toContain('open.gone');
  });

  it('drops an id that is retired', () => {
    const retired = [{ id: 'open.gone', since: '1.0.0', reason: 'The source was corrected.' }];
    expect(freeze(({ openPoints }) => openPoints.push('open.gone'), [], retired)).toMatchObject({
      status: 0,
      written: committed,
    });
  });

  it('leaves the checks of a released version as they are', () => {
    const { status, stderr, written } = freeze(withoutCheck);
    expect(status).toBe(0);
    expect(stderr).toContain('these count from the next version on: update-name-stored.');
    expect(written).not.toContain('"update-name-stored');
  });

  it('freezes the checks of a new version, and of one that was never released', () => {
    const earlier = (frozen: Frozen): void => {
      withoutCheck(frozen);
      frozen.contractVersion = '0.9.0';
    };
    for (const frozen of [freeze(earlier), freeze(withoutCheck, ['--unreleased'])]) {
      expect(frozen).toMatchObject({ status: 0, stderr: '', written: committed });
    }
  });
});
