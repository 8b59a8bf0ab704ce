import { counted, groupedBy, uncapitalized } from '../../common/text.ts';
import { requirements } from '../../contract/document.ts';
import { shellWord } from '../http/curl.ts';
import type { Comparison } from '../result/compare.ts';
import type { Change, CheckResult, Outcome, Restoration, Result, Verdict } from '../facts/result.ts';
import { isWorthAnotherTry, openRequirements } from '../result/verdict.ts';
import { programOf, type Standing } from './words.ts';

/** What a line is about: the outcome of a check, the verdict on a target, or the standing of a finding. */
export type Sign = Outcome | Verdict | Standing;

export const SIGNS: Readonly<Record<Sign, string>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
  interrupted: '?',
  'not-applicable': '·',
  tolerated: '!',
  known: '~',
  error: '!',
};

/** A sentence that a report has in addition to its findings; what stands between backticks is code. */
export interface Note {
  readonly sign: Sign;
  readonly text: string;
  /** The checks that it counts. */
  readonly ids?: readonly string[];
  /** A command to paste. */
  readonly command?: string;
}

/** Notes of one kind. */
export interface Notes {
  readonly id: string;
  readonly title: string;
  readonly notes: readonly Note[];
  /** Whether only readers who look for it need it. */
  readonly isMinor?: boolean;
}

/** Checks by what each has to say, with how many: `` `a` (40 checks), `b` (12 checks)``. */
function tallied(checks: readonly CheckResult[], namesIn: (check: CheckResult) => readonly string[]): string {
  const names = checks.flatMap(namesIn);
  const groups = groupedBy(names, (name) => name).sort(([, one], [, other]) => other.length - one.length);
  const countOf = (own: readonly string[]): string => (groups.length === 1 ? '' : ` (${counted(own.length, 'check')})`);
  return groups.map(([name, own]) => `\`${name}\`${countOf(own)}`).join(', ');
}

/** Checks without an outcome, in a note. */
function openNote(checks: readonly CheckResult[], outcome: 'inconclusive' | 'not-applicable', why: string): Note {
  const ids = checks.map(({ id }) => id);
  const which = ids.length === 1 ? `\`${ids.join('')}\`` : counted(ids.length, 'check');
  return {
    sign: outcome,
    text: `${which} ${outcome.replace('-', ' ')}: ${uncapitalized(why)}`,
    ...(ids.length > 1 && { ids }),
  };
}

/** A note for each reason for which checks have no result; the one with most checks first. */
function reasonNotes(result: Result, outcome: 'inconclusive' | 'not-applicable'): Note[] {
  const checks = result.checks.filter((check) => check.outcome === outcome);
  const wayOf = ({ reason, detail = '', missing, blockedBy }: CheckResult): string => {
    const isGrouped = missing !== undefined || blockedBy !== undefined;
    return isGrouped ? (reason ?? '') : detail || (reason ?? '');
  };
  return groupedBy(checks, wayOf)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([way, own]) => {
      if (way === 'missing-input') return openNote(own, outcome, `set ${tallied(own, ({ missing = [] }) => missing)}`);
      if (way === 'blocked')
        return openNote(own, outcome, `blocked by ${tallied(own, ({ blockedBy = '' }) => [blockedBy])}`);
      return openNote(own, outcome, way);
    });
}

/** How checks were judged in spite of what is broken. */
function workaroundNotes({ workarounds }: Result): Note[] {
  return workarounds.map(({ text, checks }): Note => {
    const what = `${counted(checks, 'check')} ran with a workaround, and could fail but not pass`;
    return { sign: 'not-applicable', text: `${what}: ${text}` };
  });
}

/** Requirements that a note names; of more, it tells the number. */
const MOST_NAMED = 3;

/** Requirements of which no check says why they are inconclusive: what was seen once, and what nothing showed. */
function requirementNotes(result: Result): Note[] {
  const open = openRequirements(result);
  const once = open
    .filter(({ seenOnce }) => seenOnce)
    .map(({ id, detail = 'once, and not again' }): Note => {
      return { sign: 'inconclusive', text: `\`${id}\` inconclusive: ${uncapitalized(detail)}` };
    });
  const ids = open.filter(({ seenOnce }) => !seenOnce).map(({ id }) => id);
  if (ids.length === 0) return once;
  if (ids.length > MOST_NAMED) {
    const text = `${counted(ids.length, 'requirement')} inconclusive: no response could show them`;
    return [...once, { sign: 'inconclusive', text, ids }];
  }
  const names = ids.map((id) => `\`${id}\``).join(', ');
  return [...once, { sign: 'inconclusive', text: `${names} inconclusive: no response could show it` }];
}

const BECAME = {
  new: { sign: 'failed', words: 'new' },
  'still-there': { sign: 'failed', words: 'still there' },
  'not-seen-again': { sign: 'inconclusive', words: 'not seen this time, but it is intermittent' },
  fixed: { sign: 'passed', words: 'fixed' },
} as const;

/** Whether the check failed in one of the results; if not, it is only counted. */
const isFailure = ({ from, to }: Change): boolean => from === 'failed' || to === 'failed';

/** How many checks these are, and how many requirements that no check judges. */
function countedByKind(ids: readonly string[]): string {
  const held = ids.filter((id) => requirements.some((requirement) => requirement.id === id)).length;
  const kinds = [
    [ids.length - held, 'check'],
    [held, 'requirement'],
  ] as const;
  return kinds.flatMap(([count, what]) => (count > 0 ? [counted(count, what)] : [])).join(' and ');
}

