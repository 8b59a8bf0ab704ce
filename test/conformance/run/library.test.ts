import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidSelection, run, type RunEvent, type RunOptions, type Target } from '../../../conformance/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import type { RunningBehaviour } from '../../../proof/servers/behaviour.ts';
import { targetOf, withTarget } from '../../support/target.ts';

const folder = temporaryFolder();

interface Stage {
  readonly server: RunningBehaviour;
  readonly journal: string;
  /** The users as they are now. */
  readonly users: () => string;
}

/** Lets something be done with a server; its users must be as before, and no journal may be left. */
async function unchanged(use: (stage: Stage) => Promise<void>): Promise<void> {
  await withTarget({}, async (server) => {
    const users = (): string => JSON.stringify([...server.store.users]);
    const journal = folder.fresh().at('journal.json');
    const before = users();
    await use({ server, journal, users });
    expect(users()).toBe(before);
    expect(existsSync(journal)).toBe(false);
  });
}

/** The events at which a caller may want to stop, each the nth of those that fit. */
const MOMENTS: readonly (readonly [string, (event: RunEvent) => boolean, number])[] = [
  ['the plan', ({ type }) => type === 'planned', 1],
  ['the journal', ({ type }) => type === 'journal', 1],
  ['a late exchange', ({ type }) => type === 'exchange', 200],
  ['the start of the restoration', (event) => event.type === 'stage' && event.operation === 'restore', 1],
  [
    'the first request that restores',
    (event) => event.type === 'exchange' && event.exchange.purpose.startsWith('Restoring the user'),
    1,
  ],
  ['the end', ({ type }) => type === 'restored', 1],
];

it('an abort before the start sends nothing', async () => {
  await unchanged(async ({ server, journal }) => {
    const result = await run(targetOf(server), { ...server.reach, signal: AbortSignal.abort(), journal });
    expect([result.verdict, result.restoration.outcome]).toEqual(['interrupted', 'none']);
  });
});

it.each(MOMENTS)(
  'an error of the caller, or an abort, at %s ends the run with the users restored',
  async (_name, fits, nth) => {
    const controller = new AbortController();
    const own = new Error('of the caller');
    const fail = (): void => {
      throw own;
    };
    const abort = (): void => controller.abort();
    for (const act of [fail, abort]) {
      await unchanged(async ({ server, journal }) => {
        const fitting: RunEvent[] = [];
        let later = 0;
        const onEvent = (event: RunEvent): void => {
          if (fitting.length >= nth) later += 1;
          else if (fits(event) && fitting.push(event) === nth) act();
        };
        const running = run(targetOf(server), { ...server.reach, signal: controller.signal, journal, onEvent });
        if (act === fail) {
          await expect(running).rejects.toBe(own);
          expect(later).toBe(0);
        } else {
          const { verdict, restoration } = await running;
          expect(verdict).toBe('interrupted');
          expect(['complete', 'none']).toContain(restoration.outcome);
        }
        expect(fitting).toHaveLength(nth);
      });
    }
  },
);

it('the events come in the documented order, are numbered, and carry no key; the journal comes before any update', async () => {
  await unchanged(async ({ server, journal, users }) => {
    const events: RunEvent[] = [];
    const before = users();
    let atJournal: string | undefined;
    const onEvent = (event: RunEvent): void => {
      events.push(event);
      if (event.type === 'journal') atJournal = users();
    };
    const result = await run(targetOf(server), { ...server.reach, onEvent, journal });
    const types = events.map((event) => (event.type === 'stage' ? `stage ${event.operation}` : event.type));
    expect(types[0]).toBe('planned');
    expect(types.at(-1)).toBe('restored');
    expect(types.filter((type) => type === 'journal')).toHaveLength(1);
    expect(atJournal).toBe(before);
    const restoring = types.indexOf('stage restore');
    expect(types.slice(restoring + 1, -1).filter((type) => type !== 'exchange')).toEqual([]);
    const counts = events.flatMap((event) => (event.type === 'exchange' ? [event.count] : []));
    expect(counts).toEqual(counts.map((_count, index) => index + 1));
    expect(counts).toHaveLength(result.summary.requests);
    const told = JSON.stringify(events);
    for (const key of Object.values(server.seed.keys)) expect(told).not.toContain(key);
    expect(told).toContain('/api/admin/user-admin/1');
  });
});

describe('a call that cannot be right', () => {
  const base: Target = { baseUrl: 'http://127.0.0.1:9', adminKey: 'admin', restrictedKey: 'restricted', userId: 4 };

  it.each<readonly [string, Partial<Target>, RegExp]>([
    ['no URL', { baseUrl: 'localhost' }, /baseUrl: "localhost" is not an address; write for example http/],
    ['a key with a line break', { restrictedKey: 'secret-7\n' }, /restrictedKey has characters/],
    ['the same key twice', { restrictedKey: 'admin' }, /the same/],
    ['an id that is no integer', { userId: 'four' }, /"four" is not an id/],
    ['an id that a number does not hold', { otherUserId: 2 ** 60 }, /otherUserId.*text/],
    ['the same id twice', { otherUserId: '4' }, /must differ/],
    ['one role', { roleIds: [1] }, /at least two different roles/],
    ['the same role in two forms', { roleIds: [1, { id: 1 }] }, /at least two different roles/],
    ['a domain in capitals', { emailDomain: 'EXAMPLE.com' }, /lower case/],
  ])('is a TypeError: %s', async (_what, wrong, says) => {
    const error: unknown = await run({ ...base, ...wrong }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(says);
    expect((error as Error).message).not.toContain('secret-7');
  });

  it.each<readonly [string, RunOptions['limits']]>([
    ['no number', { timeout: Number.NaN }],
    ['zero', { concurrency: 0 }],
    ['more than a timer holds', { deadline: 2 ** 31 }],
  ])('is a RangeError: a limit that is %s', async (_what, limits) => {
    await expect(run(base, { limits: limits ?? {} })).rejects.toBeInstanceOf(RangeError);
  });

  it('is an InvalidSelection if nothing is called so', async () => {
    await expect(run(base, { only: ['banner'] })).rejects.toBeInstanceOf(InvalidSelection);
  });

  it('tells of a journal that cannot be written, and writes to no user', async () => {
    const inTheWay = folder.write('a-file', '');
    await unchanged(async ({ server }) => {
      const running = run(targetOf(server), { ...server.reach, journal: `${inTheWay}/journal.json` });
      await expect(running).rejects.toHaveProperty('syscall');
    });
  });
});

it('a target may be told with undefined values, numbers and a URL', async () => {
  await withTarget({}, async ({ url, seed, reach }) => {
    const told = { baseUrl: new URL(url), adminKey: seed.keys.admin, restrictedKey: undefined, userId: 1 };
    const { target, verdict } = await run(told, { ...reach, only: ['update-name-stored'] });
    expect([target.userId, target.adminKey, target.restrictedKey, verdict]).toEqual(['1', true, false, 'passed']);
  });
});
