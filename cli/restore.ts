import { UsageError } from '../common/process/args.ts';
import { readGivenFile } from '../common/process/files.ts';
import { listed, present } from '../common/text.ts';
import { type Journal, journalSchema, MOST_JOURNAL, removeJournal } from '../conformance/users/journal.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { baseAddress, type Inputs, variableOf } from '../conformance/inputs.ts';
import { restorationNotes } from '../conformance/report/notes.ts';
import { jsonIn } from '../conformance/result/read.ts';
import type { Restoration } from '../conformance/facts/result.ts';
import { isWorthAnotherTry } from '../conformance/result/verdict.ts';
import { restoreFrom } from '../conformance/run.ts';
import { type Command, type CommandIo, programName, wrapped } from './command.ts';
import { inputsOf, readSettings } from './configuration.ts';
import { routeOf, untilInterrupted } from './judge.ts';
import { argument, isSet, made, option, path } from './option.ts';
import { type SettingName, settings } from './settings.ts';

const journalFile = made(path, (file): { readonly path: string; readonly journal: Journal } => {
  const { data: journal } = journalSchema.safeParse(jsonIn(file, readGivenFile(file, MOST_JOURNAL)));
  if (journal) return { path: file, journal };
  throw new UsageError(`${file}: it is not a journal of this version of the suite.`);
});

const { baseUrl, adminKeyFile, restrictedKeyFile, userId, otherUserId, ca, insecure, timeout, config } = settings;
/** The restricted key is not sent, only withheld. */
const SETTINGS = { baseUrl, adminKeyFile, restrictedKeyFile, userId, otherUserId, ca, insecure, timeout, config };
/** The variables that name what restoring sends to. */
const NAMING = listed((['baseUrl', 'userId', 'otherUserId'] as const).map(variableOf));
const OPTIONS = {
  from: argument('JOURNAL', journalFile, 'which the run named on stderr'),
  yes: option('--yes, -y', isSet, 'send the key to the address in the journal, and update its users'),
  ...SETTINGS,
};

/** What restoring from the journal, which somebody else may have changed, would do that the operator did not ask for. */
function unexpected({ users, ...journal }: Journal, { baseUrl, userId, otherUserId }: Partial<Inputs>): string[] {
  const address = baseAddress(new URL(journal.baseUrl));
  const isNamed = baseUrl && baseAddress(baseUrl) === address;
  const others = users.map(({ id }) => id).filter((id) => id !== userId && id !== otherUserId);
  const which = others.length === 1 ? 'user' : 'users';
  return present([
    !isNamed && `send the admin key to ${address}`,
    others.length > 0 && `change ${which} ${listed(others)}`,
  ]);
}

/** Says what came of each user, and what to do. @returns the exit code */
function conclude(path: string, restoration: Restoration, { out, environment }: CommandIo): number {
  const say = (text: string): void => out.write(`${wrapped(text, out.width, '  ', '')}\n`);
  for (const { text } of restorationNotes(restoration)) say(text);
  if (restoration.users.every(({ members }) => members.every(({ outcome }) => outcome === 'restored'))) {
    removeJournal(path);
    say('All users are restored; the journal is removed.');
    return 0;
  }
  if (!isWorthAnotherTry(restoration)) {
    say('Everything that an update can restore is restored. Fix the rest by hand, then delete the journal.');
    return 1;
  }
  const key = `If the target refuses the key, set ${variableOf('adminKey')} to one that may update users.`;
  const again = `${programName(environment)} restore ${shellWord(path)}`;
  say(`Not every user could be restored; the journal is kept. ${key} Then run this again: ${again}`);
  return 1;
}

/** `restore`: restores the users from the journal of a killed run. */
export const command: Command<typeof OPTIONS> = {
  about: `Restores the users that a killed run left changed. A run names its journal on
stderr when it starts. The command sends the admin key to the address in the
journal and updates its users if BASE_URL and the user ids (or the environment,
or the configuration file) match; otherwise add --yes.`,
  options: OPTIONS,
  exitCodes: '0 all restored, 1 not all, 2 usage, 130 interrupted.',
  run: async ({ from: { path, journal }, yes, ...flags }, io) => {
    const values = readSettings(Object.keys(SETTINGS) as SettingName[], flags, io);
    const inputs = inputsOf(values);
    const { adminKey } = inputs;
    if (adminKey === undefined)
      throw new UsageError(`restore: set ${variableOf('adminKey')}, or give --admin-key-file FILE.`);
    io.protect(adminKey, inputs.restrictedKey);
    const what = unexpected(journal, inputs);
    if (what.length > 0 && !yes)
      throw new UsageError(
        `restore: it would ${what.join(' and ')}, which you did not name. If that is right, add --yes, or set ${NAMING} as for the run.`,
      );
    const note = (text: string): void => io.err.write(`${text}\n`);
    const options = { timeout: values.timeout, route: routeOf(values, io) };
    return untilInterrupted(io, note, async () => conclude(path, await restoreFrom(journal, adminKey, options), io));
  },
};
