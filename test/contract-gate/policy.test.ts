import { describe, expect, it } from 'vitest';
import { parseRetiredIds, type RetiredId } from '../../contract/retired-ids.ts';
import {
  changelogProblems,
  frozenIds,
  idProblems,
  scoredSet,
  scoredSetProblems,
  versionProblems,
} from '../../contract-gate/policy.ts';
import type { Bump } from '../../openapi-judge/src/index.ts';

/** Expects no problem where nothing is to be said, else problems that say it. */
function expectSaid(problems: readonly string[], says: string): void {
  if (says === '') expect(problems).toEqual([]);
  else expect(problems.join()).toContain(says);
}

describe('the version', () => {
  it.each([
    ['1.0.0', '1.0.0', 'none', true],
    ['1.0.0', '1.0.0', 'patch', false],
    ['1.0.0', '1.0.1', 'patch', true],
    ['1.0.0', '1.1.0', 'patch', true],
    ['1.0.9', '1.1.0', 'minor', true],
    ['1.0.9', '1.0.10', 'minor', false],
    ['1.9.0', '1.10.0', 'minor', true],
    ['1.9.0', '2.0.0', 'major', true],
    ['1.9.0', '1.10.0', 'major', false],
    ['1.1.0', '1.0.9', 'none', false],
    ['2.0.0', '1.9.9', 'major', false],
    ['1.0.0', 'next', 'none', false],
  ] as const)('from %s to %s for a %s change', (base, head, bump, right) => {
    expect(versionProblems(base, head, bump).length === 0).toBe(right);
  });

  it('is told which one it has to be', () => {
    expectSaid(versionProblems('1.2.3', '1.2.3', 'minor'), 'set it to 1.3.0 or more');
  });
});

const LOG = '# Changelog\n\n## Unreleased, contract 1.1.0\n\n- Something.\n\n## 0.1.0, contract 1.0.0\n';

it.each<[log: string | undefined, version: string, bump: Bump, says: string]>([
  [LOG, '1.1.0', 'minor', ''],
  [LOG, '1.0.0', 'patch', 'says nothing'],
  [LOG, '1.1.1', 'patch', 'add "## Unreleased, contract 1.1.1"'],
  [LOG, '1.1', 'patch', 'no heading'],
  [undefined, '1.1.0', 'patch', 'There is no CHANGELOG.md'],
  [undefined, '1.1.0', 'none', ''],
])('the changelog %j, for contract %s and a %s change: %j', (log, version, bump, says) => {
  expectSaid(changelogProblems(log, version, bump), says);
});

describe('frozen ids', () => {
  /** One id for each letter. */
  const ids = (names: string) =>
    frozenIds({ requirements: Object.fromEntries(Array.from(names, (id) => [id, 'must'])) });
  const retiring = (more: object) => parseRetiredIds([{ id: 'b', since: '2.0.0', ...more }]);
  const replaced = retiring({ replacedBy: ['c'] });

  it.each<[what: string, base: string, head: string, retired: readonly RetiredId[] | undefined, says: string]>([
    ['may be added', 'a', 'ab', [], ''],
    ['may go if they are retired', 'ab', 'ac', replaced, ''],
    ['may not go unretired', 'ab', 'ac', [], 'The id b (requirements) is frozen'],
    ['may not come back', 'a', 'abc', replaced, 'may not come back'],
    ['are replaced by existing ids', 'b', 'a', replaced, 'replaced by c, which does not exist'],
    ['or have a reason', 'b', 'a', retiring({ reason: 'The source was corrected.' }), ''],
    ['are not retired in silence', 'b', 'a', retiring({}), 'needs "replacedBy" or a "reason"'],
    ['are retired by a list', 'a', 'a', undefined, 'fix it'],
  ])('%s: from %s to %s', (_what, base, head, retired, says) => {
    expectSaid(idProblems(ids(base), ids(head), [], retired), says);
  });

  it('may not leave the list of the retired', () => {
    expectSaid(idProblems(ids('a'), ids('a'), replaced ?? [], []), 'no longer lists b');
  });

  it.each([{}, [{ since: '2.0.0' }], [{ id: 'b' }], [{ id: 'b', since: '2.0.0', replacedBy: 'c' }], ['b']])(
    'are retired by a list of entries, not by %j',
    (list) => {
      expect(parseRetiredIds(list)).toBeUndefined();
    },
  );
});

it.each<[what: string, base: [string, string], head: [string, string], says: string]>([
  ['grows with a version', ['1.0.0', 'a'], ['1.1.0', 'ab'], ''],
  ['is frozen within a version', ['1.0.0', 'a'], ['1.0.0', 'ab'], 'differs in b (must)'],
  ['keeps what it has within a version', ['1.0.0', 'ab'], ['1.0.0', 'a'], 'differs in b (must)'],
  ['is for the version of the contract', ['1.0.0', 'a'], ['1.0.0', 'a'], 'generate it again'],
])('the scored set %s: from %j to %j', (what, base, head, says) => {
  const [before, after] = [base, head].map(([contractVersion, ids]) =>
    scoredSet({ contractVersion, checks: Object.fromEntries(Array.from(ids, (id) => [id, 'must'])) }),
  );
  const version = what === 'is for the version of the contract' ? '1.1.0' : head[0];
  expectSaid(after ? scoredSetProblems(before, after, version) : ['it cannot be read'], says);
});
