import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkOutputPath } from '../../../cli/output/output-file.ts';
import { UsageError } from '../../../common/args.ts';
import { messageOf } from '../../support/exchanges.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-output-'));
const file = join(folder, 'a-file');
writeFileSync(file, '');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const refusal = (path: string): string =>
  messageOf(UsageError, () => {
    checkOutputPath('--output X', path);
  });

describe('a path to write to', () => {
  it('may name a file that is there, or one that is not there yet', () => {
    expect(() => {
      checkOutputPath('--output X', file);
    }).not.toThrow();
    expect(() => {
      checkOutputPath('--output X', join(folder, 'new'));
    }).not.toThrow();
  });

  it('is refused in a folder that is not there', () => {
    expect(refusal(join(folder, 'nowhere', 'x'))).toContain('is not there or cannot be written to');
  });

  it('is refused where it is a folder', () => {
    expect(refusal(folder)).toBe('--output X: this is a folder; name a file in it.');
  });

  it('is refused below a file', () => {
    expect(refusal(join(file, 'x'))).toBe(`--output X: ${file} is a file, not a folder.`);
  });
});
