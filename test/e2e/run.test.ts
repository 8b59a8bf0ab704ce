import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { resultSchema } from '../../conformance/result/read-result.ts';
import type { Result } from '../../conformance/result/result.ts';
import { withRawServer } from '../../proof/wire/raw-server.ts';
import { Refused } from '../../reference-server/rules.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli, judged, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, withServer } from '../support/target.ts';

const { at } = temporaryFolder();

function outcomes(result: Result, outcome: string): string[] {
  return result.checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
}

const schema = new Ajv2020({ strict: true, strictRequired: false }).compile(resultSchema());

function expectValid(result: Result): void {
  expect(schema(result), JSON.stringify(schema.errors)).toBe(true);
}

it('run --reference passes, with nothing that was inconclusive, nothing unobserved, and the users restored', async () => {
  const { result } = await succeeds(judged({}, '--reference'));
  expectValid(result);
  expect(result.verdict).toBe('passed');
  expect(result.hints).toEqual([]);
  expect(result.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(result.observations.filter(({ observed }) => observed === undefined)).toEqual([]);
  expect(result.restoration.outcome).toBe('complete');
});

const takingFewRoles: ReferenceServerOptions['replace'] = (rules) => ({
  validateUpdate: (value) => {
    const update = rules.validateUpdate(value);
    if (Number(update.rootRole ?? 0) > 10) throw new Refused(400, 'There is no such role.');
    return update;
  },
});

it.each([
  ['without the restricted key', { CONFORMANCE_RESTRICTED_KEY: '' }, 'permission-name', 'missing-input'],
  ['without roles', { CONFORMANCE_ROLE_IDS: '' }, 'update-role-stored', 'missing-input'],
  ['with a wrong admin key', { CONFORMANCE_ADMIN_KEY: 'not-the-key' }, 'update-name-stored', 'control-refused'],
  ['with an unknown restricted key', { CONFORMANCE_RESTRICTED_KEY: 'no' }, 'permission-name', 'control-refused'],
  ['without the user', { CONFORMANCE_USER_ID: '12345' }, 'update-name-stored', 'control-refused'],
  ['without the other', { CONFORMANCE_OTHER_USER_ID: '555' }, 'update-other-user-stored', 'not-observable'],
  ['with other roles', { CONFORMANCE_ROLE_IDS: '77,78' }, 'update-role-accepted', 'control-refused'],
])('a target that conforms is inconclusive %s', async (_what, wrong, id, reason) => {
  await withServer({ replace: takingFewRoles }, async (server) => {
    const { code, result } = await judged({ ...environmentFor(server), ...wrong });
    expect(outcomes(result, 'failed')).toEqual([]);
    expect(code).toBe(3);
    expectValid(result);
    expect(result.checks.find((check) => check.id === id)).toMatchObject({ outcome: 'inconclusive', reason });
  });
});

describe('a write whose response says nothing', () => {
  it('is not made blind: where the reading cannot be read, no user is written to', async () => {
    await withServer({}, async (server) => {
      const before = structuredClone([...server.store.users]);
      const { code, result } = await judged(environmentFor(server), '--max-body', '10');
      expect(code).toBe(3);
      expect(outcomes(result, 'failed')).toEqual([]);
      expect(result.restoration.outcome).toBe('none');
      expect([...server.store.users]).toEqual(before);
    });
  });

  it('is restored all the same, and the journal stays where that cannot be seen', async () => {
    const replace = () => ({
      applyUpdate: (store: { users: Map<number, object> }, user: { id: number }, update: object) => {
        store.users.set(user.id, { ...user, ...update, id: user.id });
        if (Object.keys(update).length > 0) throw new Error('after storing');
        return user as never;
      },
    });
    await withServer({ replace }, async (server) => {
      const values = (): unknown[] =>
        [...server.store.users.values()].map(({ name, email, rootRole }) => [name, email, rootRole]);
      const before = values();
      const journal = at('journal-500.json');
      const { code, result } = await judged(environmentFor(server), '--journal', journal);
      expect(code).toBe(1);
      expect(values()).toEqual(before);
      expect(result.restoration).toMatchObject({ outcome: 'partial', journal });
      expect(JSON.parse(readFileSync(journal, 'utf8'))).toMatchObject({
        users: [{ originals: { name: 'Grace Example' } }, {}],
      });
    });
  });
});

it('a missing user that exists is not written to, and the words say what may be wrong', async () => {
  const seed = { ...defaultSeed, users: [...defaultSeed.users, { id: 3, name: 'Third' }] };
  const written: string[] = [];
  const around: ReferenceServerOptions['around'] =
    (handle, { users }) =>
    (request) => {
      const before = structuredClone(users.get(3));
      const response = handle(request);
      if (!isDeepStrictEqual(users.get(3), before)) written.push(`${request.method} ${request.path}`);
      return response;
    };
  await withServer({ seed, around }, async (server) => {
    const before = structuredClone([...server.store.users]);
    const { result } = await judged({ ...environmentFor(server), CONFORMANCE_MISSING_USER_ID: '3' });
    expect(written, 'These requests change a user that the operator did not name.').toEqual([]);
    expect([...server.store.users]).toEqual(before);
    const check = result.checks.find(({ id }) => id === 'missing-user-refused');
    expect(check?.failure?.message).toContain('CONFORMANCE_MISSING_USER_ID');
  });
});

const emptiesEmail: ReferenceServerOptions['replace'] = (rules) => ({
  applyUpdate: (store, user, update) => rules.applyUpdate(store, { ...user, email: '' }, update),
});

it('run --again takes address and ids from the earlier result where none are given, and names them in the commands that it prints', async () => {
  await withServer({ replace: emptiesEmail }, async (server) => {
    const earlier = at('earlier.json');
    const only = ['--only', 'update-name-keeps-email'];
    await cli(['run', ...only, '--report', `json=${earlier}`], environmentFor(server));
    const environment = Object.fromEntries(
      Object.entries(environmentFor(server)).filter(([name]) => name.endsWith('_KEY')),
    );
    const { code, stdout, stderr } = await cli(['run', '--again', earlier], environment);
    expect(stderr).toContain('taken from the earlier result: --user-id 1 --other-user-id 2 ');
    expect(stdout).toContain('still there: `update.unsent-fields-keep`');
    expect(stdout.replaceAll(/\s+(\\\s+)?/g, ' ')).toContain(`run ${server.url}/ --user-id 1 `);
    expect(code).toBe(1);
    const elsewhere = server.url.replace('127.0.0.1', 'localhost');
    const other = await cli(['run', elsewhere, '--again', earlier], environment);
    expect(other.stderr).not.toContain('taken from');
  });
});

describe('the other commands', () => {
  it.each([
    [['schema'], 'conformance/result/result'],
    [['schema', 'config'], 'cli/config'],
  ])('%j prints the schema that is published', async (args, published) => {
    const { stdout } = await succeeds(cli(args));
    expect(stdout).toBe(readFileSync(new URL(`../../dist/${published}.schema.json`, import.meta.url), 'utf8'));
  });

  it('plan shows the requests, marks the writes, and sends nothing to the target', async () => {
    await withServer({}, async (server) => {
      const { stdout, url } = await succeeds(
        withRawServer({}, async (target) => {
          const environment = { ...environmentFor(server), CONFORMANCE_BASE_URL: `${target.url}/prefix` };
          const planned = await cli(['plan', '--format', 'json'], environment);
          expect(target.connections()).toBe(0);
          return { ...planned, url: target.url };
        }),
      );
      const plan = JSON.parse(stdout) as {
        requests: { method: string; path: string; url: string; writes: boolean; credential: string }[];
      };
      const requests = (await judged(environmentFor(server))).result.summary.requests;
      expect(plan.requests).toHaveLength(requests);
      expect(plan.requests.every((sent) => sent.url === `${url}/prefix${sent.path}`)).toBe(true);
      const writes = plan.requests.filter((request) => request.writes);
      expect(writes.length).toBeGreaterThan(10);
      expect(writes.every(({ method, path }) => method === 'PUT' && /\/[12](\/|\?|$)/.test(path))).toBe(true);
      expect(writes.every(({ credential }) => credential === 'the admin key')).toBe(true);
      expect(stdout).not.toContain(server.seed.keys.admin);
    });
  });
});
