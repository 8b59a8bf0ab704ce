import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { using } from '../../common/using.ts';
import { environmentOf } from '../../cli/settings.ts';
import { EXIT_CODES } from '../../conformance/index.ts';
import { called, defects } from '../../proof/catalogue.ts';
import { inputsFor, startBehaviour } from '../../proof/servers/behaviour.ts';
import { cleanEnvironment, cli, execute } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read, ROOT } from '../support/repository.ts';

const readme = read('README.md');
const folder = temporaryFolder();

/** What differs from run to run: values of the run, numbers of requests, times and ports. */
function steady(text: string): string[] {
  const values = text
    .replaceAll(/(conformance[. ])[a-z]{7}([. ])[a-z]{2}\b/gi, '$1RUN$2N')
    .replaceAll(/\d+ requests in [\d.]+ s/g, 'N requests in T s')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
  return values.split('\n').map((line) => line.trim());
}

describe('the README', () => {
  it('shows lines of a report that the suite prints, in their order', async () => {
    const [, shown = ''] = /^```text\n([^]*?)\n```$/m.exec(readme) ?? [];
    const [, id = ''] = /serve --port 4242 --defect ([\w-]+)/.exec(readme) ?? [];
    const { code, stdout } = await using(startBehaviour(called(defects, id).behaviour), ({ url, seed }) =>
      cli(['run'], { ...environmentOf(inputsFor(url, seed)), NO_COLOR: '1' }),
    );
    expect(code).toBe(EXIT_CODES.failed);
    const printed = steady(stdout);
    let from = 0;
    const missing = steady(shown).filter((line) => {
      const found = printed.indexOf(line, from);
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

  it('names every variable of a run', () => {
    const [, table = ''] = /## Judge your own server\n([^]*?)\n## /.exec(readme) ?? [];
    const named = [...table.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => `CONFORMANCE_${name}`);
    const inputs = environmentOf(inputsFor('http://127.0.0.1:1'));
    expect(named.sort()).toEqual(Object.keys(inputs).sort());
  });

  it('shows a program that judges a server, and fails a broken one', async () => {
    const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(readme) ?? [];
    const library = pathToFileURL(join(ROOT, 'dist/conformance/index.js')).href;
    const users = code.replaceAll('userId: 4,', 'userId: 1,').replaceAll('otherUserId: 5,', 'otherUserId: 2,');
    const path = folder.at('judge.mjs');
    writeFileSync(path, users.replace("'admin-api-conformance'", JSON.stringify(library)));
    const judge = (id?: string) =>
      using(startBehaviour(id === undefined ? {} : called(defects, id).behaviour), ({ url, seed }) =>
        execute(process.execPath, [path], { env: cleanEnvironment(environmentOf(inputsFor(url, seed))) }),
      );
    expect((await judge()).code).toBe(0);
    const broken = await judge('name-update-nulls-email');
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('The verdict is failed.');
  });

  it('has at most 900 words', () => expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900));
});
