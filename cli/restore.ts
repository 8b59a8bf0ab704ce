import { using } from '../common/using.ts';
import { UPDATABLE } from '../conformance/target/user.ts';
import { makeClient } from '../conformance/http/client.ts';
import type { Route } from '../conformance/http/route.ts';
import { DEFAULT_LIMITS } from '../conformance/http/limits.ts';
import { baseAddress, DEFAULT_EMAIL_DOMAIN, INPUT_HELP } from '../conformance/target/inputs.ts';
import { readJournal, removeJournal, type Journal } from '../conformance/traffic/journal.ts';
import { OWN_FOLDER } from '../conformance/traffic/own-folder.ts';
import { makeRedactor } from '../conformance/http/redact.ts';
import { wrap, type PrettyOptions } from '../conformance/report/paint.ts';
import { makeFreshValues, makeRequestBuilder } from '../conformance/target/requests.ts';
import { userOperation } from '../conformance/operations/index.ts';
import {
  isRestored,
  isSettled,
  MEMBER_RESTORATIONS,
  type UserRestoration,
} from '../conformance/traffic/restoration.ts';
import { restoreUser } from '../conformance/traffic/restore.ts';
import { UsageError } from '../common/args.ts';
import { capitalized } from '../common/text.ts';
import { askOnTerminal, canAsk } from './input/ask.ts';
import { withConfiguration } from './input/configuration.ts';
import { parseBaseUrl } from './input/kinds.ts';
import { parseOptions } from './input/options.ts';
import {
  givenBaseUrl,
  INSECURE_WARNING,
  OWN_SETTINGS,
  parseRoute,
  parseTarget,
  RUN_ONLY,
  settingsHelp,
  TARGET_SETTINGS,
  valueOf,
} from './input/settings.ts';
import { layoutOf, type Command } from './output/io.ts';

const YES = { flag: '--yes, -y', group: 'target', meaning: 'send the key to the address in the journal' } as const;
const OF_TARGET = TARGET_SETTINGS.filter(({ input }) => input === 'adminKey' || input === 'roleIds');
const OPTIONS = [...OF_TARGET, YES, OWN_SETTINGS.ca, RUN_ONLY.insecure, OWN_SETTINGS.timeout, RUN_ONLY.config];

const HELP = `Usage: admin-api-conformance restore JOURNAL [BASE_URL] [options]

Restores the users that a killed run left changed. A run names its journal on
stderr when it starts. The admin key is sent to the address in the journal, if
BASE_URL (or CONFORMANCE_BASE_URL, or the configuration file) is the same; else
you are asked on a terminal, and --yes is needed elsewhere. The roles are needed
only where the target shows a role in another form than it accepts.

${settingsHelp(OPTIONS)}

Example:
  admin-api-conformance restore journal-1f3a9c02.json http://localhost:4242

Exit codes: 0 all restored (the journal is removed), 1 not all, 2 usage.
`;

async function putBack(
  journal: Journal,
  adminKey: string,
  roleIds: readonly unknown[],
  timeout: number,
  route: Route,
): Promise<UserRestoration[]> {
  const limits = { ...DEFAULT_LIMITS, timeout };
  const baseUrl = parseBaseUrl('the journal', journal.baseUrl);
  const client = makeClient({ baseUrl, limits, route, signal: AbortSignal.timeout(limits.deadline) });
  return using(client, async () => {
    const users: UserRestoration[] = [];
    // One after the other: what broke the run may be that the target cannot take two requests at once.
    for (const { subject, id, originals } of journal.users) {
      const inputs = { baseUrl, adminKey, userId: id, otherUserId: id, roleIds, emailDomain: DEFAULT_EMAIL_DOMAIN };
      const requests = makeRequestBuilder(inputs, makeFreshValues('restore', inputs.emailDomain), () => ({}));
      const touched = UPDATABLE.filter((member) => Object.hasOwn(originals, member));
      const options = { subject, id, originals, touched, emptyBodyReads: false };
      users.push(await restoreUser({ client, requests, operation: userOperation }, options));
    }
    return users;
  });
}

/**
 * Makes sure that the operator wants the key to go to the address in the journal, which somebody else may have changed.
 *
 * @throws UsageError if not
 */
