import { isDeepStrictEqual } from 'node:util';
import type { Limits } from '../conformance/http/limits.ts';
import { judgeTarget } from '../conformance/run/run.ts';
import { inputsFor, startBehaviour, type RunningBehaviour } from './behaviour.ts';
import { judgeDefect, judgeVariant, levelOf, type Judged } from './judging.ts';
import { defaultSeed } from '../reference-server/seed.ts';
import { judgeStub, type JudgedTrivial, type Stub } from './stubs.ts';
import type { Defect } from './defect.ts';
import type { Variant } from './variant.ts';

/** ms, bytes. Servers of the proof are near, and some never answer. */
const LIMITS: Partial<Limits> = { timeout: 5_000, deadline: 60_000 };

async function withBehaviour<T>(
  { behaviour }: Pick<Defect, 'behaviour'>,
  use: (server: RunningBehaviour) => Promise<T>,
): Promise<T> {
  const server = await startBehaviour(behaviour);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** Judges a broken server with the whole suite. */
export async function proveDefect(defect: Defect, orderSeed: number): Promise<Judged> {
  return withBehaviour(defect, async ({ url, seed }) => {
    const inputs = inputsFor(url, seed, defect.inputs);
    return judgeDefect(defect, await judgeTarget(inputs, { failOn: levelOf(defect), limits: LIMITS, orderSeed }));
  });
}

function strangers({ seed, store }: RunningBehaviour): string[] {
  const before = new Map(seed.users.map((user) => [user.id, user]));
  return isDeepStrictEqual(before, store.users) ? [] : ['its users are not as they were before the run'];
}

/** A busy machine may let no two updates overlap; this says nothing of the server. What accuses it is never among it. */
function isForWantOfTime({ problems }: Judged): boolean {
  return (
    problems.length > 0 &&
    problems.every((each) => /^update-concurrent-\w+ was inconclusive \(not-observable/.test(each))
  );
}

/** Judges a lawful server with the whole suite, and looks whether its users are as they were. */
export async function proveVariant(variant: Variant, orderSeed: number): Promise<Judged> {
  const judged = await proveVariantOnce(variant, orderSeed);
  return isForWantOfTime(judged) ? proveVariantOnce(variant, orderSeed) : judged;
}

async function proveVariantOnce(variant: Variant, orderSeed: number): Promise<Judged> {
  return withBehaviour(variant, async (server) => {
    const inputs = inputsFor(server.url, server.seed, variant.inputs);
    const limits = { ...LIMITS, ...variant.limits };
    const result = await judgeTarget(inputs, { failOn: 'should', limits, orderSeed });
    const judged = judgeVariant(variant, result);
    return { ...judged, problems: [...judged.problems, ...(variant.notPutBack ? [] : strangers(server))] };
  });
}

/** Judges a server without sense with the whole suite. */
export async function proveStub(target: Stub): Promise<JudgedTrivial> {
  const { url, close } = await target.start();
  try {
    return judgeStub(target, await judgeTarget(inputsFor(url, defaultSeed), { limits: LIMITS }));
  } finally {
    await close();
  }
}

/**
 * Does something with each item, several at once.
 *
 * @returns in the order of the items
 */
export async function inParallel<T, R>(items: readonly T[], many: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  const queue = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await act(next[1]);
  };
  await Promise.all(Array.from({ length: many }, work));
  return results;
}
