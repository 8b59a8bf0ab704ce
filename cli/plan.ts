import { using } from '../common/using.ts';
import { defaultSeed, type Seed } from '../reference-server/seed.ts';
import { createReferenceServer } from '../reference-server/server.ts';
import type { User } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { PHASES } from '../conformance/model/recording/items.ts';
import {
  baseAddress,
  INPUT_HELP,
  missingInputs,
  type InputName,
  type Inputs,
} from '../conformance/resources/inputs.ts';
import { wrap, wrapJson } from '../conformance/report/terminal/paint.ts';
import { isAccepted, isSafe, type Exchange, type RequestSpec } from '../conformance/http/exchange.ts';
import type { RunEvent } from '../conformance/run/events.ts';
import { judgeTarget } from '../conformance/run/run.ts';
import { InvalidSelection, selectChecks } from '../conformance/checks/selection.ts';
import { withConfiguration } from './input/configuration.ts';
import { commandOf } from './input/command-table.ts';
import {
  givenBaseUrl,
  parseSelection,
  OWN_SETTINGS,
  parseTarget,
  RUN_ONLY,
  settingsHelp,
  TARGET_SETTINGS,
  valueOf,
} from './input/settings.ts';
import { columnsOf, layoutOf, type CommandIo } from './output/io.ts';
import { UsageError } from '../common/process/args.ts';
import { counted } from '../common/text.ts';

const OPTIONS = [...TARGET_SETTINGS, OWN_SETTINGS.only, OWN_SETTINGS.skip, OWN_SETTINGS.format, RUN_ONLY.config];

type Selection = ReturnType<typeof parseSelection>;

function seedFor(inputs: Inputs, keys: Seed['keys']): Seed {
  const [first, second] = defaultSeed.users;
  if (!first || !second) throw new Error('The default seed has fewer than two users.');
  const [role, otherRole] = inputs.roleIds ?? [1, 2];
  const withId = (user: User, id: string | undefined, rootRole: unknown): User => ({
    ...user,
    id: Number(id),
    name: `(the name of user ${id ?? ''})`,
    email: `(the e-mail address of user ${id ?? ''})`,
    username: `username-of-user-${id ?? ''}`,
    rootRole: rootRole as NonNullable<User['rootRole']>,
  });
  const users = [withId(first, inputs.userId, role), withId(second, inputs.otherUserId, otherRole)];
  return { ...defaultSeed, keys, users: users.filter(({ id }) => !Number.isNaN(id)) };
}

function carriesSomethingOut(exchange: Exchange): boolean {
  const { request } = exchange;
  return !isSafe(request) && isAccepted(exchange) && request.body !== '{}';
}

/** A request as it is shown; `when` completes "only if", for one that is sent only under a condition. */
function plannedRequest(request: RequestSpec, baseUrl: string, writes = false, when?: string) {
  const { method, path, credential, purpose, body, phase = 'control' } = request;
  return { method, url: baseUrl + path, path, credential: credential.label, writes, phase, purpose, body, when };
}

type PlannedRequest = ReturnType<typeof plannedRequest>;

async function planned(inputs: Inputs, baseUrl: string, selection: Selection) {
  const keys = { admin: 'plan-Admin-key', restricted: 'plan-Restricted-key' };
  const requests: PlannedRequest[] = [];
  const conditional: PlannedRequest[] = [];
  const ownKeys = {
    ...(inputs.adminKey === undefined ? {} : { adminKey: keys.admin }),
    ...(inputs.restrictedKey === undefined ? {} : { restrictedKey: keys.restricted }),
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'exchange')
      requests.push(plannedRequest(event.exchange.request, baseUrl, carriesSomethingOut(event.exchange)));
    if (event.type === 'conditional') conditional.push(plannedRequest(event.request, baseUrl, false, event.when));
  };
  const options = { ...selection, onEvent, takeOver: true };
  await using(createReferenceServer({ seed: seedFor(inputs, keys) }), ({ url }) =>
    judgeTarget({ ...inputs, ...ownKeys, baseUrl: new URL(url) }, options),
  ).catch((error: unknown) => {
    throw error instanceof InvalidSelection ? new UsageError(error.message) : error;
  });
  return { requests, conditional };
}

