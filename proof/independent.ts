import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { mapBounded } from '../common/pool.ts';
import type { Result } from '../conformance/facts/result.ts';
import { runTarget } from '../conformance/run.ts';
import { defaultSeed } from '../reference-server/seed.ts';
import { chosenBy, type Gate, gate } from './gate.ts';
import { brokenIn, hasMust, LIMITS, told } from './judge.ts';
import { inputsFor } from './servers/behaviour.ts';

/*
 * proof/independent/server.py was written from the source document alone, without this repository, in another language.
 * It conforms by default, and has several hundred faults and conforming variants.
 */
const SERVER = fileURLToPath(new URL('./independent/server.py', import.meta.url));
const KEYS = { admin: 'independent-Admin-Key', restricted: 'independent-Restricted-Key' };
/** Servers judged at once: each is a process. */
const AT_ONCE = 4;
/** The one fault that resists. */
const RESISTS = 'stores-rootrole-null';
const WHY = 'A `should` fails. The `must` shows only in the response to the null that was to be refused.';

/** The faults that need not fail a `must`, by the reason, and how the expectations call it. */
interface Expectations {
  readonly faults: Readonly<Record<string, { readonly why: string; readonly names: readonly string[] }>>;
}

const { faults: excused } = JSON.parse(
  readFileSync(new URL('./independent/expectations.json', import.meta.url), 'utf8'),
) as Expectations;

/** The names of its faults or variants. */
function listed(listing: '--list-faults' | '--list-variants'): string[] {
  const text = execFileSync('python3', [SERVER, listing], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');
}

async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error('The independent server ended before it listened.');
}

interface Run {
  readonly name: string;
  readonly result: Result;
  readonly isRestored: boolean;
}

/** Starts the server, judges it, and ends it. */
export async function judgeIndependent(name: string, ...args: readonly string[]): Promise<Run> {
  const keys = ['--admin-key', KEYS.admin, '--restricted-key', KEYS.restricted];
  const child = spawn('python3', [SERVER, '--port', '0', ...keys, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const url = (await firstLine(child.stdout)).replace('listening ', '');
    const state = async (): Promise<string> => (await fetch(`${url}/_state`)).text();
    const before = await state();
    // Some variants have no banners.
    const { bannerIds, ...others } = inputsFor(url, { ...defaultSeed, keys: KEYS });
    const inputs = { ...others, ...(args[0] !== '--lenient' && bannerIds && { bannerIds }) };
    const result = await runTarget(inputs, LIMITS);
    return { name, result, isRestored: (await state()) === before };
  } finally {
    child.kill();
  }
}

/**
 * Judges the faults and variants of the independent server.
 *
 * @throws Error if there is no python3
 */
export async function proveIndependent(globs: readonly string[]): Promise<Gate[]> {
  const isChosen = chosenBy(globs);
  const faults = listed('--list-faults').filter(isChosen);
  const shoulds = new Set(excused.should?.names);
  const others = new Set(Object.values(excused).flatMap(({ names }) => names));
  const judge = async (title: string, option: string, names: readonly string[], holds: (broken: string[]) => boolean) =>
    gate(
      title,
      await mapBounded(names, AT_ONCE, (name) => judgeIndependent(name, option, name)),
      ({ name, result }) => (holds(brokenIn(result)) ? undefined : `${name}: ${told(result)}`),
      ({ name }) => (name === RESISTS ? `${name}: ${WHY}` : undefined),
    );
  const ofMust = faults.filter((name) => !others.has(name));
  const ofShould = faults.filter((name) => shoulds.has(name));
  const variants = listed('--list-variants').filter(isChosen);
  return [
    await judge('independent faults of a must that fail a must', '--fault', ofMust, hasMust),
    await judge('independent faults of a should that fail', '--fault', ofShould, (broken) => broken.length > 0),
    await judge('independent variants that do not fail', '--lenient', variants, (broken) => broken.length === 0),
  ];
}
