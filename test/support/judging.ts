import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Limits } from '../../conformance/http/limits.ts';
import type { Inputs } from '../../conformance/target/inputs.ts';
import type { Result } from '../../conformance/result/result.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { inputsFor } from '../../proof/behaviour.ts';

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

/** The checks that are not as they are on a conforming target that shows everything, each in one line. */
export function blemishes({ checks }: Result): string[] {
  return checks
    .filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')
    .map(({ id, outcome, detail, failure }) => `${id} ${outcome}: ${failure?.message ?? detail ?? ''}`);
}

/** For targets that give no answer, or one without an end. */
export const SHORT: Partial<Limits> = { timeout: 300, deadline: 2000, maxBody: 1_048_576 };
/** For targets that answer or end the connection at once: on a loaded machine too this must not be taken for silence. */
export const PATIENT: Partial<Limits> = { ...SHORT, timeout: 10_000, deadline: 60_000 };

/** Those checks of effects that must not be passed on a target that stores nothing. */
function praisedEffects({ checks }: Result): string[] {
  const ofEffects = checks.filter(
    ({ id, area, level }) =>
      area === 'update' && level === 'must' && (id.endsWith('-stored') || id.includes('-keeps-')),
  );
  expect(ofEffects.length).toBeGreaterThan(15);
  return ofEffects.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
}

export function suiteErrors({ checks }: Result): string[] {
  return checks.flatMap(({ id, outcome, detail }) => (outcome === 'error' ? [`${id}: ${detail ?? ''}`] : []));
}

export interface Expected {
  readonly verdict: 'inconclusive' | 'failed';
  readonly limits?: Partial<Limits>;
}

/** ms. A run ends by its deadline, and what follows it (restoring, judging) is bounded too; generous, for slow machines. */
const SLACK = 30_000;

/** Judges a target that never keeps the contract: the run ends in time, and says so without praise. */
export async function expectVerdict(baseUrl: string, { verdict, limits = SHORT }: Expected): Promise<Result> {
  const started = performance.now();
  const result = await judge(inputsFor(baseUrl), limits);
  expect(performance.now() - started).toBeLessThan((limits.deadline ?? 0) + SLACK);
  expect(suiteErrors(result)).toEqual([]);
  expect(result.verdict).toBe(verdict);
  expect(praisedEffects(result)).toEqual([]);
  expect(() => JSON.stringify(result)).not.toThrow();
  return result;
}
