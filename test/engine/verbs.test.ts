import { expect, test } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { check } from '../../conformance/engine/check.ts';
import { MAX_BODY } from '../../conformance/http/lost.ts';
import {
  anError,
  brokenIn,
  INPUTS,
  json,
  judged,
  outcomesOf,
  type Script,
  scripted,
  sessionOver,
} from '../support/engine.ts';

// What else the verbs find in an update, and by which requirement, is tested by the proof.
const ACCEPTS = check('update-name', {
  title: 'Updating only `name`',
  requirement: 'update.success-is-200',
  run: (attempt) => attempt.user.accepts({ name: `Plain ${attempt.fresh.name()}` }),
});

test('a server that refuses `{}` and unknown members is read by updates with the role that it has', async () => {
  const strict: Script = ({ body = '' }, respond) =>
    Object.keys(parsedJson(String(body)) ?? {}).some((each) => ['name', 'email', 'rootRole'].includes(each))
      ? respond()
      : anError(400, 'ValidationError');
  const judgement = await judged(sessionOver(scripted(strict).transport), ACCEPTS);
  expect(outcomesOf(judgement)).toMatchObject({ 'update-name': 'passed' });
});

test('if an update changes another user, that alone is said', async () => {
  const confused: Script = ({ body = '' }, respond, { users }) => {
    if (!String(body).includes('Plain ')) return respond();
    const user = users.get(1);
    users.set(2, { ...users.get(2), id: 2, name: user?.name ?? '' });
    return json(200, user);
  };
  const judgement = await judged(sessionOver(scripted(confused).transport), ACCEPTS);
  expect(Object.keys(brokenIn(judgement))).toEqual(['update.addressed-user-only']);
});

test('an update that gives the user another id is told with both ids as numbers', async () => {
  let id = 1;
  const renamed: Script = async ({ path, body = '' }, respond) => {
    if (String(body) !== '{}') id = String(body).includes('Plain ') ? 7 : 1;
    const response = await respond();
    const shown = parsedJson(response.bytes.toString()) as object;
    return response.status === 200 && path.endsWith('/1') ? json(200, { ...shown, id }) : response;
  };
  const judgement = await judged(sessionOver(scripted(renamed).transport), ACCEPTS);
  expect(Object.values(brokenIn(judgement))).toContainEqual(expect.objectContaining({ member: 'id', due: 1, came: 7 }));
});

test('an update whose response cannot be read may have changed the user, also where no request reads the user', async () => {
  const huge: Script = async ({ body = '' }, respond) => {
    const sent = parsedJson(String(body)) as { name?: string; email?: string };
    if (sent.name === undefined && sent.email === undefined) return anError(400, 'ValidationError');
    const response = await respond();
    return sent.name?.startsWith('Huge ') ? { ...response, bytes: Buffer.alloc(MAX_BODY + 1) } : response;
  };
  const unreadable = check('unreadable', {
    title: 'An update after one whose response cannot be read',
    requirement: 'update.success-is-200',
    run: async (attempt) => {
      await attempt.user.accepts({ name: `Huge ${attempt.fresh.name()}` }).catch(() => undefined);
      await attempt.user.accepts({ email: attempt.fresh.email() });
    },
  });
  const target = sessionOver(scripted(huge).transport, { inputs: { ...INPUTS, roleIds: undefined } });
  const judgement = await judged(target, unreadable);
  expect(brokenIn(judgement)).toEqual({});
});

test('what only the response shows is not said to be changed', async () => {
  const echoing: Script = async ({ body = '' }, respond) => {
    const response = await respond();
    if (!String(body).includes('Plain ')) return response;
    return json(response.status, { ...(parsedJson(response.bytes.toString()) as object), username: 'another' });
  };
  const broken = brokenIn(await judged(sessionOver(scripted(echoing).transport), ACCEPTS));
  const fault = { kind: 'member', change: 'only-shown', member: 'username', came: 'another' };
  expect(broken['update.other-members-keep']).toMatchObject(fault);
});
