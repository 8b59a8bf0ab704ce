import { describe, expect, it } from 'vitest';
import { changelogProblems, idProblems, versionProblems, type Changes } from '../../../contract/gate/policy.ts';
import type { Bump } from '../../../openapi-judge/src/index.ts';
import { casesBeside } from '../../support/repository.ts';

interface Cases {
  readonly versions: readonly [base: string, head: string, bump: Bump, least: string | null][];
  readonly changelog: readonly [version: string, bump: Bump, problem: string | null][];
  readonly ids: readonly [what: string, base: string, head: string, problem: string | null][];
}
const { versions, changelog, ids } = casesBeside(import.meta.url) as Cases;

/** What says this, if anything does. */
const saying = (problem: string | null): unknown[] => (problem === null ? [] : [expect.stringContaining(problem)]);

it.each(versions)('the version %s → %s with a %s change: at least %s', (base, head, bump, least) =>
  expect(versionProblems(base, head, bump)).toEqual(saying(least && `set it to ${least} or more.`)),
);

describe('the changelog', () => {
  const LOG = '# Changelog\n\n## Unreleased, contract 1.1.0\n\n- Something.\n\n## 0.1.0, contract 1.0.0\n';

  it.each(changelog)('for contract %s, with a %s change: %s', (version, bump, problem) =>
    expect(changelogProblems(LOG, version, bump)).toEqual(saying(problem)),
  );

  it('may say nothing only where nothing changed', () => {
    expect(changelogProblems('', '1.1.0', 'patch')).toEqual(saying('has no heading'));
    expect(changelogProblems('', '1.1.0', 'none')).toEqual([]);
  });
});

it.each(ids)('ids of requirements: %s', (_what, base, head, problem) => {
  const changes: Changes = { '2.0.0': { b: 'Withdrawn.' }, '1.1.0': { old: 'Withdrawn.' } };
  const since: Readonly<Record<string, string>> = { c: '2.0.0', old: '2.0.0' };
  const idsIn = (text: string) => new Map(text.split(' ').map((id) => [id, since[id] ?? '']));
  expect(idProblems(idsIn(base), idsIn(head), changes, '2.0.0')).toEqual(saying(problem));
});
