import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { User } from '../../contract/document.ts';
import { startBehaviour, type Behaviour } from '../../proof/behaviour.ts';
import type { Rules } from '../../reference-server/rules.ts';
import { cleanEnvironment, execute, type CliResult } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor } from '../support/target.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();

interface Step {
  readonly stepId: string;
  readonly checks: readonly { readonly status: string }[];
  /** Set where the step is tried again. */
  readonly retriesLeft?: number;
}

interface Workflow {
  readonly workflowId: string;
  readonly executedSteps: readonly Step[];
}

interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly Workflow[] }>>;
}

interface Outcome extends CliResult {
  readonly report: string;
  /** The workflows that ran, and the steps with a failed check. */
  readonly workflows: readonly string[];
  readonly failed: readonly string[];
}

let count = 0;

/** Runs `npm run respect`, without the build, to its end. */
const respect = (environment: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<CliResult> =>
  execute(process.execPath, [join(root, 'scripts/respect.mjs'), ...args], { env: cleanEnvironment(environment) });

async function respectBehaviour(behaviour: Behaviour, own: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const server = await startBehaviour(behaviour);
  const file = folder.at(`report-${(count += 1)}.json`);
  try {
    const result = await respect({ ...environmentFor(server), ...own }, ['--json-output', file]);
    const report = readFileSync(file, 'utf8');
    const executed = Object.values((JSON.parse(report) as Report).files).flatMap((each) => each.executedWorkflows);
    const failed = executed.flatMap(({ workflowId, executedSteps }) =>
      executedSteps
        .filter(({ retriesLeft = 0, checks }) => retriesLeft === 0 && checks.some(({ status }) => status === 'error'))
        .map(({ stepId }) => `${workflowId}/${stepId}`),
    );
    return { ...result, report, workflows: executed.map(({ workflowId }) => workflowId), failed };
  } finally {
    await server.close();
  }
}

type Update = Parameters<Rules['applyUpdate']>[2];
type Change = (user: User, update: Update) => User;

/** A server that stores `stored` after an update and shows `shown`. */
function updating(stored: Change, shown = stored): Behaviour {
  return {
    replace: () => ({
      applyUpdate: (store, user, update) => {
        store.users.set(user.id, stored(user, update));
        return shown(user, update);
      },
    }),
  };
}

const merge: Change = (user, update) => ({ ...user, ...update });

/** Clears a member that is not sent. */
const clear =
  (member: 'name' | 'email'): Change =>
  (user, update) => ({ ...user, [member]: null, ...update });

/** Leaves a member as it was if it is sent alone. */
const ignore =
  (member: keyof Update): Change =>
  (user, update) =>
    Object.keys(update).join() === member ? user : merge(user, update);

/** Stores the text members of refused updates, and creates the user if there is none. */
const applyRefused: NonNullable<Behaviour['around']> = (handle, store) => (request) => {
  const response = handle(request);
  if (response.status === 200 || request.method !== 'PUT') return response;
  const id = Number(request.path.split('/').at(-1));
  const sent = Object.entries(JSON.parse(request.body.toString()) as object);
  const texts = Object.fromEntries(sent.filter(([, value]) => typeof value === 'string'));
  store.users.set(id, { id, ...store.users.get(id), ...texts });
  return response;
};

const REFUSALS = [
  'refuse-invalid-update/refuseWithoutKey',
  'refuse-without-permission/refuse',
  'refuse-missing-user/refuse',
  'list-banners/refuseWithoutKey',
];

/** Every defect, and the steps that must fail; a workflow ends at its first failure. */
const defects: readonly (readonly [string, Behaviour, readonly string[]])[] = [
  [
    'replaces the user with the body',
    updating(({ id }, update) => ({ id, ...update })),
    ['update-in-turn/changeName', 'update-role-only/changeRole'],
  ],
  [
    'clears the e-mail address if it is not sent, and shows it once more',
    updating(clear('email'), merge),
    ['update-in-turn/changeNameAgain', 'update-role-only/changeRoleAgain'],
  ],
  [
    'clears the name if it is not sent, and shows it once more',
    updating(clear('name'), merge),
    ['update-in-turn/changeEmailAgain', 'update-role-only/changeRoleAgain'],
  ],
  [
    'shows a name that is sent alone, and does not store it',
    updating(ignore('name'), merge),
    ['update-in-turn/changeEmail'],
  ],
  [
    'shows an e-mail address that is sent alone, and does not store it',
    updating(ignore('email'), merge),
    ['update-in-turn/changeNameBack'],
  ],
  [
    'applies what it refuses',
    { around: applyRefused },
    ['refuse-invalid-update/readName', 'refuse-without-permission/readName', 'refuse-missing-user/refuseAgain'],
  ],
  [
    'refuses nothing',
    {
      replace: () => ({
        authenticate: () => 'admin',
        validateUpdate: (value) => value as Update,
        findUser: (store, id) => store.users.get(id) ?? { id },
      }),
    },
    REFUSALS,
  ],
  [
    'does not validate the body',
    { replace: () => ({ validateUpdate: (value) => value as Update }) },
    ['refuse-invalid-update/refuseInvalidBody'],
  ],
  [
    'gives every error the same name',
    {
      replace: (rules) => ({
        refuse: (status, message) => {
          const response = rules.refuse(status, message);
          return { ...response, body: { ...(response.body as object), name: 'Error' } };
        },
      }),
    },
    REFUSALS,
  ],
  [
    'lists the banners as a bare array',
    { replace: () => ({ presentBanners: (banners) => banners }) },
    ['list-banners/list'],
  ],
];

const extra = (body: unknown): object => ({ ...(body as object), addedLater: { since: 3 } });
const showing = (show: (user: User) => unknown): Behaviour => ({ replace: () => ({ presentUser: show }) });

/** Refuses every seventh request for the moment. */
const pausing: NonNullable<Behaviour['around']> = (handle, _store, rules) => {
  let requests = 0;
  return (request) => {
    requests += 1;
    return requests % 7 === 0 ? { ...rules.refuse(429, 'Wait.'), headers: { 'retry-after': '0' } } : handle(request);
  };
};

const variants: readonly (readonly [string, Behaviour])[] = [
  ['does nothing special', {}],
  [
    'has extra members, a media type of its own, a path and no banners',
    {
      basePath: '/tools/admin',
      replace: (rules) => ({
        serialize: (body) => ({ ...rules.serialize(extra(body)), contentType: 'application/vnd.admin+json' }),
        presentBanners: () => rules.presentBanners([]),
      }),
    },
  ],
  ['shows no role, and little else', showing(({ id, name, email }) => ({ id, name, email }))],
  ['asks for a pause now and then', { around: pausing }],
];

describe.concurrent('the workflows of arazzo.yaml', () => {
  it.each(defects)('fail for a server that %s', async (_defect, behaviour, steps) => {
    const { code, failed } = await respectBehaviour(behaviour);
    expect(failed).toEqual(expect.arrayContaining([...steps]));
    expect(code).toBe(1);
  });

  it.each(variants)('succeed for a conforming server that %s', async (_variant, behaviour) => {
    const { code, failed, workflows } = await respectBehaviour(behaviour);
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(workflows).toHaveLength(6);
  });

  it('do not succeed for a server that shows neither name nor e-mail address', async () => {
    const { code, failed } = await respectBehaviour(showing(({ id }) => ({ id })));
    expect(failed.filter((step) => step.endsWith('/setBoth'))).toHaveLength(4);
    expect(code).toBe(1);
  });
});

describe.concurrent('npm run respect', () => {
  it('starts the reference server without an address, and passes arguments on', async () => {
    const { code, stdout } = await respect({}, ['--workflow', 'list-banners']);
    expect(stdout).toContain('Workflows: 1 passed, 1 total');
    expect(code).toBe(0);
  });

  it('skips workflows that lack an input, and says so', async () => {
    const unknown = { CONFORMANCE_ROLE_IDS: '', CONFORMANCE_RESTRICTED_KEY: '', CONFORMANCE_MISSING_USER_ID: '' };
    const { code, workflows, stderr } = await respectBehaviour({}, unknown);
    expect(workflows).toEqual(['update-in-turn', 'refuse-invalid-update', 'list-banners']);
    expect(stderr).toContain('update-role-only is skipped: set CONFORMANCE_ROLE_IDS.');
    expect(stderr).toContain('refuse-without-permission is skipped: set CONFORMANCE_RESTRICTED_KEY.');
    expect(code).toBe(0);
  });

  it('runs nothing without a key', async () => {
    const { code, stdout, stderr } = await respect({ CONFORMANCE_BASE_URL: 'http://127.0.0.1:9' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('CONFORMANCE_ADMIN_KEY');
  });

  it('never shows the keys, even where a step fails', async () => {
    const keys = { CONFORMANCE_ADMIN_KEY: 'other-admin-Key-7', CONFORMANCE_RESTRICTED_KEY: 'other-restricted-Key-8' };
    const { code, stdout, stderr, report } = await respectBehaviour({}, keys);
    expect(code).toBe(1);
    expect(report).toContain('"authorization"');
    for (const text of [stdout, stderr, report]) expect(text).not.toMatch(/other-(admin|restricted)-Key/);
  });
});
