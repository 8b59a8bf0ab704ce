import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coloured, paintFor, plain, wrap, wrapJson } from '../../../../conformance/report/terminal/paint.ts';

const word = fc.string({ unit: fc.constantFrom(...Array.from('abcdefXYZ019.,;:-_äé')), minLength: 1, maxLength: 14 });
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));

describe('wrap', () => {
  it('keeps every word, in order, and breaks at blanks only', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), fc.nat(8), (given, width, indent) => {
        expect(wrap(given, width, ' '.repeat(indent)).split(/\s+/).filter(Boolean)).toEqual(
          given.split(' ').filter(Boolean),
        );
      }),
    );
  });

  it('keeps the width, with the indent, unless a single word is wider', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), fc.nat(8), fc.nat(12), (given, width, indent, first) => {
        const lines = wrap(given, width, ' '.repeat(indent), '-'.repeat(first)).split('\n');
        lines.forEach((line, index) => {
          const lead = index === 0 ? '-'.repeat(first) : ' '.repeat(indent);
          expect(line.startsWith(lead)).toBe(true);
          if (line.slice(lead.length).includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
        });
      }),
    );
  });

  it('gives the first indent alone for an empty text', () => {
    expect(wrap('', 10, '  ', '* ')).toBe('* ');
    expect(wrap(' \n ', 10)).toBe('');
  });
});

describe('wrapJson', () => {
  const json = fc.json({ maxDepth: 3 });
  const lineOf = fc.string({ unit: fc.constantFrom(...Array.from('abc,,{}[]":019 ')), maxLength: 200 });
  const widths = fc.integer({ min: 30, max: 100 });

  it('keeps every character of a line, in order', () => {
    fc.assert(
      fc.property(fc.oneof(json, lineOf), widths, fc.nat(8), (given, width, indent) => {
        const lead = ' '.repeat(indent);
        const lines = wrapJson(given, width, lead).split('\n');
        for (const line of lines) expect(line.startsWith(given === '' ? '' : lead)).toBe(true);
        expect(lines.map((line) => line.slice(indent)).join('')).toBe(given);
      }),
    );
  });

  it('keeps the width', () => {
    fc.assert(
      fc.property(lineOf, widths, fc.nat(8), (given, width, indent) => {
        for (const line of wrapJson(given, width, ' '.repeat(indent)).split('\n'))
          expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('breaks behind commas where it can', () => {
    const given = '{"name":"Ada Example","email":"ada@example.com"}';
    expect(wrapJson(given, 32, '  ')).toBe('  {"name":"Ada Example",\n  "email":"ada@example.com"}');
  });

  it('does not tear a character in two', () => {
    const given = `"${'😀'.repeat(60)}"`;
    const lines = wrapJson(given, 31, '').split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).not.toMatch(/\p{Surrogate}/u);
    expect(lines.join('')).toBe(given);
  });

  it.each(['\n', '\r\n', '\u2028'])('does not run two lines of a text together: broken by %j', (lineBreak) =>
    expect(wrapJson(`Bad${lineBreak}Gateway`, 40, '')).not.toBe('BadGateway'),
  );
});

const [tty, pipe] = [{ isTTY: true }, {}];

it.each<[what: string, stream: { isTTY?: boolean }, environment: Record<string, string>, coloured: boolean]>([
  ['a terminal', tty, {}, true],
  ['a pipe', pipe, {}, false],
  ['a dumb terminal', tty, { TERM: 'dumb' }, false],
  ['a terminal with NO_COLOR', tty, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', tty, { NO_COLOR: '' }, true],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
  ['a terminal with NO_COLOR and FORCE_COLOR', tty, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
  ['a pipe with FORCE_COLOR=0', pipe, { FORCE_COLOR: '0' }, false],
  ['a terminal with FORCE_COLOR=0', tty, { FORCE_COLOR: '0' }, false],
])('paintFor decides on colour for %s', (_what, stream, environment, wanted) =>
  expect(paintFor(stream, environment)).toBe(wanted ? coloured : plain),
);
