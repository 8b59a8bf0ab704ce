import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLines, linesBeside, textDifference } from '../../../conformance/report/html/json-lines.ts';

const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

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

describe('linesBeside', () => {
  it('marks what differs about the same member, wherever it stands', () => {
    expect(linesBeside({ a: 1, b: [1, 2], c: 0 }, { c: 0, b: [1, 3], a: 1 })).toEqual([
      { text: '{', differs: false },
      { text: '  "a": 1,', differs: false },
      { text: '  "b": [', differs: false },
      { text: '    1,', differs: false },
      { text: '    2', differs: true },
      { text: '  ],', differs: false },
      { text: '  "c": 0', differs: false },
      { text: '}', differs: false },
    ]);
  });

  it('marks nothing in a value beside itself, and something beside another', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (value, other) => {
        const differs = (left: unknown, right: unknown): boolean =>
          linesBeside(left, right).some((line) => line.differs);
        expect(differs(value, value)).toBe(false);
        if (!isDeepStrictEqual(plainly(value), plainly(other)))
          expect(differs(value, other) || differs(other, value)).toBe(true);
      }),
    );
  });
});

describe('textDifference', () => {
  it.each([
    ['Łódź', 'Lodz', { start: '', expected: 'Łódź', actual: 'Lodz', end: '' }],
    ['abcdef', 'abXdef', { start: 'ab', expected: 'c', actual: 'X', end: 'def' }],
    ['abc', 'abcd', { start: 'abc', expected: '', actual: 'd', end: '' }],
    ['aa', 'aaa', { start: 'aa', expected: '', actual: 'a', end: '' }],
    ['😀x', '😁x', { start: '', expected: '😀', actual: '😁', end: 'x' }],
    ['same', 'same', { start: 'same', expected: '', actual: '', end: '' }],
  ])('of %s and %s', (expected, actual, difference) => {
    expect(textDifference(expected, actual)).toEqual(difference);
  });
});
