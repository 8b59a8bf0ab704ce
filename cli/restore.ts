import { UPDATABLE } from '../conformance/target/user.ts';
import { makeClient } from '../conformance/http/client.ts';
import { DEFAULT_LIMITS } from '../conformance/http/limits.ts';
import { DEFAULT_EMAIL_DOMAIN, INPUT_HELP } from '../conformance/target/inputs.ts';
import {
  InvalidJournal,
  JOURNAL_DIRECTORY,
  readJournal,
  removeJournal,
  type Journal,
} from '../conformance/traffic/journal.ts';
import { makeRedactor } from '../conformance/http/redact.ts';
import { paintFor, wrap } from '../conformance/report/paint.ts';
import { makeFreshValues, makeRequestBuilder } from '../conformance/target/requests.ts';
import { userOperation } from '../conformance/operations/index.ts';
import { isRestored, MEMBER_RESTORATIONS, type UserRestoration } from '../conformance/traffic/restoration.ts';
import { restoreUser } from '../conformance/traffic/restore.ts';
import { restoringRequest } from '../conformance/traffic/restore-users.ts';
import { CONFIG_HELP, CONFIG_OPTION, withConfiguration } from './input/configuration.ts';
import { columnsOf, type Command } from './output/io.ts';
import { LIMIT_OPTIONS, parseBaseUrl, parseLimits, parseTarget } from './input/target-options.ts';
import { parseArguments, UsageError } from '../common/args.ts';

const RESTORE_HELP = `Usage: admin-api-conformance restore JOURNAL [options]

Puts the users back that a killed run left changed. A run names its journal on
stderr when it starts. The key comes from CONFORMANCE_ADMIN_KEY or
--admin-key-file FILE; the address from the journal.

  --admin-key-file FILE    CONFORMANCE_ADMIN_KEY
  --role-ids 1,2           CONFORMANCE_ROLE_IDS
                           as for run, where roles are shown in another form
                           than sent
  --timeout MS             one request, to the last byte (${DEFAULT_LIMITS.timeout})

Example:
  admin-api-conformance restore journal-1f3a9c02.json

${CONFIG_HELP}

Exit codes: 0 all put back (the journal is removed), 1 not all, 2 usage.
`;

function read(path: string): Journal {
  try {
    return readJournal(path);
  } catch (error) {
    if (error instanceof InvalidJournal) throw new UsageError(`restore ${path}: ${error.message}.`);
    throw error;
  }
}

async function putBack(
  journal: Journal,
  adminKey: string,
  roleIds: readonly unknown[],
  timeout: number,
): Promise<UserRestoration[]> {
  const limits = { ...DEFAULT_LIMITS, timeout };
  const baseUrl = parseBaseUrl('the journal', journal.baseUrl);
  const client = makeClient({ baseUrl, limits, signal: AbortSignal.timeout(limits.deadline) });
  try {
    return await Promise.all(
      journal.users.map(({ subject, id, originals }) => {
        const inputs = { baseUrl, adminKey, userId: id, otherUserId: id, emailDomain: DEFAULT_EMAIL_DOMAIN };
        const requests = makeRequestBuilder(inputs, makeFreshValues('restore', inputs.emailDomain), () => ({}));
        return restoreUser({
          subject,
          id,
          originals,
          touched: UPDATABLE.filter((member) => Object.hasOwn(originals, member)),
          roleIds,
          emptyBodyReads: false,
          put: (body) => client.send(restoringRequest(requests, userOperation, subject, body)),
        });
      }),
    );
  } finally {
    await client.close();
  }
}

/** What to do where not all could be put back. */
function whatToDo(causes: readonly string[], baseUrl: string): string {
  if (causes.some((cause) => /responded 40[13]\b/.test(cause))) {
    return `The target refuses the key: set ${INPUT_HELP.adminKey.variable} to one that may update users, and run this again.`;
  }
  return causes.some((cause) => cause.includes('ECONNREFUSED'))
    ? `Nothing listens at ${baseUrl}: start the target, and run this again.`
    : '';
}

/** `restore`: puts users back from the journal of a killed run. */
export const restore: Command = async (args, { out, err, environment }) => {
  const options = {
    'admin-key-file': { type: 'string' },
    'role-ids': { type: 'string' },
    timeout: LIMIT_OPTIONS.timeout,
    ...CONFIG_OPTION,
    help: { type: 'boolean', short: 'h' },
  } as const;
  const flags = parseArguments(args, options, 1);
  if (flags.values.help === true) {
    out.write(RESTORE_HELP);
    return 0;
  }
  const [path] = flags.positionals;
  if (path === undefined)
    throw new UsageError(`restore: give the journal of the run; by default they are in ${JOURNAL_DIRECTORY}.`);
  const journal = read(path);
  const parsed = await withConfiguration(flags, { options, environment, err });
  const { adminKey, roleIds = [] } = parseTarget(parsed, {
    [INPUT_HELP.adminKey.variable]: environment[INPUT_HELP.adminKey.variable],
    [INPUT_HELP.roleIds.variable]: environment[INPUT_HELP.roleIds.variable],
  });
  if (adminKey === undefined)
    throw new UsageError(`restore: set ${INPUT_HELP.adminKey.variable}, or give --admin-key-file FILE.`);
  const { timeout = DEFAULT_LIMITS.timeout } = parseLimits(parsed);
  const redact = makeRedactor([{ value: adminKey, label: 'admin key' }]);
  const users = await putBack(journal, adminKey, roleIds, timeout);

  const paint = paintFor(out, environment);
  const width = columnsOf(out);
  for (const { id, members } of users) {
    if (members.length === 0)
      out.write(`User ${id}: the journal has no value; nothing was written before the run ended.\n`);
    for (const { member, outcome, detail } of members) {
      const text = `User ${id}, ${member}: ${MEMBER_RESTORATIONS[outcome]}${detail === undefined ? '' : ` (${redact(detail)})`}`;
      out.write(`${paint(outcome === 'restored' ? 'green' : 'yellow', wrap(text, width, '  ', ''))}\n`);
    }
  }
  const complete = users.every(isRestored);
  if (complete) removeJournal(path);
  const causes = users.flatMap(({ members }) => members.flatMap(({ detail = '' }) => detail));
  out.write(
    complete
      ? 'All is put back; the journal is removed.\n'
      : `${wrap(`Not all could be put back; the journal is kept. ${whatToDo(causes, journal.baseUrl)}`, width)}\n`,
  );
  return complete ? 0 : 1;
};
