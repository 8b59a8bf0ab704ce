import { factsOf, type Hint, type Symptoms } from './facts.ts';
import { HINTS } from './table.ts';

export type { Hint } from './facts.ts';

/**
 * What looks wrong with the address, the keys or the ids. The texts may quote the target, so they may contain keys. A hint is a
 * guess; only that something else than the API responds at all (a gateway, a login, a server of files) keeps a run from a verdict.
 *
 * @returns the hints, the likeliest first, and whether what responds is not the API
 */
export function diagnose(symptoms: Symptoms) {
  const facts = factsOf(symptoms);
  const excluded = new Set<string>();
  const hints: Hint[] = [];
  let isAnother = false;
  for (const { id, about, seen, excludes = [], isNotTheApi } of HINTS) {
    if (excluded.has(about)) continue;
    const text = seen(facts);
    if (text === undefined) continue;
    hints.push({ id, text });
    for (const each of excludes) excluded.add(each);
    isAnother ||= isNotTheApi === true && facts.nothingWorks;
  }
  return { hints, isAnother };
}
