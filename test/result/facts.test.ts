/** Whether words decide anything: with all of them replaced, every finding keeps its id, its checks and its fix. */
import { afterEach, expect, test, vi } from 'vitest';
import { mapBounded } from '../../common/pool.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Judgement } from '../../conformance/engine/judge.ts';
import type { Exchange } from '../../conformance/facts/exchange.ts';
import type { Fault, Problem } from '../../conformance/facts/fault.ts';
import { makeRecorder } from '../../conformance/http/record.ts';
import { defects } from '../../proof/catalogue.ts';
import { needsSocket, withBehaviour } from '../../proof/servers/behaviour.ts';
import { INPUTS, judged, sessionOver } from '../support/engine.ts';

const HOW_MANY = 12;
const TITLES = '../../conformance/result/titles.ts';
const WORDS = { title: 'Words', expected: 'words', actual: 'words' };

afterEach(() => {
  vi.doUnmock(TITLES);
  vi.resetModules();
});

function wordlessExchange({ request, response, ...when }: Exchange): Exchange {
  const lost = response.lost && { ...response.lost, detail: 'words' };
  return { ...when, request: { ...request }, response: { ...response, ...(lost && { lost }) } };
}

function wordlessFault(fault: Fault): Fault {
  if (fault.kind === 'response') return fault;
  if (fault.kind === 'special') return { ...fault, says: 'Words', due: 'words', came: 'words' };
  const told = { ...fault, how: fault.how && 'words' };
  return told.kind === 'status' && told.lost ? { ...told, lost: { ...told.lost, detail: 'words' } } : told;
}

const wordless = (problem: Problem): Problem => ({
  ...problem,
  fault: wordlessFault(problem.fault),
  exchanges: problem.exchanges.map(wordlessExchange),
});

/** Those that the inputs of these tests suit. */
const sample = defects.filter(({ behaviour, inputs }) => !needsSocket(behaviour) && !behaviour.seed && !inputs);
const step = Math.floor(sample.length / HOW_MANY);

const judgeDefect = ({ behaviour }: (typeof sample)[number]): Promise<Judgement> =>
  withBehaviour(behaviour, ({ transport }) => {
    if (!transport) throw new Error('A server without a socket has a transport.');
    return judged(sessionOver(transport), ...checks.slice(1));
  });

/** What is chosen and grouped of these judgements, and the titles that it gets. */
async function chosenFor(judgements: readonly Judgement[]) {
  const { fixOf } = await import('../../conformance/result/fixes.ts');
  const { findingsOf } = await import('../../conformance/result/findings.ts');
  const titles = new Set<string>();
  const chosen = judgements.map(async (judgement) => {
    const findings = await findingsOf(judgement, makeRecorder(INPUTS));
    for (const { title } of findings) titles.add(title);
    return {
      fixes: judgement.broken.flatMap(({ problems }) => problems.map((each) => fixOf(each).id)),
      findings: findings.map(({ id, kind, checks: own }) => ({ id, kind, own })),
    };
  });
  return { chosen: await Promise.all(chosen), titles };
}

test('no word in a fault decides on a finding or its fix', async () => {
  const judgements = await mapBounded(
    sample.filter((_each, index) => index % step === 0),
    4,
    judgeDefect,
  );
  expect(judgements.filter(({ broken }) => broken.length > 0).length).toBeGreaterThanOrEqual(HOW_MANY);
  const problems = judgements.flatMap(({ broken }) => broken.flatMap((each) => each.problems));
  expect(new Set(problems.map(({ fault }) => fault.kind))).toEqual(
    new Set(['status', 'member', 'response', 'special']),
  );
  const asTold = await chosenFor(judgements);
  vi.doMock(TITLES, () => ({ wordsOf: () => WORDS, wordsOfProblem: () => WORDS, requestInWords: () => 'Words' }));
  vi.resetModules();
  const withoutWords = judgements.map(({ broken, ...rest }) => ({
    ...rest,
    broken: broken.map((each) => ({ ...each, problems: each.problems.map(wordless) })),
  }));
  const told = await chosenFor(withoutWords);
  expect([...told.titles].filter((title) => !/^(Words|Refusals that )/.test(title))).toEqual([]);
  expect(told.chosen).toEqual(asTold.chosen);
});
