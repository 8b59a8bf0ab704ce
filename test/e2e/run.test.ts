import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Result, resultSchema } from '../../conformance/facts/result.ts';
import type { ReferenceServer, ReferenceServerOptions } from '../../reference-server/server.ts';
import { cli, cliProcess, expectUsageError, judged, succeeds } from '../support/cli.ts';
import { environmentFor, ignoresName, withServer, writeResults } from '../support/target.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = temporaryFolder();
let folder = root;
beforeEach(() => {
  folder = root.fresh();
});

const here = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  cli(args, environment, folder.path);
const isResult = new Ajv2020({ strict: true, strictTypes: false }).compile(z.toJSONSchema(resultSchema));
const resultIn = (name: string): Result => folder.json(name) as Result;

function keysOf({ seed }: Pick<ReferenceServer, 'seed'>): Record<string, string> {
  return { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_RESTRICTED_KEY: seed.keys.restricted };
}

/** Settings of a target, as YAML. */
const yamlFor = ({ url }: ReferenceServer, more = ''): string =>
  `baseUrl: ${url}\nuserId: 1\notherUserId: 2\nmissingUserId: 404404\nroleIds: [1, 2]\nbannerIds: [1, 2, 3]\n${more}`;

describe('run', () => {
  it('--reference passes, with the users restored, and its result fits the schema', async () => {
    const { result } = await succeeds(judged({}, '--reference'));
    expect(isResult(result), JSON.stringify(isResult.errors)).toBe(true);
    expect([result.verdict, result.restoration.outcome, result.hints]).toEqual(['passed', 'complete', []]);
  });

  it('as a process of its own prints the result on stdout, and the journal on stderr', async () => {
    const { stdout, stderr } = await succeeds(cliProcess(['run', '--reference', '--only', 'update-name']));
    expect(stdout).toContain('PASSED');
    expect(stderr).toMatch(/^journal \S+ \(for "restore", if this run is killed\)\n$/);
  });

  const withoutRestricted = 'CONFORMANCE_RESTRICTED_KEY (a valid key without permission to update users) is not set.';
  it.each<[string, string, number, ReferenceServerOptions, Readonly<Record<string, string>>]>([
    ['1 of 3 must requirements is broken', 'a requirement is broken', 1, { replace: ignoresName }, {}],
    ['Set CONFORMANCE_USER_ID.', 'the user is missing', 3, {}, { CONFORMANCE_USER_ID: '' }],
    [withoutRestricted, 'the restricted key is missing', 3, {}, { CONFORMANCE_RESTRICTED_KEY: '' }],
    ['Is CONFORMANCE_ADMIN_KEY a key of this server', 'the key is wrong', 3, {}, { CONFORMANCE_ADMIN_KEY: 'wrong' }],
  ])('says "%s" where %s, and exits with %i', async (says, _what, code, options, own) => {
    await withServer(options, async (server) => {
      const args = ['run', '--quiet', '--only', 'update-name,permission-*'];
      const ended = await cli(args, { ...environmentFor(server), ...own });
      expect([ended.code, ended.stdout]).toEqual([code, expect.stringContaining(says)]);
    });
  });

  it('--insecure is said before the first request, also with --quiet', async () => {
    const { stderr } = await cli(['run', 'http://127.0.0.1:1', '--insecure', '-q', '--only', 'banners']);
    expect(stderr.split('\n')[0]).toMatch(/^--insecure: no certificate is verified/);
  });

  it('gives a command that judges the same target again', async () => {
    const args = ['run', 'http://127.0.0.1:1', '--user-id=-4', '--deadline=5000', '--insecure', '--format', 'json'];
    const { tool } = JSON.parse((await cli(args)).stdout) as Result;
    const [, words = ''] = / (run .*)$/.exec(tool.command ?? '') ?? [];
    expect(words).toBe('run http://127.0.0.1:1 --user-id=-4 --insecure --deadline=5000');
    expect((await cli(words.split(' '))).code).toBe(3);
  });

  it('--trace tells of every exchange on stderr', async () => {
    const { result, stderr } = await judged({}, '--reference', '--trace', '--only', 'auth*');
    expect(stderr.match(/^ {0,3}\d+ {2}(PUT|GET) \S+ {2}\d{3} {2}/gm)).toHaveLength(result.summary.requests);
  });
});

