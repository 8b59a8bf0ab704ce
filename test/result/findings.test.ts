import { assert, expect, it } from 'vitest';
import { checks } from '../../conformance/checks/catalogue.ts';
import { makeRecorder } from '../../conformance/http/record.ts';
import { checksAgain } from '../../conformance/result/compare.ts';
import { findingsOf } from '../../conformance/result/findings.ts';
import { defects } from '../../proof/catalogue.ts';
import { judgeServer } from '../../proof/judge.ts';
import { withBoth } from '../../proof/pairs.ts';
import type { Defect } from '../../proof/server.ts';
import { answered } from '../../proof/servers/requests.ts';
import { refusedWith } from '../../proof/servers/responses.ts';
import { refusing, updating, usersWith, withSomething } from '../../proof/servers/updates.ts';
import { anError, INPUTS, json, judgedBy, type Script } from '../support/engine.ts';

it('one wrong status for all refusals is one finding, whether the update had to be refused or not', async () => {
  const refusesEmptyName = refusing(({ name }) => name === '');
  const behaviour = { ...refusesEmptyName, ...refusedWith(answered(400), 422) };
  const { result } = await judgeServer({ behaviour }, { only: ['request-body.name-type', 'update.empty-text'] });
  expect(result.findings).toMatchObject([
    { id: 'status.400-is-422', level: 'must', title: 'Refusals that should get 400 get 422' },
  ]);
  expect(result.requirements.find(({ id }) => id === 'update.empty-text')?.outcome).toBe('failed');
});

