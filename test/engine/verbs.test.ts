import { expect, test } from 'vitest';
import { check } from '../../conformance/engine/check.ts';
import { MAX_BODY } from '../../conformance/http/lost.ts';
import {
  anError,
  brokenIn,
  INPUTS,
  json,
  judged,
  judgedBy,
  onAccepted,
  type Script,
  scripted,
  sentIn,
  sessionOver,
} from '../support/engine.ts';

// What else the verbs find in an update, and by which requirement, is tested by the proof.
const ACCEPTS = check('update-name', {
  title: 'Updating only `name`',
  requirement: 'update.success-is-200',
  run: (attempt) => attempt.user.accepts({ name: `Plain ${attempt.fresh.name()}` }),
});

test('an update that gives the user another id is told with both ids as numbers', async () => {
  let id = 1;
  const renamed = onAccepted((user, response, { path, body }) => {
    if (body !== '{}') id = String(body).includes('Plain ') ? 7 : 1;
    return path.endsWith('/1') ? json(200, { ...user, id }) : response;
  });
  const judgement = await judgedBy(renamed, ACCEPTS);
  expect(Object.values(brokenIn(judgement))).toContainEqual(expect.objectContaining({ member: 'id', due: 1, came: 7 }));
});

test('readings that are sent at once, to see whether they differ, may get nothing that can be read', async () => {
  let open = 0;
  const stubborn: Script = async (request, respond, { users }) => {
    open += 1;
    await new Promise(setImmediate);
    const areMany = open > 3;
    open -= 1;
    if (areMany) return { ...json(200, {}), bytes: Buffer.alloc(MAX_BODY + 1) };
    const before = structuredClone([...users]);
    const response = await respond();
    if (String(request.body).includes('Plain ')) for (const [id, user] of before) users.set(id, user);
    return response;
  };
  const judgement = await judgedBy(stubborn, ACCEPTS);
  expect(brokenIn(judgement)).toMatchObject({ 'update.sent-fields-change': { change: 'not-stored' } });
});

test('an update whose response cannot be read may have changed the user, also where no request reads the user', async () => {
  const huge: Script = async (request, respond) => {
    const { name, email } = sentIn(request);
    if (name === undefined && email === undefined) return anError(400, 'ValidationError');
    const response = await respond();
    return String(name).startsWith('Huge ') ? { ...response, bytes: Buffer.alloc(MAX_BODY + 1) } : response;
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
  const echoing = onAccepted((user, response, { body }) =>
    String(body).includes('Plain ') ? json(200, { ...user, username: 'another' }) : response,
  );
  const broken = brokenIn(await judgedBy(echoing, ACCEPTS));
  const fault = { kind: 'member', change: 'only-shown', member: 'username', came: 'another' };
  expect(broken['update.other-members-keep']).toMatchObject(fault);
});
