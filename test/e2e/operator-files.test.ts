import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cli, expectUsageError, inBash, startCli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkResult, resultOf } from '../support/results.ts';
import { environmentFor, withServer } from '../support/target.ts';

const { path: folder, at, write } = temporaryFolder();

const FILES = ['fifo', 'device', 'endless', 'folder'] as const;
/** Some files need the end of a format. */
const ENDS = ['', '.yaml', '.json'];

beforeAll(() => {
  for (const end of ENDS) {
    execFileSync('mkfifo', [at(`fifo${end}`)]);
    symlinkSync('/dev/null', at(`device${end}`));
    symlinkSync('/dev/zero', at(`endless${end}`));
    mkdirSync(at(`folder${end}`));
  }
  write('huge', '');
  truncateSync(at('huge'), 1024 ** 4);
  write('result.json', JSON.stringify(resultOf([checkResult()])));
});

describe('a file to write', () => {
  const WRITERS: Readonly<Record<string, (file: string) => string[]>> = {
    'a journal': (file) => ['run', '--journal', file],
    'a report': (file) => ['run', '--report', `json=${file}`],
    'a configuration': (file) => ['init', `${file}.yaml`, '--force'],
    'a baseline': (file) => ['baseline', 'write', at('result.json'), '--reason', 'r', '--output', `${file}.json`],
    'a rendered report': (file) => ['render', at('result.json'), '--output', file],
  };

  it.each(Object.entries(WRITERS))(
    'that is no regular file is refused before anything is sent, and stays: %s',
    (_what, args) =>
      withServer({}, async (server, requests) => {
        for (const name of FILES) {
          expectUsageError(await cli(args(at(name)), environmentFor(server)), /not a regular file|a folder/);
        }
        expect(requests).toEqual([]);
        for (const end of ENDS) expect(statSync(at(`fifo${end}`)).isFIFO()).toBe(true);
      }),
  );

  it('that is a socket is refused, and stays', async () => {
    const server = createServer().listen(at('socket'));
    await new Promise((done) => server.once('listening', done));
    expectUsageError(await cli(['render', at('result.json'), '--output', at('socket')]), /not a regular file/);
    expect(statSync(at('socket')).isSocket()).toBe(true);
    server.close();
  });

  it('that does not fit is not left behind in part', async () => {
    const args = ['render', at('result.json'), '--format', 'html', '--output', at('large.html')];
    const { code, stderr } = await inBash('ulimit -f 4; "$@"', args);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain('cannot be written');
    expect(existsSync(at('large.html'))).toBe(false);
  });

  it('leaves no draft of a journal behind, also if it was there', async () => {
    await withServer({}, async (server) => {
      const environment = environmentFor(server);
      const journal = write('drafts/journal.json', '');
      write('drafts/journal.json.new', 'half');
      expect((await cli(['run', '--journal', journal, '--only', 'update-name-stored'], environment)).code).toBe(0);
      expect(readdirSync(dirname(journal))).toEqual([]);
      execFileSync('mkfifo', [`${journal}.new`]);
      expectUsageError(await cli(['run', '--journal', journal], environment), /its draft .* is not a regular file/);
      expect(statSync(`${journal}.new`).isFIFO()).toBe(true);
    });
  });
});

