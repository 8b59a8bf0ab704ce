import { expect, it } from 'vitest';
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

type Case = readonly [what: string, problems: readonly string[]];

/** From one version to another, for a change of this weight. */
const STEPS = [
  ...['1.0.0 1.0.0 none', '1.0.0 1.0.0 patch', '1.0.0 1.0.1 patch', '1.0.0 1.1.0 patch', '1.0.9 1.1.0 minor'],
  ...['1.0.9 1.0.10 minor', '1.2.3 1.2.3 minor', '1.9.0 1.10.0 minor', '1.9.0 2.0.0 major', '1.9.0 1.10.0 major'],
  ...['1.1.0 1.0.9 none', '2.0.0 1.9.9 major', '1.0.0 next none'],
];
const versions = STEPS.map((step): Case => {
  const [base = '', head = '', bump] = step.split(' ');
  return [`version ${step}`, versionProblems(base, head, bump as Bump)];
});

const LOG = '# Changelog\n\n## Unreleased, contract 1.1.0\n\n- Something.\n\n## 0.1.0, contract 1.0.0\n';
const LOGS = [
  'with 1.1.0 minor',
  'with 1.0.0 patch',
  'with 1.1.1 patch',
  'with 1.1 patch',
  'no 1.1.0 patch',
  'no 1.1.0 none',
];
const changelogs = LOGS.map((given): Case => {
  const [log, version = '', bump] = given.split(' ');
  return [
    `${log} changelog ${version} ${bump}`,
    changelogProblems(log === 'no' ? undefined : LOG, version, bump as Bump),
  ];
});

/** One id for each letter. */
const ids = (names: string) => frozenIds({ requirements: Object.fromEntries(Array.from(names, (id) => [id, 'must'])) });
const retiring = (more: object): readonly RetiredId[] => parseRetiredIds([{ id: 'b', since: '2.0.0', ...more }]) ?? [];
const replaced = retiring({ replacedBy: ['c'] });
const frozen: readonly Case[] = [
  ['ids may be added', idProblems(ids('a'), ids('ab'), [], [])],
  ['ids may go if they are retired', idProblems(ids('ab'), ids('ac'), [], replaced)],
  ['ids may not go unretired', idProblems(ids('ab'), ids('ac'), [], [])],
  ['ids may not come back', idProblems(ids('a'), ids('abc'), [], replaced)],
  ['ids are replaced by existing ids', idProblems(ids('b'), ids('a'), [], replaced)],
  ['or have a reason', idProblems(ids('b'), ids('a'), [], retiring({ reason: 'The source was corrected.' }))],
  ['ids are not retired in silence', idProblems(ids('b'), ids('a'), [], retiring({}))],
  ['ids are retired by a list', idProblems(ids('a'), ids('a'), [], undefined)],
  ['ids may not leave the list of the retired', idProblems(ids('a'), ids('a'), replaced, [])],
];

const setOf = (contractVersion: string, names: string) =>
  scoredSet({ contractVersion, checks: Object.fromEntries(Array.from(names, (id) => [id, 'must'])) }) ?? expect.fail();
const [first, second] = [setOf('1.0.0', 'a'), setOf('1.0.0', 'ab')];
const scored: readonly Case[] = [
  ['the scored set grows with a version', scoredSetProblems(first, setOf('1.1.0', 'ab'), '1.1.0')],
  ['it is frozen within a version', scoredSetProblems(first, second, '1.0.0')],
  ['it keeps what it has within a version', scoredSetProblems(second, first, '1.0.0')],
  ['it is for the version of the contract', scoredSetProblems(first, first, '1.1.0')],
];

it('what is wrong with versions, changelogs and ids is said as it was reviewed', async () => {
  const texts = [...versions, ...changelogs, ...frozen, ...scored].map(([what, problems]) =>
    [what, ...problems.map((problem) => `  ${problem}`)].join('\n'),
  );
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/policy.txt');
});

it.each([{}, [{ since: '2.0.0' }], [{ id: 'b' }], [{ id: 'b', since: '2.0.0', replacedBy: 'c' }], ['b']])(
  'ids are retired by a list of entries, not by %j',
  (list) => expect(parseRetiredIds(list)).toBeUndefined(),
);
