import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { using } from '../../common/using.ts';
import { environmentOf } from '../../cli/settings.ts';
import { type Result, EXIT_CODES } from '../../conformance/index.ts';
import { inputsFor, startBehaviour } from '../../proof/servers/behaviour.ts';
import { cli } from '../support/cli.ts';
import { read, ROOT } from '../support/repository.ts';

const inFolder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name));
const PAGES = inFolder('docs');
const OTHERS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'examples/README.md', 'examples/ci/README.md'],
  ...[
    'examples/jest/README.md',
    'examples/node-test/README.md',
    'examples/shell/README.md',
    'examples/vitest/README.md',
  ],
];
const ALL = [...PAGES, ...OTHERS];

/** A page without its code. */
const prose = (path: string): string => read(path).replaceAll(/^```[^]*?^```$/gm, '');
/** The anchors of the headings of a page, as forges make them. */
const anchors = (path: string): string[] =>
  [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
/** The lines of shell of a page that call the suite. */
const calls = (path: string): string[] =>
  [...read(path).matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, text = '']) =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .flatMap(
        (line) => /^npx (?:--yes )?admin-api-conformance (?!restore|serve)(.*?)(?: +#.*)?$/.exec(line)?.[1] ?? [],
      ),
  );

describe('the documentation', () => {
  it('has at most twelve pages', () => expect(PAGES.length).toBeLessThanOrEqual(12));

  it.each(ALL)('links to what is there: %s', (path) => {
    const links = [...prose(path).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
      if (!existsSync(join(ROOT, to))) return true;
      return anchor !== undefined && !anchors(to).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(ALL)('names files and scripts that are there: %s', (path) => {
    const text = prose(path);
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };
    const missing = [...text.matchAll(/`npm run (?:--silent )?([\w:-]+)/g)].filter(
      ([, name = '']) => !(name in scripts),
    );
    expect(missing.map(([, name]) => name)).toEqual([]);
    const files = [...text.matchAll(/`((?:conformance|cli|proof|test|contract|reference-server|scripts)\/[\w./-]+)`/g)];
    const gone = files
      .map(([, file = '']) => file)
      .filter((file) => !file.includes('NAME') && !existsSync(join(ROOT, file)));
    expect(gone).toEqual([]);
  });

  it('has calls of the suite that it understands, in their order', async () => {
    await using(startBehaviour({}), async ({ url, seed }) => {
      const environment = environmentOf(inputsFor(url, seed));
      for (const call of PAGES.flatMap(calls).filter((each) => !/--(again|baseline)|^baseline|^init/.test(each))) {
        const here = call
          .replaceAll('http://localhost:4242', url)
          .replaceAll("'", '')
          .replace(/ --report \S+/, '');
        const { code, stderr } = await cli([...here.split(' '), '-q'], environment);
        expect(code, `${call}\n${stderr}`).toBe(0);
      }
    });
  });
});

it('A user that should be missing, but exists, is not changed', async () => {
  await using(startBehaviour({}), async ({ url, seed }) => {
    const { otherUserId = '', ...inputs } = inputsFor(url, seed);
    const headers = { Authorization: inputs.adminKey ?? '', 'Content-Type': 'application/json' };
    const user = async (): Promise<unknown> =>
      (await fetch(`${url}/api/admin/user-admin/${otherUserId}`, { method: 'PUT', headers, body: '{}' })).json();
    const before = await user();
    expect(before).toMatchObject({ id: Number(otherUserId) });
    const { code, stdout } = await cli(
      ['run', '--format', 'json'],
      environmentOf({ ...inputs, missingUserId: otherUserId }),
    );
    expect(code).toBe(EXIT_CODES.failed);
    expect((JSON.parse(stdout) as Result).findings.map(({ requirement }) => requirement)).toEqual([
      'missing-user.not-found',
    ]);
    expect(await user()).toEqual(before);
  });
});
