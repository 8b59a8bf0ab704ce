import { counted, groupedBy } from '../../common/text.ts';
import { shellWord } from '../http/curl.ts';
import type { Comparison } from '../result/compare.ts';
import type { Change, CheckResult, Outcome, Restoration, Result } from '../result/result.ts';
import { FINDING_TITLES, findingsStanding, programOf } from './words.ts';

/** What a note means: the same as the outcome of a check, or a known failure. */
export type Sign = Outcome | 'known';

/** They differ without their colours, too. */
export const SIGNS: Readonly<Record<Sign, string>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
  'not-applicable': '·',
  known: '~',
  error: '!',
};

/** A sentence that a report has in addition to its findings; what stands between backticks is code. */
export interface Note {
  readonly sign: Sign;
  readonly text: string;
  /** The checks that it counts. */
  readonly ids?: readonly string[];
}

/** Notes of one kind. */
export interface Notes {
  readonly id: string;
  readonly title: string;
  readonly notes: readonly Note[];
  /** Whether only readers who look for it need it. */
  readonly isMinor?: boolean;
}

function reasonOf({ outcome, reason, detail, blockedBy }: CheckResult): string {
  if (blockedBy !== undefined) return `\`${blockedBy}\` is broken`;
  return (
    detail ?? (outcome === 'inconclusive' ? (reason ?? 'stopped') : 'the target does not have this optional feature')
  );
}

/** A note for each reason for which checks have no result; the one with most checks first. */
function reasonNotes(result: Result, outcome: 'inconclusive' | 'not-applicable'): Note[] {
  const checks = result.checks.filter((check) => check.outcome === outcome);
  return groupedBy(checks, reasonOf)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, own]) => {
      const ids = own.map(({ id }) => id);
      const which = ids.length === 1 ? `\`${ids.join('')}\`` : counted(ids.length, 'check');
      return {
        sign: outcome,
        text: `${which} ${outcome.replace('-', ' ')}: ${reason}`,
        ...(ids.length > 1 && { ids }),
      };
    });
}

const BECAME = {
  new: { sign: 'failed', words: 'new', blocks: 'now blocks' },
  'still-there': { sign: 'failed', words: 'still there', blocks: 'still blocks' },
  'not-seen-again': { sign: 'inconclusive', words: 'not seen this time, but it is intermittent', blocks: 'blocked' },
  fixed: { sign: 'passed', words: 'fixed', blocks: 'no longer blocks' },
} as const;

/** Whether the check itself changed, and was not only blocked. */
const isOwn = ({ blockedBy }: Change): boolean => blockedBy === undefined;

/** A note for each change; checks that were only blocked are counted by what blocks them. */
function changeNotes(changes: readonly Change[]): Note[] {
  const own = changes.filter(isOwn).map(({ id, level, to, became, title, counts }): Note => {
    const { sign, words } = to === 'inconclusive' ? { sign: 'inconclusive' as const, words: to } : BECAME[became];
    const isLight = !counts && (became === 'new' || became === 'still-there');
    return { sign, text: `${words}: \`${id}\` (${level}${isLight ? ', does not fail the run' : ''}) ${title}` };
  });
  const blocked = changes.filter((each) => !isOwn(each));
  const groups = groupedBy(blocked, ({ became, blockedBy = '' }) => `\`${blockedBy}\` ${BECAME[became].blocks}`);
  const counts = groups.map(([text, group]): Note => ({
    sign: group.every(({ became }) => became === 'fixed') ? 'passed' : 'inconclusive',
    text: `${text} ${counted(group.length, 'check')}`,
    ids: group.map(({ id }) => id),
  }));
  return [...own, ...counts];
}

const MEMBERS = {
  restored: { sign: 'passed', words: 'restored' },
  sent: { sign: 'passed', words: 'sent back and accepted, but not shown' },
  refused: { sign: 'failed', words: 'NOT restored: the old value is refused with 400' },
  'not-restored': { sign: 'failed', words: 'NOT restored' },
  'never-shown': { sign: 'failed', words: 'not restored' },
  unavailable: { sign: 'failed', words: 'NOT restored: the target did not respond' },
} as const;

