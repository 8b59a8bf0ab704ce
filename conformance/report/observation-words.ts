import type { Observation } from '../observations.ts';

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueWords).join(', ');
  // In quotes where it would run into what stands around it.
  return typeof value === 'string' && /^[^\s,;"](?:[^,;"]*[^\s,;"])?$/.test(value) ? value : JSON.stringify(value);
}

/** What was seen, in words, where the sentence says that there is more. */
export function detailWords(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return valueWords(detail);
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join('; ');
}

/** What was observed, as one sentence about the target: its detail stands behind a colon. */
export function observationWords({ text, detail }: Observation): string {
  return detail === undefined ? text : `${text.replace(/\.$/, '')}: ${detailWords(detail)}.`;
}
