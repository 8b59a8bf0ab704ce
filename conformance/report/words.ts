import { depthOf, parsedJson } from '../../common/json.ts';
import { counted, shortened } from '../../common/text.ts';
import type { Level } from '../../contract/document.ts';
import { shellWord } from '../http/curl.ts';
import { EXIT_CODES, type ExchangeRecord, type Finding, type Result } from '../facts/result.ts';
import { decides, isSettled, leftIn } from '../result/verdict.ts';

/** Whether a finding fails the run, is of a level that does not, or is known. */
export type Standing = 'failed' | 'tolerated' | 'known';

/** What a finding means for the verdict. */
export function standingOf(finding: Finding, { selection }: Result): Standing {
  if (finding.knownFailure) return 'known';
  return decides(finding, selection.failOn) ? 'failed' : 'tolerated';
}

/** The findings of these standings, in their order. */
export function findingsStanding(result: Result, ...standings: readonly Standing[]): Finding[] {
  return standings.flatMap((standing) => result.findings.filter((each) => standingOf(each, result) === standing));
}

/** The options that select what a run selected. */
function selectionOf({ selection }: Result): string {
  const options = (['only', 'skip'] as const).filter((name) => selection[name].length > 0);
  return options.map((name) => ` --${name} ${shellWord(selection[name].join(','))}`).join('');
}

/** Those that say something, each once. */
function sentences(...texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== '').join(' ');
}

/** Those that do not begin with "0". */
function nonzero(counts: readonly string[]): string[] {
  return counts.filter((text) => !text.startsWith('0 '));
}

const NOTHING = 'Nothing could be checked.';

/** Why the verdict is inconclusive although something was judged. */
function doubtIn({ checks, requirements, selection, restoration, again = [] }: Result): string {
  const open = checks.filter((check) => check.outcome === 'inconclusive' && decides(check, selection.failOn));
  if (open.length > 0) {
    const [detail = '', ...others] = new Set(open.map((check) => check.detail));
    const why = detail === '' || others.length > 0 ? '' : `: ${detail.replace(/\.$/, '')}`;
    return `${counted(open.length, 'check')} could not be judged${why}`;
  }
  if (!isSettled(restoration)) return 'the users were not fully restored';
  if (again.some(({ became }) => became === 'not-seen-again'))
    return 'one pass does not prove that an intermittent failure is fixed';
  const isOnce = requirements.some(({ seenOnce }) => seenOnce);
  return isOnce ? 'a response broke a requirement once, and not again' : 'not every requirement could be observed';
}

function failedWords({ findings, summary }: Result): string {
  const unknown = findings.filter(({ knownFailure }) => !knownFailure);
  const broken = nonzero(
    ['must', 'should'].map((level) => counted(unknown.filter((finding) => finding.level === level).length, level)),
  );
  const problems = summary.baselineProblems.length;
  return sentences(
    broken.length > 0 ? `The target breaks ${broken.join(' and ')}.` : '',
    problems > 0 ? `Baseline entries that no longer hold: ${problems}.` : '',
  );
}

/** What a verdict means, in a sentence or two. */
function verdictWords(result: Result): string {
  const { verdict, checks, findings, summary, again } = result;
  if (verdict === 'error') return 'The suite failed, not the target. Please report it.';
  if (verdict === 'interrupted') return 'The run was interrupted.';
  if (verdict === 'failed') return failedWords(result);
  const tolerated = findingsStanding(result, 'tolerated').length;
  const isOrAre = tolerated === 1 ? 'is' : 'are';
  const broken = tolerated > 0 && `No must is broken; ${counted(tolerated, 'should')} ${isOrAre}`;
  if (verdict === 'inconclusive') {
    const isSeen = findings.length > 0 || checks.some(({ outcome }) => outcome === 'passed' || outcome === 'failed');
    return isSeen ? `${broken || 'Nothing failed'}, but ${doubtIn(result)}.` : NOTHING;
  }
  const isWhole = again === undefined && selectionOf(result) === '';
  const conforms = `${isWhole ? 'The target' : 'Everything that was selected'} conforms to the contract`;
  const known = summary.must.knownFailures + summary.should.knownFailures;
  return `${broken || conforms}${known === 0 ? '' : `, apart from ${counted(known, 'known failure')}`}.`;
}

/** What may be left of a run, and how to restore it; empty if the users are as before. */
function leftWords(result: Result): string {
  const { journal } = result.restoration;
  const left = leftIn(result.restoration).map(({ id, members }) => `${members.join(', ')} of user ${id}`);
  if (left.length === 0) return '';
  const how = journal === undefined ? '' : ` (to restore: ${programOf(result)} restore ${shellWord(journal)})`;
  return `Perhaps not as before: ${left.join('; ')}${how}.`;
}

/**
 * How every report of a result begins: with the cause, if nothing was judged, or if it is known why not everything was.
 *
 * @returns what to know first, in a few sentences, and the hints that are not among them
 */
