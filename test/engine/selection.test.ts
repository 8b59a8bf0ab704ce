/** What a selection of checks says, a run of one finding, and a run that ends early. */
import { describe, expect, test } from 'vitest';
import { requirements } from '../../contract/document.ts';
import { type RunOptions, runTarget } from '../../conformance/run.ts';
import { anError, idIn, INPUTS, json, onAccepted, type Script, scripted } from '../support/engine.ts';

const run = (transport: RunOptions['transport'], options: RunOptions = {}) =>
  runTarget({ ...INPUTS, bannerIds: [1, 2] }, { transport, journal: false, ...options });

const KEYS: readonly (string | undefined)[] = [INPUTS.adminKey, INPUTS.restrictedKey];

/** A server that has no update yet: whoever shows a key gets 404. */
const withoutUpdates: Script = ({ method, headers }, respond) =>
  method === 'PUT' && KEYS.includes(headers.Authorization) ? anError(404, 'NotFoundError') : respond();

/** Accepts updates with 201, and stores the name `4711` as another one. */
const twoFaults = onAccepted((_user, response, request, { users }) => {
  if (!String(request.body).includes('"4711"')) return { ...response, status: 201 };
  return json(201, Object.assign(users.get(idIn(request)) ?? {}, { name: 'Another' }));
});

describe('a selection', () => {
  test.each([['listBanners'], ['auth']])('of %s passes on a server that has no update yet', async (only) => {
    const { transport } = scripted(withoutUpdates);
    const { findings, checks, restoration } = await run(transport, { only: [only], failOn: 'should' });
    expect(findings).toEqual([]);
    const open = checks.filter(({ outcome }) => outcome !== 'passed').map(({ id, outcome }) => [id, outcome]);
    expect(open.filter(([, outcome]) => outcome !== 'not-applicable')).toEqual([]);
    expect(open.filter(([id]) => id !== 'side-effects-of-reading')).toEqual([]);
    expect(restoration.outcome).toBe('none');
  });

  test('that needs no user sends no update', async () => {
    const { transport, requests } = scripted();
    const { verdict } = await run(transport, { only: ['banners-stable'] });
    expect(verdict).toBe('passed');
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('does not count the first updates, unless it names them; and says the same of a finding as the run did', async () => {
    const [whole, alone] = [['first-updates', 'name-like-number'], ['name-like-number']];
    const first = await run(scripted(twoFaults).transport, { only: whole });
    const again = await run(scripted(twoFaults).transport, { only: alone });
    expect(first.findings.map(({ id }) => id)).toEqual(['update.success-is-200', 'update.values-faithful']);
    expect(first.checks[1]).toMatchObject({ outcome: 'failed', workarounds: ['status'] });
    expect(first.workarounds).toMatchObject([{ id: 'status', checks: 1 }]);
    const toldOf = ({ findings }: typeof first) =>
      findings
        .filter(({ id }) => id === 'update.values-faithful')
        .map(({ kind, title, failures, checks }) => ({ kind, title, failures, checks }));
    expect(again.findings).toHaveLength(1);
    expect(toldOf(again)).toEqual(toldOf(first));
  });
});

test('the summary counts requirements, and agrees with what it sums up', async () => {
  const { summary, requirements: judged } = await run(scripted(twoFaults).transport, {
    only: ['first-updates', 'name-like-number', 'name-nul'],
  });
  for (const level of ['must', 'should'] as const) {
    const own = judged.filter((each) => each.level === level);
    const { failed, passed, inconclusive, total } = summary.requirements[level];
    expect(total).toBe(own.length);
    for (const [outcome, count] of Object.entries({ failed, passed, inconclusive }))
      expect(own.filter((each) => each.outcome === outcome)).toHaveLength(count);
  }
  expect(summary.requirements.must.failed).toBe(1);
});

describe('of a run that ends early, nothing is passed that was not looked at:', () => {
  /** What a run passes that is interrupted when so many requests were sent; after that, its users are restored. */
  async function endingAfter(count: number) {
    const end = new AbortController();
    const { transport, requests } = scripted((_request, respond) => {
      if (requests.length !== count) return respond();
      end.abort();
      return new Promise(() => undefined);
    });
    const result = await run(transport, { signal: end.signal });
    expect(result.verdict).toBe('interrupted');
    expect(result.requirements).toHaveLength(requirements.length);
    return result.requirements.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  }

  test('at its first request', async () => expect(await endingAfter(1)).toEqual([]));

  test('before it got an error, or read a list', async () => {
    const passed = await endingAfter(9);
    const isLookedAt = (id: string): boolean =>
      /^(user|bodies)\.|^(auth\.key-not-shown|update\.id-matches-path)$/.test(id);
    expect(passed.filter((id) => !isLookedAt(id))).toEqual([]);
  });
});
