/** Tells once how checks were run in spite of what is broken. */
import { filled } from '../../common/text.ts';
import type { JudgedCheck } from '../engine/judge.ts';
import type { Workaround } from '../engine/workarounds.ts';
import type { WorkaroundNote } from '../facts/result.ts';

const TEXTS: Readonly<Record<Workaround, string>> = {
  status: 'the suite takes the status that your server gives for an accepted update.',
  envelope: 'the suite takes the user out of its envelope.',
  'all-members': 'each update sends {members}.',
  reading: 'the suite reads the user again instead of relying on the response to an update.',
  'own-user': 'the suite does not look at the other user.',
};

/**
 * The ways in which checks were run in spite of what is broken.
 *
 * @param together the members that each update sent where that was the way
 */
export function workaroundsOf(checks: readonly JudgedCheck[], together: readonly string[]): WorkaroundNote[] {
  const members = together.map((each) => `\`${each}\``).join(', ');
  const ways = Object.entries(TEXTS).map(([id, text]): WorkaroundNote => {
    const own = checks.filter(({ outcome }) => outcome.around?.includes(id));
    return { id, text: filled(text, { members }), checks: own.length };
  });
  return ways.filter((each) => each.checks > 0);
}
