import { resolve } from 'node:path';
import { using } from '../common/using.ts';
import { HttpClient } from '../conformance/http/client.ts';
import type { Route } from '../conformance/http/transport/route.ts';
import { DEFAULT_LIMITS } from '../conformance/http/policy/limits.ts';
import {
  baseAddress,
  DEFAULT_EMAIL_DOMAIN,
  ID_INPUTS,
  INPUT_HELP,
  namedAs,
  namedId,
  WRITABLE,
} from '../conformance/resources/inputs.ts';
import { readJournal, removeJournal, type Journal } from '../conformance/traffic/keeping/journal.ts';
import { type Lock, lockUsers } from '../conformance/traffic/keeping/lock.ts';
import { OWN_FOLDER } from '../conformance/traffic/keeping/own-folder.ts';
import { RunRefused } from '../conformance/traffic/run-refused.ts';
import { makeRedactor } from '../conformance/http/redact.ts';
import { wrap } from '../conformance/report/terminal/paint.ts';
import { makeFreshValues, makeRequestBuilder } from '../conformance/resources/requests.ts';
import {
  isSettled,
  MEMBER_RESTORATIONS,
  nameOf,
  type UserRestoration,
} from '../conformance/traffic/keeping/restoration.ts';
import { UsageError } from '../common/process/args.ts';
import { capitalized } from '../common/text.ts';
import { askOnTerminal, canAsk } from './input/ask.ts';
import { withConfiguration } from './input/configuration.ts';
import { commandOf } from './input/command-table.ts';
import { parseBaseUrl } from './input/kinds.ts';
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
import { layoutOf, type Output } from './output/io.ts';
import { restoreOne } from '../conformance/operations/index.ts';
import { resourceOf } from '../conformance/resources/index.ts';

const YES = {
  flag: '--yes, -y',
  group: 'target',
  meaning: 'send the key to the address in the journal, and write to its users',
} as const;
const WRITTEN: readonly (string | undefined)[] = WRITABLE.map((subject) => namedAs(subject)?.input);
const WANTED: readonly (string | undefined)[] = ['adminKey', ...WRITTEN, 'roleIds'];
const OF_TARGET = TARGET_SETTINGS.filter(({ input }) => WANTED.includes(input));
const OPTIONS = [...OF_TARGET, YES, OWN_SETTINGS.ca, RUN_ONLY.insecure, OWN_SETTINGS.timeout, RUN_ONLY.config];

async function putBack(
  journal: Journal,
  adminKey: string,
  roleIds: readonly unknown[],
  timeout: number,
  route: Route,
): Promise<UserRestoration[]> {
  const limits = { ...DEFAULT_LIMITS, timeout };
  const baseUrl = parseBaseUrl('the journal', journal.baseUrl);
  const client = new HttpClient({ baseUrl, limits, route, signal: AbortSignal.timeout(limits.deadline) });
  return using(client, async () => {
    const users: UserRestoration[] = [];
    // One after the other: what broke the run may be that the target cannot take two requests at once.
    for (const { subject, id, originals } of journal.users) {
      const named = Object.fromEntries(ID_INPUTS.map((name) => [name, id]));
      const inputs = { baseUrl, adminKey, ...named, roleIds, emailDomain: DEFAULT_EMAIL_DOMAIN };
      const requests = makeRequestBuilder(inputs, makeFreshValues('restore', inputs.emailDomain), () => ({}));
      users.push(await restoreOne({ client, requests }, { subject, id, originals }));
    }
    return users;
  });
}

/**
 * What the journal, which somebody else may have changed, says that the operator has not said; undefined if there is nothing.
 *
 * @param named what the operator named, in words
 */
function unexpected(journal: Journal, expected: URL | undefined, named: readonly string[]): string | undefined {
  const address = baseAddress(parseBaseUrl('the journal', journal.baseUrl));
  const other = expected ? `, and not to ${baseAddress(expected)}` : '';
  const unnamed = journal.users.map(nameOf).filter((each) => !named.includes(each));
  const what = [
    ...(expected && baseAddress(expected) === address ? [] : [`the admin key is to be sent to ${address}${other}`]),
    ...(unnamed.length === 0
      ? []
      : [`${unnamed.join(' and ')} ${unnamed.length === 1 ? 'is' : 'are'} to be written, which you did not name`]),
  ];
  return what.length === 0 ? undefined : `the journal says that ${what.join(', and that ')}`;
}

/**
 * Makes sure that the operator wants what the journal says.
 *
 * @throws UsageError if not
 */
