import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute } from '../support/cli.ts';
import { ROOT } from '../support/repository.ts';

const file = join(ROOT, 'Dockerfile');

const text = readFileSync(file, 'utf8').replaceAll(/^#.*\n|\\\n/gm, '');
const stages = text
  .split(/^(?=FROM )/m)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', value = '']) => ({ name, value })));
const [, image = []] = stages;
const valueOf = (wanted: string): string => image.findLast(({ name }) => name === wanted)?.value ?? '';

describe('the Dockerfile', () => {
  it('has a user that is not root, by number, and a volume for the journals', () => {
    expect(valueOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(valueOf('VOLUME')).toBe('/tmp');
    expect(image.map(({ name }) => name).indexOf('USER')).toBeGreaterThan(
      image.findLastIndex(({ name }) => name === 'RUN'),
    );
  });

  it('runs no script of a package', () => {
    const installing = stages.flat().filter(({ name, value }) => name === 'RUN' && value.includes('npm'));
    expect(installing).not.toEqual([]);
    for (const { value } of installing) expect(value).toContain('--ignore-scripts');
  });

  it('gives hadolint no reason to complain', async ({ skip }) => {
    const { code, stdout, stderr } = await execute('hadolint', [file]);
    skip(Number.isNaN(code), 'hadolint is not installed');
    expect(stdout + stderr).toBe('');
  });
});