/** How far the users were restored. */
export function restorationNotes({ outcome, users }: Restoration): Note[] {
  if (outcome === 'none') return [{ sign: 'passed', text: 'No user was changed.' }];
  if (users.every(({ members }) => members.every((each) => each.outcome === 'restored'))) {
    const ids = users.map(({ id }) => id).join(' and ');
    return [{ sign: 'passed', text: users.length === 1 ? `User ${ids} is as before.` : `Users ${ids} are as before.` }];
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
  return [...notes, { sign: 'failed', text: `To try again: ${programOf(result)} restore ${shellWord(journal)}` }];
}

function observationNotes({ observations }: Result): Note[] {
  return observations
    .filter(({ observed }) => observed !== undefined)
    .map(({ id, text, detail = [] }) => {
      const words = detail.length === 0 ? text : `${text.replace(/\.$/, '')}: ${detail.join(', ')}.`;
      return { sign: 'not-applicable', text: `${words} (${id})` };
    });
}

const TITLES = {
  errors: 'Errors of the suite',
  baseline: 'Baseline entries that no longer hold',
  again: 'What became of the earlier result',
  'known-failures': FINDING_TITLES.known,
  inconclusive: 'Inconclusive checks',
  'not-applicable': 'Checks that do not apply',
  observations: 'Observations where the contract is silent',
  users: 'Users',
  new: 'New',
  'still-there': 'Still there',
  'not-seen-again': 'Not seen again',
  fixed: 'Fixed',
  alone: 'In one result',
} as const;
const MAJOR: readonly string[] = ['errors', 'baseline', 'again', 'inconclusive', 'users', 'new'];

/** Sections in this order, without those that are empty. */
function sectionsOf(notes: Readonly<Partial<Record<keyof typeof TITLES, readonly Note[]>>>): Notes[] {
  const ids = Object.keys(notes) as (keyof typeof TITLES)[];
  return ids
    .map((id) => ({ id, title: TITLES[id], notes: notes[id] ?? [], isMinor: !MAJOR.includes(id) }))
    .filter((section) => section.notes.length > 0);
}

/** What a report tells in addition to its findings; no section is empty. */
export function notesOf(result: Result): Notes[] {
  const { checks, summary, again = [] } = result;
  const errors = checks.filter(({ outcome }) => outcome === 'error').map(({ id, detail }) => detail ?? id);
  return sectionsOf({
    errors: [...new Set(errors)].map((text) => ({ sign: 'error', text: `Error of the suite: ${text}` })),
    baseline: summary.baselineProblems.map(({ kind, message }) => {
      return { sign: 'failed', text: `baseline, ${kind}: ${message}` };
    }),
    // What is still blocked is told among the inconclusive checks.
    again: changeNotes(again.filter((each) => isOwn(each) || each.became === 'fixed')),
    'known-failures': findingsStanding(result, 'known').map(({ id, title, checks: [own = id] }) => {
      return { sign: 'known', text: `known: ${title} (\`${own}\`)` };
    }),
    inconclusive: reasonNotes(result, 'inconclusive'),
    'not-applicable': reasonNotes(result, 'not-applicable'),
    observations: observationNotes(result),
    users: usersNotes(result),
  });
}

/** What changed between two results; no section is empty. */
export function comparisonNotes({ changes, onlyInOne: ids }: Comparison): Notes[] {
  const notesWhere = (wanted: Change['became']): Note[] =>
    changeNotes(changes.filter(({ became }) => became === wanted));
  const alone: Note = {
    sign: 'not-applicable',
    text: `${counted(ids.length, 'check')} only in one of the results`,
    ids,
  };
  return sectionsOf({
    new: notesWhere('new'),
    'still-there': notesWhere('still-there'),
    'not-seen-again': notesWhere('not-seen-again'),
    fixed: notesWhere('fixed'),
    alone: ids.length > 0 ? [alone] : [],
  });
}

/** How many checks got better or worse, in a sentence. */
export function comparisonWords({ verdict, changes }: Comparison): string {
  const same = verdict.from === verdict.to ? `is ${verdict.to}, as before` : `was ${verdict.from} and is ${verdict.to}`;
  const count = (wanted: Change['became']): number =>
    changes.filter((each) => isOwn(each) && each.became === wanted).length;
  const blocked = changes.filter((each) => !isOwn(each) && each.became !== 'fixed').length;
  const more = blocked === 0 ? '' : `, ${counted(blocked, 'check')} blocked`;
  return `${count('new')} new, ${count('fixed')} fixed, ${count('still-there')} still there${more}. The verdict ${same}.`;
}
