import { describe, expect, it } from 'vitest';
import { harReport } from '../../../conformance/report/har.ts';
import { toExchangeRecord } from '../../../conformance/result/result.ts';
import { answered, updateRequest } from '../../support/exchanges.ts';
import { harProblems } from '../../support/har.ts';
import { checkResult, failedCheck, resultOf } from '../../support/results.ts';

interface Archive {
  readonly log: {
    readonly entries: readonly {
      readonly startedDateTime: string;
      readonly request: Readonly<Record<string, unknown>>;
      readonly response: Readonly<Record<string, unknown>>;
    }[];
  };
}

const archiveOf = (...args: Parameters<typeof resultOf>): Archive =>
  JSON.parse(harReport(resultOf(...args))) as Archive;

function record(purpose: string, startedAt: number) {
  const request = updateRequest({ purpose, path: '/api/admin/user-admin/4?a=1&b=%20' });
  const response = { status: 200, headers: { location: '/there' }, text: 'é'.repeat(5_000) };
  const sent = { ...answered(request, 200), startedAt, duration: 2 };
  const exchange = { ...sent, response: { ...response, json: { ok: true, value: {} } as const } };
  return toExchangeRecord(exchange, 'http://t.example', (text) => text);
}

describe('the HAR report', () => {
  it('is judged by schemas that refuse what is wrong', () => {
    expect(harProblems({ log: { version: '1.2', entries: [{}] } })).toContain(
      "/log must have required property 'creator'",
    );
  });

  it('holds each exchange once, in the order of sending', () => {
    const [late, early] = [record('The second', 20), record('The first', 10.26)];
    const checks = [checkResult({ exchanges: [late, early] }), failedCheck('', { exchanges: [late] })];
    const { entries } = archiveOf(checks, { startedAt: '2026-11-21T07:44:00.100Z' }).log;
    expect(entries.map(({ startedDateTime }) => startedDateTime.slice(-5))).toEqual(['.110Z', '.120Z']);
    expect(archiveOf([failedCheck('reset')]).log.entries[1]?.response).toMatchObject({ _error: 'closed: reset' });
    expect(entries[0]?.request).toMatchObject({
      queryString: [
        { name: 'a', value: '1' },
        { name: 'b', value: ' ' },
      ],
    });
    expect(entries[0]?.response).toMatchObject({ redirectURL: '/there', content: { size: 9_000 } });
  });

  it('is written for a result of any version, whatever it says of the times', () => {
    const { startedMs, ...old } = record('Old', 5);
    expect(startedMs).toBe(5);
    for (const exchange of [old, { ...old, startedMs: 1e300 }]) {
      const archive = archiveOf([checkResult({ exchanges: [exchange] })], { startedAt: 'yesterday' });
      expect(harProblems(archive)).toEqual([]);
    }
  });
});
