import { isDeepStrictEqual } from 'node:util';
import { judgeAgain } from '../conformance/run/run.ts';
import type { RunOptions } from '../conformance/run/events.ts';
import type { Again, Result } from '../conformance/result/result.ts';
import type { Behaviour } from './servers/behaviour.ts';
import { judgeServer } from './servers/judge.ts';
import type { Defect } from './defect.ts';
import { levelOf } from './judging.ts';
import { judgePatiently } from './patience.ts';

/** What a replay showed, and where it is not as it must be. */
export interface Replayed {
  readonly id: string;
  /** Each in one sentence. */
  readonly problems: readonly string[];
}

/**
 * Defects on which a single check is inconclusive: an update stores something wrong only after its response, and which update did
 * that depends on what is sent around it. Never may it pass.
 */
const DEPENDS_ON_OTHERS = '-loses-afterwards-';

/** Defects that show so seldom that a replay, which sends fewer requests than the run, need not meet them. */
const NEED_MORE_REQUESTS: readonly string[] = ['update-ignored-now-and-then'];

/** Whether two results are the same, as their reports have them. */
function isSame(one: Result, other: Result): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/**
 * Judges a server with a defect, and does what the report says: the first check of the first finding fails again by itself, every
 * finding is still there, and on the reference server each is fixed, or not seen again if it came now and then. The recording
 * gives the result of the run.
 */
export function proveReplay(defect: Defect, orderSeed: number): Promise<Replayed> {
  const { id, behaviour, inputs } = defect;
  const attempt = async ({ limits, onEvent }: Pick<RunOptions, 'limits' | 'onEvent'>): Promise<Replayed> => {
    let text = '';
    const judge = async (target: Behaviour, options: RunOptions = {}): Promise<Result> => {
      const judged = await judgeServer(
        { behaviour: target, ...(inputs && { inputs }) },
        {
          ...options,
          failOn: levelOf(defect),
          orderSeed,
          ...(limits && { limits }),
          onEvent: (event) => {
            if (event.type === 'recorded') text = event.text();
            onEvent?.(event);
          },
        },
      );
      return judged.result;
    };
    const result = await judge(behaviour);
    const isRecorded = isSame(result, judgeAgain(id, text));
    const { findings } = result;
    const check = findings[0]?.checks[0];
    if (check === undefined) return { id, problems: ['nothing was found that could be looked for'] };
    const alone = await judge(behaviour, { only: [check] });
    const outcome = alone.checks.find((each) => each.id === check)?.outcome ?? 'left out';
    const expected = id.includes(DEPENDS_ON_OTHERS) ? ['failed', 'inconclusive'] : ['failed'];
    const there = await judge(behaviour, { again: findings });
    const fixed = await judge({}, { again: findings });
    const wrong = (of: Result, wanted: (each: Again) => Again['outcome'], where: string): string[] =>
      (of.again ?? [])
        .filter((each) => each.outcome !== wanted(each))
        .map((each) => `${each.id} is ${each.outcome} ${where}`);
    const silent = (of: Result, where: string): string[] =>
      (of.again ?? [])
        .filter(({ requests }) => requests === 0)
        .map((each) => `${each.id} is ${each.outcome} ${where} by no request`);
    const whereGone = ({ sporadic }: Again) => (sporadic === true ? 'not-seen-again' : 'fixed');
    return {
      id,
      problems: [
        ...(isRecorded ? [] : ['its recording gives another result']),
        ...(expected.includes(outcome) ? [] : [`--only ${check} is ${outcome}`]),
        ...wrong(there, NEED_MORE_REQUESTS.includes(id) ? whereGone : () => 'still-there', 'on the unchanged server'),
        ...silent(there, 'on the unchanged server'),
        ...silent(fixed, 'on the reference server'),
        ...wrong(fixed, whereGone, 'on the reference server'),
      ],
    };
  };
  return judgePatiently(attempt, {}, ({ problems }) => problems.length > 0);
}
