/** Two runs against the same users at the same time: no value of either stays behind, or a run says so and keeps its journal. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Result } from '../../conformance/facts/result.ts';
import type { Transport } from '../../conformance/http/transport.ts';
import { runTarget } from '../../conformance/run.ts';
import { type Journal, journalSchema } from '../../conformance/users/journal.ts';
import type { Seed } from '../../reference-server/seed.ts';
import { LIMITS } from '../judge.ts';
import { inputsFor, withBehaviour } from '../servers/behaviour.ts';
import { randomBy } from './disturbances.ts';

/** Requests of the first run after which the second one starts: mostly while the users are read, else at any time. */
const [WHILE_READING, ANY_TIME] = [8, 640];
/** Rounds of the event loop that a request may have to wait: most go on at once, some are overtaken by many others. */
const LONGEST_WAIT = 100;

type Random = ReturnType<typeof randomBy>;

/** Lets each request wait for a while. */
function jostled(transport: Transport, random: Random, onRequest: () => void): Transport {
  return async (request) => {
    onRequest();
    const wait = random() ** 6 * LONGEST_WAIT;
    for (let rounds = 1; rounds < wait; rounds += 1) await tick();
    return transport(request);
  };
}

/** The journal at a path, if it is there. */
function journalAt(path: string): Journal | undefined {
  return existsSync(path) ? journalSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

/** Whether a journal has no value that the users did not have before both runs. */
function isTrue({ users }: Journal, seed: Seed): boolean {
  return users.every(({ id, originals }) => {
    const before = seed.users.find((user) => String(user.id) === id) ?? {};
    return Object.entries(originals).every(([member, value]) =>
      isDeepStrictEqual(value, (before as Record<string, unknown>)[member]),
    );
  });
}

function problemsOf(result: Result, journal: Journal | undefined, isAsBefore: boolean, seed: Seed): string[] {
  const { verdict, findings, restoration } = result;
  return [
    ...(verdict === 'failed' ? [`a run blames the target: ${findings.map(({ title }) => title).join('; ')}`] : []),
    ...(journal && !isTrue(journal, seed) ? ['a journal has a value of the other run'] : []),
    ...(!isAsBefore && restoration.outcome === 'complete' && !journal
      ? ['a run says that the users are as before']
      : []),
  ];
}

/** What came of two runs. */
interface Pair {
  readonly verdicts: string;
  readonly problems: readonly string[];
}

/** Judges a server twice at the same time; the seed decides which request comes when. */
export async function judgePair(seedText: string): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-pair-'));
  const random = randomBy(`pair ${seedText}`);
  const startsAt = Math.floor(random() * (random() < 0.7 ? WHILE_READING : ANY_TIME));
  try {
    return await withBehaviour({}, async ({ url, seed, store, transport }) => {
      if (!transport) throw new Error('A pair needs a server without a socket.');
      let [requests, start] = [0, (): void => undefined];
      const started = new Promise<void>((resolve) => (start = resolve));
      const count = (): void => {
        if (requests >= startsAt) start();
        requests += 1;
      };
      const paths = [join(folder, 'first.json'), join(folder, 'second.json')] as const;
      const run = (journal: string): Promise<Result> =>
        runTarget(inputsFor(url, seed), { ...LIMITS, journal, transport: jostled(transport, random, count) });
      const first = run(paths[0]).finally(start);
      await started;
      const results = await Promise.all([first, run(paths[1])]);
      const isAsBefore = isDeepStrictEqual([...store.users.values()], seed.users);
      const journals = paths.map(journalAt);
      const isSaid = isAsBefore || results.some(({ verdict }, index) => verdict === 'inconclusive' && journals[index]);
      const problems = [
        ...(isSaid ? [] : ['a value of a run stays, and no run says so']),
        ...results.flatMap((result, index) => problemsOf(result, journals[index], isAsBefore, seed)),
      ];
      return {
        verdicts: results.map(({ verdict }) => verdict).join(' and '),
        problems: problems.map((each) => `pair ${seedText}: ${each}`),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
