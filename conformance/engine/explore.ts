import { randomInt } from 'node:crypto';
import type { Updatable } from './compare.ts';
import { On } from './on.ts';
import { Inconclusive, type Problem } from './outcome.ts';
import { renewUsers } from './renew.ts';
import type { Target } from './target.ts';

interface Step {
  /** Which of the named users. */
  readonly user: number;
  readonly members: readonly Updatable[];
}

const [SHORTEST, LONGEST] = [3, 10];
const CHECK = { id: 'explore', requirement: 'update.sent-fields-change' };

/** Random numbers from 0 to 1 that a seed determines (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function makeSequence(random: () => number, users: number, members: readonly Updatable[]): Step[] {
  const length = SHORTEST + Math.floor(random() * (LONGEST - SHORTEST + 1));
  return Array.from({ length }, () => {
    const some = members.filter(() => random() < 0.5);
    return { user: Math.floor(random() * users), members: some.length > 0 ? some : ['name'] };
  });
}

/** Sends a sequence, each update judged as a plain one, and returns what is wrong first. */
async function problemsOf(target: Target, steps: readonly Step[]): Promise<readonly Problem[]> {
  await renewUsers(target);
  const on = new On(target, CHECK);
  try {
    for (const { user: index, members } of steps) {
      const user = on.users[index];
      if (user) await user.accepts(user.newValues(members));
      if (on.problems.length > 0) break;
    }
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
  }
  target.audit.conclude(() => false);
  return on.problems;
}

/**
 * Tries random sequences of updates (`--explore`), and shortens the first that fails.
 *
 * @param count how many sequences
 * @param seed repeats the sequences of an earlier run; default a random one
 * @returns what is wrong with the shortened sequence; nothing if no sequence failed
 */
export async function explore(target: Target, count: number, seed = randomInt(2 ** 31)): Promise<readonly Problem[]> {
  const random = randomBy(seed);
  for (let index = 0; index < count; index += 1) {
    let steps: readonly Step[] = makeSequence(random, target.ids.length, target.sendable);
    const [found] = await problemsOf(target, steps);
    if (!found) continue;
    const problemsAgain = async (some: readonly Step[]): Promise<readonly Problem[]> =>
      (await problemsOf(target, some)).filter(({ requirement }) => requirement === found.requirement);
    // Without each step that it does not need.
    for (const step of steps.toReversed()) {
      const without = steps.filter((each) => each !== step);
      if ((await problemsAgain(without)).length > 0) steps = without;
    }
    const words = steps.map(({ user, members: sent }) => `user ${target.ids[user] ?? ''}: ${sent.join(', ')}`);
    const after = `(after the updates ${words.join('; ')}; --seed ${seed})`;
    return (await problemsAgain(steps)).map((each) => ({ ...each, check: '', title: `${each.title} ${after}` }));
  }
  return [];
}
