import { using } from '../common/using.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { matchesGlob } from '../conformance/checks/selection.ts';
import type { RunOptions } from '../conformance/run/events.ts';
import { judgeTarget } from '../conformance/run/run.ts';
import { inputsFor } from './servers/behaviour.ts';
import { isRestored, judgeServer } from './servers/judge.ts';
import { judgeDefect, judgeVariant, levelOf, type Judged } from './judging.ts';
import { judgePatiently } from './patience.ts';
import { defaultSeed } from '../reference-server/seed.ts';
import { judgeStub, type JudgedStub, type Stub } from './servers/stubs.ts';
import type { Defect } from './defect.ts';
import type { Variant } from './variant.ts';

/** Whether nothing speaks against the proof but checks that were inconclusive. */
export function isDefectOpen({ killedBy }: Pick<Defect, 'killedBy'>, judged: Judged): boolean {
  const { problems, verdict, failed, inconclusive } = judged;
  const settled = Object.entries(killedBy).every(([id, mode]) => failed[id] === mode || id in inconclusive);
  const isRecorded = Object.keys(killedBy).length > 0;
  return isRecorded && problems.length > 0 && verdict !== 'error' && settled;
}

/** How servers are judged. */
export interface ProofOptions {
  /** Determines the order in which the checks send their traffic. */
  readonly seed: number;
  /** Whether every server listens on a socket. */
  readonly sockets?: boolean;
}

/**
 * Whether a server says something of a check: it is killed by it, uses a freedom of its requirements, or leaves it inconclusive.
 * A defect of which nothing is recorded yet may be killed by any check of what it breaks.
 */
export function namesCheck(server: Defect | Variant, id: string): boolean {
  const judged = checks.find((check) => check.id === id)?.requirements ?? [];
  if ('killedBy' in server) {
    const isNew = Object.keys(server.killedBy).length === 0;
    return id in server.killedBy || (isNew && server.breaks.some((each) => judged.includes(each)));
  }
  const isLeftOpen = Object.keys(server.inconclusive ?? {}).some((glob) => matchesGlob(glob, id));
  return isLeftOpen || server.about.some((each) => judged.includes(each));
}

/** Judges a server with a defect by the whole suite. */
export function proveDefect(defect: Defect, { seed: orderSeed, sockets = false }: ProofOptions): Promise<Judged> {
  const judgeOnce = async (options: RunOptions): Promise<Judged> => {
    const { result } = await judgeServer(defect, { ...options, failOn: levelOf(defect), orderSeed }, sockets);
    const judged = judgeDefect(defect, result);
    return { ...judged, unrecordable: judgeDefect({ ...defect, killedBy: judged.failed }, result).problems };
  };
  return judgePatiently(judgeOnce, {}, (judged) => isDefectOpen(defect, judged));
}

/** A false failure is never judged again. */
export function isVariantOpen({ problems, verdict, failed }: Judged): boolean {
  return problems.length > 0 && verdict !== 'error' && Object.keys(failed).length === 0;
}

/** Judges a conforming variant by the whole suite, and checks that its users are as they were. */
export function proveVariant(variant: Variant, { seed, sockets = false }: ProofOptions): Promise<Judged> {
  const judgeOnce = async (options: RunOptions): Promise<Judged> => {
    const own = { ...options, failOn: 'should', orderSeed: seed } as const;
    const { result, server } = await judgeServer(variant, own, sockets);
    const judged = judgeVariant(variant, result);
    const left = variant.notRestored || isRestored(server) ? [] : ['its users are not as they were before the run'];
    const { problems } = judgeVariant({ ...variant, inconclusive: judged.inconclusive }, result);
    return { ...judged, problems: [...judged.problems, ...left], unrecordable: [...problems, ...left] };
  };
  return judgePatiently(judgeOnce, variant.limits ?? {}, isVariantOpen);
}

/** Judges a stub server by the whole suite. */
export function proveStub(target: Stub): Promise<JudgedStub> {
  return using(target.start(), ({ url }) => {
    const judgeOnce = async (options: RunOptions): Promise<JudgedStub> =>
      judgeStub(target, await judgeTarget(inputsFor(url, defaultSeed), options));
    // A false pass is not for want of time.
    return judgePatiently(judgeOnce, {}, () => false);
  });
}
