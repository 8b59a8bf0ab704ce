import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { UsageError, wholeNumber, type OptionDefinitions, type ParsedArguments } from '../common/args.ts';
import { runEntry } from '../common/entry.ts';
import { matchesGlob } from '../conformance/checks/selection.ts';
import { defects, variants } from './catalogue.ts';
import type { Judged } from './judging.ts';
import { mapBounded } from '../common/pool.ts';
import { catalogueProblems, checkGaps, checkRows, requirementRows, type CheckRow } from './kill-matrix.ts';
import { type ProofOptions, proveDefect, proveStub, proveVariant } from './prove.ts';
import { redundantChecks, requirementsWithoutFreedom } from './reasons.ts';
import { stubs, type JudgedStub } from './stubs.ts';

const HELP = `Usage: npm run prove -- [--only GLOB] [--seed N] [--sockets] [--out FOLDER]

Judges every defect, conforming variant and stub server of the proof with the
whole suite. Progress goes to stderr.

  --only GLOB    only the servers whose id matches; which checks no defect needs
                 is not known then
  --seed N       determines the order in which the checks send their traffic (1)
  --sockets      over sockets, also where the bytes on the wire do not matter
  --out FOLDER   where to write kill-matrix.json, which the site shows
                 (build/proof)
`;

/** Servers judged concurrently in a thread. */
const AT_ONCE = 8;
const THREADS = availableParallelism();
/** MB. Each thread keeps the evidence of several runs, which a small young generation would copy again and again. */
const YOUNG_GENERATION = 192;
/** ms between two lines of progress. */
const PROGRESS = 10_000;

/** The work of a thread. */
interface Share extends ProofOptions {
  readonly only: string;
  /** What all threads count together: see `TAKEN` and `JUDGED`. */
  readonly counts: Int32Array;
}

const TAKEN = 0;
const JUDGED = 1;

/** How each chosen server is judged. Variants first: some wait for pauses, which must not delay the end. */
function judgements({ only, ...options }: Omit<Share, 'counts'>): (() => Promise<Judged>)[] {
  const isChosen = ({ id }: { readonly id: string }): boolean => matchesGlob(only, id);
  return [
    ...variants.filter(isChosen).map((each) => () => proveVariant(each, options)),
    ...defects.filter(isChosen).map((each) => () => proveDefect(each, options)),
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
function inOrder(judged: readonly Judged[], catalogue: readonly { readonly id: string }[]): Judged[] {
  const byId = new Map(judged.map((each) => [each.id, each]));
  return catalogue.flatMap(({ id }) => byId.get(id) ?? []);
}

/** What a proof showed. */
interface Proof {
  readonly judgedDefects: readonly Judged[];
  readonly judgedVariants: readonly Judged[];
  readonly judgedStubs: readonly JudgedStub[];
  readonly checks: readonly CheckRow[];
}

/** Judges the chosen servers in all threads. */
async function prove(share: Omit<Share, 'counts'>): Promise<Proof> {
  const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const [started, total] = [performance.now(), judgements(share).length];
  const timer = setInterval(() => {
    const done = Atomics.load(counts, JUDGED);
    process.stderr.write(`${done} of ${total} servers judged, ${total - done} left, ${secondsSince(started)} s\n`);
  }, PROGRESS);
  const threads = Array.from({ length: THREADS }, () => inThread({ ...share, counts }));
  const chosenStubs = stubs.filter(({ id }) => matchesGlob(share.only, id));
  const judgedStubs = await mapBounded(chosenStubs, AT_ONCE, proveStub);
  const judged = (await Promise.all(threads)).flat();
  clearInterval(timer);
  const judgedDefects = inOrder(judged, defects);
  const checks = checkRows(judgedDefects, redundantChecks);
  return { judgedDefects, judgedVariants: inOrder(judged, variants), judgedStubs, checks };
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
    `defects killed by the checks that they name      ${count(judgedDefects)}`,
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
  const judgedById = new Map([...judgedDefects, ...judgedVariants].map((each) => [each.id, each]));
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

/** @throws UsageError if an option is wrong, or no server's id matches */
async function main({ values }: ParsedArguments): Promise<number> {
  const { sockets, ...texts } = values as { readonly sockets?: boolean } & Readonly<Record<string, string>>;
  const { only = '*', seed: seedText = '1', out = 'build/proof' } = texts;
  const started = performance.now();
  const seed = wholeNumber('--seed', seedText, 0, Number.MAX_SAFE_INTEGER);
  if (![...defects, ...variants, ...stubs].some(({ id }) => matchesGlob(only, id)))
    throw new UsageError(
      `--only ${only}: no defect, variant or stub server has such an id. It is one pattern, with *.`,
    );
  const proof = await prove({ only, seed, sockets: sockets === true });
  const isWhole = only === '*';
  const catalogues = { defects, variants, stubs, redundantChecks, requirementsWithoutFreedom };
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
  only: { type: 'string' },
  seed: { type: 'string' },
  sockets: { type: 'boolean' },
  out: { type: 'string' },
};

if (isMainThread) await runEntry({ name: 'prove', help: HELP, options: OPTIONS }, main);
else parentPort?.postMessage(await proveShare(workerData as Share));
