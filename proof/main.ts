import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  entriesOf,
  type OptionDefinitions,
  type ParsedArguments,
  UsageError,
  wholeNumber,
} from '../common/process/args.ts';
import { runEntry } from '../common/process/entry.ts';
import { hint } from '../common/nearest.ts';
import { without } from '../common/json.ts';
import { mapBounded } from '../common/pool.ts';
import { checks as catalogue } from '../conformance/checks/catalogue.ts';
import { matchesGlob } from '../conformance/checks/selection.ts';
import { defects, variants } from './catalogue.ts';
import type { Judged } from './judging.ts';
import { type JudgedPair, pairsOf, provePair } from './pairs.ts';
import { catalogueProblems, checkGaps, checkRows, type CheckRow, requirementRows } from './kill-matrix.ts';
import { namesCheck, proveDefect, type ProofOptions, proveStub, proveVariant } from './prove.ts';
import { proveReplay } from './replays.ts';
import { inseparablePairs, redundantChecks, requirementsWithoutFreedom } from './reasons.ts';
import { record } from './recorded/record.ts';
import { recorded } from './recorded/recorded.ts';
import { type JudgedStub, stubs } from './servers/stubs.ts';

const HELP = `Usage: npm run prove -- [--only GLOB] [--check ID] [--seed N] [--sockets] [--out FOLDER]
                        [--record]
       npm run prove -- --replays [--sample N] [--only GLOB] [--check ID] [--seed N]
       npm run prove -- --pairs N [--seed N]

Judges every defect, conforming variant and stub server of the proof with the
whole suite. Progress goes to stderr.

  --only GLOB    only the servers whose id matches; repeatable
  --check ID     only the defects that the check kills, and the variants that
                 use a freedom of its requirements or leave it inconclusive;
                 repeatable
  --seed N       determines the order in which the checks send their traffic (1)
  --sockets      over sockets, also where the bytes on the wire do not matter
  --record       writes proof/recorded/recorded.json: which checks fail on each defect,
                 and which are inconclusive on each variant; with another seed
                 than 1, only what both show stays
  --replays      only whether what a report says to run shows the same: for each
                 defect, --only of the first check of its first finding, --again
                 on the unchanged and on the reference server, and its recording
  --sample N     about N of these defects, evenly spread (all)
  --pairs N      only servers with two defects at once, N of them, which the seed
                 chooses: nothing else may be blamed, and where one defect covers
                 the other, no check that the other one fails may pass
  --out FOLDER   where to write kill-matrix.json, which the site shows
                 (build/proof); with --only or --check it is not written
`;

/** Servers judged concurrently in a thread. */
const AT_ONCE = 8;
/** Servers for which a thread pays: it takes half a second to load. */
const ENOUGH_FOR_A_THREAD = 60;
/** MB. Each thread keeps the evidence of several runs, which a small young generation would copy again and again. */
const YOUNG_GENERATION = 192;
/** ms between two lines of progress. */
const PROGRESS = 10_000;

/** Which servers are judged; each list is empty where nothing is chosen by it. */
interface Choice {
  readonly only: readonly string[];
  readonly checks: readonly string[];
}

/** The work of a thread. */
interface Share extends ProofOptions, Choice {
  /** What all threads count together: see `TAKEN` and `JUDGED`. */
  readonly counts: Int32Array;
}

const TAKEN = 0;
const JUDGED = 1;

function chosen({ only, checks }: Choice) {
  const isNamed = ({ id }: { readonly id: string }): boolean =>
    only.length === 0 || only.some((glob) => matchesGlob(glob, id));
  const isAbout = (server: (typeof defects)[number] | (typeof variants)[number]): boolean =>
    checks.length === 0 || checks.some((check) => namesCheck(server, check));
  return {
    defects: defects.filter((each) => isNamed(each) && isAbout(each)),
    variants: variants.filter((each) => isNamed(each) && isAbout(each)),
    stubs: checks.length === 0 ? stubs.filter(isNamed) : [],
  };
}

/** How each chosen server is judged. Variants first: some wait for pauses, which must not delay the end. */
function judgements({ only, checks, ...options }: Omit<Share, 'counts'>): (() => Promise<Judged>)[] {
  const servers = chosen({ only, checks });
  return [
    ...servers.variants.map((each) => () => proveVariant(each, options)),
    ...servers.defects.map((each) => () => proveDefect(each, options)),
  ];
}

