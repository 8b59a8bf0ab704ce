import { counted, groupedBy } from '../../common/text.ts';
import { shellWord } from '../http/curl.ts';
import type { Change, Comparison } from '../result/compare.ts';
import type { Again, CheckResult, Restoration, Result } from '../result/result.ts';
import { findingsStanding, programOf } from './words.ts';

/** What a note means for the target: `open` is not known, `none` neither good nor bad. */
export type Sign = 'good' | 'bad' | 'open' | 'none' | 'known' | 'error';

/** Told apart without their colours, too. */
export const SIGNS: Readonly<Record<Sign, string>> = {
  good: '✓',
  bad: '✗',
  open: '?',
  none: '·',
  known: '~',
  error: '!',
};

/** A sentence that a report has in addition to its findings; what stands between backticks is code. */
export interface Note {
  readonly sign: Sign;
  readonly text: string;
  /** The checks that it speaks of, where it only counts them. */
  readonly ids?: readonly string[];
}

/** Notes of one kind. */
export interface Notes {
  readonly id: string;
  readonly title: string;
  readonly notes: readonly Note[];
  /** Whether only those who look for it need it. */
  readonly isMinor?: boolean;
}

const REASONS: Readonly<Record<'inconclusive' | 'not-applicable', (check: CheckResult) => string>> = {
  inconclusive: ({ reason = 'stopped', detail, blockedBy }) =>
    blockedBy === undefined ? (detail ?? reason) : `\`${blockedBy}\` is broken`,
  'not-applicable': ({ detail }) => detail ?? 'the target does not have this optional feature',
};

/** A note for each reason for which checks have no result; the one with most checks first. */
function reasonNotes(result: Result, outcome: keyof typeof REASONS, sign: Sign): Note[] {
  const checks = result.checks.filter((check) => check.outcome === outcome);
  return groupedBy(checks, REASONS[outcome])
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, own]) => {
      const ids = own.map(({ id }) => id);
      const which = ids.length === 1 ? `\`${ids.join('')}\`` : counted(ids.length, 'check');
      return { sign, text: `${which} ${outcome.replace('-', ' ')}: ${reason}`, ...(ids.length > 1 && { ids }) };
    });
}

const AGAIN = {
  fixed: { sign: 'good', words: 'fixed' },
  'still-there': { sign: 'bad', words: 'still there' },
  'not-seen-again': { sign: 'open', words: 'not seen this time, but it is intermittent' },
} as const;

/** Checks that are, or were, blocked by a requirement: a note for each requirement. */
function blockedNotes(
  checks: readonly { readonly id: string; readonly blockedBy?: string | undefined }[],
  sign: Sign,
  words: string,
): Note[] {
  return groupedBy(checks, ({ blockedBy = '' }) => blockedBy).map(([requirement, own]) => {
    const text = `\`${requirement}\` ${words} ${counted(own.length, 'check')}`;
    return { sign, text, ids: own.map(({ id }) => id) };
  });
}

/** What became of each check that failed before. Those that are blocked now are told among the inconclusive ones. */
function againNotes({ again = [], checks }: Result): Note[] {
  const outcomeOf = (id: string) => checks.find((check) => check.id === id)?.outcome;
  const isOwn = ({ id, blockedBy }: Again): boolean => blockedBy === undefined || outcomeOf(id) === 'failed';
  const own = again.filter(isOwn).map(({ id, title, outcome, blockedBy }): Note => {
    const { sign, words } = AGAIN[outcome];
    if (outcomeOf(id) === 'inconclusive') return { sign: 'open', text: `inconclusive: \`${id}\` ${title}` };
    return { sign, text: `${blockedBy === undefined ? words : 'fails, and was blocked'}: \`${id}\` ${title}` };
  });
  const free = again.filter((each) => !isOwn(each) && each.outcome === 'fixed');
  return [...own, ...blockedNotes(free, 'good', 'no longer blocks')];
}

const MEMBERS = {
  restored: { sign: 'good', words: 'restored' },
  sent: { sign: 'good', words: 'sent back and accepted, but not shown' },
  refused: { sign: 'bad', words: 'NOT restored: the old value is refused with 400' },
  'not-restored': { sign: 'bad', words: 'NOT restored' },
  'never-shown': { sign: 'bad', words: 'not restored' },
  unavailable: { sign: 'bad', words: 'NOT restored: the target did not respond' },
} as const;

/** How far the users were restored. */
export function restorationNotes({ outcome, users }: Restoration): Note[] {
  if (outcome === 'none') return [{ sign: 'good', text: 'No user was changed.' }];
  if (users.every(({ members }) => members.every((each) => each.outcome === 'restored'))) {
    const ids = users.map(({ id }) => id).join(' and ');
    return [{ sign: 'good', text: users.length === 1 ? `User ${ids} is as before.` : `Users ${ids} are as before.` }];
  }
  return users.flatMap(({ id, members }) =>
    groupedBy(members, ({ outcome: own, detail }) => `${own} ${detail ?? ''}`).map(([, [first, ...more]]): Note => {
      const { sign, words } = MEMBERS[first?.outcome ?? 'restored'];
      const names = [first, ...more].map((each) => each?.member).join(', ');
      return { sign, text: `User ${id}: ${names} ${words}${first?.detail ? ` (${first.detail})` : ''}.` };
    }),
  );
}

