import { describe, expect, it } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { schema } from '../../contract/document.ts';
import { runTarget } from '../../conformance/run.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { REPORTS } from '../../cli/reports.ts';
import { terminalReport } from '../../conformance/report/terminal.ts';
import { INPUTS, scripted } from '../support/engine.ts';

const MEMBERS = Object.keys(schema('createUserResponseSchema').properties);

/** What a target may show, as it stands in JSON. */
const VALUES: Readonly<Record<string, string>> = {
  'half a surrogate pair': '"a\\ud800"',
  'a NUL': '"a\\u0000b"',
  'a megabyte': `"${'x'.repeat(1_000_000)}"`,
  'an object with names of JavaScript': '{"__proto__":{"toString":1},"constructor":null}',
};

/** The result for a target that shows a member of its users with a value, until it is updated. */
async function resultFor(member: string, value: string): Promise<Result> {
  const updated = new Set<string>();
  const { transport } = scripted(async (request, respond) => {
    const response = await respond();
    if (response.status !== 200 || request.method !== 'PUT') return response;
    const sent = parsedJson(String(request.body)) as object | undefined;
    if (sent && Object.hasOwn(sent, member)) updated.add(request.path);
    if (updated.has(request.path)) return response;
    const shown = Object.entries(parsedJson(response.bytes.toString()) as object)
      .filter(([name]) => name !== member)
      .map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`);
    return { ...response, bytes: Buffer.from(`{${[...shown, `${JSON.stringify(member)}:${value}`].join(',')}}`) };
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
  it.each(MEMBERS)('as `%s` ends no run with an error', async (member) => {
    expectNoError(await resultFor(member, value));
  });
});

it.each([
  ['__proto__', '{"toString":1}'],
  ['constructor', '"__proto__"'],
  ['half of \ud800', '1'],
  ['rootRole', '1e999'],
])('a user with `%s` that is %s ends no run with an error', async (member, value) => {
  expectNoError(await resultFor(member, value));
});
