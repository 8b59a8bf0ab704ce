import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { cli, COMMAND, expectUsageError, inBash, succeeds, TYPESCRIPT } from '../support/cli.ts';
import { writeResults } from '../support/faulty.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();
const { at, write } = folder;

const FILES = ['fifo', 'device', 'endless', 'folder'] as const;
/** Some files need the end of a format. */
const ENDS = ['', '.yaml', '.json'];

beforeAll(async () => {
  for (const end of ENDS) {
    execFileSync('mkfifo', [at(`fifo${end}`)]);
    symlinkSync('/dev/null', at(`device${end}`));
    symlinkSync('/dev/zero', at(`endless${end}`));
    mkdirSync(at(`folder${end}`));
  }
  write('huge', '');
  truncateSync(at('huge'), 1024 ** 4);
  await writeResults(folder);
});

describe('a file to write', () => {
  const WRITERS: Readonly<Record<string, (file: string) => string[]>> = {
    'a journal': (file) => ['run', '--journal', file],
    'a report': (file) => ['run', '--report', `json=${file}`],
    'a configuration': (file) => ['init', `${file}.yaml`, '--force'],
    'a baseline': (file) => ['baseline', 'write', at('bad.json'), '--reason', 'r', '--output', `${file}.json`],
    'a rendered report': (file) => ['render', at('good.json'), '--output', file],
  };

  it.each(Object.entries(WRITERS))(
    'that is no regular file is refused before anything is sent, and stays: %s',
    async (_what, args) => {
      await withServer({}, async (server, requests) => {
        for (const name of FILES)
          expectUsageError(await cli(args(at(name)), environmentFor(server)), /not a regular file|a folder/);
        expect(requests).toEqual([]);
        for (const end of ENDS) expect(statSync(at(`fifo${end}`)).isFIFO()).toBe(true);
      });
    },
  );

  it('that does not fit is not left behind in part, and what was there stays', async () => {
    for (const name of ['new.html', 'old.html']) {
      if (name === 'old.html') write(name, 'old');
      const args = ['render', at('bad.json'), '--format', 'html', '--output', at(name)];
      const { code, stderr } = await inBash('ulimit -f 4; "$@"', args);
      expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
      expect(stderr).toContain('cannot be written');
    }
    expect([existsSync(at('new.html')), readFileSync(at('old.html'), 'utf8')]).toEqual([false, 'old']);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('keeps its permissions, and a link that leads to it', async () => {
    const file = write('kept/private.html', '');
    execFileSync('chmod', ['600', file]);
    symlinkSync('private.html', at('kept/link.html'));
    await succeeds(cli(['render', at('good.json'), '--format', 'html', '--output', at('kept/link.html')]));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('is never the journal, whatever its name: a link to it is refused before anything is sent', async () => {
    await withServer({}, async (server, requests) => {
      const own = folder.fresh();
      symlinkSync('j.json', own.at('rep.json'));
      symlinkSync('rep.json', own.at('again.json'));
      const writing = (report: string) => ['run', '--journal', 'j.json', '--report', `json=${report}`];
      for (const link of ['rep.json', 'again.json'])
        expectUsageError(await cli(writing(link), environmentFor(server), own.path), 'leads nowhere');
      own.write('j.json', '');
      for (const report of ['rep.json', 'again.json', own.at('j.json')])
        expectUsageError(await cli(writing(report), environmentFor(server), own.path), 'also the file of --journal');
      expect(requests).toEqual([]);
    });
  });

  it('does not overwrite a journal from which users are still to be restored', async () => {
    let isAway = false;
    const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
      isAway ||= request.path.includes('banners');
      return isAway ? { status: 500, body: {} } : handle(request);
    };
    await withServer({ around }, async (server) => {
      const own = folder.fresh();
      const args = ['run', '--only', 'update-name,banner*', '--journal', 'j.json', '--report', 'json=r.json'];
      await cli([...args, '--deadline', '2000'], environmentFor(server), own.path);
      expect(JSON.parse(readFileSync(own.at('j.json'), 'utf8'))).toMatchObject({ journalVersion: 2 });
      expect(JSON.parse(readFileSync(own.at('r.json'), 'utf8'))).toMatchObject({ schemaVersion: 2 });
    });
  });

  it('leaves no draft of a journal behind, also if it was there', async () => {
    await withServer({}, async (server) => {
      const journal = write('drafts/journal.json', '');
      write('drafts/journal.json.new', 'half');
      await succeeds(cli(['run', '--journal', journal, '--only', 'update-name'], environmentFor(server)));
      expect(readdirSync(dirname(journal))).toEqual([]);
      execFileSync('mkfifo', [`${journal}.new`]);
      const refused = await cli(['run', '--journal', journal], environmentFor(server));
      expectUsageError(refused, /its draft: this is not a regular file/);
    });
  });
});

describe('a file to read', () => {
  const READERS: Readonly<Record<string, (file: string) => string[]>> = {
    'a key': (file) => ['run', 'http://127.0.0.1:1', '--admin-key-file', file],
    'a configuration': (file) => ['run', '--config', file],
    targets: (file) => ['run', '--targets', file],
    'a baseline': (file) => ['run', 'http://127.0.0.1:1', '--baseline', file],
    'an earlier result': (file) => ['run', 'http://127.0.0.1:1', '--again', file],
    'a result': (file) => ['render', file],
    'results to compare': (file) => ['compare', at('good.json'), file],
    'a journal': (file) => ['restore', file],
  };

  it.each(Object.entries(READERS))(
    'is refused in one line if it is endless, huge or no file: %s',
    async (_what, args) => {
      for (const name of [...FILES, 'huge'])
        expectUsageError(await cli(args(at(name))), /not a regular file|a folder|larger than \d+ MiB/);
    },
  );

  const deep = '['.repeat(8_000) + ']'.repeat(8_000);

  it.each<[string, string, (file: string) => string[]]>([
    ['a configuration', deep, (file) => ['run', '--config', file]],
    ['a configuration without brackets', `${'- '.repeat(8_000)}1`, (file) => ['run', '--config', file]],
    ['targets', `targets: ${deep}`, (file) => ['run', '--targets', file]],
    ['a journal', `{"journalVersion":2,"users":${deep}}`, (file) => ['restore', file]],
  ])('is refused in one line if it is nested too deeply: %s', async (_what, text, args) => {
    expectUsageError(await cli(args(write('deep', text))), 'nested too deeply');
  });

  it('may be a pipe that the shell opened', async () => {
    await withServer({}, async (server) => {
      const { CONFORMANCE_ADMIN_KEY: key = '', ...environment } = environmentFor(server);
      const line = '"$@" run --quiet --only banner* --admin-key-file <(echo "$KEY")';
      await succeeds(inBash(line, [], { ...environment, KEY: key }));
    });
  });

  it('that is a result may have half a character anywhere', async () => {
    const text = readFileSync(at('bad.json'), 'utf8').replaceAll('update-name', 'update-\\ud800name');
    const file = write('half.json', text.replaceAll('update.sent', 'update.\\udc00sent'));
    for (const format of ['pretty', 'json', 'junit', 'html', 'markdown', 'har'])
      await succeeds(cli(['render', file, '--format', format]));
  });
});

describe('a configuration that nobody named', () => {
  it.each(['adminKeyFile: key', 'adminKeyFile: ../home/token', 'reports: { markdown: report }', 'journal: ../j.json'])(
    'makes nothing outside its folder be read or written, also through links: %s',
    async (setting) => {
      await withServer({}, async ({ url }, requests) => {
        const own = folder.fresh();
        const [token, profile] = [own.write('home/token', 'ghp_token_of_the_operator'), own.write('home/rc', 'alias')];
        mkdirSync(own.at('project'));
        symlinkSync('../home/token', own.at('project/key'));
        symlinkSync('../home/rc', own.at('project/report'));
        own.write('project/conformance.yaml', `baseUrl: ${url}\n${setting}\n`);
        const refused = await cli(['run', '--quiet'], {}, own.at('project'));
        expectUsageError(
          refused,
          /conformance\.yaml names files outside its folder: \w+ \S+\. If that is right, add --config/,
        );
        expect(requests).toEqual([]);
        expect([readFileSync(token, 'utf8'), readFileSync(profile, 'utf8')]).toEqual([
          'ghp_token_of_the_operator',
          'alias',
        ]);
      });
    },
  );

  it('may name files in its folder', async () => {
    await withServer({}, async ({ url, seed }) => {
      const own = folder.fresh();
      own.write('keys/admin', seed.keys.admin);
      own.write(
        'conformance.yaml',
        `baseUrl: ${url}\nadminKeyFile: keys/admin\nonly: [banner*]\nreports: { json: r.json }\n`,
      );
      await cli(['run'], {}, own.path);
      expect(existsSync(own.at('r.json'))).toBe(true);
    });
  });
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

// Node.js itself needs more to load sources.
describe.skipIf(COMMAND.includes(TYPESCRIPT))('a machine without what the command needs (skipped from sources)', () => {
  it('is told that its working directory is gone', async () => {
    const line = 'cd "$(mktemp -d)" && rmdir "$PWD" && "$@"';
    expectUsageError(await inBash(line, ['run', '--reference']), 'the working directory is gone');
  });

  it('is told that it lets open too few files', async () => {
    expectUsageError(await inBash('ulimit -n 20; "$@"', ['run', '--reference']), 'open no more files (ulimit -n).');
  });
});
