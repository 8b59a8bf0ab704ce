import { describe, expect, it } from 'vitest';
import { requirements } from '../../contract/document.ts';
import { called, defects, variants } from '../../proof/catalogue.ts';
import { chosenBy } from '../../proof/chosen.ts';
import { checkGate, defectGates, type Gate, isOpen, type Proved, variantGate } from '../../proof/gates.ts';
import { judgeServer } from '../../proof/judge.ts';
import { prove } from '../../proof/prove.ts';
import { resists } from '../../proof/resists.ts';
import type { Defect, Variant } from '../../proof/server.ts';
import { falsePasses, stubs } from '../../proof/servers/stubs.ts';

type Outcome = 'passed' | 'failed';

/** A server of the proof with what its run is said to have shown. */
function proved<Server extends Defect | Variant>(
  server: Server,
  failed: readonly string[],
  isRestored = true,
): Proved<Server> {
  const outcome: Outcome = failed.length > 0 ? 'failed' : 'passed';
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
const variant = (more: Partial<Variant> = {}): Variant => ({ ...own, about: [], ...more });
const [STORED, MESSAGE] = ['update.sent-fields-change', 'errors.message'];
const brokenOf = (gates: readonly Gate[]): number[] => gates.map(({ broken }) => broken.length);

describe('the gates over defects', () => {
  it('are open where a defect fails what it breaks, and nothing else', () => {
    expect(brokenOf(defectGates([proved(breaking(STORED, MESSAGE), [STORED])]))).toEqual([0, 0, 0, 0, 0]);
  });

  it('count a defect that fails nothing, a must that fails a should alone, and what is blamed for another requirement', () => {
    expect(brokenOf(defectGates([proved(breaking(STORED), [])]))).toEqual([1, 1, 1, 0, 0]);
    expect(brokenOf(defectGates([proved(breaking(STORED, MESSAGE), [MESSAGE])]))).toEqual([0, 1, 0, 0, 0]);
    expect(brokenOf(defectGates([proved(breaking(STORED), [STORED, MESSAGE])]))).toEqual([0, 0, 0, 1, 0]);
    expect(brokenOf(defectGates([proved(breaking(MESSAGE), [STORED])]))).toEqual([0, 0, 1, 1, 0]);
  });

  it('need every check to kill a defect', () => {
    const { held, broken } = checkGate([proved(breaking(STORED), [STORED])]);
    expect(held).toBe(1);
    expect(broken).not.toContain('update-name');
  });
});

it('the gate over variants counts one that fails, and one whose users are not restored without a reason', () => {
  const all = [
    proved(variant(), []),
    proved(variant(), [MESSAGE]),
    proved(variant(), [], false),
    proved(variant({ notRestored: true }), [], false),
  ];
  expect(variantGate(all).broken.length).toBe(2);
});

it('a gate is open if enough of the servers do as they should', () => {
  const gate = { title: '', broken: [], least: 0.99 };
  expect(isOpen({ ...gate, held: 99, of: 100 })).toBe(true);
  expect(isOpen({ ...gate, held: 98, of: 100 })).toBe(false);
  expect(isOpen({ ...gate, held: 0, of: 0 })).toBe(true);
});

it('a stub that passes, or passes a check of what is kept, is counted', () => {
  const run = (verdict: 'passed' | 'failed', id: string) =>
    ({ verdict, checks: [{ id, outcome: 'passed' }] }) as unknown as Parameters<typeof falsePasses>[0];
  expect(falsePasses(run('passed', 'auth-no-key'))).toEqual(['the verdict is passed']);
  expect(falsePasses(run('failed', 'update-name'))).toEqual(['update-name passes']);
  expect(falsePasses(run('failed', 'auth-no-key'))).toEqual([]);
});

it('names are chosen by globs', () => {
  const isChosen = chosenBy(['name-*', 'a.b']);
  expect(['name-x', 'x-name-', 'a.b', 'axb'].map(isChosen)).toEqual([true, false, true, false]);
  expect(chosenBy([])('anything')).toBe(true);
});

describe('the catalogue', () => {
  const ids = [...defects, ...variants, ...stubs].map(({ id }) => id);

  it('has each id once, and a sentence as title', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect([...defects, ...variants].filter(({ title }) => !/^[A-Z`0-9“"].*\.$/s.test(title))).toEqual([]);
  });

  it('names requirements of the contract', () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(defects.flatMap(({ breaks }) => breaks).filter((id) => !known.has(id))).toEqual([]);
    const freedoms = variants.flatMap(({ about }) => about).filter((id) => !id.startsWith('open.'));
    expect(freedoms.filter((id) => !known.has(id))).toEqual([]);
  });

  it('has a defect for each requirement', () => {
    const broken = new Set(defects.flatMap(({ breaks }) => breaks));
    expect(requirements.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it('has what resists', () => {
    expect(Object.keys(resists).filter((id) => !defects.some((each) => each.id === id))).toEqual([]);
  });

  it('finds servers by id', () => {
    expect(called(variants, 'banners-none').id).toBe('banners-none');
    expect(() => called(defects, 'nothing')).toThrow('The proof has no server nothing.');
  });
});

it.each(['name-update-nulls-email', 'banners-in-bare-array', 'error-shows-node-stack'])(
  'the defect %s is killed by what it breaks alone',
  async (id) => {
    const defect = called(defects, id);
    const { result, isRestored } = await judgeServer(defect);
    const failed = result.requirements.filter(({ outcome }) => outcome === 'failed').map((each) => each.id);
    expect(failed).toEqual(defect.breaks);
    expect(isRestored).toBe(true);
  },
);

it('a part of the proof holds, with a variant on a socket and a stub', async () => {
  const gates = await prove(chosenBy(['early-hints', 'update-echoes-only', 'always-401']), false);
  expect(gates.filter((gate) => !isOpen(gate))).toEqual([]);
  expect(gates.reduce((sum, { of }) => sum + of, 0)).toBeGreaterThan(3);
});
