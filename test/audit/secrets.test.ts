import { expect, test } from 'vitest';
import { internalsIn, keyForms } from '../../conformance/audit/secrets.ts';

test('a link to a place in the documentation is no stack trace', () => {
  expect(internalsIn('See https://docs.example.com/errors/app.js:12 for help.')).toBeUndefined();
  expect(internalsIn('See errors/app.js:12 for help.')?.what).toBe('a stack trace');
});

test('what is shown of the inside is quoted from there, however much stands before it', () => {
  const message = `Update failed. ${'It is of no use. '.repeat(20)}\n    at update (/srv/users.js:12:7)`;
  expect(internalsIn(JSON.stringify({ id: '1', message }))).toEqual({
    what: 'a stack trace',
    excerpt: '…at update (/srv/users.js:12:7)"}',
  });
  expect(internalsIn(JSON.stringify({ message: 'select * from "users" where "id" = 4' }))?.excerpt).toBe(
    '{"message":"select * from "users" where "id" = 4"}',
  );
});

test.each<[string, (key: string) => string]>([
  ['as it is', (key) => key],
  ['in JSON', (key) => JSON.stringify(key)],
  ['in a URL', encodeURIComponent],
  ['in Base64', (key) => Buffer.from(key).toString('base64')],
  ['in hexadecimal', (key) => Buffer.from(key).toString('hex')],
  ['in hexadecimal capitals', (key) => Buffer.from(key).toString('hex').toUpperCase()],
  ['in UTF-16', (key) => Buffer.from(key, 'utf16le').toString()],
  ['in UTF-16, the greater byte first', (key) => Buffer.from(key, 'utf16le').swap16().toString()],
  ['in UTF-16 within JSON', (key) => JSON.stringify(Buffer.from(key, 'utf16le').toString())],
])('a response that repeats a key is seen: %s', (_how, encode) => {
  const shown = `{"message":"The key ${encode('S3cret Key/"1"')} is unknown."}`;
  expect(keyForms({ adminKey: 'S3cret Key/"1"' }).some((form) => shown.includes(form))).toBe(true);
});
