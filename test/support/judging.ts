import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Limits } from '../../conformance/http/policy/limits.ts';
import type { Inputs } from '../../conformance/resources/inputs.ts';
import type { Result } from '../../conformance/result/result.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { inputsFor, type Behaviour } from '../../proof/servers/behaviour.ts';
import { judgeServer } from '../../proof/servers/judge.ts';
import { suiteErrors } from '../../proof/judging.ts';
import { isWithin } from './patience.ts';

/** Judges a target; its journal goes to a folder that is removed afterwards, and is given to `look` before. */
export async function judge(
  inputs: Inputs,
  limits: Partial<Limits> = {},
  look: (journal: string) => void = () => undefined,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  const journal = join(folder, 'journal.json');
  try {
    const result = await judgeTarget(inputs, { limits, journal });
    look(journal);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Judges a server of the proof; `sent` has the purposes of the requests, in their order. */
export async function judgeBehaviour(behaviour: Behaviour, options: RunOptions = {}) {
  const sent: string[] = [];
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.type === 'exchange') sent.push(event.exchange.request.purpose);
    options.onEvent?.(event);
  };
  return { ...(await judgeServer({ behaviour }, { ...options, onEvent })), sent };
}

/** For targets that are silent, or whose responses have no end. */
export const SHORT = { timeout: 300, deadline: 2000, maxBody: 1_048_576 } satisfies Partial<Limits>;
/** For targets that respond or close the connection at once: however slow the machine is, no limit decides what is seen. */
export const PATIENT: typeof SHORT = { ...SHORT, timeout: 600_000, deadline: 1_800_000 };

/**
 * Judges with more and more patience until the target has done what the test is about: on a slow machine a run with short
 * limits may end before.
 */
export async function untilMet<T>(
  limits: typeof SHORT,
  judgeWith: (limits: typeof SHORT) => Promise<T>,
  isMet: (judged: T) => boolean,
): Promise<T> {
  for (let times = 1; ; times *= 4) {
    const own = { ...limits, timeout: limits.timeout * times, deadline: limits.deadline * times };
    const judged = await judgeWith(own);
    if (isMet(judged) || times > 64) return judged;
  }
}

/** Whether a time-out ended a request: at a target that responds or ends the connection at once, that is the machine's doing. */
export function hasTimedOut({ checks }: Result): boolean {
  return checks.some(({ exchanges }) => exchanges.some(({ transportError }) => transportError?.kind === 'timeout'));
}

/** The checks of effects that pass; on a target that stores nothing, none may. */
function passedEffects({ checks }: Result): string[] {
  const ofEffects = checks.filter(
    ({ id, area, level }) =>
      area === 'update' && level === 'must' && (id.endsWith('-stored') || id.includes('-keeps-')),
  );
  expect(ofEffects.length).toBeGreaterThan(15);
  return ofEffects.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
}

export interface Expected {
  readonly verdict: 'inconclusive' | 'failed';
  readonly limits?: typeof SHORT;
}

/** ms on a free core. A run ends by its deadline, and what follows it (restoring, judging) is bounded too. */
const SLACK = 30_000;

/** Judges a target that breaks the whole contract: the run ends in bounded time, and passes no effect. */
export async function expectVerdict(baseUrl: string, { verdict, limits = SHORT }: Expected): Promise<Result> {
  const judgeInTime = async (own: typeof SHORT): Promise<Result> => {
    const started = performance.now();
    const result = await judge(inputsFor(baseUrl), own);
    expect(isWithin(performance.now() - started, own.deadline + SLACK)).toBe(true);
    return result;
  };
  const isCutShort = (result: Result): boolean =>
    result.verdict === 'inconclusive' && result.checks.some(({ reason }) => reason === 'deadline');
  const result = await untilMet(limits, judgeInTime, (judged) => judged.verdict === verdict || !isCutShort(judged));
  expect(suiteErrors(result)).toEqual([]);
  expect(result.verdict).toBe(verdict);
  expect(passedEffects(result)).toEqual([]);
  expect(() => JSON.stringify(result)).not.toThrow();
  return result;
}
