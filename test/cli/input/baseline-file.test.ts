import { describe, expect, it } from 'vitest';
import { parseBaseline } from '../../../cli/input/baseline-file.ts';
import { UsageError } from '../../../common/process/args.ts';
import { without } from '../../support/exchanges.ts';

const ENTRY = { check: 'update-name', outcome: 'failed', reason: 'known since May' } as const;

const parse = (value: unknown) => parseBaseline('known.json', JSON.stringify(value));

/** The message, which is one line and says where in which file. */
async function refusal(text: string): Promise<string> {
  const error: unknown = await parseBaseline('known.json', text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).toMatch(/^known\.json:\d+:\d+: /);
  expect(message).not.toMatch(/[\r\n]/);
  return message;
}

const refusedEntries = (...entries: unknown[]): Promise<string> => refusal(JSON.stringify({ entries }));

describe('parseBaseline', () => {
  it('reads entries with and without a date, in their order', async () => {
    const entries = [ENTRY, { ...ENTRY, check: 'other', outcome: 'inconclusive', expires: '2027-01-31' }];
    expect(await parse({ entries: [] })).toEqual([]);
    const read = await parse({ entries });
    expect(read).toEqual(entries);
    expect(Object.keys(read[0] ?? {})).not.toContain('expires');
  });

  it('reads entries of findings, which have no outcome, and refuses one that names a check too', async () => {
    const entry = { finding: 'auth.key-required', reason: 'known since May' };
    expect(await parse({ entries: [entry, ENTRY] })).toEqual([entry, ENTRY]);
    expect(await refusedEntries({ ...entry, outcome: 'failed' })).toContain(
      'entries/0 has "outcome", which is for checks',
    );
    expect(await refusedEntries({ ...entry, ...ENTRY })).toContain('entries/0 has "check" and "finding"');
    expect(await refusedEntries({ ...entry, finding: 5 })).toContain('entries/0 needs "finding"');
    expect(await refusedEntries(entry, entry)).toContain('entries/1 is the second entry for auth.key-required');
  });

  it('reads YAML, with comments', async () => {
    const text = `entries:\n  - { check: update-name, outcome: failed, reason: known since May } # ours\n`;
    expect(await parseBaseline('known.yaml', text)).toEqual([ENTRY]);
  });

  it('says in which line and column it is wrong', async () => {
    const text = `entries:\n  - check: update-name\n    outcome: fialed\n    reason: x\n`;
    expect(await refusal(text)).toMatch(/^known\.json:3:14: entries\/0 needs "outcome"/);
    expect(await refusal(`{ "entries": [] ,\n "entires": [] }`)).toMatch(/^known\.json:2:2: .*"entires"/);
    expect(await refusal('{ "entries": [], "entries": [] }')).toContain('"entries" is given twice');
  });

  it.each([null, [], [ENTRY], 'entries', 5, {}, { entries: {} }, { entries: null }, { checks: [] }])(
    'refuses what is no object with entries: %j',
    async (value) => {
      expect(await refusal(JSON.stringify(value))).toContain('"entries"');
    },
  );

  const having = (member: string, ...values: unknown[]) => values.map((value) => ({ ...ENTRY, [member]: value }));
  const NO_DATES = [
    ...['2027-1-31', '31.01.2027', '2027-13-01', '2027-00-10', '2027-01-32', '2027-02-30', '2026-02-29'],
    ...['2027-01-31T00:00:00Z', 'tomorrow', '', 20270131, null],
  ];

  it.each<[says: RegExp, entries: unknown[]]>([
    [/object/, [null, 'update-name', 5, [ENTRY]]],
    [/"check"/, [without(ENTRY, 'check'), ...having('check', null, 5, ['update-name'])]],
    [/"outcome"/, [without(ENTRY, 'outcome')]],
    [/failed or inconclusive/, having('outcome', 'passed', 'not-applicable', 'error', 'FAILED', '', null, true)],
    [/"reason"/, [without(ENTRY, 'reason'), ...having('reason', '', '   ', null, 5)]],
    [/2027-01-31/, having('expires', ...NO_DATES)],
    [/"expiry".*expires/, having('expiry', '2027-01-31')],
    [/for other/, [{ ...ENTRY, check: 'other', outcome: 'inconclusive' }]],
  ])('says with %s which entry is wrong: each of %j', async (says, entries) => {
    for (const entry of entries) {
      const message = await refusedEntries({ ...ENTRY, check: 'other' }, entry);
      expect(message).toContain('entries/1');
      expect(message).toMatch(says);
    }
  });

  it.each(['2027-01-31', '2028-02-29', '2020-01-01'])('takes the date %s, whether past or not', async (expires) => {
    expect(await parse({ entries: [{ ...ENTRY, expires }] })).toEqual([{ ...ENTRY, expires }]);
  });
});
