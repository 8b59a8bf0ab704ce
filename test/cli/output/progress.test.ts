import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outputTo } from '../../../cli/output/io.ts';
import { exchangeLines, makeProgress, progressLine, type Verbosity } from '../../../cli/output/progress.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import type { ExchangeRecord } from '../../../conformance/result/result.ts';
import { toExchangeRecord } from '../../../conformance/result/result.ts';
import { REPORT_FORMATS, REPORTS } from '../../../conformance/report/formats.ts';
import { answered, faulted, update, updateRequest } from '../../support/exchanges.ts';
import { hostileResult } from '../../support/results.ts';

const standing = { requests: 12, expected: 330, seconds: 1.23, stage: 'update: update-name' };

/** An exchange whose response is a text of the target. */
const responding = (text: string, purpose = 'An update'): Exchange => ({
  ...answered(updateRequest({ purpose }), 200),
  response: { status: 200, headers: {}, json: { ok: true, value: 1 }, text },
});

const record = (exchange: Exchange): ExchangeRecord =>
  toExchangeRecord(exchange, 'http://target.example/base', (text) => text.replaceAll('Ada', '[key]'));
const exchangeIn80 = (exchange: Exchange): string => exchangeLines(record(exchange), 7, plain, 80);

beforeEach(() => vi.useFakeTimers());

afterEach(() => vi.useRealTimers());

/** What a short run writes to a stream. */
function told(
  terminal: { isTTY: boolean; columns?: number },
  talk: Verbosity,
  environment: Record<string, string> = {},
) {
  let text = '';
  const stream = { ...terminal, write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
  const progress = makeProgress(outputTo(stream, environment), plain, environment, talk);
  progress.onEvent({ type: 'planned', checks: 3, requests: 20 });
  progress.onEvent({ type: 'stage', operation: 'updateUser', text: 'reading the users' });
  progress.onEvent({ type: 'journal', path: '/tmp/j.json' });
  const exchange = update({ name: 'Ada' }, { id: 4 });
  vi.advanceTimersByTime(200);
  progress.onEvent({ type: 'exchange', exchange, count: 1, record: () => record(exchange) });
  vi.advanceTimersByTime(1_000);
  progress.note('stopping');
  progress.end();
  const ended = text.length;
  vi.advanceTimersByTime(5_000);
  expect(text.length).toBe(ended);
  return text;
}

it('what is told of a run, also while no response comes, is as it was reviewed', async () => {
  const widths = [79, 45, 40, 20, 5, 3].map((width) => [
    `the moving line in ${width} columns`,
    progressLine(standing, width),
  ]);
  const shown: Readonly<Record<string, string>> = {
    ...(Object.fromEntries(widths) as Record<string, string>),
    'the moving line of more requests than planned': progressLine({ ...standing, requests: 331 }, 79),
    'an exchange': exchangeIn80(update({ name: 'Ada' }, { id: 4 })),
    'an exchange whose purpose names the key': exchangeIn80(responding('', 'An update with the admin key')),
    'an exchange without a response': exchangeIn80(faulted(updateRequest(), 'timeout')),
    'a run on a terminal': told({ isTTY: true, columns: 80 }, 'normal'),
    'a run elsewhere': told({ isTTY: false }, 'normal'),
    'a run on a dumb terminal': told({ isTTY: true }, 'normal', { TERM: 'dumb' }),
    'a run with --quiet': told({ isTTY: true }, 'quiet'),
    'a run with --verbose': told({ isTTY: true }, 'verbose'),
  };
  const texts = Object.entries(shown).map(([what, text]) => `### ${what}\n${text}`);
  const text = texts.join('\n').replaceAll('\r\u001b[2K', '\n<the line again> ');
  await expect(text).toMatchFileSnapshot('golden/progress.txt');
});

it('an exchange that is told of is cut, fits the width, and cannot steer the terminal', () => {
  const hostile = `\u001b[2J\u009b\r\u202e${'x'.repeat(9_000)}`;
  const text = exchangeLines(record(responding(hostile)), 1, plain, 60);
  for (const char of ['\u001b', '\u009b', '\r', '\u202e']) expect(text).not.toContain(char);
  expect(text).toContain('\\u001b[2J');
  expect(text.length).toBeLessThan(1_000);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});

it.each(['::set-output name=x::y', '##[add-path]/tmp', 'a\n::stop-commands::x', '\r::error::x'])(
  'what is told of a run starts no workflow command on GitHub Actions: %j',
  (hostile) => {
    let text = '';
    const stream = { isTTY: false, write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
    const environment = { GITHUB_ACTIONS: 'true' };
    const { onEvent, note } = makeProgress(outputTo(stream, environment), plain, environment, 'verbose');
    const exchange = responding(hostile, hostile);
    onEvent({ type: 'exchange', exchange, count: 1, record: () => record(exchange) });
    note(hostile);
    expect(text).not.toMatch(/^\s*::|##\[/m);
  },
);

it.each(REPORT_FORMATS)('the report %s on stdout starts no workflow command on GitHub Actions', async (format) => {
  let text = '';
  const stream = { isTTY: false, write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
  const result = hostileResult('a\n::error::x\n  ::set-output name=y::z\r::debug::w ##[add-path]/tmp');
  outputTo(stream, { GITHUB_ACTIONS: 'true' }).writeDocument(await REPORTS[format](result));
  expect(text).not.toBe('');
  expect(text).not.toMatch(/^\s*::|##\[/m);
  if (['json', 'ctrf', 'har'].includes(format))
    expect(JSON.parse(text)).toEqual(JSON.parse(await REPORTS[format](result)));
});
