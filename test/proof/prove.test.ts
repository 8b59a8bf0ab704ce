import { describe, expect, it } from 'vitest';
import { requirements } from '../../contract/document.ts';
import { defects, variants } from '../../proof/catalogue.ts';
import { type Gate, linesOf } from '../../proof/gate.ts';
import { checkGate, defectGates, type Proved, variantGates } from '../../proof/prove.ts';
import { proveRounds } from '../../proof/rounds.ts';
import { resists } from '../../proof/resists.ts';
import type { Defect, Variant } from '../../proof/server.ts';
import { falsePasses, stubs } from '../../proof/servers/stubs.ts';

/** A server of the proof with what its run is said to have shown. */
function proved<Server extends Defect | Variant>(
  server: Server,
  failed: readonly string[],
  isRestored = true,
): Proved<Server> {
  const outcome = failed.length > 0 ? 'failed' : 'passed';
  const result = {
    verdict: outcome,
    requirements: failed.map((id) => ({ id, outcome: 'failed' })),
    findings: failed.map((requirement) => ({ requirement, title: 'Something is wrong' })),
    checks: [{ id: 'update-name', outcome }],
  };
  return { server, isRestored, result } as unknown as Proved<Server>;
}

const own = { id: 'x', title: 'It does something.', behaviour: {} };
const breaking = (...breaks: readonly string[]): Defect => ({ ...own, breaks });
const [STORED, MESSAGE] = ['update.sent-fields-change', 'errors.message'];
const faultsOf = (gates: readonly Gate[]): number[] => gates.map(({ faults }) => faults.length);

describe('the gates over defects', () => {
  it('hold where a defect fails what it breaks, and nothing else', () => {
    expect(faultsOf(defectGates([proved(breaking(STORED, MESSAGE), [STORED])]))).toEqual([0, 0, 0, 0, 0]);
  });

  it('count a defect that fails nothing, a must that fails a should alone, and what is blamed for another requirement', () => {
    expect(faultsOf(defectGates([proved(breaking(STORED), [])]))).toEqual([1, 1, 1, 0, 0]);
    expect(faultsOf(defectGates([proved(breaking(STORED, MESSAGE), [MESSAGE])]))).toEqual([0, 1, 0, 0, 0]);
    expect(faultsOf(defectGates([proved(breaking(STORED), [STORED, MESSAGE])]))).toEqual([0, 0, 0, 1, 0]);
    expect(faultsOf(defectGates([proved(breaking(MESSAGE), [STORED])]))).toEqual([0, 0, 1, 1, 0]);
  });

  it('count what is known to resist as missed, with the reason, but not as a fault', () => {
    const [id = '', why = ''] = Object.entries(resists)[0] ?? [];
    const [killed] = defectGates([proved({ ...breaking(STORED), id }, [])]);
    expect(killed).toMatchObject({ of: 1, known: [`${id} resists: ${why}`], faults: [] });
    expect(killed && linesOf(killed)[0]).toMatch(/^✓ defects killed +0 of 1$/);
  });

  it('need every check to kill a defect', () => {
    const { of, faults } = checkGate([proved(breaking(STORED), [STORED])]);
    expect(faults).toHaveLength(of - 1);
  });
});

it('the gates over variants count one that fails, one whose users are not restored without a reason, and one that does not pass', () => {
  const variant: Variant = { ...own, about: [] };
  const excused = { ...variant, notRestored: true } as const;
  const all = [proved(variant, []), proved(variant, [MESSAGE]), proved(variant, [], false), proved(excused, [], false)];
  expect(faultsOf(variantGates(all))).toEqual([2, 1]);
});

it('a stub that passes, or passes a check of what is kept, is counted', () => {
  const run = (verdict: 'passed' | 'failed', id: string) =>
    ({ verdict, checks: [{ id, outcome: 'passed' }] }) as unknown as Parameters<typeof falsePasses>[0];
  expect(falsePasses(run('passed', 'auth-no-key'))).toEqual(['the verdict is passed']);
  expect(falsePasses(run('failed', 'update-name'))).toEqual(['update-name passes']);
  expect(falsePasses(run('failed', 'auth-no-key'))).toEqual([]);
});

describe('the catalogue', () => {
  const ids = [...defects, ...variants, ...stubs].map(({ id }) => id);
  const known = requirements.map(({ id }): string => id);

  it('has each id once, and a sentence as title', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect([...defects, ...variants].filter(({ title }) => !/^[A-Z`0-9“"].*\.$/s.test(title))).toEqual([]);
    expect(Object.keys(resists).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has a defect for each requirement, and names no others', () => {
    expect([...new Set(defects.flatMap(({ breaks }) => breaks))].sort()).toEqual([...known].sort());
    const freedoms = variants.flatMap(({ about }) => about).filter((id) => !id.startsWith('open.'));
    expect(freedoms.filter((id) => !known.includes(id))).toEqual([]);
  });
});

it('the rounds count each run in which a variant fails', async () => {
  // One of each kind that does not let the suite wait.
  const quick = [...variants, ...defects].filter(({ id }) =>
    ['instances-differ-in-words', 'error-message-empty'].includes(id),
  );
  const gates = await proveRounds(
    quick.map((each) => ({ ...each, about: [] })),
    2,
  );
  expect(faultsOf(gates)).toEqual([0, 2]);
});
