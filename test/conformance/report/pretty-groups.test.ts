import { beforeAll, describe, expect, it } from 'vitest';
import { requirements } from '../../../contract/document.ts';
import { createReferenceServer, run, type CheckResult, type Result } from '../../../conformance/index.ts';
import { plain } from '../../../conformance/report/paint.ts';
import { prettyReport } from '../../../conformance/report/terminal/pretty.ts';
import { quietReport } from '../../../conformance/report/terminal/quiet.ts';
import { without } from '../../support/exchanges.ts';

let base: Result;

beforeAll(async () => {
  const server = await createReferenceServer();
  base = await run({ baseUrl: server.url, adminKey: server.seed.keys.admin, userId: '1' });
  await server.close();
});

const pretty = (result: Result): string => prettyReport(result, { paint: plain, width: 80 });

function unseen(details: Readonly<Record<string, string>>): Result {
  const checks = base.checks
    .filter(({ id }) => Object.hasOwn(details, id))
    .map((check): CheckResult => {
      return { ...check, outcome: 'inconclusive', reason: 'not-observable', detail: details[check.id] ?? '' };
    });
  return { ...base, checks };
}

describe('broken requirements', () => {
  it('stand in the order of the contract, the must ones first', () => {
    const failure = { mode: 'm', expected: 1, actual: 2, message: 'It is wrong.', advice: 'Mend it.' };
    const checks = base.checks.map((check): CheckResult => {
      return { ...check, outcome: 'failed', failure };
    });
    const failed = base.requirements.map((each) => ({ ...each, outcome: 'failed' as const }));
    const text = pretty({ ...base, verdict: 'failed', checks, requirements: failed });
    const shown = [...text.matchAll(/^ {2}([a-z-]+\.[a-z0-9-]+) {2}(must|should)$/gm)].map(([, id]) => id);
    const known = new Set(base.requirements.map(({ id }) => id));
    const inOrder = requirements.filter(({ id }) => known.has(id));
    expect(shown).toEqual([
      ...inOrder.filter(({ level }) => level === 'must').map(({ id }) => id),
      ...inOrder.filter(({ level }) => level === 'should').map(({ id }) => id),
    ]);
    expect(shown).not.toEqual([...shown].sort());
  });
});

describe('what was inconclusive', () => {
  it('is named once where the reasons differ only in the members and in where they are missing', () => {
    const text = pretty(
      unseen({
        'update-name-stored': 'the target does not show `name` in a later answer',
        'update-name-shown': 'the target does not show `name` and `email` in the answer to the update',
        'update-role-stored': 'the target does not show `rootRole` in a later answer',
        'update-repeated': 'no later answer shows what was sent',
      }),
    );
    expect(text).toContain(
      '  not-observable  3 checks\n    the target does not show `email`, `name`, `rootRole` where that is needed\n',
    );
    expect(text).toContain('  not-observable  1 check\n    no later answer shows what was sent\n');
  });

  it('keeps the place where it is the same, and the words where there is one reason alone', () => {
    const later = 'in a later answer';
    const two = unseen({
      'update-name-stored': `the target does not show \`name\` ${later}`,
      'update-role-stored': `the target does not show \`rootRole\` ${later}`,
    });
    expect(pretty(two)).toContain('the target does not show `name`, `rootRole` in a later answer\n');
    const one = unseen({ 'update-name-stored': 'the target shows `a`, but not `b` there' });
    expect(pretty(one)).toContain('    the target shows `a`, but not `b` there\n');
  });
});

describe('hints', () => {
  it('stand under the verdict, three at most, and none is no matter', () => {
    const hints = ['one', 'two', 'three', 'four'].map((id) => ({ id, text: `This is hint ${id}.` }));
    const lines = pretty({ ...base, hints }).split('\n');
    expect(lines.slice(2, 6)).toEqual([
      '  hint          This is hint one.',
      '  hint          This is hint two.',
      '  hint          This is hint three.',
      '',
    ]);
    expect(lines.join('\n')).not.toContain('hint four');
    expect(pretty(without(base, 'hints'))).not.toContain('hint');
  });
});

describe('a target that sends what a terminal obeys', () => {
  it('cannot steer it', () => {
    const detail = 'the target \u001b[2J\u001b]0;title\u0007 does not show `name`';
    const result = unseen({ 'update-name-stored': detail });
    expect(pretty(result)).toContain('\\u001b[2J');
    for (const text of [pretty(result), quietReport(result)]) expect(text).not.toContain('\u001b');
  });
});
