import { hint } from '../../common/nearest.ts';
import type { BaselineEntry } from '../../conformance/result/verdict.ts';
import { parseData, plainValue, type Located } from './data-file.ts';
import { readGivenFile, UsageError } from '../../common/process/args.ts';

/** Date.parse alone takes 30 February for 2 March. */
function isRealDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isRealDay(text);
}

type Member = readonly [takes: (value: unknown) => boolean, problem: string];

/** The members of each kind of entry: which values they take, and what to say of any other. */
const OF_CHECK: Readonly<Record<'check' | 'outcome', Member>> = {
  check: [(value) => typeof value === 'string', 'needs "check", the id of a check, or "finding", the id of a finding.'],
  outcome: [
    (value) => value === 'failed' || value === 'inconclusive',
    'needs "outcome", which must be failed or inconclusive.',
  ],
};
const OF_FINDING: Readonly<Record<'finding' | 'outcome', Member>> = {
  finding: [(value) => typeof value === 'string', 'needs "finding", the id of a finding.'],
  outcome: [(value) => value === undefined, 'has "outcome", which is for checks only: a finding is always a failure.'],
};
const TERMS: Readonly<Record<'reason' | 'expires', Member>> = {
  reason: [(value) => typeof value === 'string' && value.trim() !== '', 'needs "reason", a text.'],
  expires: [
    (value) => value === undefined || (typeof value === 'string' && isDate(value)),
    'has an "expires" that is no date such as 2027-01-31.',
  ],
};

function parseEntry(entry: Located, index: number): BaselineEntry {
  const refuse = (at: string, why: string): never => {
    throw new UsageError(`${at}: entries/${index} ${why}`);
  };
  if (entry.kind !== 'object') return refuse(entry.at, 'must be an object.');
  const { members } = entry;
  const isOf = (name: string): boolean => members.some((each) => each.name === name);
  if (isOf('check') && isOf('finding')) return refuse(entry.at, 'has "check" and "finding"; write an entry for each.');
  const rules: Readonly<Record<string, Member>> = { ...(isOf('finding') ? OF_FINDING : OF_CHECK), ...TERMS };
  const names = ['check', 'finding', 'outcome', 'reason', 'expires'];
  const unknown = members.find(({ name }) => !names.includes(name));
  if (unknown) {
    const known = hint(unknown.name, names) || ` Known are ${names.join(', ')}.`;
    return refuse(unknown.at, `has the unknown member "${unknown.name}".${known}`);
  }
  for (const [name, [takes, problem]] of Object.entries(rules)) {
    const value = members.find((each) => each.name === name)?.value;
    if (!takes(value && plainValue(value))) refuse(value?.at ?? entry.at, problem);
  }
  return plainValue(entry) as BaselineEntry;
}

/**
 * Reads a baseline, as JSON or YAML: `{ "entries": [{ "check", "outcome": "failed" | "inconclusive", "reason", "expires"? }] }`,
 * or with `"finding"` in place of `"check"` and `"outcome"`.
 *
 * @param file its name, for messages
 * @throws UsageError that names file, line and entry
 */
export async function parseBaseline(file: string, text: string): Promise<BaselineEntry[]> {
  const root = await parseData(file, text);
  const members = root.kind === 'object' ? root.members : [];
  const other = members.find(({ name }) => name !== 'entries');
  if (other)
    throw new UsageError(`${other.at}: a baseline has the array "entries" and nothing else; here is "${other.name}".`);
  const entries = members.find(({ name }) => name === 'entries')?.value;
  if (entries?.kind !== 'list')
    throw new UsageError(`${entries?.at ?? root.at}: a baseline must be an object with the array "entries".`);
  const seen = new Set<string>();
  return entries.items.map((item, index) => {
    const entry = parseEntry(item, index);
    const id = entry.check ?? entry.finding;
    if (seen.has(id)) throw new UsageError(`${item.at}: entries/${index} is the second entry for ${id}.`);
    seen.add(id);
    return entry;
  });
}

/**
 * Reads a baseline file.
 *
 * @param option that names it, for messages
 * @throws UsageError if it cannot be read, or is no baseline
 */
export async function readBaseline(option: string, path: string): Promise<BaselineEntry[]> {
  return parseBaseline(path, readGivenFile(option, path));
}
