import { isSettled } from '../../traffic/keeping/restoration.ts';
import type { Result } from '../../result/result.ts';
import { EXIT_CODES, preventsPass, type Verdict } from '../../result/verdict.ts';
import { isPartial, scopeWords } from './scope.ts';
import { counted } from '../../../common/text.ts';
import { restorationLines } from './restoration.ts';

const WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'The target conforms to the contract.',
  failed: 'The target breaks the contract.',
  inconclusive: 'Nothing failed, but not every must could be checked.',
  interrupted: 'The run was stopped before it finished.',
  error: 'The suite failed, not the target. Please report it.',
};

function verdictWords({ verdict, summary, checks, selection, restoration, again = [] }: Result): string {
  const obstacles = checks.filter((check) => preventsPass(check, selection.failOn));
  const hasFailed = obstacles.some(({ outcome }) => outcome === 'failed');
  if (verdict === 'failed' && summary.baselineProblems.length > 0 && !hasFailed)
    return 'The baseline no longer holds; see below.';
  if (verdict === 'inconclusive' && again.some(({ outcome }) => outcome === 'not-seen-again'))
    return 'Nothing failed, but not every earlier finding was seen to be fixed.';
  const wasSeen = checks.some(({ outcome }) => outcome === 'passed');
  const isUnsettled = !restoration.users.every(isSettled);
  if (verdict === 'inconclusive' && wasSeen && (obstacles.length === 0 || isUnsettled)) {
    const why = 'another run changed the users, or the target was away or given up';
    return `Nothing failed, but ${isUnsettled ? 'the users could not be restored' : why}.`;
  }
  if (verdict !== 'passed') return WORDS[verdict];
  const known = summary.must.knownFailures + summary.should.knownFailures;
  const words = isPartial(selection) ? 'Everything that was checked conforms.' : WORDS.passed;
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
    exit: `Exit code ${EXIT_CODES[verdict]}.`,
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
