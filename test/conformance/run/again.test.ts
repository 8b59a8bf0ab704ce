import { describe, expect, it } from 'vitest';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import type { EarlierFinding } from '../../../conformance/result/again.ts';
import { defects } from '../../../proof/catalogue.ts';
import type { Behaviour } from '../../../proof/servers/behaviour.ts';
import { judgeServer } from '../../../proof/servers/judge.ts';
import { anError } from '../../../proof/defects/requests.ts';
import { adding } from '../../../proof/defects/responses.ts';
import type { Inputs } from '../../../conformance/resources/inputs.ts';

const FINDING = {
  id: 'errors.message',
  requirement: 'errors.message',
  level: 'should',
  title: 'An empty message.',
} as const;

async function lookAgain(behaviour: Behaviour, again: readonly EarlierFinding[], inputs: Partial<Inputs> = {}) {
  return (await judgeServer({ behaviour, inputs }, { again })).result;
}

const EMPTY = adding(anError, { message: '' });

describe('looking for findings again', () => {
  it('takes the failure of one of its checks for it, unless an earlier finding has it already', async () => {
    const renamed = { ...FINDING, id: 'errors.renamed', checks: ['error-message-given'] };
    const own = { ...FINDING, checks: ['error-message-given'] };
    expect((await lookAgain(EMPTY, [renamed])).again?.map(({ outcome }) => outcome)).toEqual(['still-there']);
    const both = await lookAgain(EMPTY, [own, { ...renamed, checks: ['error-id-distinct'] }]);
    expect(both.again?.map(({ outcome }) => outcome)).toEqual(['still-there', 'fixed']);
  });

  it('shows what is still there among what fails the run, also a should', async () => {
    const result = await lookAgain(EMPTY, [{ ...FINDING, checks: ['error-message-given'] }]);
    expect(result.verdict).toBe('failed');
    const said = terminalText(resultDocument(result), { paint: plain, width: 1_000 });
    expect(said).toContain('\nFindings\n');
    expect(said).not.toContain('do not fail the run');
  });

  it('says that one is fixed, and how many requests say so', async () => {
    const { verdict, again, summary } = await lookAgain({}, [{ ...FINDING, checks: ['error-message-given'] }]);
    expect([verdict, again?.[0]?.outcome]).toEqual(['passed', 'fixed']);
    expect(again?.[0]?.requests).toBeGreaterThan(100);
    expect(again?.[0]?.requests).toBeLessThanOrEqual(summary.requests);
  });

  it('never takes what was not sent for fixed', async () => {
    const checks = ['permission-name', 'update-name-stored', 'retired-check'];
    const missing = { adminKey: undefined } as unknown as Partial<Inputs>;
    for (const [finding, own] of [
      [{ ...FINDING, checks: checks.slice(0, 2) }, missing],
      [{ ...FINDING, checks: checks.slice(1) }, {}],
    ] as const) {
      const { verdict, again } = await lookAgain({}, [finding], own);
      expect([verdict, again?.[0]?.outcome]).toEqual(['inconclusive', 'not-seen-again']);
    }
  });

  it('never takes what comes now and then for fixed, since fewer requests may not meet it', async () => {
    const { behaviour, inputs = {} } = defects.find(({ id }) => id === 'update-ignored-now-and-then') ?? {};
    const { findings } = (await judgeServer({ ...(behaviour && { behaviour }), inputs })).result;
    expect(findings.map(({ id, sporadic }) => [id, sporadic])).toEqual([['update.sent-fields-change', true]]);
    const result = await lookAgain(behaviour ?? {}, findings, inputs);
    const { verdict, again = [] } = result;
    expect([verdict, again.map(({ outcome, sporadic }) => [outcome, sporadic])]).toEqual([
      'inconclusive',
      [['not-seen-again', true]],
    ]);
    expect(again[0]?.requests).toBeGreaterThan(1);
    const said = terminalText(resultDocument(result), { paint: plain, width: 1_000 });
    expect(said).toMatch(
      /not seen again: `update\.sent.*\(\d+ requests; it comes now and then, so they prove nothing\)/,
    );
  });

  it('refuses findings of which no check is left', async () => {
    await expect(lookAgain({}, [{ ...FINDING, checks: ['retired-check'] }])).rejects.toThrow(/no finding/);
  });
});
