import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entriesOf, type OptionDefinitions, type ParsedArguments, wholeNumber } from '../../common/process/args.ts';
import { runEntry } from '../../common/process/entry.ts';
import type { Check } from '../../conformance/model/check.ts';
import type { Passed } from '../../conformance/model/pass.ts';
import { parseRecording, type RunRecord } from '../../conformance/run/recording.ts';
import { bundleWithMutants, type Mutant } from './instrument.ts';
import type * as Judge from './judge.ts';
import { recordable, recordableAlone, recordAll } from './record.ts';
import { countingHits, loadCounting, withMutant } from './switch.ts';

const HELP = `Usage: npm run mutants:model -- [--file PATH] [--sample N]

Changes what judges recordings, one change at a time, and judges the recordings
of the servers of the proof with each. A change that no judgement shows survives:
nothing needs that code, unless proof/mutants/survivors.json says why it stays.
Fails for a survivor without a reason, and for a reason without a survivor.

  --file PATH  only changes of this file (every file of the model); repeatable
  --sample N   only every Nth recording and every Nth change, and those with a
               reason: fails only if one of these does not survive, or all do
`;

/** Recordings that judge a mutant, if so many reach it: they differ in what else they reach. */
const RECORDINGS = 24;
/** Further recordings after one in which only a text differs. */
const FURTHER = 6;
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
type Fate = 'killed' | 'text' | 'survived' | 'unreached';

const shortly = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** Names a mutant of a file so that the name stays when other lines change. */
const nameOf = ({ from, to }: Mutant): string => `${shortly(from)} → ${shortly(to)}`;

/** The survivors of each file, by the reason for which they stay. */
type Reasons = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const reasons = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as Reasons;

/** Every file of the model. */
const MODEL = readdirSync(new URL('../../conformance/model', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `conformance/model/${path}`)
  .sort();

/** Records runs, and keeps those that reach a mutant which few others reach. */
async function collect(judge: typeof Judge, mutants: number, sample: number): Promise<Kept[]> {
  const kept: Kept[] = [];
  const reached = new Uint32Array(mutants);
  const keep = (id: string, text: string): void => {
    const run = parseRecording(id, text);
    const selected = judge.selectedOf(run);
    const { done, hits } = countingHits(mutants, () => {
      const passed = judge.passedOver(run);
      const { outcomes, texts } = judge.judgementOf(passed, selected);
      return { passed, outcomes, texts: texts() };
    });
    if (hits.every((count, at) => count === 0 || (reached[at] ?? 0) >= RECORDINGS)) return;
    hits.forEach((count, at) => (reached[at] = (reached[at] ?? 0) + Math.min(count, 1)));
    kept.push({ run, selected, hits, ...done });
  };
  const chosen = <T>(all: readonly T[]): T[] => all.filter((_each, at) => at % sample === 0);
  // In an order without order, so that those which are kept differ.
  const order = new Map(recordable.map((each) => [each, hash('sha1', each.id)]));
  const mixed = recordable.toSorted((a, b) => (order.get(a) ?? '').localeCompare(order.get(b) ?? ''));
  await recordAll(chosen(mixed), keep);
  await recordAll(chosen(recordableAlone), keep, 1);
  // The fewer deviations, the sooner they are judged.
  return kept.sort((a, b) => a.passed.deviations.length - b.passed.deviations.length);
}

/** The modules with a mutant that only their loading reaches. */
async function reloaded(mutant: Mutant, bundle: string): Promise<typeof Judge> {
  return withMutant(mutant, 0, async () => (await import(`${bundle}?${mutant.id}`)) as typeof Judge);
}

/** What judges, and by which module. */
interface Bench {
  readonly bundle: string;
  readonly judge: typeof Judge;
  readonly kept: readonly Kept[];
  /** How often each mutant is reached while the modules are loaded. */
  readonly loading: Uint32Array;
}

/** What the recordings say of one mutant. */
async function judgeMutant(mutant: Mutant, { bundle, judge, kept, loading }: Bench): Promise<Fate> {
  const reaching = kept.filter(({ hits }) => hits[mutant.id]);
  if (reaching.length === 0 && !loading[mutant.id]) return 'unreached';
  let [fate, left]: [Fate, number] = ['survived', RECORDINGS];
  try {
    const own = reaching.length === 0 ? await reloaded(mutant, bundle) : judge;
    for (const { run, passed, selected, hits, outcomes, texts } of reaching.length === 0 ? kept : reaching) {
      if ((left -= 1) < 0) break;
      const now = await withMutant(mutant, hits[mutant.id] ?? 0, () => {
        const judged = own.judgementOf(AFTER_THE_PASS.test(mutant.file) ? passed : own.passedOver(run), selected);
        return { outcomes: judged.outcomes, texts: judged.outcomes === outcomes ? judged.texts() : '' };
      });
      if (now.outcomes !== outcomes) return 'killed';
      if (now.texts === texts || fate === 'text') continue;
      [fate, left] = ['text', Math.min(left, FURTHER)];
    }
  } catch {
    return 'killed';
  }
  return fate;
}

async function main({ values }: ParsedArguments): Promise<number> {
  const files = values.file === undefined ? MODEL : entriesOf(values.file);
  const sample = wholeNumber('--sample', typeof values.sample === 'string' ? values.sample : '1', 1, 1_000);
  const bundle = pathToFileURL(fileURLToPath(new URL('../../.build-mutants/judge.mjs', import.meta.url))).href;
  const mutants = await bundleWithMutants(fileURLToPath(bundle), files);
  const { loaded: judge, hits: loading } = await loadCounting(
    mutants.length,
    async () => (await import(bundle)) as typeof Judge,
  );
  const bench = { bundle, judge, loading, kept: await collect(judge, mutants.length, sample) };
  const named = new Map(files.map((file) => [file, new Set(Object.values(reasons[file] ?? {}).flat())]));
  const unseen = new Map([...named].map(([file, names]) => [file, new Set(names)]));
  const count: Record<Fate, number> = { killed: 0, text: 0, survived: 0, unreached: 0 };
  const problems: string[] = [];
  for (const mutant of mutants) {
    const isNamed = named.get(mutant.file)?.has(nameOf(mutant)) === true;
    if (mutant.id % sample > 0 && !isNamed) continue;
    const fate = await judgeMutant(mutant, bench);
    count[fate] += 1;
    if (fate === 'killed' || fate === 'text') continue;
    unseen.get(mutant.file)?.delete(nameOf(mutant));
    if (!isNamed && sample === 1)
      problems.push(`${mutant.file}:${mutant.line} ${fate} without a reason: ${nameOf(mutant)}`);
  }
  for (const [file, names] of unseen) for (const name of names) problems.push(`${file}: does not survive: ${name}`);
  if (count.killed === 0) problems.push('no change alters an outcome');
  const counts = `${count.killed} change an outcome, ${count.text} a text, ${count.survived} nothing, ${count.unreached} are not reached`;
  process.stdout.write(problems.map((each) => `✗ ${each}\n`).join(''));
  process.stdout.write(`${mutants.length} mutants, ${bench.kept.length} recordings: ${counts}\n`);
  return problems.length > 0 ? 1 : 0;
}

const OPTIONS: OptionDefinitions = { file: { type: 'string', multiple: true }, sample: { type: 'string' } };

await runEntry({ name: 'mutants', help: HELP, options: OPTIONS }, main);
