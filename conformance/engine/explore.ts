import { hash, randomInt } from 'node:crypto';
import { judgeRow } from './alone.ts';
import { check } from './check.ts';
import type { Updatable } from '../users/differences.ts';
import type { Attempt } from './attempt.ts';
import type { Problem } from '../facts/outcome.ts';
import type { Target } from '../users/target.ts';

interface Step {
  /** Which of the named users. */
  readonly user: number;
  readonly members: readonly Updatable[];
}

const [SHORTEST, LONGEST] = [3, 10];

/** Random numbers from 0 to 1 that a seed determines. */
function randomBy(seed: number): () => number {
  let count = 0;
  return () => parseInt(hash('sha256', `${seed} ${(count += 1)}`).slice(0, 8), 16) / 2 ** 32;
}

function makeSequence(random: () => number, length: number, { ids, sendable }: Target): Step[] {
  return Array.from({ length }, () => {
    const some = sendable.filter(() => random() < 0.5);
    return { user: Math.floor(random() * ids.length), members: some.length > 0 ? some : ['name'] };
  });
}

/**
 * Tries random sequences of updates (`--explore`), the shortest first, each update judged as a plain one.
 *
 * @param count how many sequences
 * @param seed repeats the sequences of an earlier run; default a random one
 * @returns what is wrong with the first that fails; nothing if none does
 */
export async function explore(target: Target, count: number, seed = randomInt(2 ** 31)): Promise<readonly Problem[]> {
  const random = randomBy(seed);
  for (let index = 0; index < count; index += 1) {
    const steps = makeSequence(random, SHORTEST + (index % (LONGEST - SHORTEST + 1)), target);
    let sent: Step[] = [];
    const run = async (attempt: Attempt): Promise<void> => {
      sent = [];
      for (const step of steps) {
        sent.push(step);
        const user = attempt.users[step.user];
        await user?.accepts(user.newValues(step.members));
        if (attempt.problems.length > 0) return;
      }
    };
    const sequence = check('explore', { title: 'Updates in any order', requirement: 'update.sent-fields-change', run });
    const { problems } = await judgeRow(target, sequence, run);
    const words = sent.map(({ user, members }) => `user ${target.ids[user] ?? ''}: ${members.join(', ')}`);
    const after = `(after the updates ${words.join('; ')}; --seed ${seed})`;
    if (problems.length > 0) return problems.map((each) => ({ ...each, check: '', title: `${each.title} ${after}` }));
  }
  return [];
}
