import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { checks as catalogue } from '../../conformance/checks/catalogue.ts';
import type { Result } from '../../conformance/result/result.ts';
import { operationIds } from '../../contract/document.ts';
import type { ReferenceServer } from '../../reference-server/server.ts';
import type { Rules } from '../../reference-server/rules.ts';
import { cli, type CliResult, expectUsageError, hasTerminal, onTerminal, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { MISSING_USER_ID, withServer } from '../support/target.ts';

const root = temporaryFolder();
let folder = root;

beforeEach(() => {
  folder = root.fresh();
});

const file = (name: string, content: string): string => folder.write(name, content);

function keysOf({ seed }: ReferenceServer): Record<string, string> {
  return { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_RESTRICTED_KEY: seed.keys.restricted };
}

function yamlFor({ url }: ReferenceServer, more = ''): string {
  return `baseUrl: ${url}\nuserId: 1\notherUserId: 2\nmissingUserId: ${MISSING_USER_ID}\nroleIds: [1, 2]\nbannerIds: [1, 2, 3]\n${more}`;
}

/** Shows the same name whatever is stored. */
const forgets = (rules: Rules): Partial<Rules> => ({
  presentUser: (user) => ({ ...(rules.presentUser(user) as object), name: 'always' }),
});

const here = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  cli(args, environment, folder.path);

describe('a configuration file', () => {
  it('gives key files, baseline, reports, journal and limits, relative to its folder', async () => {
    await withServer({ replace: forgets }, async (server) => {
      file('ci/admin.key', `${server.seed.keys.admin}\n`);
      file('ci/known.yaml', 'entries:\n  - { check: update-name-stored, outcome: failed, reason: known }\n');
      const more = `adminKeyFile: admin.key\nonly: [update-name-stored]\nbaseline: known.yaml\nreports: { json: result.json }\njournal: j.json\ntimeout: 5000\n`;
      const config = file('ci/c.yaml', yamlFor(server, more));
      const { stderr } = await succeeds(here(['run', '--config', config]));
      expect(stderr).toContain(`journal ${folder.at('ci', 'j.json')}`);
      const result = JSON.parse(readFileSync(folder.at('ci', 'result.json'), 'utf8')) as Result;
      expect(result.checks).toMatchObject([{ id: 'update-name-stored', knownFailure: true }]);
    });
  });

  it('gives restore the key, and the address that the journal must have', async () => {
    await withServer({}, async (server) => {
      const users = [
        { subject: 'user', id: '1', originals: { name: 'Restored', email: 'r@example.com', rootRole: 1 } },
      ];
      const journal = { journalVersion: 1, baseUrl: server.url, startedAt: '', users };
      const path = file('journal.json', JSON.stringify(journal));
      file('admin.key', server.seed.keys.admin);
      file('conformance.yaml', `baseUrl: ${server.url}\nadminKeyFile: admin.key\nuserId: 1\n`);
      const wrong = await here(['restore', path], { CONFORMANCE_ADMIN_KEY: 'wrong' });
      expect(wrong.code).toBe(1);
      const { stderr } = await succeeds(here(['restore', path]));
      expect(stderr).toBe(`settings from conformance.yaml; the target is ${server.url}\n`);
      expect(server.store.users.get(1)?.name).toBe('Restored');
    });
  });

  it('is not looked for where the embedded server is judged', async () => {
    file('conformance.yaml', 'only: [nothing-is-called-so]\nuserId: no id\n');
    const { stderr } = await succeeds(here(['run', '--reference', '--only', 'banner-id']));
    expect(stderr).not.toContain('conformance.yaml');
  });
});

describe('init', () => {
  it('writes a file that run reads without being told, given the keys in the environment', async () => {
    await withServer({}, async (server) => {
      const ids = ['--user-id', '1', '--other-user-id', '2', '--missing-user-id', MISSING_USER_ID, '--role-ids', '1,2'];
      const written = await here(['init', server.url, ...ids], keysOf(server));
      expect(written.code).toBe(0);
      expect(written.stdout).toContain('admin-api-conformance run');
      const text = readFileSync(folder.at('conformance.yaml'), 'utf8');
      for (const key of Object.values(keysOf(server))) expect(text).not.toContain(key);
      const { stdout, stderr } = await succeeds(here(['run'], keysOf(server)));
      expect(stdout.split('\n')[0]).toContain('PASSED');
      expect(stderr.split('\n')[0]).toBe(`settings from conformance.yaml; the target is ${server.url}`);
    });
  });

  it('replaces no file unless it is told to, and asks nothing where there is no terminal', async () => {
    const path = file('conformance.yaml', 'userId: 4\n');
    expectUsageError(await here(['init']), /: init: conformance\.yaml already exists; --force overwrites it\.\n$/);
    expect(readFileSync(path, 'utf8')).toBe('userId: 4\n');
    expect((await here(['init', '--force'])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('FILL IN');
    expect((await here(['run'])).stderr).toContain('No target');
  });
});

describe.skipIf(!hasTerminal)('init on a terminal (skipped: there is no python3 to make one)', () => {
  const ENTER = '\r';
  const CTRL_C = '\u0003';

  const initOnTerminal = (...answers: string[]): Promise<CliResult> => onTerminal(answers, ['init'], {}, folder.path);

  it('asks for what is needed, again where an input cannot be right, and writes it', async () => {
    const { stdout: shown } = await succeeds(
      initOnTerminal('http://localhost:1\r', 'ada\r', '4\r', ENTER, '404404\r', '1,2\r'),
    );
    expect(shown).toContain('"ada" is not an id; give an integer such as 4.');
    const text = readFileSync(folder.at('conformance.yaml'), 'utf8');
    expect(text).toMatch(/^baseUrl: http:\/\/localhost:1$/m);
    expect(text).toMatch(/^userId: 4$/m);
    expect(text).toMatch(/^# otherUserId: 5 .*FILL IN$/m);
    expect(text).toMatch(/^roleIds: \[1, 2\]$/m);
  });

  it('writes nothing after Ctrl-C', async () => {
    const { code, stdout: shown } = await initOnTerminal('http://localhost:1\r', CTRL_C);
    expect(shown).toContain('stopped; nothing was written');
    expect(code).toBe(130);
    expect(existsSync(folder.at('conformance.yaml'))).toBe(false);
  });
});

it('baseline write writes a baseline with which the same target passes, and keeps it up', async () => {
  await withServer({ replace: forgets }, async (server) => {
    file('conformance.yaml', yamlFor(server));
    const environment = keysOf(server);
    expect((await here(['run', '--report', 'json=result.json'], environment)).code).toBe(1);

    const write = ['baseline', 'write', 'result.json'];
    expectUsageError(await here(write), /There is 1 new entry; give the reason with --reason/);

    const written = await here([...write, '--reason', 'ticket 17', '--output', 'known.json']);
    expect(written.code).toBe(0);
    expect(written.stderr).toBe('wrote known.json\nadded 1: update.sent-fields-change\n');
    expect((await here(['run', '--baseline', 'known.json'], environment)).code).toBe(0);

    const again = await here([...write, '--output', 'known.json']);
    expect(again.stderr).toMatch(/^wrote known\.json\nkept \d+\n$/);
    const toStdout = await here([...write, '--reason', 'ticket 17']);
    expect(toStdout.stdout).toBe(readFileSync(folder.at('known.json'), 'utf8'));
  });
});

it('--only banners judges a target that has only the list of banners', async () => {
  await withServer({}, async (server, requests) => {
    file('conformance.yaml', yamlFor(server));
    const { stdout } = await succeeds(here(['run', '--only', 'banners', '--report', 'json=r.json'], keysOf(server)));
    expect(requests.filter(({ path }) => !path.includes('banners'))).toEqual([]);
    expect(stdout.split('\n')[0]).toContain('PASSED (selection)');
    expect(stdout).not.toContain('The target conforms to the contract');
    const { selection, checks } = JSON.parse(readFileSync(folder.at('r.json'), 'utf8')) as Result;
    const leftOut = operationIds.filter((id) => id !== 'listBanners');
    const scope = { operations: ['listBanners'], leftOut, checks: checks.length, of: catalogue.length };
    expect(selection.scope).toEqual(scope);
  });
});
