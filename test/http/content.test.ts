import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeContentReader } from '../../conformance/http/content.ts';

const read = (bytes: string | Buffer, coding?: string) =>
  makeContentReader()({
    status: 200,
    headers: coding === undefined ? {} : { 'content-encoding': coding },
    bytes: Buffer.from(bytes),
  });

const MIB = 1_048_576;

describe('a body', () => {
  it.each<[string, unknown]>([
    ['{"a":[1,"\\u00e9"]}', { a: [1, '\u00e9'] }],
    ['\ufeff{}', {}],
    ['null', null],
    [' 4 ', 4],
    ['['.repeat(200) + ']'.repeat(200), expect.anything()],
    [`["${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}"]`, expect.anything()],
  ])('%.20s is JSON', (text, value) => expect(read(text)).toEqual({ text, json: value }));

  it.each<[string | Buffer, string]>([
    ['', 'the body is empty'],
    ['<html>', 'the body is not JSON'],
    ['{"a":1,}', 'the body is not JSON, at character 8'],
    ['{"a":"\n"}', 'the body is not JSON, at character 7: U+000A is not escaped'],
    [Buffer.from('{"a":"\xe9"}', 'latin1'), 'the body is not UTF-8, at character 7'],
    ['\ufeff\ufeff{}', 'the body is not JSON'],
  ])('%j is not: it says why', (bytes, why) => {
    const { json, notJson } = read(bytes);
    expect(json).toBeUndefined();
    expect(notJson).toContain(why);
  });

  it('that is not in its content coding is shown as it came', () =>
    expect(read('{"id":4}', 'gzip')).toMatchObject({
      text: '{"id":4}',
      json: undefined,
      notJson: expect.stringContaining('the body is not gzip, as its Content-Encoding says') as string,
    }));

  it('that is empty needs no content coding', () => expect(read('', 'gzip').notJson).toBe('the body is empty'));
});

describe('a body cannot be read', () => {
  it.each<[string, string, string | Buffer, string | undefined]>([
    ['protocol', 'the request did not accept the content coding "zstd"', 'x', 'zstd'],
    ['protocol', 'has 3 content codings', 'x', 'gzip, gzip,gzip'],
    ['protocol', 'has 3000 content codings', 'x', Array<string>(3_000).fill('deflate').join()],
    ['limit', 'larger than 8388608 bytes', gzipSync(Buffer.alloc(9 * MIB)), 'gzip'],
    ['limit', 'larger than 8388608 bytes', deflateRawSync(Buffer.alloc(9 * MIB)), 'deflate'],
    ['limit', 'larger than', gzipSync(gzipSync(Buffer.alloc(1_000 * MIB))), 'gzip, gzip'],
    ['limit', 'nested deeper than 1000 levels', '[{"a":'.repeat(501), undefined],
    ['limit', 'more than 262144 values', `[${'[],'.repeat(300_000)}0]`, undefined],
  ])('%s: %s', (kind, words, bytes, coding) => {
    expect(() => read(bytes, coding)).toThrow(
      expect.objectContaining({ kind, message: expect.stringContaining(words) as string }) as Error,
    );
  });
});

it('Large bodies of a run that are the same are kept once, and of others a bounded number', () => {
  const reader = makeContentReader();
  const readBody = (seed: number) =>
    reader({ status: 200, headers: {}, bytes: Buffer.from(`"${String(seed).padEnd(4 * MIB)}"`) });
  const first = readBody(0);
  for (let seed = 1; seed < 7; seed += 1) readBody(seed);
  expect(() => Array.from({ length: 3 }, (_each, seed) => readBody(100 + seed))).toThrow('take more than 67108864');
  expect(readBody(0)).toBe(first);
  expect(reader({ status: 200, headers: {}, bytes: Buffer.from('{}') }).json).toEqual({});
});
