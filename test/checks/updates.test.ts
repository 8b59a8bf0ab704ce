import { expect, test } from 'vitest';
import { without } from '../../common/json.ts';
import { updates } from '../../conformance/checks/updates.ts';
import { json, judgedBy, onAccepted, outcomesOf } from '../support/engine.ts';

test('a member that no response shows is not called stored', async () => {
  const hidesEmail = onAccepted((user) => json(200, without({ ...user }, 'email')));
  const judgement = await judgedBy(hidesEmail, ...updates);
  expect(outcomesOf(judgement)).toMatchObject({ 'update-name': 'passed', 'update-email': 'inconclusive: not-shown' });
});
