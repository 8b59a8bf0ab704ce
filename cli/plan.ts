import { defaultSeed, type Seed } from '../reference-server/seed.ts';
import { createReferenceServer } from '../reference-server/server.ts';
import type { User } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { baseAddress, INPUT_HELP, missingInputs, type InputName, type Inputs } from '../conformance/target/inputs.ts';
import { paintFor, wrap, wrapJson } from '../conformance/report/paint.ts';
import { isAccepted, isSafe, type Exchange, type RequestSpec } from '../conformance/http/exchange.ts';
import { judgeTarget } from '../conformance/run/run.ts';
import { InvalidSelection, selectChecks } from '../conformance/checks/selection.ts';
import { CONFIG_HELP, CONFIG_OPTION, givenBaseUrl, STDOUT_FORMATS, withConfiguration } from './input/configuration.ts';
import { columnsOf, type Command } from './output/io.ts';
import { listOption } from './run.ts';
import { parseTarget, TARGET_HELP, TARGET_OPTIONS } from './input/target-options.ts';
import { nameOf, oneOf, parseArguments, UsageError } from '../common/args.ts';

const PLAN_HELP = `Usage: admin-api-conformance plan [BASE_URL] [options]

Shows every request that a conforming target would get from "run" with the same
options. Nothing is sent to the target; the requests are those that the embedded
reference server gets. Those that a conforming target carries out are marked W
(they change a user, who is put back at the end); all others change nothing.
Names and addresses are made anew for each run. What stands in parentheses in a
body, and the role that is put back, are what the user has before the run.

${TARGET_HELP}

  --only A,B  --skip A,B      as for run
  --format pretty|json        (pretty)

${CONFIG_HELP}

Example:
  admin-api-conformance plan http://localhost:4242 --only banners

Exit codes: 0, 2 usage.
`;

interface PlannedRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly credential: string;
  readonly writes: boolean;
  readonly purpose: string;
  readonly body?: string;
}

function seedFor(inputs: Inputs, keys: Seed['keys']): Seed {
  const [first, second] = defaultSeed.users;
  if (!first || !second) throw new Error('The default seed has fewer than two users.');
  const [role, otherRole] = inputs.roleIds ?? [1, 2];
  const withId = (user: User, id: string | undefined, rootRole: unknown): User[] =>
    id === undefined
      ? []
      : [
          {
            ...user,
            id: Number(id),
            name: `(the name of user ${id})`,
            email: `(the e-mail address of user ${id})`,
            username: `username-of-user-${id}`,
            rootRole: rootRole as NonNullable<User['rootRole']>,
          },
        ];
  return {
    keys,
    users: [...withId(first, inputs.userId, role), ...withId(second, inputs.otherUserId, otherRole)],
    banners: defaultSeed.banners,
  };
}

function carriesSomethingOut(exchange: Exchange): boolean {
  const { request } = exchange;
  return !isSafe(request) && isAccepted(exchange) && request.body !== '{}';
}

/** A request that is sent only if the target gives cause to. */
interface ConditionalRequest extends PlannedRequest {
  /** Completes "only if". */
  readonly when: string;
}

interface Plan {
  readonly requests: readonly PlannedRequest[];
  readonly conditional: readonly ConditionalRequest[];
}

function plannedRequest(request: RequestSpec, baseUrl: string, writes: boolean): PlannedRequest {
  const { method, path, credential, purpose, body } = request;
  return {
    method,
    url: baseUrl + path,
    path,
    credential: credential.label,
    writes,
    purpose,
    ...(body === undefined ? {} : { body }),
  };
}

