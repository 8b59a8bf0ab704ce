import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { contentOf } from '../../conformance/http/content.ts';

const read = (bytes: string | Buffer, coding?: string) =>
  contentOf({
    status: 200,
    headers: coding === undefined ? {} : { 'content-encoding': coding },
    bytes: Buffer.from(bytes),
  });

it.each<[string, unknown]>([
  ['{"a":[1,"\\u00e9"]}', { a: [1, '\u00e9'] }],
  ['\ufeff{}', {}],
  [' 4 ', 4],
  [`["${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}"]`, expect.anything()],
])('%.20s is JSON', (text, value) => expect(read(text)).toEqual({ text, json: value }));

it.each<string | Buffer>(['', '<html>', '{"a":1,}', Buffer.from('{"a":"\xe9"}', 'latin1'), '\ufeff\ufeff{}'])(
  '%j is not',
  (bytes) => expect(read(bytes).json).toBeUndefined(),
);

it('A body that is not UTF-8 is known as such', () => {
  expect(read(Buffer.from('"caf\xe9"', 'latin1'))).toEqual({ text: '"caf\ufffd"', json: undefined, isNotUtf8: true });
  expect(read('"caf\ufffd').isNotUtf8).toBeUndefined();
});

it('A body that is not in its content coding is shown as it came; one that is empty needs none', () => {
  expect(read('{"id":4}', 'gzip')).toEqual({ text: '{"id":4}', json: undefined });
  expect(read('', 'gzip')).toEqual({ text: '', json: undefined });
  expect([read(gzipSync('4'), 'gzip').json, read(brotliCompressSync('4'), 'br').json]).toEqual([4, 4]);
});

it.each<[string, string, string | Buffer, string | undefined]>([
  ['limit', 'a content coding that the request did not accept (it accepted gzip, br)', 'x', 'zstd'],
  ['limit', 'did not accept', 'x', Array<string>(3_000).fill('gzip').join()],
  ['limit', 'larger than 2097152 bytes', ' '.repeat(2_200_000), undefined],
  ['limit', 'larger than 2097152 bytes', brotliCompressSync(Buffer.alloc(2_200_000)), 'br'],
  ['limit', 'more than 65536 values', `[${'0,'.repeat(66_000)}0]`, undefined],
  ['limit', 'nested deeper than 1000 levels', `${'[{"a":'.repeat(501)}1${'}]'.repeat(501)}`, undefined],
])('A body cannot be read: %s: %s', (kind, words, bytes, coding) => {
  expect(() => read(bytes, coding)).toThrow(
    expect.objectContaining({ kind, message: expect.stringContaining(words) as string }) as Error,
  );
});
