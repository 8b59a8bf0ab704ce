import type { Result } from '../../result/result.ts';
import { EXIT_CODES, preventsPass, type Verdict } from '../../result/verdict.ts';
import { isPartial, scopeWords } from '../scope.ts';
import { counted } from '../../../common/text.ts';
import { restorationLines } from './restoration.ts';

/** Each verdict in a sentence, and what its exit code means. */
const WORDS: Readonly<Record<Verdict, readonly [sentence: string, exit: string]>> = {
  passed: ['The target conforms to the contract.', 'every selected must was seen to hold, or is a known failure'],
  failed: [
    'The target breaks the contract.',
    'a requirement that fails the run is broken, or a baseline entry no longer holds',
  ],
  inconclusive: [
    'Nothing failed, but not every must could be checked.',
    'nothing failed, but some must could not be checked',
  ],
  interrupted: ['The run was stopped before it finished.', 'the run was stopped before it finished'],
  error: [
    'The suite failed, not the target. Please report it.',
    'the suite itself failed; this says nothing about the target',
  ],
};

/** The same for a run in which every check is good enough, and which must not pass all the same. */
const IN_DOUBT = [
  'Nothing failed, but the users could not be restored, or another run changed them.',
  'nothing failed, but the users could not be restored, or another run changed them',
] as const;

function isInDoubt({ verdict, checks, selection }: Result): boolean {
  const wasSeen = checks.some(({ outcome }) => outcome === 'passed');
  return verdict === 'inconclusive' && wasSeen && !checks.some((check) => preventsPass(check, selection.failOn));
}

function verdictWords(result: Result): string {
  const { verdict, summary, checks, selection } = result;
  const isFailed = checks.some((check) => check.outcome === 'failed' && preventsPass(check, selection.failOn));
  if (verdict === 'failed' && summary.baselineProblems.length > 0 && !isFailed)
    return 'The baseline no longer holds; see below.';
  if (isInDoubt(result)) return IN_DOUBT[0];
  if (verdict !== 'passed') return WORDS[verdict][0];
  const known = summary.must.knownFailures + summary.should.knownFailures;
  const words = isPartial(selection) ? 'Everything that was checked conforms.' : WORDS.passed[0];
  return known === 0 ? words : words.replace(/\.$/, `, apart from ${counted(known, 'known failure')}.`);
}

const MOST_HINTS = 3;

/** How every report of this result begins: the verdict in capitals and in a sentence or two, what was checked, and hints. */
export function headlineOf(result: Result) {
  const { verdict, selection, hints = [] } = result;
  return {
    label: verdict.toUpperCase(),
    words: verdictWords(result),
    // Sentences; none if everything was checked.
    scope: scopeWords(selection),
    exit: `exit code ${EXIT_CODES[verdict]}: ${(isInDoubt(result) ? IN_DOUBT : WORDS[verdict])[1]}`,
    // What to look at before anything else, the likeliest first.
    hints: hints.slice(0, MOST_HINTS).map(({ text }) => text),
  };
}

/** The verdict with all that belongs to it, as lines of plain text: for formats in which it is a test of its own. */
export function verdictText(result: Result): string {
  const { words, scope, exit, hints } = headlineOf(result);
  return [
    words,
    ...scope,
    exit,
    ...hints.map((text) => `hint: ${text}`),
    ...result.summary.baselineProblems.map(({ kind, message }) => `baseline: ${kind}: ${message}`),
    ...restorationLines(result.restoration).map(({ text }) => text),
  ].join('\n');
}
