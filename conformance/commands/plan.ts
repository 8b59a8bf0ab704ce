import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import type { User } from '../../contract/document.ts';
import type { Exchange } from '../exchange.ts';
import { checks } from '../checks/catalogue.ts';
import { baseAddress, INPUT_HELP, missingInputs, type InputName, type Inputs } from '../inputs.ts';
import { paintFor, wrap, wrapJson } from '../report/paint.ts';
import { isAccepted } from '../exchange.ts';
import { run as judge } from '../runner.ts';
import { InvalidSelection, selectChecks } from '../selection.ts';
import { CONFIG_HELP, CONFIG_OPTION, givenBaseUrl, STDOUT_FORMATS, withConfiguration } from './configuration.ts';
import { columnsOf, type Command } from './io.ts';
import { listOption } from './run.ts';
import { parseTarget, TARGET_HELP, TARGET_OPTIONS } from './target-options.ts';
import { nameOf, oneOf, parseArguments, UsageError } from './usage.ts';

const PLAN_HELP = `Usage: admin-api-conformance plan [BASE_URL] [options]

Shows every request that a conforming target would get from "run" with the same
options. Nothing is sent to the target; the requests are those that the embedded
reference server gets. Those that a conforming target carries out are marked W
(they change a user, who is put back at the end); all others change nothing.
Names and addresses are made anew for each run.

${TARGET_HELP}

  --only A,B  --skip A,B      as for run
  --format pretty|json        (pretty)

${CONFIG_HELP}
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
    id === undefined ? [] : [{ ...user, id: Number(id), rootRole: rootRole as NonNullable<User['rootRole']> }];
  return {
    keys,
    users: [...withId(first, inputs.userId, role), ...withId(second, inputs.otherUserId, otherRole)],
    banners: defaultSeed.banners,
  };
}

function carriesSomethingOut(exchange: Exchange): boolean {
  const { operation, body } = exchange.request;
  return operation === 'updateUser' && isAccepted(exchange) && body !== '{}';
}

async function planned(
  inputs: Inputs,
  baseUrl: string,
  only: readonly string[],
  skip: readonly string[],
): Promise<PlannedRequest[]> {
  const keys = { admin: 'plan-Admin-key', restricted: 'plan-Restricted-key' };
  const server = await createReferenceServer({ seed: seedFor(inputs, keys) });
  const exchanges: Exchange[] = [];
  try {
    await judge(
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
        },
      },
    );
  } finally {
    await server.close();
  }
  return exchanges.map((exchange) => ({
    method: exchange.request.method,
    url: baseUrl + exchange.request.path,
    path: exchange.request.path,
    credential: exchange.request.credential.label,
    writes: carriesSomethingOut(exchange),
    purpose: exchange.request.purpose,
    ...(exchange.request.body === undefined ? {} : { body: exchange.request.body }),
  }));
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
  const requests = await planned(inputs, base, only, skip).catch((error: unknown) => {
    throw error instanceof InvalidSelection ? new UsageError(error.message) : error;
  });
  if (format === 'json') {
    out.write(`${JSON.stringify({ requests }, null, 2)}\n`);
  } else {
    const paint = paintFor(out, environment);
    const width = columnsOf(out);
    for (const [index, request] of requests.entries()) {
      const mark = request.writes ? paint(['red', 'bold'], 'W') : paint('dim', '·');
      out.write(
        `${String(index + 1).padStart(4)} ${mark} ${request.method} ${request.path}  ${paint('dim', `with ${request.credential}`)}\n`,
      );
      out.write(`${paint('dim', wrap(request.purpose, width, '       '))}\n`);
      if (request.body !== undefined) out.write(`${wrapJson(request.body, width, '       ')}\n`);
    }
    const writes = requests.filter((request) => request.writes).length;
    out.write(`\n${requests.length} requests; ${writes} of them write (W).\n`);
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
