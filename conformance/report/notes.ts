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
  new: { title: 'New', sign: 'failed', words: 'new', blocks: 'now blocks' },
  'still-there': { title: 'Still there', sign: 'failed', words: 'still there', blocks: 'still blocks' },
  'not-seen-again': {
    title: 'Not seen again',
    sign: 'inconclusive',
    words: 'not seen this time, but it is intermittent',
    blocks: 'did not block this time',
  },
  fixed: { title: 'Fixed', sign: 'passed', words: 'fixed', blocks: 'no longer blocks' },
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
  return [
    ...own,
    ...groups.map(([text, [first, ...more]]): Note => {
      const ids = [first, ...more].flatMap((each) => each?.id ?? []);
      return {
        sign: first?.became === 'fixed' ? 'passed' : 'inconclusive',
        text: `${text} ${counted(ids.length, 'check')}`,
        ids,
      };
    }),
  ];
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

const isFilled = ({ notes }: Notes): boolean => notes.length > 0;

/** What a report tells in addition to its findings; no section is empty. */
export function notesOf(result: Result): Notes[] {
  const { checks, summary, again = [] } = result;
  const errors = checks.filter(({ outcome }) => outcome === 'error').map(({ id, detail }) => detail ?? id);
  const known = findingsStanding(result, 'known');
  // What is still blocked is told among the inconclusive checks.
  const became = again.filter((each) => isOwn(each) || each.became === 'fixed');
  const all: Notes[] = [
    {
      id: 'errors',
      title: 'Errors of the suite',
      notes: [...new Set(errors)].map((text) => ({ sign: 'error', text: `Error of the suite: ${text}` })),
    },
    {
      id: 'baseline',
      title: 'Baseline entries that no longer hold',
      notes: summary.baselineProblems.map(({ kind, message }) => ({
        sign: 'failed',
        text: `baseline, ${kind}: ${message}`,
      })),
    },
    { id: 'again', title: 'What became of the earlier result', notes: changeNotes(became) },
    {
      id: 'known-failures',
      title: FINDING_TITLES.known,
      notes: known.map(({ id, title, checks: [own = id] }) => ({
        sign: 'known',
        text: `known: ${title} (\`${own}\`)`,
      })),
      isMinor: true,
    },
    { id: 'inconclusive', title: 'Inconclusive checks', notes: reasonNotes(result, 'inconclusive') },
    {
      id: 'not-applicable',
      title: 'Checks that do not apply',
      notes: reasonNotes(result, 'not-applicable'),
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
  return all.filter(isFilled);
}

/** What changed between two results; no section is empty. */
export function comparisonNotes({ changes, onlyOld, onlyNew }: Comparison): Notes[] {
  const sections = Object.entries(BECAME).map(([id, { title }]): Notes => {
    const notes = changeNotes(changes.filter(({ became }) => became === id));
    return { id, title, notes, isMinor: id !== 'new' };
  });
  const alone = [
    { ids: onlyOld, where: 'earlier' },
    { ids: onlyNew, where: 'later' },
  ].filter(({ ids }) => ids.length > 0);
  const notes = alone.map(({ ids, where }): Note => {
    return { sign: 'not-applicable', text: `${counted(ids.length, 'check')} only in the ${where} result`, ids };
  });
  return [...sections, { id: 'alone', title: 'In one result', notes, isMinor: true }].filter(isFilled);
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