export function headlineOf(result: Result): { readonly words: string; readonly hints: readonly string[] } {
  const { verdict } = result;
  const message = sentences(leftWords(result), result.message ?? '');
  const words = verdictWords(result);
  const [cause, ...others] = result.hints.map(({ text }) => text);
  if (cause === undefined) return { words: sentences(message, words), hints: [] };
  if (verdict === 'inconclusive' && (message === '' || words === NOTHING))
    return { words: sentences(words, cause), hints: others };
  return { words: sentences(message, words), hints: [cause, ...others] };
}

/** What a run was, in a line. */
export function runWords(result: Result): string {
  const { contract, summary, durationMs, verdict } = result;
  const selection = shortened(selectionOf(result).trim(), 200);
  return [
    `contract ${contract.version}`,
    `${counted(summary.requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s`,
    `exit code ${EXIT_CODES[verdict]}`,
    ...(selection === '' ? [] : [selection]),
  ].join(' · ');
}

/** The outcomes of the checks of a level, and of the audit of every response. */
export function tallyWords({ summary, findings }: Result, level: Level): string {
  const { passed, total, failed, inconclusive, notApplicable, error, knownFailures } = summary[level];
  const ofResponses = findings.filter((finding) => finding.level === level && finding.checks.length === 0).length;
  return [
    `${passed} of ${counted(total - notApplicable, 'check')} passed`,
    ...nonzero([
      `${failed} failed`,
      `${inconclusive} inconclusive`,
      `${notApplicable} not applicable`,
      `${error} with an error of the suite`,
      counted(knownFailures, 'known failure'),
      `${counted(ofResponses, 'finding')} in the responses`,
    ]),
  ].join(', ');
}

const STANDING_WORDS = { failed: [], tolerated: ['does not fail the run'], known: ['known failure'] } as const;

/** What a finding is, in a few words each. */
export function findingFacts(finding: Finding, result: Result): string[] {
  const { level, id, seen, checks } = finding;
  return [
    level,
    id,
    ...(seen ? [`in ${seen.times} of ${seen.of} ${seen.what}`] : []),
    ...(checks.length > 1 ? [counted(checks.length, 'failed check')] : []),
    ...STANDING_WORDS[standingOf(finding, result)],
  ];
}

/** The exchange with the request that is to blame. */
export function tellingExchange({ exchanges: [cause] }: Finding): ExchangeRecord | undefined {
  return cause;
}

/** What came back, in a line without the body. */
export function responseWords({ response, lost }: ExchangeRecord): string {
  if (!response) return `none (${lost ?? 'unknown reason'})`;
  return `${response.status} ${response.headers['content-type'] ?? 'without Content-Type'}`;
}

/** The command of the run, without what selects checks, as it is started from anywhere: it can be pasted. */
function commandOf({ tool, target }: Result): string {
  const command = tool.command ?? `${tool.name} run ${target.baseUrl}`;
  return command.startsWith(tool.name) ? `npx ${command}` : command;
}

/** The program that ran, as it is started from anywhere. */
export function programOf(result: Result): string {
  return commandOf(result).replace(/ run(?: .*)?$/s, '');
}

/** The commands that judge a finding again, failing if it is still there, and explain it. */
export function commandsOf({ level, checks, requirement }: Finding, result: Result) {
  const command = commandOf(result);
  const only = checks[0] === undefined ? selectionOf(result) : ` --only ${checks[0]}`;
  const failOn = level === 'should' && !/--fail-on[ =]should/.test(command) ? ' --fail-on should' : '';
  return {
    rerun: `${command}${only}${failOn}`,
    explain: `${programOf(result)} explain ${checks[0] ?? requirement}`,
  };
}

/** Levels. A text that nests deeper is not for people. */
const DEEPEST = 30;

/** Characters of a JSON text that is read more easily in one line. */
const SHORT = 60;

/** A JSON text with a line for each value; as it is if it is short, nests too deep, or would lose how its values are spelled. */
export function indented(text: string): string {
  if (text.length <= SHORT || depthOf(text, DEEPEST) > DEEPEST) return text;
  const value = parsedJson(text);
  const withoutBlanks = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, '$1');
  return JSON.stringify(value) === withoutBlanks ? JSON.stringify(value, null, 2) : text;
}

/** Lines of a body that are shown at once. */
const MOST_LINES = 10;

/** The first lines of a body, of at most so many characters; the others; and how many those are, in words. */
export function excerpt(body: string, mostCharacters: number): { shown: string; others: string; count: string } {
  const text = indented(body);
  const shown = text.slice(0, mostCharacters).split('\n').slice(0, MOST_LINES).join('\n');
  const others = text.slice(shown.length);
  const lines = others.split('\n').length - 1;
  const count = lines > 0 ? counted(lines, 'more line') : counted(others.length, 'more character');
  return { shown, others: others.replace(/^\n/, ''), count };
}