async function confirmAddress(journal: Journal, expected: URL | undefined, err: NodeJS.WriteStream): Promise<void> {
  const address = baseAddress(parseBaseUrl('the journal', journal.baseUrl));
  if (expected && baseAddress(expected) === address) return;
  const other = expected ? `, and not to ${baseAddress(expected)}` : '';
  const where = `the journal says that the admin key is to be sent to ${address}${other}`;
  if (!canAsk(err)) {
    const { variable } = OWN_SETTINGS.baseUrl;
    throw new UsageError(`restore: ${where}; if that is right, add --yes, or set ${variable} to the same address.`);
  }
  const { ask, close } = askOnTerminal(err);
  try {
    const answer = await ask(`${capitalized(where)}. Send it? [y/N] `);
    if (answer === undefined) err.write('\n');
    if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new UsageError('restore: nothing was sent.');
  } finally {
    close();
  }
}

/** What to do where not every user could be restored. */
function whatToDo(causes: readonly string[], baseUrl: string): string {
  if (causes.some((cause) => /responded 40[13]\b/.test(cause)))
    return `The target refuses the key: set ${INPUT_HELP.adminKey.variable} to one that may update users, and run this again.`;
  return causes.some((cause) => cause.includes('ECONNREFUSED'))
    ? `Nothing listens at ${baseUrl}: start the target, and run this again.`
    : 'Run this again.';
}

/** The members whose values the journal does not have, if there are any: nothing can restore them. */
function unknownLine({ id, members }: UserRestoration): string[] {
  const unknown = UPDATABLE.filter((member) => !members.some((each) => each.member === member));
  const which = unknown.join(', ');
  return unknown.length === 0
    ? []
    : [
        `User ${id}, ${which}: no value in the journal, because the target had shown none. If the run changed it, set it by hand.`,
      ];
}

function userLines(
  { id, members }: UserRestoration,
  redact: (text: string) => string,
  layout: PrettyOptions,
): string[] {
  const { paint, width } = layout;
  return members.map(({ member, outcome, detail }) => {
    const why = detail === undefined ? '' : ` (${redact(detail)})`;
    const text = wrap(`User ${id}, ${member}: ${MEMBER_RESTORATIONS[outcome]}${why}`, width, '  ', '');
    return paint(outcome === 'restored' ? 'green' : 'yellow', text);
  });
}

/** `restore`: restores the users from the journal of a killed run. */
export const command: Command = {
  usage: 'restore JOURNAL',
  summary: 'restore the users after a run that was killed',
  help: HELP,
  run: async (args, { out, err, environment }) => {
    const given = parseOptions(args, OPTIONS, 2);
    const [path, ...address] = given.positionals;
    const flags = { ...given, positionals: address };
    if (path === undefined)
      throw new UsageError(`restore: give the journal of the run; by default journals are in ${OWN_FOLDER}.`);
    const journal = readJournal(path);
    const parsed = await withConfiguration(flags, { options: OPTIONS, environment, err });
    const { adminKey, roleIds = [] } = parseTarget(parsed, environment, undefined, OF_TARGET);
    if (adminKey === undefined)
      throw new UsageError(`restore: set ${INPUT_HELP.adminKey.variable}, or give --admin-key-file FILE.`);
    const route = parseRoute(parsed, environment);
    if (route.insecure) err.write(`${INSECURE_WARNING}\n`);
    if (parsed.values.yes !== true) await confirmAddress(journal, givenBaseUrl(parsed, environment), err);
    const users = await putBack(journal, adminKey, roleIds, valueOf(OWN_SETTINGS.timeout, parsed), route);
    const redact = makeRedactor([adminKey]);
    const layout = layoutOf(out, environment);
    const { paint, width } = layout;
    const lines = users.flatMap((user) => userLines(user, redact, layout));
    const unknown = users.flatMap(unknownLine).map((line) => paint('yellow', wrap(line, width, '  ', '')));
    out.write([...lines, ...unknown].map((line) => `${line}\n`).join(''));
    if (users.every(isRestored)) {
      removeJournal(path);
      const what = unknown.length === 0 ? 'All users are restored' : 'All that the journal has is restored';
      out.write(`${what}; the journal is removed.\n`);
      return 0;
    }
    if (users.every(isSettled)) {
      removeJournal(path);
      out.write('Remove by hand what an update cannot remove; the journal is removed.\n');
      return 1;
    }
    const causes = users.flatMap(({ members }) => members.flatMap(({ detail = '' }) => detail));
    const text = `Not every user could be restored; the journal is kept. ${whatToDo(causes, journal.baseUrl)}`;
    out.write(`${wrap(text, width)}\n`);
    return 1;
  },
};
