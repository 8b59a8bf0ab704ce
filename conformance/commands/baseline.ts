import { isRecord } from '../exchange.ts';
import type { BaselineEntry } from '../verdict.ts';
import { UsageError } from './usage.ts';

const MEMBERS = ['check', 'outcome', 'reason', 'expires'];

/** Date.parse alone takes 30 February for 2 March. */
function isRealDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isRealDay(text);
}

/**
 * Reads a baseline file: `{ "entries": [{ "check", "outcome": "failed" | "could-not-run", "reason", "expires"? }] }`.
 *
 * @throws UsageError that names the file and the entry
 */
export function parseBaseline(path: string, text: string): BaselineEntry[] {
  const refuse = (why: string): never => {
    throw new UsageError(`--baseline ${path}: ${why}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    refuse(`it is not JSON: ${(error as Error).message}.`);
  }
  const entries = isRecord(value) ? value.entries : undefined;
  if (!Array.isArray(entries)) return refuse('it must be an object with the array "entries".');
  const seen = new Set<string>();
  return entries.map((entry: unknown, index) => {
    const at = `entries/${index}`;
    if (!isRecord(entry)) return refuse(`${at} must be an object.`);
    const unknown = Object.keys(entry).find((member) => !MEMBERS.includes(member));
    if (unknown !== undefined) refuse(`${at} has the unknown member "${unknown}"; known are ${MEMBERS.join(', ')}.`);
    const { check, outcome, reason, expires } = entry;
    if (typeof check !== 'string') return refuse(`${at} needs "check", the id of a check.`);
    if (seen.has(check)) refuse(`${at}: there are two entries for ${check}.`);
    seen.add(check);
    if (outcome !== 'failed' && outcome !== 'could-not-run')
      return refuse(`${at}: "outcome" must be failed or could-not-run.`);
    if (typeof reason !== 'string' || reason.trim() === '') return refuse(`${at} needs "reason", a text.`);
    if (expires === undefined) return { check, outcome, reason };
    if (typeof expires !== 'string' || !isDate(expires))
      return refuse(`${at}: "expires" must be a date such as 2027-01-31.`);
    return { check, outcome, reason, expires };
  });
}
