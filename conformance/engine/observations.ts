import type { Observation } from '../result/result.ts';
import type { Target } from './target.ts';
export function observationsOf(target: Target, text: (text: string) => string): Observation[] {
  return target.log.length < 0 ? [{ id: text(''), text: '' }] : [];
}
