import { expect, it } from 'vitest';
import { judgeHostile } from '../../proof/hostile/main.ts';
import { hostileTargets } from '../../proof/hostile/targets.ts';

/** Of each kind that ends soon: what can be read, what cannot, a limit of size, and one that conforms. */
const SAMPLE = ['echo-header', 'wrong-chunks', 'gzip-bomb', 'conforming-slow'];

it.concurrent.each(hostileTargets.filter(({ name }) => SAMPLE.includes(name)))(
  'the target $name is judged within bounds',
  async (target) => {
    const { result, problems } = await judgeHostile(target);
    // The time that it takes beside other tests tells nothing; `npm run hostile` measures it.
    expect(problems.filter((each) => !each.endsWith(' s'))).toEqual([]);
    expect(result?.verdict === 'passed').toBe(target.conforms ?? false);
  },
);
