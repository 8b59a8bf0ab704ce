import { addressHints } from './hints/address.ts';
import { factsOf, type Hint, type Symptoms } from './hints/facts.ts';
import { keyHints } from './hints/keys.ts';
import { userHints } from './hints/users.ts';

export type { Hint } from './hints/facts.ts';

/**
 * What looks wrong with the address, the keys or the ids. No verdict depends on a hint. The texts may quote the target, so
 * they may contain keys.
 *
 * @returns the likeliest first: what to look at first; empty if all looks well
 */
export function diagnose(symptoms: Symptoms): Hint[] {
  const facts = factsOf(symptoms);
  const texts = { ...addressHints(facts), ...keyHints(facts), ...userHints(facts) };
  return Object.entries(texts).flatMap(([id, text]) => (text ? [{ id, text }] : []));
}