describe('the configuration file', () => {
  it('gives key files, baseline, reports, journal and limits, relative to its folder', async () => {
    await withServer({ replace: ignoresName }, async (server) => {
      folder.write('ci/admin.key', `${server.seed.keys.admin}\n`);
      const entry = '{ check: update-name, level: must, outcome: failed, reason: known }';
      folder.write('ci/known.yaml', `entries:\n  - ${entry}\n`);
      const more = 'adminKeyFile: admin.key\nonly: [update-name]\nbaseline: known.yaml\nreports: { json: r.json }\n';
      const file = folder.write('ci/c.yaml', yamlFor(server, `${more}journal: j.json\ntimeout: 5000\n`));
      const { stderr } = await succeeds(here(['run', '--config', file]));
      expect(stderr).toContain(`journal ${folder.at('ci', 'j.json')}`);
      expect(resultIn('ci/r.json').findings).toMatchObject([{ checks: ['update-name'], knownFailure: true }]);
    });
  });

  it('is found in the working directory, and said', async () => {
    await withServer({}, async (server) => {
      const written = await succeeds(here(['init', server.url], keysOf(server)));
      expect(written.stdout).toMatch(/^ {2}2\. .* run$/m);
      const text = folder.read('conformance.yaml');
      for (const key of Object.values(keysOf(server))) expect(text).not.toContain(key);
      const { stdout, stderr } = await succeeds(
        here(['run', '--only', 'update-name', '--user-id', '1'], keysOf(server)),
      );
      expect(stdout).toContain('PASSED');
      expect(stderr.split('\n')[0]).toBe(`using settings from conformance.yaml; target ${server.url}`);
      expectUsageError(await here(['init']), 'init: conformance.yaml already exists');
    });
  });

  it('does not give what a variable gives; a variable that nearly has the name of another one is named', async () => {
    await withServer({}, async (server) => {
      folder.write('conformance.yaml', yamlFor(server, 'only: [update-name]\n').replace('userId: 1', 'userId: 77'));
      const { stderr } = await succeeds(
        here(['run'], { ...keysOf(server), CONFORMANCE_USER_ID: '1', CONFORMANCE_URL: 'x' }),
      );
      expect(stderr).toContain('CONFORMANCE_URL is set, but not read. Did you mean CONFORMANCE_BASE_URL?');
    });
  });
});

it('run --again judges what failed in an earlier result; address, keys and ids come from the operator', async () => {
  await withServer({ replace: ignoresName }, async (server) => {
    const environment = environmentFor(server);
    await here(['run', '--only', 'update-name', '--report', 'json=r.json'], environment);
    const again = await here(['run', '--again', 'r.json'], environment);
    expect(again.stdout).toContain('still there');
    expect(again.stderr).toContain('again: 1 check that failed or was inconclusive: update-name');
    // Somebody changed the address and the ids in the result.
    const forged = { ...resultIn('r.json').target, baseUrl: 'http://127.0.0.1:1', otherUserId: '77' };
    folder.write('forged.json', JSON.stringify({ ...resultIn('r.json'), target: forged }));
    expectUsageError(await here(['run', '--again', 'forged.json'], keysOf(server)), 'No target: give BASE_URL');
    await withServer({}, async (fixed, requests) => {
      const own = environmentFor(fixed);
      const { stdout } = await succeeds(here(['run', '--again', 'forged.json'], own));
      expect(stdout).toContain('fixed');
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.filter(({ path }) => path.includes('77'))).toEqual([]);
    });
  });
});

it('run --again says why it runs every check, where only responses broke something', async () => {
  const around: ReferenceServerOptions['around'] = (handle) => (request) => {
    const response = handle(request);
    return response.status === 404 ? { ...response, body: { name: 'NotFoundError', message: 'no' } } : response;
  };
  await withServer({ around }, async (server) => {
    const environment = environmentFor(server);
    await here(['run', '--only', 'missing-user', '--report', 'json=b.json'], environment);
    const { stderr } = await here(['run', '--again', 'b.json'], environment);
    expect(stderr).toMatch(/again: [\d,]+ checks, since any request may show whether errors\.body still fails/);
  });
});

it('baseline write writes a baseline with which the same target passes, and keeps it up', async () => {
  await withServer({ replace: ignoresName }, async (server) => {
    folder.write('conformance.yaml', yamlFor(server, 'only: [update-name]\n'));
    expect((await here(['run', '--report', 'json=r.json'], keysOf(server))).code).toBe(1);
    const write = ['baseline', 'write', 'r.json', '--output', 'known.json'];
    const written = await succeeds(here([...write, '--reason', 'ticket 17']));
    expect(written.stderr).toBe('wrote known.json\nadded 1: update-name\nkept 0\n');
    expect((await here(['run', '--baseline', 'known.json'], keysOf(server))).code).toBe(0);
    expect((await here(write)).stderr).toBe('wrote known.json\nkept 1\n');
  });
});

it('compare exits with 1 where a target got worse, and with 0 the other way round', async () => {
  await writeResults(folder);
  const worse = await here(['compare', 'good.json', 'bad.json', '--format', 'json']);
  expect([worse.code, JSON.parse(worse.stdout)]).toMatchObject([
    1,
    {
      worse: true,
      changes: [
        { id: 'update-name', became: 'new' },
        { id: 'update.success-is-200', became: 'new' },
      ],
    },
  ]);
  const better = await succeeds(here(['compare', 'bad.json', 'good.json']));
  expect(better.stdout).toContain('1 fixed');
  const matrix = await succeeds(here(['render', 'bad.json', 'good.json']));
  expect(matrix.stdout).toMatch(/FAILED .* 2 targets: 1 passed, 1 failed/);
});

it('help for a command is what --help prints, whatever else is said', async () => {
  const { stdout } = await succeeds(cli(['help', 'run']));
  expect(stdout).toMatch(/^Usage: admin-api-conformance run /);
  expect((await cli(['run', '--nonsense', '-h'])).stdout).toBe(stdout);
  expect((await cli([])).code).toBe(2);
  expect((await cliProcess(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('a user that should be missing, but exists, is not changed', async () => {
  await withServer({}, async (server) => {
    const before = structuredClone([...server.store.users]);
    const { CONFORMANCE_OTHER_USER_ID: other = '', ...environment } = environmentFor(server);
    const { code, result } = await judged({ ...environment, CONFORMANCE_MISSING_USER_ID: other });
    expect([code, result.findings.map(({ requirement }) => requirement)]).toEqual([1, ['missing-user.not-found']]);
    expect([...server.store.users]).toEqual(before);
  });
});
