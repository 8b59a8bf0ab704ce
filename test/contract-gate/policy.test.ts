import { describe, expect, it } from 'vitest';
import { parseRetiredIds } from '../../contract/retired-ids.ts';
import {
  changelogProblems,
  frozenIds,
  idProblems,
  scoredSetProblems,
  versionProblems,
} from '../../contract-gate/policy.ts';

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
    expect(versionProblems('1.2.3', '1.2.3', 'minor').join()).toContain('set it to 1.3.0 or more');
  });
});

describe('the changelog', () => {
  const log = '# Changelog\n\n## Unreleased, contract 1.1.0\n\n- Something.\n\n## 0.1.0, contract 1.0.0\n';

  it('names the version with something below it', () => {
    expect(changelogProblems(log, '1.1.0', 'minor')).toEqual([]);
    expect(changelogProblems(log, '1.0.0', 'patch').join()).toContain('says nothing');
    expect(changelogProblems(log, '1.1.1', 'patch').join()).toContain('add "## Unreleased, contract 1.1.1"');
    expect(changelogProblems(log, '1.1', 'patch')).not.toEqual([]);
    expect(changelogProblems(undefined, '1.1.0', 'patch')).not.toEqual([]);
  });

  it('need not be touched where nothing changed', () => {
    expect(changelogProblems(undefined, '1.1.0', 'none')).toEqual([]);
  });
});

describe('frozen ids', () => {
  const ids = (...names: string[]) =>
    frozenIds({ requirements: Object.fromEntries(names.map((name) => [name, 'must'])) });
  const retired = parseRetiredIds([{ id: 'b', since: '2.0.0', replacedBy: ['c'] }]);

  it('may be added, and may go if they are retired', () => {
    expect(idProblems(ids('a'), ids('a', 'b'), [], [])).toEqual([]);
    expect(idProblems(ids('a', 'b'), ids('a', 'c'), [], retired)).toEqual([]);
  });

  it('may not go unretired, come back, or leave the list', () => {
    expect(idProblems(ids('a', 'b'), ids('a', 'c'), [], []).join()).toContain('The id b (requirements) is frozen');
    expect(idProblems(ids('a'), ids('a', 'b', 'c'), [], retired).join()).toContain('may not come back');
    expect(idProblems(ids('a'), ids('a'), retired ?? [], []).join()).toContain('no longer lists b');
  });

  it('are replaced by existing ids, or have a reason', () => {
    expect(idProblems(ids('b'), ids('a'), [], retired).join()).toContain('replaced by c, which does not exist');
    const silent = parseRetiredIds([{ id: 'b', since: '2.0.0' }]);
    expect(idProblems(ids('b'), ids('a'), [], silent).join()).toContain('needs "replacedBy" or a "reason"');
    const reasoned = parseRetiredIds([{ id: 'b', since: '2.0.0', reason: 'The source was corrected.' }]);
    expect(idProblems(ids('b'), ids('a'), [], reasoned)).toEqual([]);
  });

  it.each([{}, [{ since: '2.0.0' }], [{ id: 'b' }], [{ id: 'b', since: '2.0.0', replacedBy: 'c' }], ['b']])(
    'are retired by a list of entries, not by %j',
    (list) => {
      expect(parseRetiredIds(list)).toBeUndefined();
      expect(idProblems(ids('a'), ids('a'), [], parseRetiredIds(list)).join()).toContain('fix it');
    },
  );

  it('are read only from a list', () => {
    expect(parseRetiredIds({})).toBeUndefined();
    expect(parseRetiredIds(['b'])).toBeUndefined();
    expect(idProblems(ids('a'), ids('a'), [], undefined)).not.toEqual([]);
  });
});

describe('the scored set', () => {
  const set = (contractVersion: string, ...ids: string[]) => ({
    contractVersion,
    checks: ids.map((id) => ({ id, level: 'must' })),
  });
  const minor = { base: '1.0.0', head: '1.1.0' };

  it('grows with a version', () => {
    expect(scoredSetProblems(set('1.0.0', 'a'), set('1.1.0', 'a', 'b'), minor, [])).toEqual([]);
  });

  it('is frozen within a version', () => {
    const same = { base: '1.0.0', head: '1.0.0' };
    expect(scoredSetProblems(set('1.0.0', 'a'), set('1.0.0', 'a', 'b'), same, []).join()).toContain(
      'differs in b (must)',
    );
  });

  it('loses a check with a major version or a retired id only', () => {
    const before = set('1.0.0', 'a', 'b');
    expect(scoredSetProblems(before, set('1.1.0', 'a'), minor, []).join()).toContain('The check b left');
    expect(
      scoredSetProblems(before, set('1.1.0', 'a'), minor, [{ id: 'b', since: '1.1.0', replacedBy: ['a'] }]),
    ).toEqual([]);
    expect(scoredSetProblems(before, set('2.0.0', 'a'), { base: '1.0.0', head: '2.0.0' }, [])).toEqual([]);
  });

  it('is for the version of the contract', () => {
    expect(scoredSetProblems(set('1.0.0', 'a'), set('1.0.0', 'a'), minor, []).join()).toContain('generate it again');
  });
});