async function confirm(what: string, err: Output): Promise<void> {
  if (!canAsk(err)) {
    const how = 'set CONFORMANCE_BASE_URL and CONFORMANCE_USER_ID as for the run';
    throw new UsageError(`restore: ${what}; if that is right, add --yes, or ${how}.`);
  }
  const { ask, close } = askOnTerminal();
  try {
    const answer = await ask(`${capitalized(what)}. Send it? [y/N] `);
    if (answer === undefined) err.write('\n');
    if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new UsageError('restore: nothing was sent.');
  } finally {
    close();
  }
}

/**
 * Locks the users, so that no run writes to them meanwhile.
 *
 * @throws UsageError if a run does
 */
function lockFor({ baseUrl, users }: Journal, journal: string): Lock {
  try {
    const address = baseAddress(parseBaseUrl('the journal', baseUrl));
    return lockUsers({ baseUrl: address, names: users.map(nameOf), journal: resolve(journal) });
  } catch (error) {
    throw error instanceof RunRefused ? new UsageError(`restore: ${error.message}`) : error;
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

/** What came of each member, and what the journal has no value of, if there is anything: nothing can restore that. */
function linesOf({ subject, id, members }: UserRestoration, redact: (text: string) => string) {
  const user = capitalized(nameOf({ subject, id }));
  const told = members.map(({ member, outcome, detail }) => {
    const why = detail === undefined ? '' : ` (${redact(detail)})`;
    return { text: `${user}, ${member}: ${MEMBER_RESTORATIONS[outcome]}${why}`, outcome };
  });
  const unknown = resourceOf(subject).updatable.filter((member) => !members.some((each) => each.member === member));
  const text = `${user}, ${unknown.join(', ')}: no value in the journal, because the target had shown none. If the run changed it, set it by hand.`;
  return unknown.length === 0 ? told : [...told, { text, outcome: 'unknown' as const }];
}

/** `restore`: restores the users from the journal of a killed run. */
export const command = commandOf({
  usage: 'restore JOURNAL',
  summary: 'restore the users after a run that was killed',
  calls: ['restore JOURNAL [BASE_URL] [options]'],
  about: `Restores the users that a killed run left changed. A run names its journal on
stderr when it starts. The admin key is sent to the address in the journal, and
its users are written, if BASE_URL and the ids of the users (or the environment,
or the configuration file) are the same; else you are asked on a terminal, and
--yes is needed elsewhere. The roles are needed only where the target shows a
role in another form than it accepts.`,
  options: OPTIONS,
  optionsHelp: settingsHelp(OPTIONS),
  examples: ['restore journal-1f3a9c02.json http://localhost:4242'],
  exitCodes: '0 all restored (the journal is removed), 1 not all, 2 usage.',
  positionals: [1, 2],
  missing: `restore: give the journal of the run; by default journals are in ${OWN_FOLDER}.`,
  run: async (given, { out, err, environment }) => {
    const [path = '', ...address] = given.positionals;
    const flags = { ...given, positionals: address };
    const journal = readJournal(path);
    const parsed = await withConfiguration(flags, { options: OPTIONS, environment, err });
    const target = parseTarget(parsed, environment, undefined, OF_TARGET);
    const { adminKey, roleIds = [] } = target;
    if (adminKey === undefined)
      throw new UsageError(`restore: set ${INPUT_HELP.adminKey.variable}, or give --admin-key-file FILE.`);
    const route = parseRoute(parsed, environment);
    if (route.insecure) err.write(`${INSECURE_WARNING}\n`);
    const named = WRITABLE.flatMap((subject) => {
      const id = namedId(target, subject);
      return id === undefined ? [] : [nameOf({ subject, id })];
    });
    const what = unexpected(journal, givenBaseUrl(parsed, environment), named);
    if (what !== undefined && parsed.values.yes !== true) await confirm(what, err);
    const lock = lockFor(journal, path);
    const timeout = valueOf(OWN_SETTINGS.timeout, parsed);
    const users = await putBack(journal, adminKey, roleIds, timeout, route).finally(lock.release);
    const redact = makeRedactor([adminKey]);
    const { paint, width } = layoutOf(out, environment);
    const lines = users.flatMap((user) => linesOf(user, redact));
    for (const { text, outcome } of lines)
      out.write(`${paint(outcome === 'restored' ? 'green' : 'yellow', wrap(text, width, '  ', ''))}\n`);
    if (lines.every(({ outcome }) => outcome === 'restored')) {
      removeJournal(path);
      out.write('All users are restored; the journal is removed.\n');
      return 0;
    }
    if (users.every(isSettled)) {
      out.write('All that an update can restore is restored. See to the rest by hand, then delete the journal.\n');
      return 1;
    }
    const causes = users.flatMap(({ members }) => members.flatMap(({ detail = '' }) => detail));
    const text = `Not every user could be restored; the journal is kept. ${whatToDo(causes, journal.baseUrl)}`;
    out.write(`${wrap(text, width)}\n`);
    return 1;
  },
});
