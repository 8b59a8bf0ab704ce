import { describe, expect, it } from 'vitest';
import { run } from '../../../conformance/index.ts';
import type { Result } from '../../../conformance/result/result.ts';
import type { ReferenceServerOptions } from '../../../reference-server/server.ts';
import { Refused, type Rules } from '../../../reference-server/rules.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { MISSING_USER_ID, withServer } from '../../support/target.ts';

type Replace = NonNullable<ReferenceServerOptions['replace']>;
type User = Parameters<Rules['presentUser']>[0];

async function judge(options: ReferenceServerOptions): Promise<Result> {
  return withServer(options, ({ url, seed }) =>
    run({
      baseUrl: url,
      adminKey: seed.keys.admin,
      restrictedKey: seed.keys.restricted,
      userId: '1',
      otherUserId: '2',
      missingUserId: MISSING_USER_ID,
      roleIds: [1, 2],
    }),
  );
}

function failed({ checks }: Result, level: 'must' | 'should' = 'must'): string[] {
  return checks.filter((check) => check.outcome === 'failed' && check.level === level).map(({ id }) => id);
}

function pick(user: User, members: readonly string[]): object {
  return Object.fromEntries(Object.entries(user).filter(([member]) => members.includes(member)));
}

/** Shows some members always, and besides them those that were sent. */
function showsWhatWasSent(always: readonly string[]): Replace {
  return (rules) => {
    let sent: readonly string[] = [];
    return {
      applyUpdate: (store, user, update) => {
        sent = Object.keys(update);
        return rules.applyUpdate(store, user, update);
      },
      presentUser: (user) => pick(user, [...always, ...sent]),
    };
  };
}

describe('a lawful server', () => {
  const lawful: readonly (readonly [
    what: string,
    options: ReferenceServerOptions,
    verdict: 'passed' | 'inconclusive',
  ])[] = [
    [
      'that shows the id, the username and what was sent',
      { replace: showsWhatWasSent(['id', 'username']) },
      'inconclusive',
    ],
    ['that shows the id and what was sent', { replace: showsWhatWasSent(['id']) }, 'inconclusive'],
    [
      'that answers an update with the id alone, and `{}` with the user',
      {
        replace: (rules) => {
          let empty = true;
          return {
            applyUpdate: (store, user, update) => {
              empty = Object.keys(update).length === 0;
              return rules.applyUpdate(store, user, update);
            },
            presentUser: (user) => (empty ? user : { id: user.id }),
          };
        },
      },
      'inconclusive',
    ],
    [
      'whose roles are objects with ids of their own',
      {
        replace: () => ({
          presentUser: (user) => ({ ...user, rootRole: { id: 70 + Number(user.rootRole), roleId: user.rootRole } }),
        }),
      },
      'inconclusive',
    ],
    [
      'that leaves out what is null',
      {
        replace: () => ({
          presentUser: (user) => Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null)),
        }),
      },
      'passed',
    ],
    [
      'that refuses `{}`',
      {
        replace: (rules) => ({
          validateUpdate: (value) => {
            const update = rules.validateUpdate(value);
            if (!['name', 'email', 'rootRole'].some((member) => Object.hasOwn(update, member)))
              throw new Refused(400, 'Nothing to update.');
            return update;
          },
        }),
      },
      'passed',
    ],
    [
      'whose keys are UUIDs, compared without their letter case',
      {
        seed: { ...defaultSeed, keys: { admin: '0a1b2c3d-0a1b-4c3d-8e9f-0a1b2c3d4e5f', restricted: 'another-key' } },
        replace: (rules) => ({
          authenticate: (request, store) =>
            rules.authenticate(
              {
                ...request,
                headers: {
                  ...request.headers,
                  authorization: String(request.headers.authorization ?? '').toLowerCase(),
                },
              },
              store,
            ),
        }),
      },
      'passed',
    ],
  ];

  it.each(lawful)('%s is accused of nothing', async (_what, options, verdict) => {
    const result = await judge(options);
    expect(failed(result)).toEqual([]);
    expect(result.verdict).toBe(verdict);
  });
});

