/** What takes so many times the usual steps, and so many more, is taken for a loop without end. */
const LOOPS = 10;
const MORE = 10_000;
const NONE = -1;

let stepsLeft = Infinity;
let judgement = 0;

/** What the instrumented sources use. */
const mutants = {
  active: NONE,
  /** How often each mutant was reached, while that is counted. */
  hits: undefined as Uint32Array | undefined,
  step: (ids: readonly number[]): void => {
    const { hits } = mutants;
    if (hits) for (const id of ids) hits[id] = (hits[id] ?? 0) + 1;
    else if ((stepsLeft -= 1) < 0) throw new Error('a loop without end');
  },
  /** The only step of a loop whose body is taken away. */
  reached: (): true => {
    mutants.step([]);
    return true;
  },
  /** As in `common/json.ts`; but what one mutant computed is not for the next one. */
  rememberingEach: <T extends object, V>(make: (each: T) => V, keyOf: (each: T) => object = (each) => each) => {
    let [known, since] = [new WeakMap<object, { readonly value: V }>(), judgement];
    return (each: T): V => {
      if (since !== judgement) [known, since] = [new WeakMap(), judgement];
      const found = known.get(keyOf(each)) ?? { value: make(each) };
      known.set(keyOf(each), found);
      return found.value;
    };
  },
};
Object.assign(globalThis, { mutants });

/** How many mutants were reached, each as often as it was. */
export function stepsOf(hits: Uint32Array): number {
  return hits.reduce((sum, each) => sum + each, 0);
}

function begin(id: number, steps: number): void {
  mutants.active = id;
  stepsLeft = LOOPS * steps + MORE;
  judgement += 1;
}

/** Does something with a mutant switched on, which is `hits` without it. */
export async function withMutant<T>(id: number, hits: Uint32Array, act: () => T | Promise<T>): Promise<T> {
  begin(id, stepsOf(hits));
  try {
    return await act();
  } finally {
    begin(NONE, Infinity);
  }
}

/** Counts how often each mutant is reached, without any, until the function is called that this returns. */
export function countHits(count: number): () => Uint32Array {
  const hits = new Uint32Array(count);
  mutants.hits = hits;
  begin(NONE, Infinity);
  return () => {
    mutants.hits = undefined;
    return hits;
  };
}
