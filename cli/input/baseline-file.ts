import { hint } from '../../common/nearest.ts';
import type { BaselineEntry } from '../../conformance/result/verdict.ts';
import { parseData, type Located } from './data-file.ts';
import { readGivenFile, UsageError } from '../../common/args.ts';

const MEMBERS = ['check', 'outcome', 'reason', 'expires'] as const;

/** Date.parse alone takes 30 February for 2 March. */
function isRealDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isRealDay(text);
}

function parseEntry(entry: Located, index: number): BaselineEntry {
  const refuse = (at: string, why: string): never => {
    throw new UsageError(`${at}: entries/${index} ${why}`);
  };
  if (entry.kind !== 'object') return refuse(entry.at, 'must be an object.');
  const unknown = entry.members.find(({ name }) => !MEMBERS.some((member) => member === name));
  if (unknown) {
    const known = hint(unknown.name, MEMBERS) || ` Known are ${MEMBERS.join(', ')}.`;
    return refuse(unknown.at, `has the unknown member "${unknown.name}".${known}`);
  }
  const member = (name: (typeof MEMBERS)[number]): { at: string; value: unknown } => {
    const found = entry.members.find((each) => each.name === name)?.value;
    return { at: found?.at ?? entry.at, value: found?.kind === 'scalar' ? found.value : found };
  };
  const [check, outcome, reason, expires] = MEMBERS.map(member);
  if (typeof check?.value !== 'string') return refuse(check?.at ?? entry.at, 'needs "check", the id of a check.');
  if (outcome?.value !== 'failed' && outcome?.value !== 'inconclusive')
    return refuse(outcome?.at ?? entry.at, 'needs "outcome", which must be failed or inconclusive.');
  if (typeof reason?.value !== 'string' || reason.value.trim() === '')
    return refuse(reason?.at ?? entry.at, 'needs "reason", a text.');
  const said: BaselineEntry = { check: check.value, outcome: outcome.value, reason: reason.value };
  if (expires?.value === undefined) return said;
  if (typeof expires.value !== 'string' || !isDate(expires.value))
    return refuse(expires.at, 'has an "expires" that is no date such as 2027-01-31.');
  return { ...said, expires: expires.value };
}

/**
 * Reads a baseline, as JSON or YAML: `{ "entries": [{ "check", "outcome": "failed" | "inconclusive", "reason", "expires"? }] }`.
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
  if (entries?.kind !== 'list') {
    throw new UsageError(`${entries?.at ?? root.at}: a baseline must be an object with the array "entries".`);
  }
  const seen = new Set<string>();
  return entries.items.map((item, index) => {
    const entry = parseEntry(item, index);
    if (seen.has(entry.check)) {
      throw new UsageError(`${item.at}: entries/${index} is the second entry for ${entry.check}.`);
    }
    seen.add(entry.check);
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
