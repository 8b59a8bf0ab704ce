import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { read } from './support/repository.ts';

const rows = [...read('SECURITY.md').matchAll(/^\| (?!promise|-)(.+?) +\| (.+?) +\|$/gm)].map(
  ([, promise = '', tests = '']) => ({
    promise,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

describe('SECURITY.md', () => {
  it('has promises', () => expect(rows.length).toBeGreaterThan(10));

  it.each(rows)('names the tests of: $promise', ({ tests }) => {
    expect(tests).not.toEqual([]);
    expect(tests.filter((file) => !/^test\/.*\.test\.ts$/.test(file) || !existsSync(file))).toEqual([]);
  });
});
