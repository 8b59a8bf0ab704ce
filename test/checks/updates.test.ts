import { expect, test } from 'vitest';
import { without } from '../../common/json.ts';
import { updates } from '../../conformance/checks/updates.ts';
import { json, judgedBy, onAccepted, outcomesOf } from '../support/engine.ts';

test('a member that no response shows is not called stored', async () => {
  const hidesEmail = onAccepted((user) => json(200, without({ ...user }, 'email')));
  const judgement = await judgedBy(hidesEmail, ...updates);
  expect(outcomesOf(judgement)).toMatchObject({ 'update-name': 'passed', 'update-email': 'inconclusive: not-shown' });
});

test('readings that move a member are seen beside updates that raise `loginAttempts`', async () => {
  let readings = 0;
  const moves = onAccepted((user, _response, { body = '' }, { users }) => {
    const isReading = String(body) === '{}';
    readings += 1;
    const stored = users.get((user as { id: number }).id);
    if (stored && !isReading) stored.loginAttempts = (stored.loginAttempts ?? 0) + 1;
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, readings)).toISOString();
    return json(200, { ...user, loginAttempts: stored?.loginAttempts, createdAt });
  });
  const { broken } = await judgedBy(moves, ...updates);
  const members = broken.flatMap(({ problems }) => problems.map(({ fault }) => fault));
  expect(broken.map(({ requirement }) => requirement)).toEqual(['update.other-members-keep']);
  const ofReading = { member: 'createdAt', request: expect.objectContaining({ body: '{}' }) as object };
  expect(members).toContainEqual(expect.objectContaining(ofReading));
});