describe('a file to read', () => {
  const READERS: Readonly<Record<string, (file: string) => string[]>> = {
    'a key': (file) => ['run', 'http://127.0.0.1:1', '--admin-key-file', file],
    'a configuration': (file) => ['run', '--config', file],
    'a baseline': (file) => ['run', 'http://127.0.0.1:1', '--baseline', file],
    'the data of serve': (file) => ['serve', '--data', file],
    'a result': (file) => ['render', file],
    'results to compare': (file) => ['compare', at('result.json'), file],
    'a journal': (file) => ['restore', file],
  };

  it.each(Object.entries(READERS))(
    'is refused in one line if it is endless, huge or no file: %s',
    async (_what, args) => {
      for (const name of [...FILES, 'huge']) {
        expectUsageError(await cli(args(at(name))), /not a regular file|a folder|larger than \d+ MiB/);
      }
    },
  );

  it('may be a pipe that the shell opened', async () => {
    await withServer({}, async (server) => {
      const { CONFORMANCE_ADMIN_KEY: key = '', ...environment } = environmentFor(server);
      const line = '"$@" run --quiet --only listBanners --admin-key-file <(echo "$KEY")';
      const { stderr } = await succeeds(inBash(line, [], { ...environment, KEY: key }));
      expect(stderr).toBe('');
    });
  });

  const deep = '['.repeat(8_000) + ']'.repeat(8_000);
  const result = JSON.stringify(resultOf([checkResult()]));

  it.each<[string, string, (file: string) => string[]]>([
    ['a result', `${result.slice(0, -1)},"later":${deep}}`, (file) => ['render', file]],
    ['a result to compare', `${result.slice(0, -1)},"later":${deep}}`, (file) => ['compare', file, file]],
    ['a configuration', deep, (file) => ['run', '--config', file]],
    ['a configuration without brackets', `${'- '.repeat(8_000)}1`, (file) => ['run', '--config', file]],
    ['a baseline', `{"entries":${deep}}`, (file) => ['run', 'http://127.0.0.1:1', '--baseline', file]],
    ['a journal', `{"journalVersion":1,"users":${deep}}`, (file) => ['restore', file]],
  ])('is refused in one line if it is nested too deeply: %s', async (_what, text, args) => {
    expectUsageError(await cli(args(write('deep', text))), 'nested too deeply');
  });

  it.each(['constructor: 1', '__proto__: { userId: 4 }', 'reports: { constructor: x }', 'userId: { __proto__: 1 }'])(
    'is refused where it uses names of JavaScript: %s',
    async (text) => {
      expectUsageError(await cli(['run', '--config', write('names.yaml', `${text}\n`)]), /names\.yaml:1:\d+: /);
    },
  );
});

it.each<[string, string]>([
  ['the path', 'http://127.0.0.1:1/base/secret-key-42/'],
  ['the path, encoded', 'http://127.0.0.1:1/%73ecret-key-42'],
  ['the user', 'http://user:secret-key-42@127.0.0.1:1'],
  ['the user, with another scheme', 'ftp://secret-key-42@127.0.0.1:1'],
  ['the user, without a scheme', 'secret-key-42@127.0.0.1'],
  ['the query', 'http://127.0.0.1:1/?key=secret-key-42'],
  ['the query, without a scheme', '127.0.0.1/?key=secret-key-42'],
])('a key in an address is refused and not printed: %s', async (_where, address) => {
  const key = { CONFORMANCE_ADMIN_KEY: 'secret-key-42' };
  const inFile = write('address/conformance.yaml', `baseUrl: ${JSON.stringify(address)}\n`);
  for (const refused of [await cli(['run', address], key), await cli(['run'], key, dirname(inFile))]) {
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).not.toMatch(/secret|%73ecret/);
  }
});

it('a configuration in the working directory that names files outside its folder is said to, also with --quiet', async () => {
  const key = write('keys/admin.key', 'key-of-somebody');
  const text = `baseUrl: http://127.0.0.1:1\nadminKeyFile: ${key}\nreports: { json: ../out.json, junit: in.xml }\n`;
  const file = write('checkout/conformance.yaml', text);
  const { stderr } = await cli(['run', '--quiet'], {}, dirname(file));
  expect(stderr.split('\n')[0]).toBe(
    `conformance.yaml names files outside its folder: adminKeyFile ${key}, reports ../out.json`,
  );
  expect(existsSync(at('out.json'))).toBe(true);
  expect(readFileSync(at('out.json'), 'utf8')).not.toContain('key-of-somebody');
  expect(folder).toBe(dirname(at('out.json')));
});

it('--insecure is said before the first request, also with --quiet, and in each report for people', async () => {
  const reports = ['html', 'markdown', 'junit'].map((format) => [format, at(`insecure.${format}`)] as const);
  const args = ['run', 'http://127.0.0.1:1', '--insecure', '--quiet', '--only', 'listBanners'];
  const running = startCli([...args, ...reports.flatMap(([format, path]) => ['--report', `${format}=${path}`])]);
  const { stderr, stdout } = await running.ended;
  expect(stderr.split('\n')[0]).toMatch(/^--insecure: no certificate is verified/);
  expect(stdout).toContain('No certificate was verified (--insecure)');
  for (const [, path] of reports)
    expect(readFileSync(path, 'utf8')).toContain('No certificate was verified (--insecure)');
});

it('A working directory that is gone is a mistake of one line', async () => {
  const line = 'cd "$(mktemp -d)" && rmdir "$PWD" && "$@"';
  expectUsageError(await inBash(line, ['run', '--reference']), 'the working directory is gone');
});

it('A machine that lets it open few files is named, and gives no verdict', async () => {
  const { code, stderr } = await inBash('ulimit -n 20; "$@"', ['run', '--reference']);
  expect([code, stderr]).toEqual([2, 'admin-api-conformance: this machine lets it open no more files (ulimit -n).\n']);
});