it.each([
  [422, ['status.400-is-422']],
  [500, ['request-body.name-type', 'request-body.email-type']],
])('where other refusals are right, a %s for two reasons is told as %j', async (status, ids) => {
  const ofTypes: Script = ({ body = '' }, respond) =>
    /"(name|email)":(\d|true|false|null|\[|\{)/.test(body.toString()) ? anError(status, 'ValidationError') : respond();
  const { findings } = await foundBy(ofTypes, 'body-name-type', 'body-email-type', 'body-no-object');
  expect(findings.map(({ id }) => id)).toEqual(ids);
});

const ADMIN = INPUTS.adminKey;

/** The findings of these checks, and the problems that they are made of. */
async function foundBy(script: Script, ...ids: readonly string[]) {
  const own = checks.filter(({ id, requirement }) => ids.includes(id) || ids.includes(requirement));
  const judgement = await judgedBy(script, ...own);
  return { ...judgement, findings: await findingsOf(judgement, makeRecorder(INPUTS)) };
}

it('a finding lists every value that failed, each once', async () => {
  const lenient: Script = ({ body = '' }, respond, { users }) =>
    /"name":(\d|true|\[)/.test(body.toString()) ? json(200, users.get(1)) : respond();
  const { findings } = await foundBy(lenient, 'request-body.name-type');
  expect(findings.map(({ id }) => id)).toEqual(['request-body.name-type']);
  const titles = findings[0]?.failures.map(({ title }) => title) ?? [];
  for (const value of ['5', 'true', '[']) expect(titles.join('\n')).toContain(value);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles[0]).toBe(findings[0]?.title);
});

it('the request that is to blame stands first, then what must be sent before it', async () => {
  let isAfterRefusal = false;
  const forgetful: Script = ({ headers, body }, respond) => {
    const isHit = isAfterRefusal && headers.Authorization === ADMIN && body !== '{}';
    isAfterRefusal = headers.Authorization === undefined;
    return isHit ? json(500, { id: '1', name: 'Error', message: 'failed' }) : respond();
  };
  const { findings } = await foundBy(forgetful, 'update-after-refusal');
  const { exchanges = [] } = findings.find(({ id }) => id === 'update.success-is-200') ?? {};
  expect(exchanges.map(({ part, response }) => [part, response?.status])).toEqual([
    ['cause', 500],
    ['before', 401],
  ]);
});

it.each<[string, string, string, (inFlight: number) => boolean]>([
  ['concurrent', 'concurrent-refusals', 'concurrently', (inFlight) => inFlight > 1],
  ['preceding', 'update-after-refusal', 'between-updates', () => true],
])('a %s refusal that is accepted breaks its own requirement, and stands first', async (_what, id, when, isTaken) => {
  let inFlight = 0;
  const careless: Script = async ({ body = '', headers }, respond, { users }) => {
    inFlight += 1;
    await new Promise(setImmediate);
    const isNumber = body.toString().includes('"name":5') && headers.Authorization === ADMIN;
    const response = isNumber && isTaken(inFlight) ? json(200, users.get(1)) : await respond();
    inFlight -= 1;
    return response;
  };
  const { broken } = await foundBy(careless, id);
  expect(broken.map(({ requirement }) => requirement)).toEqual(['request-body.name-type']);
  const [problem] = broken[0]?.problems ?? [];
  expect(problem?.fault).toMatchObject({ kind: 'status', when, due: [400], came: 200 });
  expect(problem?.exchanges[0]?.request.body).toContain('"name":5');
});

const isUpdateOf = (body: string | Buffer | undefined, what: RegExp): boolean => what.test(String(body ?? ''));

it('where nothing is accepted, that is one finding, and no member is blamed', async () => {
  const script: Script = ({ headers, method }, respond) =>
    method === 'PUT' && headers.Authorization === ADMIN ? anError(400, 'ValidationError') : respond();
  const { broken } = await foundBy(script, 'update-name');
  expect(broken.map(({ requirement }) => requirement)).toEqual(['update.success-is-200']);
});

it('a member of a wrong type that an update stored stands behind that update, so that the requests reproduce it', async () => {
  const script: Script = async ({ body }, respond, { users }) => {
    if (!isUpdateOf(body, /"rootRole":true/)) return respond();
    Object.assign(users.get(1) ?? {}, { rootRole: true });
    return json(200, users.get(1));
  };
  const { findings } = await foundBy(script, 'body-role-type');
  const { exchanges = [] } = findings.find(({ id }) => id === 'user.root-role') ?? {};
  expect(exchanges.map(({ part }) => part)).toEqual(['cause', 'before']);
  expect(exchanges[1]?.request.body).toContain('"rootRole":true');
});

it('a number that JavaScript rounds is told as it was sent', async () => {
  const script: Script = async ({ body }, respond, { users }) => {
    if (!isUpdateOf(body, /"rootRole":1844674407370955161\d/)) return respond();
    Object.assign(users.get(1) ?? {}, { rootRole: -5 });
    return json(200, users.get(1));
  };
  const { findings } = await foundBy(script, 'json-role-beyond-integers');
  const { title, expected } = findings.find(({ id }) => id === 'update.json-faithful') ?? {};
  expect(title).toMatch(/^`rootRole` is not stored: 1844674407370955161\d was sent/);
  expect(expected).toMatch(/^1844674407370955161\d$/);
});

it('a value that is not stored for the form of its update is told with the form', async () => {
  const script: Script = ({ headers }, respond, { users }) =>
    headers['Content-Type'] === 'text/plain' ? json(200, users.get(1)) : respond();
  const { findings } = await foundBy(script, 'media-type-other');
  expect(findings[0]?.title).toMatch(/^The `name` of an update that is declared as `text\/plain` is not stored: /);
});

function defect(id: string): Defect {
  const found = defects.find((each) => each.id === id);
  assert(found);
  return found;
}

it('a check that finds that readings change a member has failed, and --again runs it', async () => {
  const { result } = await judgeServer(defect('update-moves-creation-time'), { only: ['update-name'] });
  expect(result.checks).toMatchObject([{ id: 'update-name', outcome: 'failed' }]);
  expect(checksAgain(result).ids).toEqual(['update-name']);
});

it('a check that failed counts under the level of what it broke', async () => {
  const { result } = await judgeServer(defect('refused-list-counted-as-login'), { only: ['auth-no-header'] });
  expect(result.checks).toMatchObject([{ level: 'must', outcome: 'failed' }]);
  const { must, should } = result.summary;
  expect([must.failed, should.failed]).toEqual([0, 1]);
});

it('a requirement does not hold by a check that lives with one fault, and finds another one', async () => {
  const raising = updating(withSomething, ({ before: { loginAttempts = 0 } }) => ({
    loginAttempts: loginAttempts + 1,
  }));
  const counting = { ...usersWith({ loginAttempts: 3 }), ...raising };
  const behaviour = withBoth(defect('update-changes-all-users').behaviour, counting);
  const only = ['update-name', 'update-other-user', 'update-other-members', 'name-emoji'];
  const { result } = await judgeServer({ behaviour }, { only });
  expect(result.checks.find(({ id }) => id === 'name-emoji')?.outcome).toBe('failed');
  expect(result.requirements.find(({ id }) => id === 'update.values-faithful')?.outcome).toBe('inconclusive');
});
