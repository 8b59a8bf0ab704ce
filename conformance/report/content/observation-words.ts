import type { Result } from '../../result/result.ts';

type Observation = Result['observations'][number];

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueWords).join(', ');
  // In quotes where it would run into what stands around it.
  return typeof value === 'string' && /^[^\s,;"](?:[^,;"]*[^\s,;"])?$/.test(value) ? value : JSON.stringify(value);
}

function detailWords(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return valueWords(detail);
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join('; ');
}

/** What follows the sentence of an observation, which lost its full stop: the values that were seen, if there are any. */
export function detailText(detail: unknown): string {
  return detail === undefined ? '.' : `: ${detailWords(detail)}.`;
}

/** What was observed, as one sentence about the target. */
export function observationWords({ text, detail }: Observation): string {
  return text.replace(/\.$/, '') + detailText(detail);
}
