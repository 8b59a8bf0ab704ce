import { describe, expect, test } from 'vitest';
import { checks } from '../../conformance/checks/catalogue.ts';
import { rowsOf } from '../../conformance/engine/check.ts';
import { Judge } from '../../conformance/engine/judge.ts';
import { Attempt } from '../../conformance/engine/attempt.ts';
import { UPDATABLE_MEMBERS, type User } from '../../conformance/users/differences.ts';
import { PLAIN } from '../../conformance/engine/claims.ts';
import { requirements } from '../../contract/document.ts';
import { outcomesOf, scripted, sessionOver } from '../support/engine.ts';

const ids = checks.map(({ id }) => id);
/** What every update and every refusal is judged by, in addition to the requirement of its check. */
const OF_EVERY_UPDATE = [
  ...Object.values<string>({ ...PLAIN }),
  'update.addressed-user-only',
  'update.other-members-keep',
  'update.refused-changes-nothing',
];
const known = new Set(requirements.map(({ id }) => id));

describe('the catalogue', () => {
  test('has 100 to 150 checks, each with an id and a title of its own', () => {
    expect(checks.length).toBeGreaterThanOrEqual(100);
    expect(checks.length).toBeLessThanOrEqual(150);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(checks.map(({ title }) => title)).size).toBe(ids.length);
  });

  test('names requirements of the contract, and what a check depends on is found out before it', () => {
    for (const [index, { id, requirement, requires: after = [] }] of checks.entries()) {
      expect(known, id).toContain(requirement);
      for (const each of after) {
        expect(known, id).toContain(each);
        const first = checks.findIndex((other) => other.requirement === each);
        if (!OF_EVERY_UPDATE.includes(each)) expect(first, `${id}: ${each}`).toBeLessThan(index);
      }
    }
  });

  test('sends each member of an update alone, and with a value of another type', () => {
    for (const member of UPDATABLE_MEMBERS) {
      const name = member.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
      expect(ids).toContain(`update-${member.toLowerCase()}`);
      expect(checks.map(({ requirement }) => requirement)).toContain(`request-body.${name}-type`);
    }
  });
});

test('every requirement is judged on the reference server, within 700 requests, 320 of them one after the other', async () => {
  const { transport, requests } = scripted();
  let steps = 0;
  const session = sessionOver(async (request) => {
    const step = steps + 1;
    await new Promise(setImmediate);
    const response = await transport(request);
    steps = Math.max(steps, step);
    return response;
  });
  const judge = new Judge(session, checks);
  await judge.run();
  const judgement = judge.conclude();
  expect(judgement.broken).toEqual([]);
  const open = Object.entries(outcomesOf(judgement)).filter(([, outcome]) => outcome !== 'passed');
  expect(open).toEqual([['banners-complete', 'inconclusive: missing-input']]);
  const unseen = judgement.requirements.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id);
  expect(unseen).toEqual(['banners.all-configured']);
  expect(requests.length).toBeLessThanOrEqual(700);
  // 16 s where each takes 50 ms.
  expect(steps).toBeLessThanOrEqual(320);
});

test('the number of rows of a table does not depend on what the target showed', () => {
  const rowsWith = (users: readonly User[]): number[] => {
    const session = sessionOver(scripted().transport);
    for (const user of users) session.users.shown.learn('1', user, {});
    return checks.map((each) => rowsOf(each, new Attempt(session, each)).length);
  };
  const nothing = rowsWith([]);
  const whole = { id: 1, name: 'Ada', email: 'ada@example.com', username: 'ada', rootRole: 1 };
  expect(rowsWith([whole])).toEqual(nothing);
  expect(rowsWith([whole, { ...whole, name: null, email: '', username: null, rootRole: { id: 2 } }])).toEqual(nothing);
});
