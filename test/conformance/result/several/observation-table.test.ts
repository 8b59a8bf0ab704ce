import { describe, expect, it } from 'vitest';
import { openPoints } from '../../../../contract/document.ts';
import type { Observation, Result } from '../../../../conformance/index.ts';
import {
  tabulateObservations,
  type ObservationTable,
} from '../../../../conformance/result/several/observation-table.ts';
import { csvObservations, observationsDocument } from '../../../../conformance/report/documents/observations.ts';
import { terminalText } from '../../../../conformance/report/terminal/terminal.ts';
import { observationWords } from '../../../../conformance/report/content/observation-words.ts';
import { plain } from '../../../../conformance/report/terminal/paint.ts';
import { judgeReference } from '../../../support/target.ts';

const base = await judgeReference();

function observing(id: string, change: Partial<Observation>): Result {
  return { ...base, observations: base.observations.map((each) => (each.id === id ? { ...each, ...change } : each)) };
}

const refusing = (): Result =>
  observing('open.empty-body', { observed: 'refused', text: 'The target refuses the body `{}` (400).' });
const blind = (id: string): Result => observing(id, { observed: undefined, text: 'Not seen in this run.' });

function tableOf(...results: Result[]): ObservationTable {
  return tabulateObservations(results.map((result, index) => ({ name: 'abcdefgh'.charAt(index), result })));
}

function pretty(table: ObservationTable, width: number, differing = false): string {
  return terminalText(observationsDocument(table, differing), { paint: plain, width });
}

describe('the texts of the observations', () => {
  it('are one sentence about the target each', () => {
    const texts = openPoints.flatMap(({ observations }) => observations.map(({ text }) => text));
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((text) => !/^The target [a-z].{8,}\.$/.test(text))).toEqual([]);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each<[unknown, string]>([
    [undefined, 'The target does it.'],
    ['once', 'The target does it: once.'],
    [404, 'The target does it: 404.'],
    [['a', 'b'], 'The target does it: a, b.'],
    [{ variant: ['warning'], icon: [] }, 'The target does it: variant warning; icon none.'],
    [['', 'a, b'], 'The target does it: "", "a, b".'],
  ])('take up their detail %j in words', (detail, words) =>
    expect(observationWords({ id: 'open.x', observed: 'x', text: 'The target does it.', detail })).toBe(words),
  );
});

describe('the table', () => {
  it('has a row for each open point that can be observed, in the order of the contract, and names the others', () => {
    const { rows, hidden } = tableOf(base);
    const observable = openPoints.filter(({ observations }) => observations.length > 0);
    expect(rows.map(({ id }) => id)).toEqual(observable.map(({ id }) => id));
    expect(rows.map(({ question }) => question)).toEqual(observable.map(({ text }) => text));
    expect(rows.length + hidden.length).toBe(openPoints.length);
  });

  it('marks the rows in which targets differ, in what is observed or in its detail', () => {
    const values = observing('open.account-type-values', { detail: ['Robot'] });
    const { rows } = tableOf(base, refusing(), values);
    expect(rows.filter(({ differs }) => differs).map(({ id }) => id)).toEqual([
      'open.empty-body',
      'open.account-type-values',
    ]);
    expect(tableOf(base, structuredClone(base)).rows.some(({ differs }) => differs)).toBe(false);
  });

  it('does not take what was not seen for a difference', () => {
    const row = tableOf(base, blind('open.empty-body')).rows.find(({ id }) => id === 'open.empty-body');
    expect(row).toMatchObject({ differs: false, cells: [{ observed: 'accepted' }, undefined] });
  });

  it('has a row for a point that this version of the contract does not know, behind the others', () => {
    const point = { id: 'open.of-tomorrow', observed: 'x', text: 'The target is ahead.' };
    const { rows } = tableOf(base, { ...base, observations: [point, ...base.observations] });
    expect(rows.at(-1)).toMatchObject({ id: 'open.of-tomorrow', cells: [undefined, point], differs: false });
  });
});

describe('at a terminal', () => {
  it.each([[60], [80], [100]])('fits %i columns, with two targets and with six', (width) => {
    for (const table of [tableOf(base, refusing()), tableOf(base, refusing(), base, base, base, base)]) {
      for (const line of pretty(table, width).split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it('puts targets below each other, those alike in one line', () => {
    const many = pretty(tableOf(base, refusing(), base, base), 80);
    expect(many).toContain('≠ open.empty-body');
    expect(many).toContain('\n    a, c, d: accepts the body `{}` (200)\n    b: refuses the body `{}` (400)\n');
    expect(many).toContain('\n    all: ');
  });

  it('says what was seen on none', () => {
    const id = 'open.banner-values';
    const text = pretty(tableOf(blind(id), blind(id)), 80);
    expect(text).toMatch(/open\.banner-values\n.*\n {4}all: not seen in this run\n/);
    expect(text).toContain('1 seen on none');
    expect(text).toContain('Cannot be seen from outside: open.service-purpose,');
  });
});

describe('as CSV', () => {
  const hostile = (): Result => observing('open.account-type-values', { detail: ['=1+1', 'a|b "c", <b>'] });

  it('is CSV that a reader of RFC 4180 takes, without formulas', () => {
    const text = csvObservations(tabulateObservations([{ name: '=cmd()', result: hostile() }]), false);
    const [head = ''] = text.split('\r\n');
    expect(head).toBe("id,question,differs,'=cmd()");
    expect(text).toContain('a|b \\""c\\""');
    const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g)];
    expect(cells.length).toBe(4 * (tableOf(base).rows.length + 1));
  });

  it.each([
    ['a\u202eb\u2066c\u0085d\u009be\u001bf', 'a\\u202eb\\u2066c\\u0085d\\u009be\\u001bf'],
    [' =cmd()', "' =cmd()"],
    ['\u200b=cmd()', '\\u200b=cmd()'],
  ])('is CSV without marks of direction, control characters and formulas behind blanks: %j', (name, shown) => {
    const [head] = csvObservations(tabulateObservations([{ name, result: base }]), false).split('\r\n');
    expect(head).toBe(`id,question,differs,${shown}`);
  });
});
