import { expect, it } from 'vitest';
import type { Behaviour } from '../../../proof/behaviour.ts';
import { judgeBehaviour } from '../../support/judging.ts';

/** A proxy whose process ends at a path that cannot be decoded. */
function fragile(requests: string[]): Behaviour {
  let hasEnded = false;
  return {
    instead: ({ target }, socket) => {
      requests.push(target);
      hasEnded ||= target.endsWith('%ff');
      if (hasEnded) socket.destroy();
      return hasEnded;
    },
  };
}

it('a target that does not survive an odd path is judged in everything else, and what could not be restored is said', async () => {
  const requests: string[] = [];
  const { result } = await judgeBehaviour(fragile(requests));
  expect(
    result.checks.flatMap(({ id, outcome }) => (outcome === 'passed' || outcome === 'not-applicable' ? [] : [id])),
  ).toEqual(['path-id-odd', 'refused-path-id-changes-nothing']);
  expect(result.findings.map(({ checks }) => checks)).toEqual([['path-id-odd']]);
  expect(result.restoration.outcome).toBe('partial');
  const firstOdd = requests.findIndex((path) => /\/(-1|9{25}|1%00|%ff)$/.test(path));
  const isAttempt = (path: string): boolean => /\/(?!1$|2$)[^/]*$/.test(path);
  // After the odd paths come the reading and the restoration alone.
  expect(requests.slice(firstOdd).filter((path) => isAttempt(path) && !/\/(-1|9{25}|1%00|%ff)$/.test(path))).toEqual(
    [],
  );
});
