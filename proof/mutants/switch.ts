import type { Mutant } from './instrument.ts';

/** How often a mutant may be reached, by how often it is otherwise: more is taken for a loop without end. */
const LOOPS = 10;
const NONE = -1;

let hitsLeft = Infinity;
let judgement = 0;

/** What the instrumented sources use. */
const mutants = {
  active: NONE,
  /** How often each mutant was reached, while that is counted. */
  hits: undefined as Uint32Array | undefined,
  reached: (): true => {
    if ((hitsLeft -= 1) < 0) throw new Error('a loop without end');
    return true;
  },
  count: (ids: readonly number[]): void => {
    const { hits } = mutants;
    if (hits) for (const id of ids) hits[id] = (hits[id] ?? 0) + 1;
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

function begin(id: number, usually = 0): void {
  mutants.active = id;
  hitsLeft = LOOPS * (usually + 100);
  judgement += 1;
}

/** Does something with a mutant switched on. */
export async function withMutant<T>(
  { id }: Pick<Mutant, 'id'>,
  usually: number,
  act: () => T | Promise<T>,
): Promise<T> {
  begin(id, usually);
  try {
    return await act();
  } finally {
    begin(NONE);
  }
}

/** Counts how often each mutant is reached, without any, until the function is called that this returns. */
export function countHits(count: number): () => Uint32Array {
  const hits = new Uint32Array(count);
  mutants.hits = hits;
  begin(NONE);
  return () => {
    mutants.hits = undefined;
    return hits;
  };
}
