import { describe, expect, it } from 'vitest';
import { escapeInvisible, excerptAt, legibleJson, legibleValue, shortened } from '../../common/text.ts';

describe('escapeInvisible', () => {
  it.each([
    ['plain, Ждан, 東京, שלום, é', 'plain, Ждан, 東京, שלום, é'],
    ['👩🏽‍🚀 and 𝒳', '👩🏽‍🚀 and 𝒳'],
    ['tab\tline\nend', 'tab\tline\nend'],
    ['\r\n and \r', '\n and \n'],
    ['\u001b[31m', '\\u001b[31m'],
    ['a\u0000b\u007fc\u0085', 'a\\u0000b\\u007fc\\u0085'],
    ['\ud800 and \udc00', '\\ud800 and \\udc00'],
    ['\u202eevil\u2066', '\\u202eevil\\u2066'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\u200b\ufeff\u00ad', '\\u200b\\ufeff\\u00ad'],
    ['\ufffe\u{1ffff}', '\\ufffe\\ud83f\\udfff'],
    ['\u{e0041}', '\\udb40\\udc41'],
  ])('%j is %j', (text, shown) => expect(escapeInvisible(text)).toBe(shown));

  it('is reached in every depth of a value', () =>
    expect(legibleValue({ a: [{ b: '\u202e' }], c: 1 })).toEqual({ a: [{ b: '\\u202e' }], c: 1 }));
});

it('legibleJson is the same value, with nothing invisible in the text', () => {
  const value = { 'a\u202e': ['b\u009b\r\n\t', 'c\ud800', '\u{e0001}', '\u2028', 'שלום 👩🏽‍🚀'] };
  const text = legibleJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(escapeInvisible(text)).toBe(text);
});

it('shortened says how much was left out', () =>
  expect([shortened('abc', 3), shortened('abcd', 3)]).toEqual(['abc', 'abc… (1 more characters)']));

it.each([
  ['the whole text', 'TypeError at /srv/app.js:12', 13, 'TypeError at /srv/app.js:12'],
  ['the line', `${'x '.repeat(50)}\n    at update (/srv/app.js:12)\nend`, 116, '…at update (/srv/app.js:12)\nend'],
  ['a word', `${'word '.repeat(50)}here`, 250, `…${'word '.repeat(7)}here`],
  ['a folder', `at parse /${'x'.repeat(90)}/lib/json.js:12`, 109, '…lib/json.js:12'],
  ['the place itself, in a word that is too long', `${'x'.repeat(90)}.js:12`, 90, '….js:12'],
])('excerptAt begins at %s', (_where, text, place, excerpt) => expect(excerptAt(text, place)).toBe(excerpt));
