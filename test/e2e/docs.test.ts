import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { assert, describe, expect, it } from 'vitest';
import { using } from '../../common/using.ts';
import { environmentOf } from '../../cli/settings.ts';
import { EXIT_CODES } from '../../conformance/index.ts';
import { defects } from '../../proof/catalogue.ts';
import { type Behaviour, inputsFor, startBehaviour } from '../../proof/servers/behaviour.ts';
import { cli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read, ROOT } from '../support/repository.ts';
import { environmentFor, withServer } from '../support/target.ts';
import { anchorsIn, blocksIn, linksIn, withoutBlocks } from '../support/markdown.ts';

const temporary = temporaryFolder();

const inFolder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name));
const PAGES = inFolder('docs');
const EXAMPLES = ['', '/ci', '/jest', '/node-test', '/shell', '/vitest'].map((each) => `examples${each}/README.md`);
const ALL = [...PAGES, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...EXAMPLES];

/** The lines of shell of a page, without comments. */
const shellLines = (path: string): string[] =>
  blocksIn(path, 'sh').flatMap((text) =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/ +#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
const CALL = /^npx (?:--yes )?admin-api-conformance(?:@\S+)? /;
/** The words of each line of shell that calls the suite, unless it names a file that the reader has, or goes on until it is stopped. */
const calls = (path: string): string[][] =>
  shellLines(path)
    .filter((line) => CALL.test(line) && !/JOURNAL| serve /.test(line))
    .map((line) =>
      [...line.replace(CALL, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((each) =>
        String(each[1] ?? each[2] ?? each[3]),
      ),
    );
/** Other lines of shell: scripts of this repository, and what other tests run or what needs more than a test may have. */
const ELSEWHERE =
  /^(npm (ci|run|pack|install)|npx start-server-and-test|node dist\/cli\/main\.js|docker run|PORT=|export )/;

describe('the documentation', () => {
  it('has at most twelve pages', () => expect(PAGES.length).toBeLessThanOrEqual(12));

  it.each(ALL)('links to what is there: %s', (path) => {
    const broken = linksIn(path).filter(
      ({ path: to, anchor }) =>
        !existsSync(join(ROOT, to)) || (anchor !== undefined && !anchorsIn(to).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  it.each(ALL)('names files and scripts that are there: %s', (path) => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };
    const named = (form: RegExp): string[] => [...withoutBlocks(path).matchAll(form)].map(([, name = '']) => name);
    expect(named(/`npm run (?:--silent )?([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    const files = named(/`((?:conformance|cli|proof|test|contract|reference-server|scripts)\/[\w./-]+)`/g);
    expect(files.filter((file) => !file.includes('NAME') && !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has no line of shell that no test knows', () => {
    const lines = [...PAGES, 'README.md', 'docs/servers/README.md'].flatMap(shellLines);
    expect(lines.filter((line) => !CALL.test(line) && !ELSEWHERE.test(line))).toEqual([]);
  });

  /** The exit codes of the calls of a page, in a folder of its own, against the reference server or a defect of it. */
  async function exitCodes(path: string, behaviour: Behaviour): Promise<string[]> {
    const folder = temporary.fresh();
    return using(startBehaviour(behaviour), async ({ url, seed }) => {
      const environment = environmentOf(inputsFor(url, seed));
      const codes: string[] = [];
      for (const words of calls(path)) {
        const here = words.map((word) => word.replace('http://localhost:4242', url));
        const { code, stderr } = await cli(here, environment, folder.path);
        codes.push(`${code} ${words.join(' ')}${code === 2 ? stderr : ''}`);
      }
      return codes;
    });
  }

  const judging = PAGES.filter((path) => calls(path).length > 0 && !/--again|--baseline/.test(read(path)));

  it.each(judging)('has calls that pass on a conforming server: %s', async (path) => {
    expect((await exitCodes(path, {})).filter((each) => !each.startsWith('0 '))).toEqual([]);
  });

  it.each([
    ['docs/reports.md', '1 run, 0 baseline, 0 run'],
    ['docs/cli.md', '1 run, 1 run, 1 run, 1 run, 1 run'],
  ])('has calls that can be followed with a server that fails: %s', async (path, expected) => {
    const defect = defects.find(({ id }) => id === 'name-update-nulls-email');
    const codes = await exitCodes(path, defect?.behaviour ?? {});
    expect(codes.map((each) => each.split(' ').slice(0, 2).join(' ')).join(', '), codes.join('\n')).toBe(expected);
  });

  it('shows a configuration file that a run takes', async () => {
    const [yaml = ''] = blocksIn('docs/configuration.md', 'yaml');
    const own = temporary.fresh();
    own.write('conformance.yaml', yaml);
    await withServer({}, (server) => succeeds(cli(['run', '--only', 'update-name'], environmentFor(server), own.path)));
    expect(existsSync(own.at('report.html'))).toBe(true);
  });

  it('shows a baseline that a run takes', async () => {
    const [json = ''] = blocksIn('docs/reports.md', 'json');
    const own = temporary.fresh();
    own.write('known.json', json);
    const { code, stdout } = await withServer({}, (server) =>
      cli(['run', '--baseline', 'known.json'], environmentFor(server), own.path),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('update-name');
  });
});

/** What differs from run to run: values of the run, numbers of requests, times and ports. */
function steady(text: string): string[] {
  const values = text
    .replaceAll(/(conformance[. ])[a-z]{7}([. ])[a-z]{2}i?\b/gi, '$1RUN$2N')
    .replaceAll(/\d+ requests in [\d.]+ s/g, 'N requests in T s')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
  return values.split('\n').map((line) => line.trim());
}

describe('the README', () => {
  const readme = read('README.md');

  it('shows lines of a report that the suite prints, in their order', async () => {
    const [shown = ''] = blocksIn('README.md', 'text');
    const [, id = ''] = /serve --port 4242 --defect ([\w-]+)/.exec(readme) ?? [];
    const defect = defects.find((each) => each.id === id);
    assert(defect);
    const { stdout } = await using(startBehaviour(defect.behaviour), ({ url, seed }) =>
      cli(['run'], { ...environmentOf(inputsFor(url, seed)), NO_COLOR: '1' }),
    );
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
    const rows = [...readme.matchAll(/^\| `([a-z]+)` +\| (\d+) +\|/gm)];
    expect(Object.fromEntries(rows.map(([, verdict, code]) => [verdict, Number(code)]))).toEqual(EXIT_CODES);
  });

  it('names every variable of a run', () => {
    const [, table = ''] = /## Judge your own server\n([^]*?)\n## /.exec(readme) ?? [];
    const named = [...table.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => `CONFORMANCE_${name}`);
    expect(named.sort()).toEqual(Object.keys(environmentOf(inputsFor('http://127.0.0.1:1'))).sort());
  });

  it('has at most 900 words', () => expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900));
});