describe('a server', () => {
  const broken: readonly (readonly [what: string, options: ReferenceServerOptions, checks: readonly string[]])[] = [
    [
      'that drops what was not sent',
      {
        replace: () => ({
          applyUpdate: (store, user, update) => {
            const rest = pick(
              user,
              Object.keys(user).filter((member) => !['name', 'email', 'rootRole'].includes(member)),
            );
            const updated = { ...rest, ...update, id: user.id };
            store.users.set(user.id, updated);
            return updated;
          },
        }),
      },
      ['update-name-keeps-email', 'update-email-keeps-name', 'update-empty-body'],
    ],
    [
      'that takes an e-mail address in an array',
      {
        replace: (rules) => ({
          validateUpdate: (value) => {
            const { email } = (value ?? {}) as { email?: unknown };
            const [only] = Array.isArray(email) ? (email as unknown[]) : [];
            return rules.validateUpdate(
              typeof only === 'string' && only.includes('@') ? { ...(value as object), email: only } : value,
            );
          },
        }),
      },
      ['body-email-array'],
    ],
    [
      'that stores a name although the role beside it is refused',
      {
        replace: (rules, store) => ({
          validateUpdate: (value) => {
            const { name, rootRole } = (value ?? {}) as { name?: unknown; rootRole?: unknown };
            const user = store.users.get(1);
            if (user && typeof name === 'string' && typeof rootRole === 'boolean')
              store.users.set(1, { ...user, name });
            return rules.validateUpdate(value);
          },
        }),
      },
      ['refused-400-changes-nothing'],
    ],
    [
      'that gives the restricted key no list',
      {
        replace: (rules) => {
          let caller = 'admin';
          return {
            authenticate: (request, store) => {
              const found = rules.authenticate(request, store);
              caller = found;
              return found;
            },
            presentBanners: (banners) => ({ banners: caller === 'admin' ? banners : null }),
          };
        },
      },
      ['banners-is-list'],
    ],
    [
      'whose users have the same username',
      { replace: () => ({ presentUser: (user) => ({ ...user, username: 'same' }) }) },
      ['user-username-unique'],
    ],
  ];

  it.each(broken)('%s fails', async (_what, options, checks) => {
    const result = await judge(options);
    expect(failed(result)).toEqual(expect.arrayContaining([...checks]));
    expect(result.verdict).toBe('failed');
  });

  it('on which `{}` clears the e-mail address is accused of that, and not of what the refusals do', async () => {
    const result = await judge({
      replace: (rules) => ({
        applyUpdate: (store, user, update) => rules.applyUpdate(store, { ...user, email: '' }, update),
      }),
    });
    expect(failed(result)).toEqual(expect.arrayContaining(['update-name-keeps-email', 'update-empty-body']));
    expect(failed(result).filter((id) => /^refused|spares/.test(id))).toEqual([]);
  });

  it('that answers with another user is not accused of changing one', async () => {
    const result = await judge({ replace: (_rules, store) => ({ presentUser: () => store.users.get(2) }) });
    expect(failed(result)).toContain('update-answer-id');
    expect(failed(result).filter((id) => /keeps-(name|email|role)|spares|^refused/.test(id))).toEqual([]);
  });
});

describe('the library', () => {
  it.each([
    ['one role', { roleIds: [1] }, /at least two different roles/],
    ['the same role in two forms', { roleIds: [1, { id: 1 }] }, /at least two different roles/],
    ['a domain in capitals', { emailDomain: 'Example.COM' }, /lower case/],
    ['the same id twice', { userId: '1', otherUserId: '1' }, /must differ/],
  ])('refuses %s', async (_what, wrong, says) => {
    await expect(run({ baseUrl: 'http://localhost', ...wrong })).rejects.toThrow(says);
  });
});
