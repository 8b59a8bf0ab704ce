import { expect, test } from 'vitest';
import { internalsIn, keyForms } from '../../conformance/audit/secrets.ts';
import { encodings } from '../http/encodings.ts';

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

test.each([
  ...[
    'verbatim',
    'percent-encoded',
    'in a JSON string',
    'base64',
    'hexadecimal digits',
    'hexadecimal digits in capitals',
  ],
  ...['UTF-16', 'UTF-16, the greater byte first', 'UTF-16 within JSON'],
])('a response that repeats a key is seen: %s', (how) => {
  const shown = `{"message":"The key ${encodings[how]?.('S3cret Key/"1"')} is unknown."}`;
  expect(keyForms({ adminKey: 'S3cret Key/"1"' }).some((form) => shown.includes(form))).toBe(true);
});
