// Judges servers of the proof in as many threads as the machine has cores.
import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import type { Judged } from './judge.ts';

/** A server of the catalogue, by its id; or one with two defects. */
export interface Job {
  readonly id: string;
  /** The defect that the server has, too, around that one. */
  readonly first?: string;
}

/** Servers judged at once in a thread: some of them take their time. */
const AT_ONCE = 4;

const LOADER = new URL('../scripts/typescript.mjs', import.meta.url).href;
const THREAD = new URL('./thread.ts', import.meta.url).href;

/** A job, and what the run showed. */
export interface Done<Of extends Job> extends Judged {
  readonly job: Of;
}

/**
 * Judges servers, some of them at the same time.
 *
 * @returns what came of each, in the order of the jobs
 * @throws what judging one of them throws, such as for an id that the catalogue does not have
 */
export async function judgeInThreads<Of extends Job>(jobs: readonly Of[]): Promise<Done<Of>[]> {
  if (jobs.length === 0) return [];
  const threads = availableParallelism();
  const pool = new Tinypool({
    filename: THREAD,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: AT_ONCE,
    // A thread that waits for the next task in this way would not serve those that it has.
    useAtomics: false,
    execArgv: ['--import', LOADER],
  });
  const judge = async (job: Of): Promise<Done<Of>> => {
    const { id, first } = job;
    return { job, ...((await pool.run({ id, first })) as Judged) };
  };
  try {
    return await Promise.all(jobs.map(judge));
  } finally {
    await pool.destroy();
  }
}