async function planned(
  inputs: Inputs,
  baseUrl: string,
  only: readonly string[],
  skip: readonly string[],
): Promise<Plan> {
  const keys = { admin: 'plan-Admin-key', restricted: 'plan-Restricted-key' };
  const server = await createReferenceServer({ seed: seedFor(inputs, keys) });
  const exchanges: Exchange[] = [];
  const conditional: ConditionalRequest[] = [];
  try {
    await judgeTarget(
      {
        ...inputs,
        baseUrl: new URL(server.url),
        ...(inputs.adminKey === undefined ? {} : { adminKey: keys.admin }),
        ...(inputs.restrictedKey === undefined ? {} : { restrictedKey: keys.restricted }),
      },
      {
        only,
        skip,
        onEvent: (event) => {
          if (event.type === 'exchange') exchanges.push(event.exchange);
          if (event.type === 'conditional')
            conditional.push({ ...plannedRequest(event.request, baseUrl, false), when: event.when });
        },
      },
    );
  } finally {
    await server.close();
  }
  const requests = exchanges.map((exchange) =>
    plannedRequest(exchange.request, baseUrl, carriesSomethingOut(exchange)),
  );
  return { requests, conditional };
}

/** `plan`: what a run would send, without sending it. */
export const plan: Command = async (args, io) => {
  const options = {
    ...TARGET_OPTIONS,
    ...CONFIG_OPTION,
    only: { type: 'string', multiple: true },
    skip: { type: 'string', multiple: true },
    format: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const flags = parseArguments(args, options, 1);
  const { out, err, environment } = io;
  if (flags.values.help === true) {
    out.write(PLAN_HELP);
    return 0;
  }
  const parsed = await withConfiguration(flags, { options, environment, err });
  const asked = (parsed.values.format as string | undefined) ?? 'pretty';
  const format = oneOf(nameOf(parsed, 'format'), asked, STDOUT_FORMATS);
  const url = givenBaseUrl(parsed, environment);
  const inputs: Inputs = { baseUrl: url ?? new URL('http://localhost'), ...parseTarget(parsed, environment) };
  const base = url === undefined ? '{base_url}' : baseAddress(url);
  const only = listOption(parsed, 'only');
  const skip = listOption(parsed, 'skip');
  const { requests, conditional } = await planned(inputs, base, only, skip).catch((error: unknown) => {
    throw error instanceof InvalidSelection ? new UsageError(error.message) : error;
  });
  if (format === 'json') {
    out.write(`${JSON.stringify({ requests, conditional }, null, 2)}\n`);
  } else {
    const paint = paintFor(out, environment);
    const width = columnsOf(out);
    const show = (lead: string, { writes, method, path, credential, purpose, body }: PlannedRequest): void => {
      const mark = writes ? paint(['red', 'bold'], 'W') : paint('dim', '·');
      out.write(`${lead} ${mark} ${method} ${path}  ${paint('dim', `with ${credential}`)}\n`);
      out.write(`${paint('dim', wrap(purpose, width, '       '))}\n`);
      if (body !== undefined) out.write(`${wrapJson(body, width, '       ')}\n`);
    };
    for (const [index, request] of requests.entries()) show(String(index + 1).padStart(4), request);
    for (const request of conditional) {
      out.write(`\nOnly if ${request.when}:\n`);
      show('    ', request);
    }
    const writes = requests.filter((request) => request.writes).length;
    const counted = `${requests.length} requests to ${base}; ${writes} of them write (W), the others change nothing (·).`;
    out.write(`\n${wrap(counted, width)}\n`);
    if (writes > 0) {
      const note = 'In parentheses, and as the role that is put back: what the user has before the run.';
      out.write(`${wrap(note, width)}\n`);
    }
  }
  const needed = new Set(selectChecks(checks, only, skip).flatMap(({ needs }) => needs));
  const missing = missingInputs(
    inputs,
    (Object.keys(INPUT_HELP) as InputName[]).filter((name) => needed.has(name)),
  );
  if (missing.length > 0) {
    const names = missing.map((name) => INPUT_HELP[name].variable).join(', ');
    err.write(`${wrap(`Not given, so their checks are not in this plan: ${names}.`, columnsOf(err))}\n`);
  }
  return 0;
};
