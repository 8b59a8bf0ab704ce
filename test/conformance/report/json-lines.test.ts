import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDiff, jsonLines, textDifference } from '../../../conformance/report/json-lines.ts';

describe('jsonLines', () => {
  it('gives every line the pointer of its value', () => {
    expect(jsonLines('{"a":[1,{"b/c~":null}],"d":{}, "e":[ ]}')).toEqual([
      { text: '{', pointer: '' },
      { text: '  "a": [', pointer: '/a' },
      { text: '    1,', pointer: '/a/0' },
      { text: '    {', pointer: '/a/1' },
      { text: '      "b/c~": null', pointer: '/a/1/b~1c~0' },
      { text: '    }', pointer: '/a/1' },
      { text: '  ],', pointer: '/a' },
      { text: '  "d": {},', pointer: '/d' },
      { text: '  "e": [ ]', pointer: '/e' },
      { text: '}', pointer: '' },
    ]);
  });

  it('keeps numbers, escapes and repeated members as they were sent', () => {
    const lines = jsonLines('{"id":9007199254740993,"a":"\\u0041","a":1.0}')?.map(({ text }) => text);
    expect(lines).toEqual(['{', '  "id": 9007199254740993,', '  "a": "\\u0041",', '  "a": 1.0', '}']);
  });

  it('gives nothing for what is no JSON, or is nested too deep', () => {
    expect(jsonLines('<html>')).toBeUndefined();
    expect(jsonLines('')).toBeUndefined();
    expect(jsonLines(`${'['.repeat(41)}1${']'.repeat(41)}`)).toBeUndefined();
    expect(jsonLines(`${'['.repeat(40)}1${']'.repeat(40)}`)).toHaveLength(81);
  });

  it('says the same as the text, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const lines = jsonLines(JSON.stringify(value)) ?? [];
        expect(JSON.parse(lines.map(({ text }) => text).join('\n'))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('jsonDiff', () => {
  it('shows what both have once, and what differs on both sides', () => {
    expect(jsonDiff({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] })).toEqual([
      { side: 'both', text: '{' },
      { side: 'both', text: '  "a": 1,' },
      { side: 'both', text: '  "b": [' },
      { side: 'both', text: '    1,' },
      { side: 'expected', text: '    2' },
      { side: 'got', text: '    3' },
      { side: 'both', text: '  ]' },
      { side: 'both', text: '}' },
    ]);
  });

  it('holds both values whole, for any two', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (expected, got) => {
        const lines = jsonDiff(expected, got);
        const of = (side: string): unknown =>
          JSON.parse(
            lines
              .filter((line) => line.side === side || line.side === 'both')
              .map(({ text }) => text)
              .join('\n'),
          );
        expect(of('expected')).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(of('got')).toEqual(JSON.parse(JSON.stringify(got)));
      }),
    );
  });

  it('does not compare line by line what is too long for it', () => {
    const long = Array.from({ length: 500 }, (_each, index) => index);
    expect(jsonDiff(long, long).filter(({ side }) => side === 'both')).toEqual([]);
  });
});

describe('textDifference', () => {
  it.each([
    ['Łódź', 'Lodz', { start: '', expected: 'Łódź', got: 'Lodz', end: '' }],
    ['abcdef', 'abXdef', { start: 'ab', expected: 'c', got: 'X', end: 'def' }],
    ['abc', 'abcd', { start: 'abc', expected: '', got: 'd', end: '' }],
    ['aa', 'aaa', { start: 'aa', expected: '', got: 'a', end: '' }],
    ['😀x', '😁x', { start: '', expected: '😀', got: '😁', end: 'x' }],
    ['same', 'same', { start: 'same', expected: '', got: '', end: '' }],
  ])('of %s and %s', (expected, got, difference) => {
    expect(textDifference(expected, got)).toEqual(difference);
  });
});
