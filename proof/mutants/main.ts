import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { entriesOf, type OptionDefinitions, type ParsedArguments, wholeNumber } from '../../common/process/args.ts';
import { runEntry } from '../../common/process/entry.ts';
import type { Check } from '../../conformance/model/check.ts';
import type { Passed } from '../../conformance/model/pass.ts';
import { parseRecording, type RunRecord } from '../../conformance/run/recording.ts';
import { bundle, instrument, type Mutant } from './instrument.ts';
import type * as Judge from './judge.ts';
import { recordable, recordableAlone, recordAll } from './record.ts';
import { killedByTests } from './run-tests.ts';
import { countHits, withMutant } from './switch.ts';
import { makeTypeCheck } from './type-check.ts';

const HELP = `Usage: npm run mutants:model -- [--file PATH] [--sample N] [--recordings FOLDER]

Changes what judges recordings, one change at a time, runs the unit tests of the
model with each, and judges the recordings of the servers of the proof by those
that no test fails for and that the compiler accepts. What no judgement shows
survives: nothing needs that code, unless proof/mutants/survivors.json says why it
stays ("*" stands for any text). Fails for a survivor without a reason, and for a
reason without a survivor.

  --file PATH  only changes of this file (every file of the model); repeatable
  --sample N   only every Nth recording and every Nth change: fails only if
               nothing shows any of them
  --recordings FOLDER
               takes the recordings from there, and writes them there if there are
               none: a change of the model hardly needs others
`;

/** Recordings that are kept for each mutant, if so many reach it: they differ in what else they reach. */
const RECORDINGS = 24;
/** Recordings that judge a mutant which is known to survive, and one of which no reason says so. */
const MOST = { named: 12, unnamed: 120 };
/** What comes after the pass over the exchanges, which needs not be done again for mutants of these. */
const AFTER_THE_PASS = /conformance\/(model\/(causes|verdicts|judge)|result\/.*)\.ts/;

/** A recording, and how it is judged without a mutant. */
interface Kept {
  readonly run: RunRecord;
  readonly passed: Passed;
  readonly selected: readonly Check[];
  readonly hits: Uint32Array;
  readonly outcomes: string;
  readonly texts: string;
}

/** What came of a mutant: `text` if it changes only what people read. */
type Fate = 'tested' | 'rejected' | 'killed' | 'text' | 'survived' | 'unreached';

const shortly = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** Names a mutant of a file so that the name stays when other lines change. */
const nameOf = ({ from, to }: Mutant): string => `${shortly(from)} → ${shortly(to)}`;

/** The survivors of each file, by the reason for which they stay; `*` stands for any text. */
type Reasons = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Survivors that may stay: one, or all whose names have this form. */
interface Named {
  readonly file: string;
  readonly name: string;
  readonly form: RegExp;
}

const ofForm = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  );

const NAMED: readonly Named[] = Object.entries(
  JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as Reasons,
).flatMap(([file, reasons]) =>
  Object.values(reasons).flatMap((names) => names.map((name) => ({ file, name, form: ofForm(name) }))),
);

