import { expect, it } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { schema } from '../../contract/document.ts';
import { runTarget } from '../../conformance/run.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { REPORTS } from '../../cli/reports.ts';
import { terminalReport } from '../../conformance/report/terminal.ts';
import { INPUTS, scripted } from '../support/engine.ts';

const MEMBERS = Object.keys(schema('createUserResponseSchema').properties);

/** What a target may show, as it stands in JSON. */
const VALUES = [
  ['half a surrogate pair', '"a\\ud800"'],
  ['a NUL', '"a\\u0000b"'],
  ['more than any output shows', `"${'x'.repeat(20_000)}"`],
  ['an object with names of JavaScript', '{"__proto__":{"toString":1},"constructor":null}'],
] as const;

/** Members that are odd in one run: beside an odd id, or with too many of them, little could be judged. */
const TOGETHER = [
  ['id'],
  ...[0, 1, 2].map((group) => MEMBERS.filter((member, index) => member !== 'id' && index % 3 === group)),
];

interface Odd {
  readonly member: string;
  readonly what: string;
  readonly value: string;
}

/** Each member with each value. */
const RUNS: readonly (readonly Odd[])[] = VALUES.flatMap((_value, turn) =>
  TOGETHER.map((members) =>
    members.map((member, index) => {
      const [what, value] = VALUES[(index + turn) % VALUES.length] ?? VALUES[0];
      return { member, what, value };
    }),
  ),
);

/** The result for a target that shows members of its users with odd values, each until an update sends it. */
async function resultFor(odd: readonly Omit<Odd, 'what'>[]): Promise<Result> {
  const updated = new Set<string>();
  const { transport } = scripted(async (request, respond) => {
    const response = await respond();
    if (response.status !== 200 || request.method !== 'PUT') return response;
    const sent = Object.keys(parsedJson(String(request.body)) ?? {});
    for (const member of sent) updated.add(`${request.path} ${member}`);
    const left = odd.filter(({ member }) => !updated.has(`${request.path} ${member}`));
    const shown = Object.entries(parsedJson(response.bytes.toString()) as object)
      .filter(([name]) => left.every(({ member }) => member !== name))
      .map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`);
    const added = left.map(({ member, value }) => `${JSON.stringify(member)}:${value}`);
    return { ...response, bytes: Buffer.from(`{${[...shown, ...added].join(',')}}`) };
  });
  return runTarget(INPUTS, { transport, journal: false });
}

/** Expects a verdict, and that every report can be made. */
function expectNoError(result: Result): void {
  expect(result.checks.filter(({ outcome }) => outcome === 'error')).toEqual([]);
  expect(result.verdict).not.toBe('error');
  for (const report of [...Object.values(REPORTS), terminalReport]) expect(report(result)).not.toBe('');
}

it.concurrent.each(
  RUNS.map((odd) => [odd.map(({ member, what }) => `\`${member}\`: ${what}`).join(', '), odd] as const),
)('a user with odd values ends no run with an error: %s', async (_members, odd) => expectNoError(await resultFor(odd)));

it.concurrent.each([
  ['__proto__', '{"toString":1}'],
  ['constructor', '"__proto__"'],
  ['half of \ud800', '1'],
  ['rootRole', '1e999'],
])('a user with `%s` that is %s ends no run with an error', async (member, value) => {
  expectNoError(await resultFor([{ member, value }]));
});

it('no result shows a key that is the name of a user, in the path of a request that goes wrong once', async () => {
  const { adminKey } = INPUTS;
  let requests = 0;
  const { transport, store } = scripted((request, respond) => {
    const isByKey = request.path.includes(`user-admin/${adminKey}`) && (requests += 1) === 1;
    return isByKey ? { status: 500, headers: {}, bytes: Buffer.from('') } : respond();
  });
  for (const user of store.users.values()) user.username = adminKey;
  const result = await runTarget(INPUTS, { transport, patience: 0 });
  expect(requests).toBeGreaterThan(1);
  expect(result.requirements.some(({ detail }) => detail?.includes('withheld'))).toBe(true);
  expect(JSON.stringify(result)).not.toContain(adminKey);
});
