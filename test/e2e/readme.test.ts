import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../cli/settings.ts';
import { EXIT_CODES } from '../../conformance/index.ts';
import { inputsFor, withBehaviour } from '../../proof/servers/behaviour.ts';
import { called, defects } from '../../proof/catalogue.ts';
import { cli } from '../support/cli.ts';
import { read } from '../support/repository.ts';

const readme = read('README.md');

/** Without what differs from run to run. */
function steady(text: string): string[] {
  const values = text.replaceAll(/(conformance)([- ])[0-9a-f]{8}\2\d+/gi, '$1$2TAG$2N');
  return values.split('\n').map((line) => line.trimEnd());
}

describe('the README', () => {
  it('shows lines of a report that the suite prints, in their order', async () => {
    const [, shown = ''] = /^```text\n([^]*?)\n```$/m.exec(readme) ?? [];
    const [, id = ''] = /`--defect ([\w-]+)`: the report above/.exec(readme) ?? [];
    const { code, stdout } = await withBehaviour(called(defects, id).behaviour, ({ url, seed }) =>
      cli(['run'], { ...environmentOf(inputsFor(url, seed)), NO_COLOR: '1' }),
    );
    expect(code).toBe(EXIT_CODES.failed);
    const printed = steady(stdout);
    let from = 0;
    const missing = steady(shown).filter((line) => {
      const found = printed.findIndex((each, index) => index >= from && each.trim() === line.trim());
      if (found >= 0) from = found + 1;
      return found < 0;
    });
    expect(missing, stdout).toEqual([]);
  });

  it('names the exit code of each verdict', () => {
    const rows = [...readme.matchAll(/^\| `([a-z]+)` +\| (\d+) +\|/gm)].map(([, verdict, code]) => [
      verdict,
      Number(code),
    ]);
    expect(Object.fromEntries(rows)).toEqual(EXIT_CODES);
  });

  it('has at most 900 words', () => expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900));
});
