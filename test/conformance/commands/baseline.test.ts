import { describe, expect, it } from 'vitest';
import { parseBaseline } from '../../../conformance/commands/baseline.ts';
import { UsageError } from '../../../conformance/commands/usage.ts';
import { messageOf, without } from '../../support/exchanges.ts';

const ENTRY = { check: 'update-name', outcome: 'failed', reason: 'known since May' } as const;

const parse = (value: unknown) => parseBaseline('known.json', JSON.stringify(value));

/** The message, which is one line and names option and file. */
function refusal(text: string): string {
  const message = messageOf(UsageError, () => parseBaseline('known.json', text));
  expect(message).toMatch(/^--baseline known\.json: /);
  expect(message).not.toMatch(/[\r\n]/);
  return message;
}

const refusedEntries = (...entries: unknown[]): string => refusal(JSON.stringify({ entries }));

describe('parseBaseline', () => {
  it('reads entries with and without a date, in their order', () => {
    const entries = [ENTRY, { ...ENTRY, check: 'other', outcome: 'could-not-run', expires: '2027-01-31' }];
    expect(parse({ entries })).toEqual(entries);
    expect(Object.keys(parse({ entries })[0] ?? {})).not.toContain('expires');
  });

  it('reads a baseline without entries', () => {
    expect(parse({ entries: [] })).toEqual([]);
  });

  it.each(['', '{', '{"entries":[],}', 'entries: []', 'entries:\n- check: update-name\n', "{\n  'entries': []\n}"])(
    'refuses what is not JSON: %j',
    (text) => {
      expect(refusal(text)).toContain('not JSON');
    },
  );

  it.each([null, [], [ENTRY], 'entries', 5, {}, { entries: {} }, { entries: null }, { checks: [] }])(
    'refuses what is no object with entries: %j',
    (value) => {
      expect(refusal(JSON.stringify(value))).toContain('"entries"');
    },
  );

  it.each([null, 'update-name', 5, [ENTRY]])('refuses an entry that is no object: %j', (entry) => {
    expect(refusedEntries(ENTRY, entry)).toContain('entries/1');
  });

  it('refuses an unknown member, and names those that are known', () => {
    const message = refusedEntries({ ...ENTRY, expiry: '2027-01-31' });
    expect(message).toContain('entries/0');
    expect(message).toContain('"expiry"');
    expect(message).toContain('expires');
  });

  it.each(['check', 'outcome', 'reason'] as const)('refuses an entry without "%s"', (member) => {
    const message = refusedEntries(without(ENTRY, member));
    expect(message).toContain('entries/0');
    expect(message).toContain(`"${member}"`);
  });

  it.each(['passed', 'not-applicable', 'suite-fault', 'FAILED', '', null, true])(
    'refuses the outcome %j',
    (outcome) => {
      expect(refusedEntries({ ...ENTRY, outcome })).toContain('failed or could-not-run');
    },
  );

  it.each(['', '   ', null, 5])('refuses the reason %j', (reason) => {
    expect(refusedEntries({ ...ENTRY, reason })).toContain('"reason"');
  });

  it.each([null, 5, ['update-name']])('refuses the check %j', (check) => {
    expect(refusedEntries({ ...ENTRY, check })).toContain('"check"');
  });

  it.each([
    '2027-1-31',
    '31.01.2027',
    '2027-13-01',
    '2027-00-10',
    '2027-01-32',
    '2027-02-30',
    '2026-02-29',
    '2027-01-31T00:00:00Z',
    'tomorrow',
    '',
    20270131,
    null,
  ])('refuses the date %j', (expires) => {
    expect(refusedEntries({ ...ENTRY, expires })).toContain('2027-01-31');
  });

  it.each(['2027-01-31', '2028-02-29', '2020-01-01'])('takes the date %s, whether past or not', (expires) => {
    expect(parse({ entries: [{ ...ENTRY, expires }] })).toEqual([{ ...ENTRY, expires }]);
  });

  it('refuses two entries for one check, and names it', () => {
    expect(refusedEntries(ENTRY, { ...ENTRY, outcome: 'could-not-run' })).toMatch(/entries\/1.*update-name/);
  });
});
