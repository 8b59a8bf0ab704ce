import { describe, expect, it } from 'vitest';
import type { Result } from '../../../conformance/result/result.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { inputsFor } from '../../../proof/behaviour.ts';
import { startWireServer } from '../../../proof/wire/wire-server.ts';

/** A proxy whose process ends at a path that cannot be decoded. */
async function judged(): Promise<{ readonly result: Result; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  let hasEnded = false;
  const server = await startWireServer({
    instead: ({ target }, socket) => {
      requests.push(target);
      hasEnded ||= target.endsWith('%ff');
      if (hasEnded) socket.destroy();
      return hasEnded;
    },
  });
  try {
    return { result: await judgeTarget(inputsFor(server.url)), requests };
  } finally {
    await server.close();
  }
}

describe('a target that does not survive an odd path', () => {
  it('is judged in everything else, and what could not be restored is said', async () => {
    const { result, requests } = await judged();
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
});
