import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { matchesGlob } from '../conformance/checks/selection.ts';
import { defects, variants } from './catalogue.ts';
import type { Judged } from './judging.ts';
import { checkRows, gaps, repeatedIds, sentenceRows, unknownNames } from './kill-matrix.ts';
import { inParallel, proveDefect, proveStub, proveVariant } from './prove.ts';
import { redundantChecks, sentencesWithoutFreedom } from './reasons.ts';
import { toMarkdown, type Proof } from './report.ts';
import { stubs, type JudgedTrivial } from './stubs.ts';

const HELP = `Usage: npm run prove -- [--only GLOB] [--seed N] [--out FOLDER]

Judges every defect, conforming variant and stub server of the proof with the
whole suite. Progress goes to stderr.

  --only GLOB    only the servers whose id matches; the catalogues as a whole
                 are not judged then
  --seed N       decides the order in which the checks send their traffic (1)
  --out FOLDER   where kill-matrix.json and kill-matrix.md are written
                 (build/proof)
`;

/** Servers judged at once in a thread, and threads. */
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

/** What one thread does: every server whose turn it is. */
async function proveShare({ only, seed, index }: Share, onDone: () => void): Promise<Findings> {
  const chosen = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
    all.filter(({ id }, at) => at % THREADS === index && matchesGlob(only, id));
  const counted = async <T>(judging: Promise<T>): Promise<T> => {
    const judged = await judging;
    onDone();
    return judged;
  };
  // Variants first: some wait for pauses, and the others need not wait for them at the end.
  const lawful = await inParallel(chosen(variants), AT_ONCE, (each) => counted(proveVariant(each, seed)));
  const broken = await inParallel(chosen(defects), AT_ONCE, (each) => counted(proveDefect(each, seed)));
  return { defects: broken, variants: lawful };
}

function inThread(share: Share, onDone: () => void): Promise<Findings> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', (message: Findings | typeof DONE) => {
      if (message === DONE) onDone();
      else resolve(message);
    });
    worker.once('error', reject);
  });
}

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000);

/** Says on stderr now and then how far the proof is. */
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

/** In the order of a catalogue, whatever thread they come from. */
function inOrder(judged: readonly Judged[], catalogue: readonly { readonly id: string }[]): Judged[] {
  const byId = new Map(judged.map((each) => [each.id, each]));
  return catalogue.flatMap(({ id }) => byId.get(id) ?? []);
}

function printProblems(judged: readonly Judged[]): void {
  for (const { id, verdict, problems } of judged.filter((each) => each.problems.length > 0)) {
    process.stdout.write(`✗ ${id} (${verdict})\n`);
    for (const problem of problems) process.stdout.write(`    ${problem}\n`);
  }
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
  const { only } = values;
  const seed = Number(values.seed);
  const total = [...defects, ...variants].filter(({ id }) => matchesGlob(only, id)).length;
  const { onDone, stop } = startProgress(total);
  const shares = Array.from({ length: THREADS }, (_each, index) => inThread({ only, seed, index }, onDone));
  const chosenTrivial = stubs.filter(({ id }) => matchesGlob(only, id));
  const trivial: JudgedTrivial[] = await inParallel(chosenTrivial, AT_ONCE, proveStub);
  const found = await Promise.all(shares);
  stop();
  const broken = inOrder(
    found.flatMap((each) => each.defects),
    defects,
  );
  const lawful = inOrder(
    found.flatMap((each) => each.variants),
    variants,
  );
  const whole = only === '*';

  const checkTable = checkRows(broken, redundantChecks);
  const sentences = sentenceRows(defects, variants);
  const problems = whole
    ? [
        ...repeatedIds(defects, variants, stubs).map((id) => `the id ${id} is used twice`),
        ...unknownNames(defects, variants),
        ...gaps(checkTable, sentences, redundantChecks, sentencesWithoutFreedom),
      ]
    : [];
  printProblems([...broken, ...lawful, ...trivial]);
  for (const problem of problems) process.stdout.write(`✗ ${problem}\n`);

  const count = (judged: readonly Judged[]): string =>
    `${judged.filter((each) => each.problems.length === 0).length} of ${judged.length}`;
  process.stdout.write(`defects killed by the checks that they name      ${count(broken)}\n`);
  process.stdout.write(`conforming variants without a false failure      ${count(lawful)}\n`);
  process.stdout.write(`stub servers without a false pass                ${count(trivial)}\n`);
  for (const { id, score } of trivial)
    process.stdout.write(`    ${id.padEnd(28)} ${score.passed} of ${score.total} must checks\n`);
  if (whole) {
    const proof: Proof = { defects, broken, variants, lawful, stubs, trivial, checks: checkTable, sentences };
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, 'kill-matrix.md'), toMarkdown(proof));
    writeFileSync(join(values.out, 'kill-matrix.json'), `${JSON.stringify(toData(proof), null, 2)}\n`);
    const needed = checkTable.filter(({ aloneOn }) => aloneOn.length > 0).length;
    process.stdout.write(`checks that alone kill a defect                  ${needed} of ${checkTable.length}\n`);
    process.stdout.write(`the table is in ${join(values.out, 'kill-matrix.md')}\n`);
  }
  process.stdout.write(`${secondsSince(started)} s, seed ${seed}\n`);
  const failed = [...broken, ...lawful, ...trivial].some((each) => each.problems.length > 0);
  process.exitCode = failed || problems.length > 0 ? 1 : 0;
}

function toData({ defects: all, broken, variants: some, lawful, trivial, checks, sentences }: Proof): unknown {
  const judgedById = new Map([...broken, ...lawful].map((each) => [each.id, each]));
  return {
    defects: all.map(({ id, title, breaks, killedBy }) => {
      const { verdict, failed, problems } = judgedById.get(id) ?? {};
      return { id, title, breaks, killedBy, verdict, failed, problems };
    }),
    variants: some.map(({ id, title, about }) => {
      const { verdict, inconclusive, problems } = judgedById.get(id) ?? {};
      return { id, title, about, verdict, inconclusive, problems };
    }),
    stubs: trivial.map(({ id, verdict, score, problems }) => ({ id, verdict, score, problems })),
    checks,
    sentences,
  };
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
