import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgementOf, type Judgement } from '../../../contract-gate/diff/change.ts';
import { describe as description } from '../../../contract-gate/diff/description.ts';
import type { JsonObject } from '../../../contract-gate/json.ts';
import { judge, ownChanges } from '../../../contract-gate/diff/judge.ts';
import { redoclyBothWays } from '../../../contract-gate/diff/redocly.ts';
import { oldThings, pairs, things, type Expected, type Pair } from '../pairs.ts';

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as object;
const documents = { things, 'things-3.0': oldThings, contract };

function documentsOf({ on, edits }: Pair): readonly [JsonObject, JsonObject] {
  const base = structuredClone(documents[on]) as JsonObject;
  const head = structuredClone(base) as Record<string, unknown>;
  for (const edit of edits) edit(head);
  return [base, head];
}

function shown({ clients, implementers, bump }: Judgement): Expected {
  const broken = `${clients === 'breaking' ? 'C' : ''}${implementers === 'breaking' ? 'I' : ''}` || '-';
  return `${broken} ${bump}` as Expected;
}

const total = pairs.reduce((sum, { back }) => sum + (back === undefined ? 1 : 2), 0);
let right = 0;

/** Two processes for each pair take their minutes: in the ordinary run only these are also judged beside `redocly diff`. */
const BESIDE_REDOCLY = new Set([
  ...['the type of a path parameter', 'a parameter moved to a header', 'an error name', 'the type of a header'],
  ...['a bound of a parameter tightened', 'a list written with commas', 'a condition added to a request'],
]);
const complete = process.env.EXAM === 'complete';

/** Judges a pair, in both directions where it says so; the other tool is asked once for both. */
async function verdicts(pair: Pair): Promise<{ there: Judgement; back?: Judgement }> {
  const [base, head] = documentsOf(pair);
  if (!complete && !BESIDE_REDOCLY.has(pair.name)) {
    const there = judgementOf(ownChanges(description('base', base), description('head', head)));
    if (pair.back === undefined) return { there };
    return { there, back: judgementOf(ownChanges(description('base', head), description('head', base))) };
  }
  let asked: ReturnType<typeof redoclyBothWays> | undefined;
  const there = await judge(
    description('base', base),
    description('head', head),
    (a, b) => (asked = redoclyBothWays(a, b)),
  );
  if (pair.back === undefined) return { there };
  const back = await judge(description('base', head), description('head', base), async (a, b) => {
    const { clients, implementers } = await (asked ?? redoclyBothWays(b, a));
    return { clients: implementers, implementers: clients };
  });
  return { there, back };
}

describe('the judge', () => {
  it('has a table of at least 110 pairs, each with a name of its own', () => {
    expect(total).toBeGreaterThanOrEqual(110);
    const names = pairs.map(({ on, name }) => `${on}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is asked beside `redocly diff` about pairs that are there', () => {
    const names = pairs.map(({ name }) => name);
    expect([...BESIDE_REDOCLY].filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(pairs.map((pair) => [`${pair.on}: ${pair.name}`, pair] as const))('%s', async (_name, pair) => {
    const { there, back } = await verdicts(pair);
    expect(shown(there), JSON.stringify(there.changes, null, 1)).toBe(pair.expected);
    right += 1;
    if (back === undefined) return;
    expect(shown(back), `back: ${JSON.stringify(back.changes, null, 1)}`).toBe(pair.back);
    right += 1;
  });

  afterAll(() => {
    process.stdout.write(`pairs judged as expected: ${right} of ${total}\n`);
  });
});
