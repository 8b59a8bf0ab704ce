import { describe, expect, it } from 'vitest';
import { makeRedactor } from '../../../conformance/http/redact.ts';
import { toExchangeRecord } from '../../../conformance/result/result.ts';
import { updateRequest } from '../../support/exchanges.ts';

const KEY = 'key-0123456789abcdef-0123456789abcdef';
const redact = makeRedactor([KEY]);

function headersOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const response = { status: 200, headers, text: '{}', json: { ok: true, value: {} } } as const;
  const exchange = { request: updateRequest({}), queuedAt: 0, startedAt: 0, duration: 1, pauses: 0, response };
  return { ...toExchangeRecord(exchange, 'http://t.example', redact).response?.headers };
}

describe('the record of an exchange', () => {
  it('has the whole of a body of the suite, and the start of one that repeats a long text of the target', () => {
    const bodyOf = (body: string) => {
      const exchange = { request: updateRequest({ body }), queuedAt: 0, startedAt: 0, duration: 1, pauses: 0 };
      return toExchangeRecord(exchange, 'http://t.example', redact).request.body;
    };
    expect(bodyOf('1'.repeat(50_000))).toHaveLength(50_000);
    expect(bodyOf('1'.repeat(65_530) + KEY + '1'.repeat(1_000_000))).toBe('[withheld: contains a key]…');
    expect(bodyOf('1'.repeat(1_000_000))).toMatch(/^1{65536}…$/);
  });

  it('has the whole of a small header', () => {
    const headers = { 'content-type': 'application/json', 'x-long': 'x'.repeat(3_000) };
    expect(headersOf(headers)).toEqual(headers);
  });

  it('has the start of a large header, and says how much more there is', () => {
    expect(headersOf({ 'x-long': '\\'.repeat(60_000) })['x-long']).toMatch(/^\\{4000}… \(56,000 more characters\)$/);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_each, at) => [`x-${at}`, 'y'.repeat(25)]));
    expect(JSON.stringify(headersOf(many)).length).toBeLessThan(12_000);
    expect(JSON.stringify(headersOf({ ['n'.repeat(60_000)]: 'x' })).length).toBeLessThan(5_000);
  });

  it('has no part of a key, wherever a value or the header is cut', () => {
    const part = KEY.slice(0, 12);
    for (let before = 3_940; before <= 4_010; before += 1) {
      const value = 'x'.repeat(before) + KEY + 'y'.repeat(20_000);
      expect(JSON.stringify(headersOf({ first: value, second: value, third: value }))).not.toContain(part);
      expect(JSON.stringify(headersOf({ [value]: value }))).not.toContain(part);
    }
    for (let size = 12_100; size < 12_300; size += 7)
      expect(JSON.stringify(headersOf({ long: 'x'.repeat(size - 20) + KEY + 'y'.repeat(9_000) }))).not.toContain(part);
  });
});
