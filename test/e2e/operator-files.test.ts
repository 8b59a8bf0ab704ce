import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FILE_SETTINGS, SETTING_NAMES, type SettingName, settings } from '../../cli/settings.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { cli, expectUsageError, inBash, succeeds } from '../support/cli.ts';
import { isPosix } from '../support/platform.ts';
import { environmentFor, withServer, writeResults } from '../support/target.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Whether a setting names files that are written: their names may be any. */
const isFileToWrite = (name: SettingName): boolean => ['journal', 'reports'].includes(name);

const folder = temporaryFolder();
const { at, write } = folder;

beforeAll(async () => {
  if (isPosix) symlinkSync('/dev/null', at('device'));
  mkdirSync(at('folder'));
  truncateSync(write('huge', ''), 1024 ** 4);
  await writeResults(folder);
});

describe('a file to write', () => {
  it.each<[string, (file: string) => string[]]>([
    ['a journal', (file) => ['run', '--journal', file]],
    ['a report', (file) => ['run', '--report', `json=${file}`]],
    ['a rendered report', (file) => ['render', at('good.json'), '--output', file]],
  ])('that is no regular file is refused before anything is sent: %s', async (_what, args) => {
    await withServer({}, async (server, requests) => {
      for (const name of [...(isPosix ? ['device'] : []), 'folder'])
        expectUsageError(await cli(args(at(name)), environmentFor(server)), /not a regular file|a folder/);
      expect(requests).toEqual([]);
    });
  });

  it.runIf(isPosix)('that does not fit is not left behind in part, and what was there stays', async () => {
    write('old.html', 'old');
    for (const name of ['new.html', 'old.html']) {
      const args = ['render', at('bad.json'), '--format', 'html', '--output', at(name)];
      expectUsageError(await inBash('ulimit -f 4; "$@"', args), 'cannot be written');
    }
    expect([existsSync(at('new.html')), folder.read('old.html')]).toEqual([false, 'old']);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('never overwrites a journal from which users are still to be restored, also through a link', async () => {
    // It does not take the old name of a user back.
    const around: NonNullable<ReferenceServerOptions['around']> = (handle, _store, rules) => (request) =>
      request.body.includes('Grace Example') ? rules.refuse(400, 'It is too old.') : handle(request);
    await withServer({ around }, async (server) => {
      const own = folder.fresh();
      symlinkSync('j.json', own.at('link.json'));
      const args = ['run', '--only', 'update-name', '--journal', 'j.json', '--report', 'json=link.json'];
      await cli(args, environmentFor(server), own.path);
      expect(own.json('j.json')).toMatchObject({ journalVersion: 2 });
      expect(own.json('link.json')).toMatchObject({ schemaVersion: 3 });
      symlinkSync('j.json', own.at('again.json'));
      const again = ['run', '--journal', 'j.json', '--report', 'json=again.json'];
      expectUsageError(await cli(again, environmentFor(server), own.path), 'another output has this file, too');
    });
  });
});

/** Commands that read a file. */
const READ: [string, (file: string) => string[]][] = [
  ['a key', (file) => ['run', 'http://127.0.0.1:1', '--admin-key-file', file]],
  ['a certificate', (file) => ['run', 'http://127.0.0.1:1', '--ca', file]],
  ['a configuration', (file) => ['run', '--config', file]],
  ['a baseline', (file) => ['run', 'http://127.0.0.1:1', '--baseline', file]],
  ['an earlier result', (file) => ['run', 'http://127.0.0.1:1', '--again', file]],
  ['a result', (file) => ['render', file]],
  ['a result to compare', (file) => ['compare', at('good.json'), file]],
  ['a result of known failures', (file) => ['baseline', 'write', file]],
  ['a journal', (file) => ['restore', file]],
];

describe('a file to read', () => {
  it.each(READ)('is refused in one line if it is huge or a folder: %s', async (_what, args) => {
    for (const name of ['folder', 'huge'])
      expectUsageError(await cli(args(at(name))), /this is a folder|larger than \d+ MiB/);
  });

  it.runIf(isPosix).each(READ)(
    'is refused in one line if it is a device or a pipe that nobody writes to: %s',
    async (_what, args) => {
      execFileSync('mkfifo', [at('fifo')]);
      onTestFinished(() => rmSync(at('fifo')));
      for (const path of ['/dev/zero', at('fifo')]) expectUsageError(await cli(args(path)), 'not a regular file');
    },
  );

  it.runIf(isPosix)('may be a pipe that the shell opened', async () => {
    await withServer({}, async (server) => {
      const { CONFORMANCE_ADMIN_KEY: key = '', ...environment } = environmentFor(server);
      const line = '"$@" run --quiet --only banner* --admin-key-file <(echo "$KEY")';
      await succeeds(inBash(line, [], { ...environment, KEY: key }));
    });
  });
});

describe('a configuration that nobody named', () => {
  it.each(['/proc/self/environ', '/dev/zero', '../outside'])(
    'is refused, unread, if it is a link out of its folder: %s',
    async (target) => {
      const own = folder.fresh();
      own.write('outside', 'baseUrl: http://127.0.0.1:1\n');
      mkdirSync(own.at('project'));
      symlinkSync(target, own.at('project/conformance.yaml'));
      expectUsageError(
        await cli(['run'], {}, own.at('project')),
        'conformance.yaml is a link to a file outside its folder. If that is right, add --config conformance.yaml.',
      );
    },
  );

  it.each(['adminKeyFile: key', 'adminKeyFile: ../home/token', 'reports: { markdown: report }', 'journal: ../j.json'])(
    'makes nothing outside its folder be read or written, also through links: %s',
    async (setting) => {
      await withServer({}, async ({ url }, requests) => {
        const own = folder.fresh();
        const files = [own.write('home/token', 'ghp_token_of_the_operator'), own.write('home/rc', 'alias')];
        own.write('project/conformance.yaml', `baseUrl: ${url}\n${setting}\n`);
        symlinkSync('../home/token', own.at('project/key'));
        symlinkSync('../home/rc', own.at('project/report'));
        expectUsageError(
          await cli(['run', '--quiet'], {}, own.at('project')),
          /conformance\.yaml names files outside its folder: \w+ \S+\. If that is right, add --config/,
        );
        expect(requests).toEqual([]);
        expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(['ghp_token_of_the_operator', 'alias']);
      });
    },
  );
});

describe('a key in the wrong place is not printed', () => {
  const KEY = 'Adm1n-Key.zQ7w8Rt-0123';

  it.each(SETTING_NAMES.flatMap((name) => settings[name].variable ?? []))('in the variable %s', async (variable) => {
    const { stdout, stderr } = await cli(['run', '--quiet'], { [variable]: KEY });
    expect(stdout + stderr).not.toContain(KEY);
  });

  it.each(FILE_SETTINGS.filter((name) => !isFileToWrite(name)))('in the setting %s of a file', async (name) => {
    const own = folder.fresh();
    for (const value of [KEY, [KEY], { [KEY]: KEY }]) {
      const config = own.write('c.yaml', JSON.stringify({ baseUrl: 'http://127.0.0.1:1', [name]: value }));
      const { stdout, stderr } = await cli(['run', '--quiet', '--config', config], { CONFORMANCE_ADMIN_KEY: KEY });
      expect(stdout + stderr).not.toContain(KEY);
    }
  });

  const texts = [
    KEY,
    `CONFORMANCE_ADMIN_KEY=${KEY}\0A=b`,
    `export KEY=${KEY}: x`,
    `"${KEY}"`,
    `{"a=b": "${KEY}`,
    `[${KEY}]`,
  ];

  it.each(READ.filter(([what]) => what !== 'a key'))('in place of %s', async (_what, args) => {
    for (const text of texts) {
      const { code, stdout, stderr } = await cli(args(folder.write('wrong', text)));
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain(KEY);
    }
  });

  it('in place of the path of its file', async () => {
    const ended = await cli(['run', 'http://127.0.0.1:1', '--admin-key-file', KEY]);
    expectUsageError(ended, '--admin-key-file: no such file.');
    expect(ended.stderr).not.toContain(KEY);
  });
});

it.each<[string, string]>([
  ['the path', 'http://127.0.0.1:1/base/secret-key-42/'],
  ['the path, encoded', 'http://127.0.0.1:1/%73ecret-key-42'],
  ['the user', 'http://user:secret-key-42@127.0.0.1:1'],
  ['the user, without a scheme', 'secret-key-42@127.0.0.1'],
  ['the query', 'http://127.0.0.1:1/?key=secret-key-42'],
])('a key in an address is refused and not printed: %s', async (_where, address) => {
  const refused = await cli(['run', address], { CONFORMANCE_ADMIN_KEY: 'secret-key-42' });
  expectUsageError(refused, /^(?!.*(?:secret|%73ecret))/);
});
