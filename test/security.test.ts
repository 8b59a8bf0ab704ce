import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| (?!promise|-)(.+?) +\| (.+?) +\|$/gm)].map(([, promise = '', tests = '']) => ({
  promise,
  tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}));

describe('SECURITY.md', () => {
  it('has promises', () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each(rows)('names the tests of: $promise', ({ tests }) => {
    expect(tests).not.toEqual([]);
    expect(tests.filter((file) => !/^test\/.*\.test\.ts$/.test(file) || !existsSync(file))).toEqual([]);
  });
});