/** How far a run restored the users, and how to try again. */
export function usersNotes(result: Result): Note[] {
  const { journal } = result.restoration;
  const notes = restorationNotes(result.restoration);
  if (journal === undefined) return notes;
  return [...notes, { sign: 'bad', text: `To try again: ${programOf(result)} restore ${shellWord(journal)}` }];
}

function observationNotes({ observations }: Result): Note[] {
  return observations
    .filter(({ observed }) => observed !== undefined)
    .map(({ id, text, detail = [] }) => {
      const words = detail.length === 0 ? text : `${text.replace(/\.$/, '')}: ${detail.join(', ')}.`;
      return { sign: 'none', text: `${words} (${id})` };
    });
}

/** What a report tells in addition to its findings; no section is empty. */
export function notesOf(result: Result): Notes[] {
  const errors = result.checks.filter(({ outcome }) => outcome === 'error').map(({ id, detail }) => detail ?? id);
  const all: Notes[] = [
    {
      id: 'errors',
      title: 'Errors of the suite',
      notes: [...new Set(errors)].map((text) => ({ sign: 'error', text: `Error of the suite: ${text}` })),
    },
    {
      id: 'baseline',
      title: 'Baseline entries that no longer hold',
      notes: result.summary.baselineProblems.map(({ kind, message }) => ({
        sign: 'bad',
        text: `baseline, ${kind}: ${message}`,
      })),
    },
    {
      id: 'again',
      title: 'What became of the earlier result',
      notes: againNotes(result),
    },
    {
      id: 'known-failures',
      title: 'Known failures',
      notes: findingsStanding(result, 'known').map(({ id, title, checks }) => ({
        sign: 'known',
        text: `known: ${title} (\`${checks[0] ?? id}\`)`,
      })),
      isMinor: true,
    },
    { id: 'inconclusive', title: 'Inconclusive checks', notes: reasonNotes(result, 'inconclusive', 'open') },
    {
      id: 'not-applicable',
      title: 'Checks that do not apply',
      notes: reasonNotes(result, 'not-applicable', 'none'),
      isMinor: true,
    },
    {
      id: 'observations',
      title: 'Observations where the contract is silent',
      notes: observationNotes(result),
      isMinor: true,
    },
    { id: 'users', title: 'Users', notes: usersNotes(result) },
  ];
  return all.filter(({ notes }) => notes.length > 0);
}

/** Whether a change is one of the check itself: it was not only blocked. */
const isOwn = ({ blockedBy }: Change): boolean => blockedBy === undefined;

/** What changed between two results, as notes; no section is empty. */
export function comparisonNotes(comparison: Comparison): Notes[] {
  const of = (what: string, sign: Sign, changes: readonly Change[]): Note[] => [
    ...changes.filter(isOwn).map(({ id, level, from, to, title, counts }) => {
      const light = counts || to === 'passed' || to === 'not-applicable' ? '' : ', does not fail the run';
      return { sign, text: `${what}: \`${id}\` (${level}, ${from} → ${to}${light}) ${title}` };
    }),
    ...blockedNotes(
      changes.filter((each) => !isOwn(each)),
      sign === 'good' ? 'good' : 'open',
      `${what === 'fixed' ? 'no longer' : what === 'new' ? 'now' : 'still'} blocks`,
    ),
  ];
  const alone = (ids: readonly string[], where: string): Note[] =>
    ids.length === 0
      ? []
      : [{ sign: 'none', text: `${counted(ids.length, 'check')} only in the ${where} result`, ids }];
  const { fixed, still, notSeenAgain, onlyOld, onlyNew } = comparison;
  const all: Notes[] = [
    { id: 'new', title: 'New', notes: of('new', 'bad', comparison.new) },
    { id: 'still', title: 'Still there', notes: of('still there', 'bad', still), isMinor: true },
    { id: 'not-seen', title: 'Not seen again', notes: of('not seen again', 'open', notSeenAgain), isMinor: true },
    { id: 'fixed', title: 'Fixed', notes: of('fixed', 'good', fixed), isMinor: true },
    {
      id: 'alone',
      title: 'In one result',
      notes: [...alone(onlyOld, 'earlier'), ...alone(onlyNew, 'later')],
      isMinor: true,
    },
  ];
  return all.filter(({ notes }) => notes.length > 0);
}

/** How many checks got better or worse, in a sentence. */
export function comparisonWords({ verdict, fixed, still, new: appeared }: Comparison): string {
  const same = verdict.from === verdict.to ? `is ${verdict.to}, as before` : `was ${verdict.from} and is ${verdict.to}`;
  const [news, repaired, old] = [appeared, fixed, still].map((changes) => changes.filter(isOwn).length);
  const blocked = [...appeared, ...still].filter((each) => !isOwn(each)).length;
  const more = blocked === 0 ? '' : `, ${counted(blocked, 'check')} blocked`;
  return `${news} new, ${repaired} fixed, ${old} still there${more}. The verdict ${same}.`;
}
