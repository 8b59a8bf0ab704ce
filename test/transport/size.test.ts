import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../conformance/http/limits.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { expectVerdict, PATIENT } from '../support/judging.ts';
import { JSON_TYPE, say } from '../support/responses.ts';
import { message, withRawServer } from '../../proof/wire/raw-server.ts';

/** Deeper than recursion can go. */
const LEVELS = 20_000;

/** The deadline ends a run on the largest bodies; no time-out may. */
const LIMITS = { ...PATIENT, deadline: 5000, maxBody: DEFAULT_LIMITS.maxBody };

const nest = (core: string, levels = LEVELS): string => '['.repeat(levels) + core + ']'.repeat(levels);

/** JSON with a member that is nested deeply; JSON.stringify itself could not write it. */
function withDeep(value: object, member: string): string {
  return JSON.stringify({ ...value, [member]: '@' }).replace(`"${member}":"@"`, `"${member}":${nest('1')}`);
}

const [user = {}] = defaultSeed.users;
const error = { id: 'x', name: 'ValidationError', message: 'no' };
const manyMembers = Object.fromEntries(Array.from({ length: 30_000 }, (_each, at) => [`member${at}`, at]));
const manyBanners = Array.from({ length: 100_000 }, () => 'no banner');

describe('A run does not pass, in bounded time and without an error of its own, a target that sends', () => {
  // A body nested too deeply to be read may still be JSON: it is not judged.
  const deep: readonly (readonly [what: string, status: number, body: string])[] = [
    ['a body that is nested 100,000 levels deep', 200, nest('1', 100_000)],
    ['a user inside 20,000 levels', 200, nest(JSON.stringify(user))],
    ...['id', 'name', 'permissions', 'unknownMember'].map(
      (member) => [`a user whose ${member} is nested 20,000 levels deep`, 200, withDeep(user, member)] as const,
    ),
    ['banners of which one is nested 20,000 levels deep', 200, `{"banners":[{"id":1,"message":${nest('1')}}]}`],
    ['banners that are nested 20,000 levels deep', 200, `{"banners":[${nest('1')}]}`],
    ...['name', 'message'].map(
      (member) => [`an error whose ${member} is nested 20,000 levels deep`, 400, withDeep(error, member)] as const,
    ),
  ];
  const wide: typeof deep = [
    ['a user with 30,000 other members', 200, JSON.stringify({ ...user, ...manyMembers })],
    ['a user whose name has one million characters', 200, JSON.stringify({ ...user, name: 'x'.repeat(1_000_000) })],
    ['100,000 banners that are texts', 200, JSON.stringify({ banners: manyBanners })],
  ];

  const cases = [
    ...deep.map((each) => [...each, 'inconclusive'] as const),
    ...wide.map((each) => [...each, 'failed'] as const),
  ];

  test.each(cases)('%s', async (_what, status, body, verdict) => {
    await withRawServer({ onRequest: say(message(status, JSON_TYPE, body)) }, async ({ url }) => {
      const result = await expectVerdict(url, { verdict, limits: LIMITS });
      expect(JSON.stringify(result).length).toBeLessThan(20_000_000);
    });
  });
});
