import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outputTo } from '../../../cli/output/io.ts';
import { exchangeLines, makeProgress, progressLine, type Verbosity } from '../../../cli/output/progress.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import type { ExchangeRecord } from '../../../conformance/result/result.ts';
import { toExchangeRecord } from '../../../conformance/result/result.ts';
import { answered, faulted, update, updateRequest } from '../../support/exchanges.ts';

const standing = { requests: 12, expected: 330, seconds: 1.23, stage: 'update: update-name' };

/** An exchange whose response is a text of the target. */
const responding = (text: string, purpose = 'An update'): Exchange => ({
  ...answered(updateRequest({ purpose }), 200),
  response: { status: 200, headers: {}, json: { ok: true, value: 1 }, text },
});

describe('the moving line', () => {
  it.each([
    [79, '12 of about 330 requests  1.2 s  update: update-name'],
    [45, '12 of about 330 requests  1.2 s  update: upda'],
    [40, '12 of about 330 requests  1.2 s'],
    [20, '12 requests  1.2 s'],
    [5, '1.2 s'],
    [3, ''],
  ])('fits %i columns', (width, line) => {
    expect(progressLine(standing, width)).toBe(line);
  });

  it('says no more how many there will be once there are more', () => {
    expect(progressLine({ ...standing, requests: 331 }, 79)).toBe('331 requests  1.2 s  update: update-name');
  });
});

describe('an exchange that is told of', () => {
  it.each<[what: string, exchange: Exchange, came: string, key: string, body?: string]>([
    ['has what came', update({ name: 'Ada' }, { id: 4 }), '200', ', with the admin key', '\n      < {"id":4}'],
    ['names the key once', responding('', 'An update with the admin key'), '200', ' with the admin key'],
    [
      'says why nothing came',
      faulted(updateRequest(), 'timeout'),
      'no response: detail of timeout',
      ', with the admin key',
    ],
  ])('%s, behind the request, with the purpose and what was sent', (_what, exchange, came, key, body = '') => {
    const sent = `An update${key}\n      > {"name":"[key]"}`;
    const text = `   7  PUT /base/api/admin/user-admin/4  ${came}  1 ms\n      ${sent}${body}`;
    expect(exchangeLines(record(exchange), 7, plain, 80)).toBe(text);
  });

  const record = (exchange: Exchange): ExchangeRecord =>
    toExchangeRecord(exchange, 'http://target.example/base', (text) => text.replaceAll('Ada', '[key]'));

  it('is cut, fits the width, and cannot steer the terminal', () => {
    const hostile = `\u001b[2J\u009b\r\u202e${'x'.repeat(9_000)}`;
    const text = exchangeLines(record(responding(hostile)), 1, plain, 60);
    for (const char of ['\u001b', '\u009b', '\r', '\u202e']) expect(text).not.toContain(char);
    expect(text).toContain('\\u001b[2J');
    expect(text.length).toBeLessThan(1_000);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});

const recordOf = (exchange: Exchange): ExchangeRecord => toExchangeRecord(exchange, 'http://t.example', (text) => text);

describe('what is told of a run', () => {
  const journal = 'journal /tmp/j.json (for "restore", if this run is killed)\n';

  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  function told(terminal: { isTTY: boolean; columns?: number }, environment: Record<string, string>, talk: Verbosity) {
    let text = '';
    const stream = { ...terminal, write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
    const progress = makeProgress(outputTo(stream, environment), plain, environment, talk);
    progress.onEvent({ type: 'planned', checks: 3, requests: 20 });
    progress.onEvent({ type: 'stage', operation: 'updateUser', text: 'reading the users' });
    progress.onEvent({ type: 'journal', path: '/tmp/j.json' });
    const exchange = update({ name: 'Ada' }, { id: 4 });
    vi.advanceTimersByTime(200);
    progress.onEvent({ type: 'exchange', exchange, count: 1, record: () => recordOf(exchange) });
    vi.advanceTimersByTime(1_000);
    progress.note('stopping');
    progress.end();
    const ended = text.length;
    vi.advanceTimersByTime(5_000);
    expect(text.length).toBe(ended);
    return text;
  }

  it('is a line that moves on a terminal, also while no response comes, and lines that stay', () => {
    const text = told({ isTTY: true, columns: 80 }, {}, 'normal');
    expect(text).toContain('\u001b[2K1 of about 20 requests  0.2 s  reading the users');
    expect(text).toMatch(/1 of about 20 requests {2}1\.\d s/);
    expect(text).toContain(journal);
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it.each<[string, { isTTY: boolean }, Record<string, string>, Verbosity, string]>([
    ['the lines that stay elsewhere', { isTTY: false }, {}, 'normal', `${journal}stopping\n`],
    ['the lines that stay on a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, 'normal', `${journal}stopping\n`],
    ['next to nothing with --quiet', { isTTY: true }, {}, 'quiet', 'stopping\n'],
  ])('is only %s', (_what, terminal, environment, talk, text) => {
    expect(told(terminal, environment, talk)).toBe(text);
  });

  it.each(['::set-output name=x::y', '##[add-path]/tmp', 'a\n::stop-commands::x', '\r::error::x'])(
    'starts no workflow command on GitHub Actions: %j',
    (hostile) => {
      let text = '';
      const stream = { isTTY: false, write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
      const environment = { GITHUB_ACTIONS: 'true' };
      const { onEvent, note } = makeProgress(outputTo(stream, environment), plain, environment, 'verbose');
      const exchange = responding(hostile, hostile);
      onEvent({ type: 'exchange', exchange, count: 1, record: () => recordOf(exchange) });
      note(hostile);
      expect(text).not.toMatch(/^\s*::|##\[/m);
    },
  );

  it('is every stage and exchange with --verbose', () => {
    const text = told({ isTTY: true }, {}, 'verbose');
    expect(text).toContain('· reading the users\n');
    expect(text).toContain('   1  PUT /api/admin/user-admin/4  200');
    expect(text).not.toContain('\u001b');
  });
});
