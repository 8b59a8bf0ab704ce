import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execute } from '../support/cli.ts';
import { read, ROOT } from '../support/repository.ts';

const text = read('Dockerfile').replaceAll(/^#.*\n|\\\n/gm, '');

it('the image has a user that is not root, by number, and a volume for the journals', () => {
  const image = text.slice(text.lastIndexOf('\nFROM '));
  expect(image).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(image).toMatch(/^VOLUME \/tmp$/m);
  expect(image.indexOf('\nUSER ')).toBeGreaterThan(image.lastIndexOf('\nRUN '));
});

it('the image is built without running a script of a package', () => {
  const installing = text.match(/^RUN .*npm.*$/gm) ?? [];
  expect(installing).not.toEqual([]);
  for (const command of installing) expect(command).toContain('--ignore-scripts');
});

it('hadolint has no reason to complain', async ({ skip }) => {
  const { code, stdout, stderr } = await execute('hadolint', [join(ROOT, 'Dockerfile')]);
  skip(Number.isNaN(code), 'hadolint is not installed');
  expect(stdout + stderr).toBe('');
});
