import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { User } from '../../contract/document.ts';
import { startBehaviour, type Behaviour } from '../../proof/behaviour.ts';
import type { Answer, Rules } from '../../reference-server/rules.ts';
import { cleanEnvironment, type CliResult } from '../support/cli.ts';
import { environmentFor } from '../support/target.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'arazzo-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Check {
  readonly status: string;
}

interface Step {
  readonly stepId: string;
  readonly checks: readonly Check[];
  /** Where it was made again after this. */
  readonly retriesLeft?: number;
}

/** After a jump to a step, what follows is a workflow within the workflow. */
interface Workflow {
  readonly workflowId: string;
  readonly executedSteps: readonly (Step | Workflow)[];
}

interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly Workflow[] }>>;
}

interface Outcome extends CliResult {
  readonly report: string;
  /** The steps that were made, and those with a check that failed. */
  readonly steps: readonly string[];
  readonly failed: readonly string[];
}

let count = 0;

/** Runs `npm run respect`, but for the build, to its end. */
async function respect(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<CliResult> {
  return new Promise((done) => {
    const options = { env: cleanEnvironment(environment), maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [join(root, 'scripts/respect.mjs'), ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

function stepsOf({ workflowId, executedSteps }: Workflow, include: (check: Check) => boolean): string[] {
  return executedSteps.flatMap((step) => {
    if ('executedSteps' in step) return stepsOf(step, include);
    const final = step.retriesLeft === undefined || step.retriesLeft === 0;
    return final && step.checks.some(include) ? [`${workflowId}/${step.stepId}`] : [];
  });
}

async function respectBehaviour(behaviour: Behaviour, own: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const server = await startBehaviour(behaviour);
  count += 1;
  const file = join(folder, `report-${count}.json`);
  try {
    const result = await respect({ ...environmentFor(server), ...own }, ['--json-output', file]);
    const report = readFileSync(file, 'utf8');
    const workflows = Object.values((JSON.parse(report) as Report).files).flatMap((each) => each.executedWorkflows);
    const steps = (include: (check: Check) => boolean): string[] => workflows.flatMap((each) => stepsOf(each, include));
    return { ...result, report, steps: steps(() => true), failed: steps(({ status }) => status === 'error') };
  } finally {
    await server.close();
  }
}

type Update = Parameters<Rules['applyUpdate']>[2];
type Change = (user: User, update: Update) => User;

/** A server that makes `stored` of a user by an update, and shows `shown`. */
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

const keep: Change = (user, update) => ({ ...user, ...update });

/** Changes more of the user than it was asked to if one member is sent alone. */
const spoil =
  (spoilt: Readonly<Partial<Record<keyof Update, Partial<User>>>>): Change =>
  (user, update) => {
    const [member, ...others] = Object.keys(update) as (keyof Update)[];
    return { ...keep(user, update), ...(member && others.length === 0 ? spoilt[member] : {}) };
  };

/** Leaves a member as it was if it is sent alone. */
const ignore =
  (member: keyof Update): Change =>
  (user, update) =>
    Object.keys(update).join() === member ? user : keep(user, update);

/** Gives the user its last but one name when the e-mail address changes. */
function takingBack(): Behaviour {
  let last: User['name'];
  return updating((user, update) => {
    const changes = update.email !== undefined && update.email !== user.email && update.name === undefined;
    if (update.name !== undefined) last = user.name;
    return changes && last !== undefined ? { ...keep(user, update), name: last } : keep(user, update);
  });
}

/** Does what it refuses, as far as it is texts that are sent, and creates the user if there is none. */
const applyRefused: NonNullable<Behaviour['around']> = (handle, store) => (request) => {
  const answer = handle(request);
  if (answer.status === 200 || request.method !== 'PUT') return answer;
  const id = Number(request.path.split('/').at(-1));
  const sent = Object.entries(JSON.parse(request.body.toString()) as object);
  const texts = Object.fromEntries(sent.filter(([, value]) => typeof value === 'string'));
  store.users.set(id, { id, ...store.users.get(id), ...texts });
  return answer;
};

const withName = (answer: Answer, name: string): Answer => ({ ...answer, body: { ...(answer.body as object), name } });

/** Every fault, and the steps that are sure to fail by it. */
const faults: readonly (readonly [string, Behaviour, readonly string[]])[] = [
  [
    'replaces the user by what is sent',
    updating(({ id }, update) => ({ id, ...update })),
    [
      'change-name-only/changeName',
      'change-email-only/changeEmail',
      'change-role-only/changeRole',
      'keep-role/changeName',
      'change-one-after-another/changeName',
    ],
  ],
  [
    'clears the e-mail address when only the name is sent',
    updating(spoil({ name: { email: '' } })),
    ['change-name-only/changeName', 'change-one-after-another/changeName'],
  ],
  [
    'clears the name when only the e-mail address is sent',
    updating(spoil({ email: { name: null } })),
    ['change-email-only/changeEmail', 'change-one-after-another/changeEmail'],
  ],
  [
    'clears the name when only the role is sent',
    updating(spoil({ rootRole: { name: null } })),
    ['change-role-only/changeRole'],
  ],
  [
    'clears what is not sent, and does not show it at once',
    updating(spoil({ name: { email: '' }, email: { name: null }, rootRole: { email: '' } }), keep),
    ['change-name-only/changeNameAgain', 'change-email-only/changeEmailAgain', 'change-role-only/changeRoleAgain'],
  ],
  [
    'sets the role when only the name is sent',
    updating(spoil({ name: { rootRole: 3 } })),
    ['change-role-only/lookAtRole', 'keep-role/changeName'],
  ],
  [
    'sets the role when only the e-mail address is sent, and does not show it at once',
    updating(spoil({ email: { rootRole: 3 } }), keep),
    ['keep-role/changeBoth'],
  ],
  [
    'shows what is sent and stores nothing',
    updating((user) => user, keep),
    ['change-name-only/changeName', 'change-email-only/changeEmail', 'change-role-only/changeRole'],
  ],
  [
    'shows a name that is sent alone, and does not store it',
    updating(ignore('name'), keep),
    ['change-name-only/lookAtName', 'change-one-after-another/changeEmail'],
  ],
  [
    'shows an e-mail address that is sent alone, and does not store it',
    updating(ignore('email'), keep),
    ['change-email-only/lookAtEmail', 'change-one-after-another/changeNameBack'],
  ],
  [
    'shows a role that is sent alone, and does not store it',
    updating(ignore('rootRole'), keep),
    ['change-role-only/lookAtRole'],
  ],
  ['takes no role that is sent alone', updating(ignore('rootRole')), ['change-role-only/seeRole']],
  [
    'answers with the user as it was before',
    updating(keep, (user) => user),
    ['change-name-only/giveKnownValues', 'change-email-only/changeEmail', 'change-one-after-another/changeName'],
  ],
  ['takes a new name back when the e-mail address changes', takingBack(), ['change-one-after-another/changeEmail']],
  [
    'does what it refuses',
    { around: applyRefused },
    [
      'refuse-without-key/lookAtName',
      'refuse-without-permission/lookAtName',
      'refuse-invalid-body/lookAtName',
      'refuse-missing-user/refuseAgain',
    ],
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
    [
      'refuse-without-key/refuseName',
      'refuse-without-permission/refuseName',
      'refuse-invalid-body/refuseName',
      'refuse-missing-user/refuse',
      'list-banners/refuse',
    ],
  ],
  [
    'gives every error one name',
    { replace: (rules) => ({ refuse: (status, message) => withName(rules.refuse(status, message), 'Error') }) },
    [
      'refuse-without-key/refuseName',
      'refuse-without-permission/refuseName',
      'refuse-invalid-body/refuseName',
      'refuse-missing-user/refuse',
      'list-banners/refuse',
    ],
  ],
  [
    'lists the banners as a bare array',
    { replace: () => ({ presentBanners: (banners) => banners }) },
    ['list-banners/list'],
  ],
];

const extra = (body: unknown): object => ({ ...(body as object), addedLater: { since: 3 } });
const showing = (show: (user: User) => unknown): Behaviour => ({ replace: () => ({ presentUser: show }) });

/** Refuses every twentieth request for the moment. */
const pausing: NonNullable<Behaviour['around']> = (handle, _store, rules) => {
  let requests = 0;
  return (request) => {
    requests += 1;
    return requests % 20 === 0 ? { ...rules.refuse(429, 'Wait.'), headers: { 'retry-after': '0' } } : handle(request);
  };
};

/** Every step, read from the document. */
const ALL_STEPS = (
  parse(readFileSync(join(root, 'arazzo.yaml'), 'utf8')) as {
    workflows: readonly { workflowId: string; steps: readonly { stepId: string }[] }[];
  }
).workflows.flatMap(({ workflowId, steps }) => steps.map(({ stepId }) => `${workflowId}/${stepId}`));

/** The steps that are made only where the role is seen. */
const ROLE_SEEN = [
  'change-role-only/seeRole',
  'change-role-only/lookAtRole',
  'keep-role/changeName',
  'keep-role/changeEmail',
  'keep-role/changeBoth',
];

/** What lawful servers do otherwise, and the steps that are then left out. */
const lawful: readonly (readonly [string, Behaviour, readonly string[]])[] = [
  ['keeps the contract and no more', {}, []],
  [
    'has more members in every body, and lies below a path',
    {
      basePath: '/tools/admin',
      replace: (rules) => ({
        serialize: (body) => rules.serialize(extra(body)),
        presentBanners: (banners) => rules.presentBanners(banners.map(extra)),
      }),
    },
    [],
  ],
  ['shows no role, and little else', showing(({ id, name, email }) => ({ id, name, email })), ROLE_SEEN],
  ['shows the role as an object', showing((user) => ({ ...user, rootRole: { id: user.rootRole } })), ROLE_SEEN],
  [
    'has a JSON media type of its own, and no banners',
    {
      replace: (rules) => ({
        serialize: (body) => ({ ...rules.serialize(body), contentType: 'application/vnd.admin+json' }),
        presentBanners: () => rules.presentBanners([]),
      }),
    },
    [],
  ],
  ['asks for a pause now and then', { around: pausing }, []],
];

describe.concurrent('the workflows of arazzo.yaml', () => {
  it.each(faults)('find a server that %s', async (_fault, behaviour, steps) => {
    const { code, failed } = await respectBehaviour(behaviour);
    expect(failed).toEqual(expect.arrayContaining([...steps]));
    expect(code).toBe(1);
  });

  it.each(lawful)('accuse no server that %s', async (_difference, behaviour, left) => {
    const { code, failed, steps } = await respectBehaviour(behaviour);
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(ALL_STEPS.filter((step) => !steps.includes(step))).toEqual(left);
  });

  it('praise no server that shows neither name nor e-mail address', async () => {
    const { code, failed } = await respectBehaviour(showing(({ id }) => ({ id })));
    const giving = ALL_STEPS.filter((step) => step.endsWith('/giveKnownValues'));
    expect(failed).toEqual(giving.filter((step) => step !== 'keep-role/giveKnownValues'));
    expect(code).toBe(1);
  });
});

describe.concurrent('npm run respect', () => {
  it('starts the reference server if it is given no address, and passes arguments on', async () => {
    const { code, stdout } = await respect({}, ['--workflow', 'list-banners']);
    expect(stdout).toContain('Workflows: 1 passed, 1 total');
    expect(code).toBe(0);
  });

  it('leaves out what lacks an input, and says so', async () => {
    const unknown = { CONFORMANCE_ROLE_IDS: '', CONFORMANCE_RESTRICTED_KEY: '', CONFORMANCE_MISSING_USER_ID: '' };
    const { code, steps, stderr } = await respectBehaviour({}, unknown);
    expect([...new Set(steps.map((step) => step.split('/')[0]))]).toEqual([
      'change-name-only',
      'change-email-only',
      'change-one-after-another',
      'refuse-without-key',
      'refuse-invalid-body',
      'list-banners',
    ]);
    expect(stderr).toContain('change-role-only is not run: set CONFORMANCE_ROLE_IDS.');
    expect(stderr).toContain('refuse-without-permission is not run: set CONFORMANCE_RESTRICTED_KEY.');
    expect(code).toBe(0);
  });

  it('runs nothing without a key', async () => {
    const { code, stdout, stderr } = await respect({ CONFORMANCE_BASE_URL: 'http://127.0.0.1:9' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('CONFORMANCE_ADMIN_KEY');
  });

  it('shows the keys nowhere, also where a step fails', async () => {
    const keys = { CONFORMANCE_ADMIN_KEY: 'other-admin-Key-7', CONFORMANCE_RESTRICTED_KEY: 'other-restricted-Key-8' };
    const { code, stdout, stderr, report } = await respectBehaviour({}, keys);
    expect(code).toBe(1);
    expect(report).toContain('"authorization"');
    for (const text of [stdout, stderr, report]) expect(text).not.toMatch(/other-(admin|restricted)-Key/);
  });
});
