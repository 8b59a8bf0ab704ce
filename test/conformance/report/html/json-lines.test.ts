import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../../conformance/report/html/json-lines.ts';

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