/** A note for each failure that changed, with its checks, and one for the checks that could not be judged before or now. */
function changeNotes(changes: readonly Change[]): Note[] {
  const groups = groupedBy(changes, (change) => {
    const { became, from, to, level, title } = change;
    return JSON.stringify(isFailure(change) ? [became, to, level, title] : [from, to]);
  });
  return groups.flatMap(([, group]): Note[] => {
    const [change] = group;
    if (!change) return [];
    const { from, to, became, level, title } = change;
    const ids = group.map(({ id }) => id);
    const { sign, words } = to === 'inconclusive' ? { sign: to, words: to } : BECAME[became];
    if (isFailure(change)) return [{ sign, text: `${words}: ${title} (${level}: ${ids.join(', ')})` }];
    const turn = from === to ? `still ${to}` : `${from} before, ${to} now`;
    return [{ sign, text: `${countedByKind(ids)} ${turn}`, ids }];
  });
}

const MEMBERS = {
  restored: 'restored',
  sent: 'NOT shown as restored, although the update was accepted',
  refused: 'NOT restored',
  'not-restored': 'NOT restored',
  'never-shown': 'not restored',
  unavailable: 'NOT restored, though tried to the end',
  contested: 'restored while another client was changing the user, so perhaps NOT as before',
} as const;

/** How far the users were restored. */
export function restorationNotes({ outcome, users }: Restoration): Note[] {
  if (outcome === 'none') return [{ sign: 'passed', text: 'No user was changed.' }];
  const isExact = users.every(({ members }) => members.every(({ detail }) => detail === undefined));
  if (outcome === 'complete' && isExact) {
    const ids = users.map(({ id }) => id).join(' and ');
    return [{ sign: 'passed', text: users.length === 1 ? `User ${ids} is as before.` : `Users ${ids} are as before.` }];
  }
  return users.flatMap(({ id, members }) => {
    const groups = groupedBy(members, ({ outcome: came, detail }) => MEMBERS[came] + (detail ? ` (${detail})` : ''));
    return groups.map(([words, own]): Note => {
      const names = own.map(({ member }) => member).join(', ');
      const isDone = own.every(({ outcome: came }) => came === 'restored');
      return { sign: isDone ? 'passed' : 'failed', text: `User ${id}: ${names} ${words}.` };
    });
  });
}

/** The members that the first request of a run may have changed already: it is an update that sends none of them. */
function unknownOriginals({ findings, restoration }: Result): Note[] {
  const changed = findings.filter(
    ({ kind, requirement }) => kind === 'member' && requirement === 'update.unsent-fields-keep',
  );
  if (restoration.outcome === 'none') return [];
  return changed.map(({ member = '' }): Note => {
    const text =
      `Your server changes \`${member}\` in updates that do not send it, and the first request of a run is one: ` +
      'look whether it was another value before.';
    return { sign: 'inconclusive', text };
  });
}

/** How far a run restored the users, and how to try again. */
function usersNotes(result: Result): Note[] {
  const { journal } = result.restoration;
  const notes = [...restorationNotes(result.restoration), ...unknownOriginals(result)];
  if (journal === undefined) return notes;
  if (!isWorthAnotherTry(result.restoration))
    return [
      ...notes,
      {
        sign: 'failed',
        text: `No update restores the rest: fix it by hand. ${shellWord(journal)} has the old values.`,
      },
    ];
  return [
    ...notes,
    { sign: 'failed', text: 'To try again:', command: `${programOf(result)} restore ${shellWord(journal)}` },
  ];
}

function observationNotes({ observations }: Result): Note[] {
  return observations
    .filter(({ observed }) => observed !== undefined)
    .map(({ id, text, detail = [] }) => {
      const words = detail.length === 0 ? text : `${text.replace(/\.$/, '')}: ${detail.join(', ')}.`;
      return { sign: 'not-applicable', text: `${words} (${id})` };
    });
}

/** What a report tells in addition to its findings; no section is empty. */
export function notesOf(result: Result): Notes[] {
  const { checks, summary, again = [] } = result;
  const errors = checks.filter(({ outcome }) => outcome === 'error').map(({ id, detail }) => detail ?? id);
  const sections: Notes[] = [
    {
      id: 'errors',
      title: 'Errors of the suite',
      notes: [...new Set(errors)].map((text) => ({ sign: 'error', text: `Error of the suite: ${text}` })),
    },
    {
      id: 'baseline',
      title: 'Baseline entries that no longer hold',
      notes: summary.baselineProblems.map((problem) => ({ sign: 'failed', text: `baseline: ${problem}` })),
    },
    { id: 'again', title: 'What became of the earlier result', notes: changeNotes(again) },
    {
      id: 'inconclusive',
      title: 'Inconclusive',
      notes: [...requirementNotes(result), ...reasonNotes(result, 'inconclusive')],
    },
    { id: 'workarounds', title: 'Workarounds', notes: workaroundNotes(result) },
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
  return sections.filter(({ notes }) => notes.length > 0);
}

/** What changed between two results: what is new first. */
export function comparisonNotes({ changes, onlyInOne: ids }: Comparison): Note[] {
  const sorted = Object.keys(BECAME).flatMap((wanted) => changes.filter(({ became }) => became === wanted));
  const text = `${counted(ids.length, 'check')} only in one of the results`;
  return [...changeNotes(sorted), ...(ids.length > 0 ? [{ sign: 'not-applicable', text, ids } as const] : [])];
}

/** How many failures are new, fixed and still there, in a sentence. */
export function comparisonWords({ verdict, changes }: Comparison): string {
  const same = verdict.from === verdict.to ? `is ${verdict.to}, as before` : `was ${verdict.from} and is ${verdict.to}`;
  const count = (wanted: Change['became']): number =>
    changes.filter((each) => isFailure(each) && each.became === wanted).length;
  return `${count('new')} new, ${count('fixed')} fixed, ${count('still-there')} still there. The verdict ${same}.`;
}