/** Every file of the model that judges: what says what is sent, or observed, decides no verdict. */
const MODEL = readdirSync(new URL('../../conformance/model', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\b(check|items|observer)\.ts$/.test(path))
  .map((path) => `conformance/model/${path}`)
  .sort();

type Keep = (id: string, text: string) => void;

/** Those of a folder, or new ones. */
async function recordings(sample: number, keep: Keep, folder?: string): Promise<void> {
  const chosen = <T>(all: readonly T[]): T[] => all.filter((_each, at) => at % sample === 0);
  if (folder !== undefined && existsSync(folder)) {
    for (const name of chosen(readdirSync(folder)))
      keep(name, gunzipSync(readFileSync(join(folder, name))).toString('utf8'));
    return;
  }
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const take: Keep = (id, text) => {
    // By a name without an order, so that those which are kept differ.
    if (folder !== undefined) writeFileSync(join(folder, hash('sha1', id)), gzipSync(text, { level: 1 }));
    keep(id, text);
  };
  const order = new Map(recordable.map((each) => [each, hash('sha1', each.id)]));
  const mixed = recordable.toSorted((a, b) => (order.get(a) ?? '').localeCompare(order.get(b) ?? ''));
  await recordAll(chosen(mixed), take);
  await recordAll(chosen(recordableAlone), take, 1);
}

interface Chosen {
  readonly mutants: readonly Mutant[];
  /** Those that are judged. The others are there so that a loop without end is noticed wherever it is. */
  readonly chosen: readonly Mutant[];
}

/** Records runs, and keeps those that reach a mutant which few others reach. */
async function collect(judge: typeof Judge, { mutants, chosen }: Chosen, sample: number, folder?: string) {
  const kept: Kept[] = [];
  const reached = new Uint32Array(mutants.length);
  const keep = (id: string, text: string): void => {
    const run = parseRecording(id, text);
    const selected = judge.selectedOf(run);
    const stop = countHits(mutants.length);
    const passed = judge.passedOver(run);
    const { outcomes, texts: textsOf } = judge.judgementOf(passed, selected);
    const texts = textsOf();
    const hits = stop();
    if (chosen.every(({ id }) => hits[id] === 0 || (reached[id] ?? 0) >= RECORDINGS)) return;
    hits.forEach((count, at) => (reached[at] = (reached[at] ?? 0) + Math.min(count, 1)));
    kept.push({ run, passed, selected, hits, outcomes, texts });
  };
  await recordings(sample, keep, folder);
  // The fewer deviations, the sooner they are judged.
  return kept.sort((a, b) => a.passed.deviations.length - b.passed.deviations.length);
}

/** The modules with a mutant that only their loading reaches. */
async function reloaded(mutant: Mutant, url: string, loading: Uint32Array): Promise<typeof Judge> {
  return withMutant(mutant.id, loading, async () => (await import(`${url}?${mutant.id}`)) as typeof Judge);
}

/** What judges, and by which module. */
interface Bench {
  readonly url: string;
  readonly judge: typeof Judge;
  /** Those first that killed mutants last: what tells of one tells of those beside it. */
  readonly kept: Kept[];
  /** How often each mutant is reached while the modules are loaded. */
  readonly loading: Uint32Array;
}

/** Mutants on either side of one that are looked at to tell how much of the code around it a recording reaches. */
const AROUND = 40;

/** The recordings that reach a mutant, those first that reach most of what stands around it, and are soon judged. */
function reachingFirst({ id }: Mutant, kept: readonly Kept[]): readonly Kept[] {
  const weightOf = ({ hits, passed }: Kept): number =>
    hits.slice(Math.max(0, id - AROUND), id + AROUND).filter(Boolean).length - passed.deviations.length;
  const weighed = kept.filter(({ hits }) => hits[id]).map((each) => ({ each, weight: weightOf(each) }));
  return weighed.sort((a, b) => b.weight - a.weight).map(({ each }) => each);
}

/** What the recordings say of one mutant, at most so many of them. */
async function judgeMutant(mutant: Mutant, { url, judge, kept, loading }: Bench, most: number): Promise<Fate> {
  const reaching = reachingFirst(mutant, kept);
  if (reaching.length === 0 && !loading[mutant.id]) return 'unreached';
  try {
    const isReached = reaching.length > 0;
    const own = isReached ? judge : await reloaded(mutant, url, loading);
    // Nothing tells which of them use what is reached only while the modules are loaded.
    for (const each of isReached ? reaching.slice(0, most) : kept) {
      const { run, passed, selected, hits, outcomes, texts } = each;
      const now = await withMutant(mutant.id, hits, () => {
        const judged = own.judgementOf(AFTER_THE_PASS.test(mutant.file) ? passed : own.passedOver(run), selected);
        return { outcomes: judged.outcomes, texts: judged.outcomes === outcomes ? judged.texts() : '' };
      });
      if (now.outcomes === outcomes && now.texts === texts) continue;
      kept.unshift(...kept.splice(kept.indexOf(each), 1));
      return now.outcomes === outcomes ? 'text' : 'killed';
    }
  } catch {
    return 'killed';
  }
  return 'survived';
}

async function main({ values }: ParsedArguments): Promise<number> {
  const files = values.file === undefined ? MODEL : entriesOf(values.file);
  const sample = wholeNumber('--sample', typeof values.sample === 'string' ? values.sample : '1', 1, 1_000);
  const { href: url } = new URL('../../.build-mutants/judge.mjs', import.meta.url);
  const folder = typeof values.recordings === 'string' ? values.recordings : undefined;
  const instrumented = await instrument([...new Set([...MODEL, ...files])]);
  const { mutants } = instrumented;
  const chosen = mutants.filter(({ file }) => files.includes(file)).filter((_mutant, at) => at % sample === 0);
  await bundle(fileURLToPath(url), instrumented);
  const stop = countHits(mutants.length);
  const judge = (await import(url)) as typeof Judge;
  const loading = stop();
  const tested = await killedByTests(instrumented, chosen);
  const bench = { url, judge, loading, kept: await collect(judge, { mutants, chosen }, sample, folder) };
  const isRejectedByTypes = makeTypeCheck();
  const count: Record<Fate, number> = { tested: 0, rejected: 0, killed: 0, text: 0, survived: 0, unreached: 0 };
  let problems = 0;
  const problem = (text: string): void => {
    problems += 1;
    process.stdout.write(`✗ ${text}\n`);
  };
  const left = new Set<Named>();
  for (const mutant of chosen) {
    const { id, file, line } = mutant;
    const name = nameOf(mutant);
    const named = NAMED.filter((each) => each.file === file && each.form.test(name));
    const most = named.length > 0 ? MOST.named : MOST.unnamed;
    const isRejected = !tested.has(id) && isRejectedByTypes(mutant);
    const fate = tested.has(id) ? 'tested' : isRejected ? 'rejected' : await judgeMutant(mutant, bench, most);
    count[fate] += 1;
    if (fate !== 'survived' && fate !== 'unreached') continue;
    for (const each of named) left.add(each);
    if (named.length === 0 && sample === 1) problem(`survives without a reason: ${file}:${line} ${name}`);
  }
  for (const each of NAMED)
    if (sample === 1 && files.includes(each.file) && !left.has(each))
      problem(`nothing survives in ${each.file}: ${each.name}`);
  if (count.tested + count.killed === 0) problem('no test fails for a change, and none alters an outcome');
  const counts = `a test fails for ${count.tested}, the compiler rejects ${count.rejected}, ${count.killed} change an outcome, ${count.text} a text, ${count.survived} nothing, ${count.unreached} are not reached`;
  process.stdout.write(`${chosen.length} mutants, ${bench.kept.length} recordings: ${counts}\n`);
  return problems > 0 ? 1 : 0;
}

const OPTIONS: OptionDefinitions = {
  file: { type: 'string', multiple: true },
  sample: { type: 'string' },
  recordings: { type: 'string' },
};

await runEntry({ name: 'mutants', help: HELP, options: OPTIONS }, main);
