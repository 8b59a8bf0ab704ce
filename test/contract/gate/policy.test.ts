import { describe, expect, it } from 'vitest';
import { changelogProblems, idProblems, versionProblems, type Changes } from '../../../contract/gate/policy.ts';
import type { Bump } from '../../../openapi-judge/src/index.ts';

describe('the version', () => {
  it.each([
    ['1.0.0', '1.0.0', 'none', undefined],
    ['1.0.0', '1.0.0', 'patch', '1.0.1'],
    ['1.0.0', '1.0.1', 'patch', undefined],
    ['1.0.9', '1.1.0', 'minor', undefined],
    ['1.0.9', '1.0.10', 'minor', '1.1.0'],
    ['1.9.0', '1.10.0', 'minor', undefined],
    ['1.9.0', '1.10.0', 'major', '2.0.0'],
    ['1.9.0', '2.0.0', 'patch', undefined],
    ['1.1.0', '1.0.9', 'none', '1.1.0'],
    ['1.0.0', 'next', 'patch', '1.0.1'],
  ] as const)('%s → %s with a %s change: at least %s', (base, head, bump, least) => {
    const problems = versionProblems(base, head, bump);
    expect(problems).toEqual(least === undefined ? [] : [expect.stringContaining(`set it to ${least} or more.`)]);
  });
});

describe('the changelog', () => {
  const LOG = '# Changelog\n\n## Unreleased, contract 1.1.0\n\n- Something.\n\n## 0.1.0, contract 1.0.0\n';

  it.each<[version: string, bump: Bump, log: string, problem?: string]>([
    ['1.1.0', 'minor', LOG],
    ['1.0.0', 'patch', LOG, 'says nothing below its heading'],
    ['1.1', 'patch', LOG, 'has no heading'],
    ['1.1.1', 'patch', LOG, 'add "## Unreleased, contract 1.1.1"'],
    ['1.1.0', 'patch', '', 'has no heading'],
    ['1.1.0', 'none', ''],
  ])('for contract %s, with a %s change', (version, bump, log, problem) =>
    expect(changelogProblems(log, version, bump)).toEqual(
      problem === undefined ? [] : [expect.stringContaining(problem)],
    ),
  );
});

describe('ids of requirements', () => {
  const CHANGES: Changes = { '2.0.0': { b: 'Withdrawn.' }, '1.1.0': { old: 'Withdrawn.' } };
  const SINCE: Readonly<Record<string, string>> = { c: '2.0.0', old: '2.0.0' };
  const idsOf = (ids: string) => new Map(ids.split(' ').map((id) => [id, SINCE[id] ?? '']));
  const problems = (base: string, head: string): readonly string[] =>
    idProblems(idsOf(base), idsOf(head), CHANGES, '2.0.0');

  it.each([
    ['stay', 'a', 'a', []],
    ['come and go if that is said', 'a b', 'a c', []],
    ['do not come without a word', 'a', 'a d', ['d is new; say so with `since: 2.0.0`']],
    ['come and go before they are released', 'a c', 'a', []],
    ['do not go unlisted', 'a e', 'a', ['e is gone, and contract/changes.yaml does not list it under 2.0.0']],
    ['are not used again', 'a', 'a old', ['old was the id of a requirement that is gone']],
  ])('%s', (_what, base, head, expected) =>
    expect(problems(base, head)).toEqual(expected.map((each) => expect.stringContaining(each) as string)),
  );
});
