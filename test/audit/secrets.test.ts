import { expect, test } from 'vitest';
import { internalsIn } from '../../conformance/audit/secrets.ts';

test('a link to a place in the documentation is no stack trace', () => {
  expect(internalsIn('See https://docs.example.com/errors/app.js:12 for help.')).toBeUndefined();
  expect(internalsIn('See errors/app.js:12 for help.')).toBe('a stack trace');
});
