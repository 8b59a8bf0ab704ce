import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../conformance/index.ts';
import type { Result } from '../../conformance/result/result.ts';
import { sample } from '../support/sample.ts';
import { targetOf } from '../support/target.ts';
import type { Level } from '../../contract/document.ts';
import { misblamed, suiteErrors } from '../../proof/judging.ts';

/*
 * proof/independent/server.py was written from the source document alone, without this repository, in another language.
 * It conforms by default, and has several hundred faults and conforming variants.
 */

const SERVER = resolve(import.meta.dirname, '../../proof/independent/server.py');
const KEYS = { admin: 'independent-Admin-Key', restricted: 'independent-Restricted-Key' };

interface Expectations {
  readonly faults: Record<string, { readonly why: string; readonly names: readonly string[] }>;
  readonly inconclusiveVariants: { readonly names: readonly string[] };
  readonly breaks: {
    readonly sentences: Readonly<Record<string, readonly string[]>>;
    readonly further: readonly { readonly requirements: readonly string[]; readonly names: readonly string[] }[];
  };
  readonly severalFindings: { readonly names: Readonly<Record<string, number>> };
}

const expectations = JSON.parse(
  readFileSync(new URL('../../proof/independent/expectations.json', import.meta.url), 'utf8'),
) as Expectations;

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Names, each with what the author says of it: of a fault the sentence of the source that it breaks. */
function listed(listing: '--list-faults' | '--list-variants'): [name: string, said: string][] {
  if (!hasPython) return [];
  const text = execFileSync('python3', [SERVER, listing], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', said = '']) => [name, said.replace(/ \(arguable: .*\)$/, '')]);
}

const faults = listed('--list-faults');
const variants = listed('--list-variants').map(([name]) => name);

function breaksOf(name: string, sentence: string): string[] {
  const { sentences, further } = expectations.breaks;
  return [
    ...(sentences[sentence] ?? []),
    ...further.flatMap((row) => (row.names.includes(name) ? row.requirements : [])),
  ];
}

async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error('The independent server ended.');
}

/** The result, and the state of the server before and after. */
async function judge(...args: string[]) {
  const child = spawn(
    'python3',
    [SERVER, '--port', '0', '--admin-key', KEYS.admin, '--restricted-key', KEYS.restricted, ...args],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    const url = (await firstLine(child.stdout)).replace('listening ', '');
    const state = async (): Promise<string> => (await fetch(`${url}/_state`)).text();
    const before = await state();
    const result = await run(
      { ...targetOf({ url, seed: { keys: KEYS } }), ...(args[0] === '--lenient' ? {} : { bannerIds: [1, 2, 3] }) },
      // Every fault shows itself in a response; no limit of time decides one.
      { limits: { timeout: 600_000, deadline: 3_600_000 } },
    );
    return { result, before, after: await state() };
  } finally {
    child.kill();
  }
}

const failedOf = (level: Level, { checks }: Result): string[] =>
  checks.filter((check) => check.level === level && check.outcome === 'failed').map(({ id }) => id);

const tolerated = new Map(
  Object.entries(expectations.faults).flatMap(([kind, { names }]) =>
    names.map((name): [string, string] => [name, kind]),
  ),
);

describe.skipIf(!hasPython)(
  'a server written independently, in Python (skipped only where there is no python3)',
  () => {
    it('passes as it is, and its users are restored', async () => {
      const { result, before, after } = await judge();
      expect(failedOf('must', result), 'Does proof/independent/server.py have every operation?').toEqual([]);
      expect(result.verdict).toBe('passed');
      expect(failedOf('should', result)).toEqual([]);
      expect(after).toBe(before);
    });

    it('has every fault that expectations.json names', () => {
      const names = faults.map(([name]) => name);
      expect(names.length).toBeGreaterThan(400);
      const { breaks, severalFindings } = expectations;
      const named = [
        ...tolerated.keys(),
        ...breaks.further.flatMap((row) => row.names),
        ...Object.keys(severalFindings.names),
      ];
      expect(named.filter((name) => !names.includes(name))).toEqual([]);
      expect(faults.filter(([, sentence]) => !(sentence in breaks.sentences))).toEqual([]);
    });

    it.concurrent.each(sample(faults, 10))('with the fault %s is judged as expected', async (name, sentence) => {
      const { result } = await judge('--fault', name);
      expect(suiteErrors(result)).toEqual([]);
      expect(misblamed({ breaks: breaksOf(name, sentence) }, result)).toEqual([]);
      const found = result.findings.filter(({ level }) => level === 'must').map(({ id }) => id);
      expect(found.length, found.join()).toBeLessThanOrEqual(expectations.severalFindings.names[name] ?? 1);
      const kind = tolerated.get(name);
      if (kind === undefined) {
        expect(result.verdict).toBe('failed');
        expect(failedOf('must', result)).not.toEqual([]);
      } else if (kind === 'should') {
        expect(failedOf('must', result)).toEqual([]);
        expect(failedOf('should', result)).not.toEqual([]);
      } else if (kind !== 'depends-on-timing') {
        expect(failedOf('must', result)).toEqual([]);
        expect(result.verdict).toBe(kind === 'operator-or-target' ? 'inconclusive' : 'passed');
      }
    });

    it.concurrent.each(sample(variants, 3))('with the conforming variant %s fails no check', async (name) => {
      const { result } = await judge('--lenient', name);
      expect(failedOf('must', result)).toEqual([]);
      expect(failedOf('should', result)).toEqual([]);
      expect(suiteErrors(result)).toEqual([]);
      expect(result.verdict).toBe(expectations.inconclusiveVariants.names.includes(name) ? 'inconclusive' : 'passed');
    });
  },
);
