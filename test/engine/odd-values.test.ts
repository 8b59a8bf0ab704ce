import { describe, expect, it } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { schema } from '../../contract/document.ts';
import { runTarget } from '../../conformance/run.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { REPORTS } from '../../cli/reports.ts';
import { terminalReport } from '../../conformance/report/terminal.ts';
import { INPUTS, scripted } from '../support/engine.ts';

const MEMBERS = Object.keys(schema('createUserResponseSchema').properties);
const HALF = Math.ceil(MEMBERS.length / 2);
/** Two members of one run each: half of the runs show as much. */
const PAIRS = MEMBERS.slice(0, HALF).map((member, index) => [member, ...MEMBERS.slice(HALF + index, HALF + index + 1)]);

/** What a target may show, as it stands in JSON. */
const VALUES: Readonly<Record<string, string>> = {
  'half a surrogate pair': '"a\\ud800"',
  'a NUL': '"a\\u0000b"',
  'a megabyte': `"${'x'.repeat(1_000_000)}"`,
  'an object with names of JavaScript': '{"__proto__":{"toString":1},"constructor":null}',
};

/** The result for a target that shows members of its users with a value, each until an update sends it. */
async function resultFor(members: readonly string[], value: string): Promise<Result> {
  const updated = new Set<string>();
  const { transport } = scripted(async (request, respond) => {
    const response = await respond();
    if (response.status !== 200 || request.method !== 'PUT') return response;
    const sent = Object.keys(parsedJson(String(request.body)) ?? {});
    for (const member of sent) updated.add(`${request.path} ${member}`);
    const odd = members.filter((member) => !updated.has(`${request.path} ${member}`));
    const shown = Object.entries(parsedJson(response.bytes.toString()) as object)
      .filter(([name]) => !odd.includes(name))
      .map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`);
    const added = odd.map((member) => `${JSON.stringify(member)}:${value}`);
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

describe.each(Object.entries(VALUES))('a user with %s', (_what, value) => {
  it.each(PAIRS.map((members) => [members.join('` and `'), members] as const))(
    'as `%s` ends no run with an error',
    async (_names, members) => expectNoError(await resultFor(members, value)),
  );
});

it.each([
  ['__proto__', '{"toString":1}'],
  ['constructor', '"__proto__"'],
  ['half of \ud800', '1'],
  ['rootRole', '1e999'],
])('a user with `%s` that is %s ends no run with an error', async (member, value) => {
  expectNoError(await resultFor([member], value));
});
