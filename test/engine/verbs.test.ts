import { expect, test } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { check } from '../../conformance/engine/check.ts';
import { anError, brokenIn, json, judged, outcomesOf, type Script, scripted, targetOver } from './api.ts';

// What else the verbs find in an update, and by which requirement, is tested by the proof.
const ACCEPTS = check('update-name', {
  title: 'Updating only `name`',
  requirement: 'update.success-is-200',
  run: (on) => on.user.accepts({ name: `Plain ${on.fresh.name()}` }),
});

test('a server that refuses `{}` and unknown members is read by updates with the role that it has', async () => {
  const strict: Script = ({ body = '' }, respond) =>
    Object.keys(parsedJson(String(body)) ?? {}).some((each) => ['name', 'email', 'rootRole'].includes(each))
      ? respond()
      : anError(400, 'ValidationError');
  const judgement = await judged(targetOver(scripted(strict).transport), ACCEPTS);
  expect(outcomesOf(judgement)).toMatchObject({ 'update-name': 'passed' });
});

test('if an update changes another user, that alone is said', async () => {
  const confused: Script = ({ body = '' }, respond, { users }) => {
    if (!String(body).includes('Plain ')) return respond();
    const user = users.get(1);
    users.set(2, { ...users.get(2), id: 2, name: user?.name ?? '' });
    return json(200, user);
  };
  const judgement = await judged(targetOver(scripted(confused).transport), ACCEPTS);
  expect(Object.keys(brokenIn(judgement))).toEqual(['update.addressed-user-only']);
});
