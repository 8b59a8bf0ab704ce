import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { matchesGlob } from '../conformance/checks/selection.ts';
import { defects, variants } from './catalogue.ts';
import type { Judged } from './judging.ts';
import { catalogueProblems, checkGaps, checkRows, requirementRows } from './kill-matrix.ts';
import { inParallel, proveDefect, proveStub, proveVariant } from './prove.ts';
import { redundantChecks, requirementsWithoutFreedom } from './reasons.ts';
import { toData, toMarkdown, type Proof } from './report.ts';
import { stubs } from './stubs.ts';

const HELP = `Usage: npm run prove -- [--only GLOB] [--seed N] [--out FOLDER]

Judges every defect, conforming variant and stub server of the proof with the
whole suite. Progress goes to stderr.

  --only GLOB    only the servers whose id matches; which checks no defect needs
                 is not known then
  --seed N       determines the order in which the checks send their traffic (1)
  --out FOLDER   where to write kill-matrix.json and kill-matrix.md
                 (build/proof)
`;

/** Servers judged concurrently in a thread, and threads. */
const AT_ONCE = 8;
const THREADS = 2;
/** ms between two lines of progress. */
const PROGRESS = 10_000;

interface Share {
  readonly only: string;
  readonly seed: number;
  readonly index: number;
}

interface Findings {
  readonly defects: readonly Judged[];
  readonly variants: readonly Judged[];
}

/** One server was judged. */
const DONE = 'done';

/** Judges the servers of one thread. */
async function proveShare({ only, seed, index }: Share, onDone: () => void): Promise<Findings> {
  const chosen = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
    all.filter(({ id }, at) => at % THREADS === index && matchesGlob(only, id));
  const counted = async <T>(judging: Promise<T>): Promise<T> => {
    const judged = await judging;
    onDone();
    return judged;
  };
  // Variants first: some wait for pauses, which must not delay the end.
  const judgedVariants = await inParallel(chosen(variants), AT_ONCE, (each) => counted(proveVariant(each, seed)));
  const judgedDefects = await inParallel(chosen(defects), AT_ONCE, (each) => counted(proveDefect(each, seed)));
  return { defects: judgedDefects, variants: judgedVariants };
}

function inThread(share: Share, onDone: () => void): Promise<Findings> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', (message: Findings | typeof DONE) => {
      if (message === DONE) onDone();
      else resolve(message);
    });
    worker.once('error', (error) => {
      // Said at once: a thread that ends while others still read from sockets may take the process with it.
      process.stderr.write(`a thread of the proof failed: ${error.stack ?? error.message}\n`);
      reject(error);
    });
  });
}

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000);

/** Writes progress to stderr at intervals. */
function startProgress(total: number): { readonly onDone: () => void; readonly stop: () => void } {
  const started = performance.now();
  let done = 0;
  const timer = setInterval(() => {
    process.stderr.write(`${done} of ${total} servers judged, ${total - done} left, ${secondsSince(started)} s\n`);
  }, PROGRESS);
  return {
    onDone: () => {
      done += 1;
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** Orders results as in the catalogue, whatever thread they come from. */
function inOrder(judged: readonly Judged[], catalogue: readonly { readonly id: string }[]): Judged[] {
  const byId = new Map(judged.map((each) => [each.id, each]));
  return catalogue.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Judges the chosen servers in all threads. */
async function prove(only: string, seed: number): Promise<Proof> {
  const total = [...defects, ...variants].filter(({ id }) => matchesGlob(only, id)).length;
  const { onDone, stop } = startProgress(total);
  const shares = Array.from({ length: THREADS }, (_each, index) => inThread({ only, seed, index }, onDone));
  const chosenStubs = stubs.filter(({ id }) => matchesGlob(only, id));
  const judgedStubs = await inParallel(chosenStubs, AT_ONCE, proveStub);
  const found = await Promise.all(shares);
  stop();
  const judgedDefects = inOrder(
    found.flatMap((each) => each.defects),
    defects,
  );
  const judgedVariants = inOrder(
    found.flatMap((each) => each.variants),
    variants,
  );
  const checks = checkRows(judgedDefects, redundantChecks);
  const requirements = requirementRows(defects, variants);
  return { defects, judgedDefects, variants, judgedVariants, stubs, judgedStubs, checks, requirements };
}

function printJudged({ judgedDefects, judgedVariants, judgedStubs }: Proof, problems: readonly string[]): void {
  const count = (judged: readonly Judged[]): string =>
    `${judged.filter((each) => each.problems.length === 0).length} of ${judged.length}`;
  const broken = [...judgedDefects, ...judgedVariants, ...judgedStubs].filter((each) => each.problems.length > 0);
  const precise = judgedDefects.filter(({ misblamed = [] }) => misblamed.length === 0);
  const lines = [
    ...broken.flatMap(({ id, verdict, problems: own }) => [
      `✗ ${id} (${verdict})`,
      ...own.map((each) => `    ${each}`),
    ]),
    ...problems.map((problem) => `✗ ${problem}`),
    `defects killed by the checks that they name      ${count(judgedDefects)}`,
    `defects blamed for what they break alone         ${precise.length} of ${judgedDefects.length}`,
    `conforming variants without a false failure      ${count(judgedVariants)}`,
    `stub servers without a false pass                ${count(judgedStubs)}`,
    ...judgedStubs.map(({ id, score }) => `    ${id.padEnd(28)} ${score.passed} of ${score.total} must checks`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function writeMatrix(proof: Proof, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'kill-matrix.md'), toMarkdown(proof));
  writeFileSync(join(folder, 'kill-matrix.json'), `${JSON.stringify(toData(proof), null, 2)}\n`);
  const needed = proof.checks.filter(({ aloneOn }) => aloneOn.length > 0).length;
  process.stdout.write(`checks that alone kill a defect                  ${needed} of ${proof.checks.length}\n`);
  process.stdout.write(`the table is in ${join(folder, 'kill-matrix.md')}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '*' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: 'build/proof' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const started = performance.now();
  const seed = Number(values.seed);
  const proof = await prove(values.only, seed);
  const isWhole = values.only === '*';
  const catalogues = { defects, variants, stubs, redundantChecks, requirementsWithoutFreedom };
  const problems = [...catalogueProblems(catalogues), ...(isWhole ? checkGaps(proof.checks) : [])];
  printJudged(proof, problems);
  if (isWhole) writeMatrix(proof, values.out);
  process.stdout.write(`${secondsSince(started)} s, seed ${seed}\n`);
  const { judgedDefects, judgedVariants, judgedStubs } = proof;
  const failed = [...judgedDefects, ...judgedVariants, ...judgedStubs].some((each) => each.problems.length > 0);
  process.exitCode = failed || problems.length > 0 ? 1 : 0;
}

// A reader that closes early (a pager, head) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

if (isMainThread) await main();
else {
  const tell = (message: Findings | typeof DONE): void => {
    parentPort?.postMessage(message);
  };
  tell(
    await proveShare(workerData as Share, () => {
      tell(DONE);
    }),
  );
}