/** Judges servers until all are taken, by this thread or another one. */
async function proveShare({ counts, ...share }: Share): Promise<Judged[]> {
  const all = judgements(share);
  const judged: Judged[] = [];
  const next = (): (() => Promise<Judged>) | undefined => all[Atomics.add(counts, TAKEN, 1)];
  const work = async (): Promise<void> => {
    for (let judge = next(); judge; judge = next()) {
      judged.push(await judge());
      Atomics.add(counts, JUDGED, 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return judged;
}

function inThread(share: Share): Promise<Judged[]> {
  return new Promise((resolve, reject) => {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION };
    const worker = new Worker(new URL(import.meta.url), { workerData: share, resourceLimits });
    worker.once('message', resolve);
    worker.once('error', (error) => {
      // Said at once: a thread that ends while others still read from sockets may take the process with it.
      process.stderr.write(`a thread of the proof failed: ${error.stack ?? error.message}\n`);
      reject(error);
    });
  });
}

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000);

/** Orders results as in the catalogue, whatever thread they come from. */
function inOrder(judged: readonly Judged[], servers: readonly { readonly id: string }[]): Judged[] {
  const byId = new Map(judged.map((each) => [each.id, each]));
  return servers.flatMap(({ id }) => byId.get(id) ?? []);
}

interface Proof {
  readonly judgedDefects: readonly Judged[];
  readonly judgedVariants: readonly Judged[];
  readonly judgedStubs: readonly JudgedStub[];
  readonly checks: readonly CheckRow[];
}

/** Judges the chosen servers, in threads if they are many. */
async function prove(share: Omit<Share, 'counts'>): Promise<Proof> {
  const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const [started, total] = [performance.now(), judgements(share).length];
  const timer = setInterval(() => {
    const done = Atomics.load(counts, JUDGED);
    process.stderr.write(`${done} of ${total} servers judged, ${total - done} left, ${secondsSince(started)} s\n`);
  }, PROGRESS);
  const threads = Math.min(availableParallelism(), Math.floor(total / ENOUGH_FOR_A_THREAD));
  const work = { ...share, counts };
  const judging = threads < 2 ? [proveShare(work)] : Array.from({ length: threads }, () => inThread(work));
  const judgedStubs = await mapBounded(chosen(share).stubs, AT_ONCE, proveStub);
  const judged = (await Promise.all(judging)).flat();
  clearInterval(timer);
  const judgedDefects = inOrder(judged, defects);
  const checks = checkRows(judgedDefects, redundantChecks);
  return { judgedDefects, judgedVariants: inOrder(judged, variants), judgedStubs, checks };
}

/** What does not hold although what was seen is recorded now. */
function asRecorded(proof: Proof): Proof {
  const left = (judged: readonly Judged[]): Judged[] =>
    judged.map(({ problems, unrecordable = problems, ...each }) => ({ ...each, problems: unrecordable }));
  return { ...proof, judgedDefects: left(proof.judgedDefects), judgedVariants: left(proof.judgedVariants) };
}

/** Gives whether the proof holds. */
function printJudged({ judgedDefects, judgedVariants, judgedStubs }: Proof, problems: readonly string[]): boolean {
  const count = (judged: readonly Judged[]): string =>
    `${judged.filter((each) => each.problems.length === 0).length} of ${judged.length}`;
  const broken = [...judgedDefects, ...judgedVariants, ...judgedStubs].filter((each) => each.problems.length > 0);
  const precise = judgedDefects.filter(({ misblamed = [] }) => misblamed.length === 0);
  const lost = judgedDefects.flatMap(({ unexplained = [] }) => unexplained);
  const lines = [
    ...broken.flatMap(({ id, verdict, problems: own }) => [
      `✗ ${id} (${verdict})`,
      ...own.map((each) => `    ${each}`),
    ]),
    ...problems.map((problem) => `✗ ${problem}`),
    `defects killed by the checks recorded for them    ${count(judgedDefects)}`,
    `defects blamed for what they break alone         ${precise.length} of ${judgedDefects.length}`,
    `inconclusive checks in no finding                ${lost.length}`,
    `conforming variants without a false failure      ${count(judgedVariants)}`,
    `stub servers without a false pass                ${count(judgedStubs)}`,
    ...judgedStubs.map(({ id, score }) => `    ${id.padEnd(28)} ${score.passed} of ${score.total} must checks`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return broken.length === 0 && problems.length === 0;
}

/** The kill matrix as data; the site shows it as tables. */
function toData({ judgedDefects, judgedVariants, judgedStubs, checks }: Proof): unknown {
  const judgedById = new Map(
    [...judgedDefects, ...judgedVariants].map((each) => [each.id, without({ ...each }, 'unrecordable')]),
  );
  return {
    defects: defects.map(({ id, title, breaks, killedBy }) => ({ title, breaks, killedBy, ...judgedById.get(id) })),
    variants: variants.map(({ id, title, about }) => ({ title, about, ...judgedById.get(id) })),
    stubs: judgedStubs,
    checks,
    requirements: requirementRows(defects, variants),
  };
}

function writeMatrix(proof: Proof, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'kill-matrix.json');
  writeFileSync(file, `${JSON.stringify(toData(proof), null, 2)}\n`);
  const needed = proof.checks.filter(({ aloneOn }) => aloneOn.length > 0).length;
  process.stdout.write(`checks that alone kill a defect                  ${needed} of ${proof.checks.length}\n`);
  process.stdout.write(`the kill matrix is in ${file}; npm run build:site shows it\n`);
}

/** @throws UsageError if a check or a server is unknown, or nothing is left */
function readChoice({ values }: ParsedArguments): Choice {
  const choice = { only: entriesOf(values.only), checks: entriesOf(values.check) };
  const ids = catalogue.map(({ id }) => id);
  for (const check of choice.checks)
    if (!ids.includes(check)) throw new UsageError(`--check ${check}: there is no such check.${hint(check, ids)}`);
  const servers = [...defects, ...variants, ...stubs].map(({ id }) => id);
  for (const glob of choice.only)
    if (!servers.some((id) => matchesGlob(glob, id)))
      throw new UsageError(
        `--only ${glob}: no defect, variant or stub server has such an id.${hint(glob, servers)} * stands for any text.`,
      );
  if (Object.values(chosen(choice)).flat().length === 0)
    throw new UsageError('--only and --check together leave no server.');
  return choice;
}

/** Every so often an entry of a list, about `count` in all. */
function sampleOf<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count);
  return list.filter((_each, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Does with defects what their reports say to do. */
async function proveReplays({ values }: ParsedArguments, choice: Choice, seed: number): Promise<number> {
  const started = performance.now();
  const all = chosen(choice).defects;
  const { sample } = values;
  const count = typeof sample === 'string' ? wholeNumber('--sample', sample, 1, Number.MAX_SAFE_INTEGER) : all.length;
  const replayed = await mapBounded(sampleOf(all, count), AT_ONCE, (defect) => proveReplay(defect, seed));
  const broken = replayed.filter(({ problems }) => problems.length > 0);
  const lines = broken.flatMap(({ id, problems }) => [`✗ ${id}`, ...problems.map((each) => `    ${each}`)]);
  lines.push(
    `findings that replays show, and a fix ends         ${replayed.length - broken.length} of ${replayed.length}`,
  );
  process.stdout.write(`${lines.join('\n')}\n${secondsSince(started)} s, seed ${seed}\n`);
  return broken.length === 0 ? 0 : 1;
}

/** Judges servers with two defects at once. */
async function provePairs(count: number, seed: number): Promise<number> {
  const started = performance.now();
  const judged = await mapBounded(pairsOf(count, seed), AT_ONCE, (pair) => provePair(pair, seed));
  const isBroken = ({ id, foreign, passed }: JudgedPair): boolean =>
    foreign.length + passed.length > 0 && inseparablePairs[id] === undefined;
  const lines = judged
    .filter(isBroken)
    .flatMap(({ id, foreign, covered, passed }) => [
      `✗ ${id}`,
      ...foreign.map((requirement) => `    ${requirement} is reported broken`),
      ...passed.map((check) => `    ${check} passed, in spite of ${covered.join(' and ')}`),
    ]);
  const both = judged.filter(({ covered }) => covered.length === 0);
  lines.push(
    `pairs of defects blamed for what they break alone  ${judged.filter((each) => !isBroken(each)).length} of ${judged.length}`,
    `    both found                                     ${both.length}`,
    `    one inconclusive because of the other          ${judged.length - both.length}`,
  );
  process.stdout.write(`${lines.join('\n')}\n${secondsSince(started)} s, seed ${seed}\n`);
  return judged.some(isBroken) ? 1 : 0;
}

async function main(parsed: ParsedArguments): Promise<number> {
  const { seed: seedText = '1', out = 'build/proof' } = parsed.values as Readonly<Record<string, string>>;
  const started = performance.now();
  const seed = wholeNumber('--seed', seedText, 0, Number.MAX_SAFE_INTEGER);
  const choice = readChoice(parsed);
  if (parsed.values.replays === true) return proveReplays(parsed, choice, seed);
  const { pairs } = parsed.values;
  if (typeof pairs === 'string') return provePairs(wholeNumber('--pairs', pairs, 1, defects.length), seed);
  const judged = await prove({ ...choice, seed, sockets: parsed.values.sockets === true });
  const now =
    parsed.values.record === true ? record(judged.judgedDefects, judged.judgedVariants, seed === 1) : recorded;
  const proof = now === recorded ? judged : asRecorded(judged);
  const isWhole = choice.only.length === 0 && choice.checks.length === 0;
  const known = defects.map((each) => ({ ...each, killedBy: now.killedBy[each.id] ?? {} }));
  const catalogues = { defects: known, variants, stubs, redundantChecks, requirementsWithoutFreedom };
  const problems = [...catalogueProblems(catalogues), ...(isWhole ? checkGaps(proof.checks) : [])];
  const holds = printJudged(proof, problems);
  if (isWhole) writeMatrix(proof, out);
  process.stdout.write(`${secondsSince(started)} s, seed ${seed}\n`);
  return holds ? 0 : 1;
}

// A reader that closes early (a pager, head) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const OPTIONS: OptionDefinitions = {
  only: { type: 'string', multiple: true },
  check: { type: 'string', multiple: true },
  seed: { type: 'string' },
  sockets: { type: 'boolean' },
  record: { type: 'boolean' },
  replays: { type: 'boolean' },
  sample: { type: 'string' },
  pairs: { type: 'string' },
  out: { type: 'string' },
};

if (isMainThread) await runEntry({ name: 'prove', help: HELP, options: OPTIONS }, main);
else parentPort?.postMessage(await proveShare(workerData as Share));
