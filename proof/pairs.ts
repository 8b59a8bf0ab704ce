/** Puts a second defect into a server that has a common first one: whether one run shows both. */
import { defects } from './catalogue.ts';
import type { Gate } from './gate.ts';
import { brokenIn } from './judge.ts';
import { resists } from './resists.ts';
import type { Defect } from './server.ts';
import type { Behaviour } from './servers/behaviour.ts';
import { judgeInThreads } from './threads.ts';

/** The commonest first faults: the kinds that frameworks make easy. */
const FIRST_FAULTS: readonly string[] = [
  'every-update-answered-201',
  'role-update-refused',
  'email-update-answered-202',
  'update-changes-all-users',
  'user-body-wrapped-in-user',
  'name-update-answered-500',
  'name-update-nulls-email',
  'update-answers-with-old-user',
  'update-replaces-user',
  'name-update-not-stored',
  // FastAPI and Rails by default; drivers that give ids as texts.
  'validation-is-422',
  'user-id-shown-as-text',
];

/** The share of second faults that a run has to show: of all pairs, and beside each first fault. */
const LEAST = { ofAll: 0.9, ofEach: 0.8 };

/** What came of the pairs of one first fault. */
interface Paired {
  readonly first: string;
  readonly shown: number;
  readonly all: number;
  /** The second faults that stayed hidden. */
  readonly hidden: readonly string[];
}

/** Whether a defect can be put beside another one: a run finds it alone, and it changes rules, or what surrounds them, and nothing else. */
function canBePaired({ id, behaviour, inputs }: Defect): boolean {
  const isPlain = (part: string): boolean => part === 'replace' || part === 'around';
  return !inputs && !Object.hasOwn(resists, id) && Object.keys(behaviour).every(isPlain);
}

/** How a server with both faults behaves. The first one, the commoner, is what frameworks do around all else. */
export function withBoth(first: Behaviour, second: Behaviour): Behaviour {
  return {
    replace: (rules, store) => {
      const own = first.replace?.(rules, store) ?? {};
      return { ...own, ...second.replace?.({ ...rules, ...own }, store) };
    },
    around: (handle, store, rules) => {
      const inner = second.around?.(handle, store, rules) ?? handle;
      return first.around?.(inner as typeof handle, store, rules) ?? inner;
    },
  };
}

/** A first fault, the requirements that it breaks alone, and the second ones to put beside it. */
interface Plan {
  readonly first: Defect;
  readonly known: ReadonlySet<string>;
  readonly seconds: readonly Defect[];
}

/** The requirements that a defect breaks, and that are not known to be broken. */
const newTo = ({ known }: Pick<Plan, 'known'>, { breaks }: Defect): string[] =>
  breaks.filter((each) => !known.has(each));

/** @param step each how manieth defect is taken as a second one */
async function plansFor(firsts: readonly Defect[], step: number): Promise<Plan[]> {
  const others = defects.filter(canBePaired).filter((_each, index) => index % step === 0);
  return (await judgeInThreads(firsts)).map(({ job: first, result }) => {
    const known = new Set([...brokenIn(result), ...first.breaks]);
    return { first, known, seconds: others.filter((each) => each !== first && newTo({ known }, each).length > 0) };
  });
}

/** Judges servers with two faults. */
async function judgePairs(plans: readonly Plan[]): Promise<Paired[]> {
  const jobs = plans.flatMap((plan) =>
    plan.seconds.map((second) => ({ id: second.id, first: plan.first.id, due: newTo(plan, second) })),
  );
  const judged = await judgeInThreads(jobs);
  return plans.map(({ first: { id: first }, seconds }) => {
    const hidden = judged
      .filter(({ job, result }) => job.first === first && !job.due.some((each) => brokenIn(result).includes(each)))
      .map(({ job }) => job.id);
    const all = seconds.length;
    return { first, shown: all - hidden.length, all, hidden };
  });
}

/** @throws Error if no defect has this id any more */
function defectOf(wanted: string): Defect {
  const defect = defects.find(({ id }) => id === wanted);
  if (!defect) throw new Error(`proof/pairs.ts: there is no defect ${wanted}`);
  return defect;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * Judges every first fault with second ones.
 *
 * @param step each how manieth defect is taken as the second one; 1: all
 * @returns a gate for each first fault, and one for all pairs
 */
export async function provePairs(isChosen: (id: string) => boolean, step: number): Promise<Gate[]> {
  const firsts = FIRST_FAULTS.map(defectOf).filter(({ id }) => isChosen(id));
  const paired = await judgePairs(await plansFor(firsts, step));
  const total = (of: (each: Paired) => number): number => paired.reduce((sum, each) => sum + of(each), 0);
  const shown = total((each) => each.shown);
  const all = total((each) => each.all);
  const ofAll = shareGate('second faults shown', { shown, all }, LEAST.ofAll);
  return [...paired.map((each) => shareGate(each.first, each, LEAST.ofEach, each.hidden)), ofAll];
}

/** Whether a share is large enough, with the names of what stayed hidden. */
function shareGate(
  title: string,
  { shown, all }: Pick<Paired, 'shown' | 'all'>,
  least: number,
  hidden: readonly string[] = [],
): Gate {
  const told = hidden.length > 0 ? [`hidden: ${hidden.join(', ')}`] : [];
  const isEnough = shown >= all * least;
  return {
    title: `${title}: ${shown} of ${all}, ${percent(shown / all)}`,
    of: all,
    known: isEnough ? told : [],
    faults: isEnough ? [] : [`at least ${percent(least)} are due`, ...told],
  };
}