type Plan = Awaited<ReturnType<typeof planned>>;

function writePlan({ requests, conditional }: Plan, base: string, { out, environment }: CommandIo): void {
  const { paint, width } = layoutOf(out, environment);
  const show = (lead: string, { writes, method, path, credential, purpose, body }: PlannedRequest): void => {
    const mark = writes ? paint(['red', 'bold'], 'W') : paint('dim', '·');
    out.write(`${lead} ${mark} ${method} ${path}  ${paint('dim', `with ${credential}`)}\n`);
    out.write(`${paint('dim', wrap(purpose, width, '       '))}\n`);
    if (body !== undefined) out.write(`${wrapJson(body, width, '       ')}\n`);
  };
  let number = 0;
  for (const [phase, words] of Object.entries(PHASES)) {
    const own = requests.filter((request) => request.phase === phase);
    if (own.length > 0) out.write(`${paint('bold', phase)}  ${paint('dim', words)}\n`);
    for (const request of own) show(String((number += 1)).padStart(4), request);
  }
  for (const request of conditional) {
    out.write(`\nOnly if ${request.when ?? ''}:\n`);
    show('    ', request);
  }
  const writes = requests.filter((request) => request.writes).length;
  const count = `${counted(requests.length, 'request')} to ${base}; ${writes} of them write (W), the others change nothing (·).`;
  out.write(`\n${wrap(count, width)}\n`);
  if (writes > 0) {
    const note = 'Text in parentheses, and the role in a restoring request, are what the user has before the run.';
    out.write(`${wrap(note, width)}\n`);
  }
}

/** The variables of the inputs that checks of the selection need and that were not given. */
function missingVariables(inputs: Inputs, { only, skip }: Selection): string[] {
  const needed = new Set(selectChecks(checks, only, skip).flatMap(({ needs }) => needs));
  const names = (Object.keys(INPUT_HELP) as InputName[]).filter((name) => needed.has(name));
  return missingInputs(inputs, names).map((name) => INPUT_HELP[name].variable);
}

/** `plan`: what a run would send, without sending it. */
export const command = commandOf({
  usage: 'plan [BASE_URL]',
  summary: 'show every request of a run, without sending any',
  calls: ['plan [BASE_URL] [options]'],
  about: `Shows every request that "run" with the same options sends to a conforming
target. The requests are those that the embedded reference server receives; the
target receives none. Requests that change a user, who is restored at the end,
are marked W; all others change nothing. Each run makes new names and addresses.
Text in parentheses in a body, and the role in a restoring request, stand for
the values that the user has before the run.`,
  options: OPTIONS,
  optionsHelp: settingsHelp(OPTIONS),
  examples: ['plan http://localhost:4242 --only banners'],
  exitCodes: '0, 2 usage.',
  positionals: [0, 1],
  run: async (flags, io) => {
    const { out, err, environment } = io;
    const parsed = await withConfiguration(flags, { options: OPTIONS, environment, err });
    const format = valueOf(OWN_SETTINGS.format, parsed);
    const url = givenBaseUrl(parsed, environment);
    const inputs: Inputs = { baseUrl: url ?? new URL('http://localhost'), ...parseTarget(parsed, environment, url) };
    const base = url === undefined ? '{baseUrl}' : baseAddress(url);
    const selection = parseSelection(parsed);
    const plan = await planned(inputs, base, selection);
    if (format === 'json') out.writeDocument(`${JSON.stringify(plan, null, 2)}\n`);
    else writePlan(plan, base, io);
    const missing = missingVariables(inputs, selection);
    if (missing.length > 0) {
      const text = `Not given, so their checks are not in this plan: ${missing.join(', ')}.`;
      err.write(`${wrap(text, columnsOf(err))}\n`);
    }
    return 0;
  },
});
