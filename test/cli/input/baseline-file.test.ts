import { expect, it } from 'vitest';
import { parseBaseline } from '../../../cli/input/baseline-file.ts';
import { UsageError } from '../../../common/process/args.ts';
import { without } from '../../support/exchanges.ts';

const ENTRY = { check: 'update-name', outcome: 'failed', reason: 'known since May' } as const;
const FINDING = { finding: 'auth.key-required', reason: 'known since May' };

it('a baseline gives entries of checks and findings, with and without a date that may be past, in their order', async () => {
  const other = { ...ENTRY, check: 'other', outcome: 'inconclusive' };
  const dated = ['2027-01-31', '2028-02-29', '2020-01-01'].map((expires) => ({ ...ENTRY, check: expires, expires }));
  for (const entries of [[], [FINDING, ENTRY, other, ...dated]])
    expect(await parseBaseline('known.json', JSON.stringify({ entries }))).toEqual(entries);
});

it('a baseline is read as YAML, with comments', async () => {
  const text = `# known\nentries:\n  - check: update-name # ours\n    outcome: failed\n    reason: known since May\n    expires: 2027-01-31\n`;
  expect(await parseBaseline('known.yaml', text)).toEqual([{ ...ENTRY, expires: '2027-01-31' }]);
});

const having = (member: string, ...values: unknown[]) => values.map((value) => ({ ...ENTRY, [member]: value }));

/** Wrong entries; each stands behind a right one. */
const ENTRIES: readonly unknown[] = [
  ...[null, 'update-name', 5, [ENTRY], ENTRY, FINDING],
  ...[without(ENTRY, 'check'), without(ENTRY, 'outcome'), without(ENTRY, 'reason')],
  ...having('check', null, 5, ['update-name']),
  ...having('outcome', 'passed', 'not-applicable', 'error', 'FAILED', '', null, true),
  ...having('reason', '', '   ', null, 5),
  ...having('expires', '2027-1-31', '31.01.2027', '2027-13-01', '2027-00-10', '2027-01-32', '2027-02-30', '2026-02-29'),
  ...having('expires', '2027-01-31T00:00:00Z', 'tomorrow', '', 20270131, null),
  ...having('expiry', '2027-01-31'),
  ...having('somethingElse', 1),
  ...[
    { ...FINDING, outcome: 'failed' },
    { ...FINDING, ...ENTRY },
    { ...FINDING, finding: 5 },
  ],
];
const FILES: readonly string[] = [
  ...[null, [], [ENTRY], 'entries', 5, {}, { entries: {} }, { entries: null }, { checks: [] }].map((each) =>
    JSON.stringify(each),
  ),
  ...['{', '{"entries":[', '{"entries": [}', 'entries: [\n', 'entries: "x', '{ "entries": [], "entries": [] }'],
  ...['entries:\n  - check: a\n    outcome: fialed\n    reason: x\n', '{ "entries": [] ,\n "entires": [] }'],
  ...ENTRIES.map((entry) => JSON.stringify({ entries: [ENTRY, FINDING, entry] })),
];

it('a baseline that is none is refused in one line with the place, as it was reviewed', async () => {
  const lines = FILES.map(async (text) => {
    const error: unknown = await parseBaseline('known.json', text).catch((thrown: unknown) => thrown);
    expect(error, text).toBeInstanceOf(UsageError);
    const [line = '', ...more] = (error as UsageError).lines;
    expect([line, ...more]).toEqual([expect.stringMatching(/^known\.json:\d+:\d+: /)]);
    return `${text.replace(JSON.stringify([ENTRY, FINDING]).slice(1, -1), '…').trimEnd()}\n  ${line}\n`;
  });
  await expect((await Promise.all(lines)).join('\n')).toMatchFileSnapshot('golden/baselines.txt');
});
