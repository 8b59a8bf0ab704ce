import { describe, expect, it } from 'vitest';
import { checkOutputPath } from '../../../cli/output/output-file.ts';
import { UsageError } from '../../../common/args.ts';
import { messageOf } from '../../support/exchanges.ts';
import { temporaryFolder } from '../../support/folder.ts';

const { path: folder, at, write } = temporaryFolder();
const file = write('a-file', '');

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
      checkOutputPath('--output X', at('new'));
    }).not.toThrow();
  });

  it('is refused in a folder that is not there', () => {
    expect(refusal(at('nowhere', 'x'))).toContain('does not exist or is not writable');
  });

  it('is refused where it is a folder', () => {
    expect(refusal(folder)).toBe('--output X: this is a folder; name a file in it.');
  });

  it('is refused below a file', () => {
    expect(refusal(at('a-file', 'x'))).toBe(`--output X: ${file} is a file, not a folder.`);
  });
});
