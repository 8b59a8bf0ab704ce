import { parsedJson, sizeOf } from '../../common/json.ts';
import { counted, shortened } from '../../common/text.ts';
import type { Level } from '../../contract/document.ts';
import type { Counts, ExchangeRecord, Finding, Result, Verdict } from '../result/result.ts';
import { shellWord } from '../http/curl.ts';
import type { Matrix, MatrixTarget } from '../result/matrix.ts';
import { decides, isSettled, itemsOf } from '../result/verdict.ts';

/** How a report begins. */
export interface Headline {
  /** What to know first, in a sentence or two. */
  readonly words: string;
  /** Sentences that follow: what was selected, what the verdict is. */
  readonly more: readonly string[];
  readonly hints: readonly string[];
}

/** Whether a finding fails the run, is of a level that does not, or is known. */
export type Standing = 'failed' | 'tolerated' | 'known';

/** What a report calls findings of a standing. */
export const FINDING_TITLES: Readonly<Record<Standing, string>> = {
  failed: 'Findings',
  tolerated: 'Findings that do not fail the run',
  known: 'Known failures',
};

/** What a finding means for the verdict. */
export function standingOf(finding: Finding, { selection }: Result): Standing {
  if (finding.knownFailure) return 'known';
  return decides(finding, selection.failOn) ? 'failed' : 'tolerated';
}

/** The findings of a standing, in their order. */
export function findingsStanding(result: Result, standing: Standing): Finding[] {
  return result.findings.filter((finding) => standingOf(finding, result) === standing);
}

function brokenWords({ findings, summary }: Result): string {
  const broken = (['must', 'should'] as const).flatMap((level) => {
    const count = findings.filter((finding) => !finding.knownFailure && finding.level === level).length;
    return count > 0 ? [counted(count, level)] : [];
  });
  const problems = summary.baselineProblems.length;
  return [
    ...(broken.length > 0 ? [`The target breaks ${broken.join(' and ')}.`] : []),
    ...(problems === 1 ? ['1 baseline entry no longer holds.'] : []),
    ...(problems > 1 ? [`${problems} baseline entries no longer hold.`] : []),
  ].join(' ');
}

/** What is broken without failing the run; undefined if nothing is. */
function toleratedWords(result: Result): string | undefined {
  const count = findingsStanding(result, 'tolerated').length;
  return count === 0 ? undefined : `No must is broken; ${count} should ${count === 1 ? 'is' : 'are'}`;
}

function passedWords(result: Result): string {
  const { selection, summary, again } = result;
  const isPartial = again !== undefined || selection.only.length + selection.skip.length > 0;
  const what = isPartial ? 'Everything that was selected conforms' : 'The target conforms';
  const known = summary.must.knownFailures + summary.should.knownFailures;
  if (again?.some(({ became }) => became === 'not-seen-again'))
    return 'Nothing failed this time, which does not prove that an intermittent failure is fixed.';
  const apart = known === 0 ? '' : `, apart from ${counted(known, 'known failure')}`;
  return `${toleratedWords(result) ?? `${what} to the contract`}${apart}.`;
}

function inconclusiveWords(result: Result): string {
  const { selection, restoration, again = [] } = result;
  const begin = `${toleratedWords(result) ?? 'Nothing failed'}, but`;
  const open = itemsOf(result).filter((item) => item.outcome === 'inconclusive' && decides(item, selection.failOn));
  if (open.length > 0) return `${begin} ${counted(open.length, 'check')} could not be judged.`;
  if (!isSettled(restoration)) return `${begin} the users were not fully restored.`;
  if (again.some(({ became }) => became === 'not-seen-again'))
    return `${begin} one pass does not prove that an intermittent failure is fixed.`;
  return `${begin} a response broke a requirement once, and not again.`;
}

const VERDICT_WORDS: Readonly<Record<Verdict, (result: Result) => string>> = {
  passed: passedWords,
  failed: brokenWords,
  inconclusive: inconclusiveWords,
  interrupted: () => 'The run was stopped before it finished.',
  error: () => 'The suite failed, not the target. Please report it.',
};

/** Whether no check has passed or failed. */
function isNothingJudged({ checks, findings }: Result): boolean {
  return findings.length === 0 && checks.every(({ outcome }) => outcome !== 'passed' && outcome !== 'failed');
}

/** A text without its first sentence, and that sentence. */
function splitSentence(text: string): readonly [first: string, rest: string] {
  const end = text.search(/[.?!] /);
  return end === -1 ? [text, ''] : [text.slice(0, end + 1), text.slice(end + 2)];
}

/** A sentence as the second half of another one: with a small letter, unless it begins with a name. */
function continued(sentence: string): string {
  return /^[A-Z][a-z ]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

function scopeWords({ selection }: Result): string[] {
  const of = (ids: readonly string[]): string =>
    ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 6).join(', ')} and ${ids.length - 6} more`;
  return [
    ...(selection.only.length > 0 ? [`Selected: ${of(selection.only)}.`] : []),
    ...(selection.skip.length > 0 ? [`Skipped: ${of(selection.skip)}.`] : []),
  ];
}

/** How every report of a result begins. If nothing was judged, or a hint explains what was not, the cause comes first. */
export function headlineOf(result: Result): Headline {
  const { verdict, message } = result;
  const hints = result.hints.map(({ text }) => text);
  const scope = scopeWords(result);
  const [cause, rest] = splitSentence(hints[0] ?? message ?? 'The run ended before a check came to a result.');
  const otherHints = [rest, ...hints.slice(1)].filter((text) => text !== '');
  if (verdict === 'inconclusive' && isNothingJudged(result))
    return { words: `Nothing could be checked: ${continued(cause)}`, more: scope, hints: otherHints };
  const words = VERDICT_WORDS[verdict](result);
  if (message !== undefined) return { words: message, more: [words, ...scope], hints };
  if (verdict === 'inconclusive' && hints.length > 0)
    return { words: cause, more: [words, ...scope], hints: otherHints };
  return { words, more: scope, hints };
}

/** What a run was, in a line. */
export function runWords({ contract, summary, durationMs }: Result): string {
  return `contract ${contract.version} · ${counted(summary.requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s`;
}

/** How many have which outcome. */
export function countsWords(counts: Counts): readonly [passed: string, ...others: string[]] {
  const { passed, total, failed, inconclusive, notApplicable, error, knownFailures } = counts;
  const others: readonly (readonly [number, string])[] = [
    [failed, 'failed'],
    [inconclusive, 'inconclusive'],
    [notApplicable, 'not applicable'],
    [error, 'with an error of the suite'],
    [knownFailures, knownFailures === 1 ? 'known failure' : 'known failures'],
  ];
  return [
    `${passed} of ${counted(total - notApplicable, 'check')} passed`,
    ...others.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`),
  ];
}

/** The outcomes of the checks of a level, and of the audit of every response. */
export function tallyWords({ summary, findings }: Result, level: Level): string {
  const ofResponses = findings.filter((finding) => finding.level === level && finding.checks.length === 0).length;
  const more = ofResponses === 0 ? [] : [`${counted(ofResponses, 'finding')} in the responses`];
  return [...countsWords(summary[level]), ...more].join(', ');
}

/** What a finding is, in a few words each: level, requirement, how often it was seen. */
export function findingFacts({ level, id, seen, checks }: Finding): string[] {
  return [
    level,
    id,
    ...(seen ? [`in ${seen.times} of ${seen.of} ${seen.what}`] : []),
    ...(checks.length > 1 ? [counted(checks.length, 'failed check')] : []),
  ];
}

/** The most telling exchange of a finding: not a reading, which is sent before and after it, and preferably a refusal. */
export function tellingExchange({ exchanges }: Finding): ExchangeRecord | undefined {
  const times = (wanted: ExchangeRecord): number => exchanges.filter(({ curl }) => curl === wanted.curl).length;
  const single = exchanges.filter((each) => times(each) === 1);
  return single.findLast(({ response }) => response?.status !== 200) ?? single[0] ?? exchanges[0];
}

/** What came back, in a line without the body. */
export function responseWords({ response, lost }: ExchangeRecord): string {
  if (!response) return `none (${lost ?? 'unknown reason'})`;
  return `${response.status} ${response.headers['content-type'] ?? 'without Content-Type'}`;
}

/** The program as it is started from anywhere: a command that a report prints can be pasted. */
export function programOf({ tool }: Result): string {
  const [command = ''] = (tool.command ?? '').split(/ run(?: |$)/, 1);
  return command === '' || command === tool.name ? `npx ${tool.name}` : command;
}

/** The options that select what a run selected. */
function selectionOf({ selection }: Result): string {
  const options = (['only', 'skip'] as const).filter((name) => selection[name].length > 0);
  return options.map((name) => ` --${name} ${shellWord(selection[name].join(','))}`).join('');
}

/**
 * The command that judges a finding again, and fails if it is still there: the plainest check, or the whole selection if no check has
 * failed.
 */
export function rerunOf({ level, checks }: Finding, result: Result): string {
  const { tool, target } = result;
  const own = / run(?= |$)(.*)$/s.exec(tool.command ?? '')?.[1] ?? ` ${target.baseUrl}`;
  const hasFailOn = /--fail-on[ =]should/.test(own);
  const only = checks[0] === undefined ? selectionOf(result) : ` --only ${checks[0]}`;
  return `${programOf(result)} run${own}${only}${level === 'should' && !hasFailOn ? ' --fail-on should' : ''}`;
}

/** The command that explains a finding. */
export function explainOf({ checks, requirement }: Finding, result: Result): string {
  return `${programOf(result)} explain ${checks[0] ?? requirement}`;
}

/** Levels. A text that nests deeper is not for people. */
const DEEPEST = 30;

/** Characters of a JSON text that is read more easily in one line. */
const SHORT = 60;

/** A JSON text with a line for each value; as it is if it is short, nests too deep, or would lose how its values are spelled. */
export function indented(text: string): string {
  if (text.length <= SHORT || sizeOf(text, DEEPEST).depth > DEEPEST) return text;
  const value = parsedJson(text);
  const withoutBlanks = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, '$1');
  return JSON.stringify(value) === withoutBlanks ? JSON.stringify(value, null, 2) : text;
}

/** A text of at most so many lines and characters, and how much is not shown, in words; empty if nothing is left. */
export function excerpt(
  text: string,
  mostLines: number,
  mostCharacters: number,
): readonly [shown: string, rest: string] {
  const shown = text.slice(0, mostCharacters).split('\n').slice(0, mostLines).join('\n');
  const rest = text.slice(shown.length);
  const lines = rest.split('\n').length - 1;
  if (rest === '') return [shown, ''];
  return [shown, lines > 0 ? counted(lines, 'more line') : counted(rest.length, 'more character')];
}

/** How many targets have which verdict. */
export function matrixWords({ targets, counts }: Matrix): string {
  const many = Object.entries(counts).filter(([, count]) => count > 0);
  return `${counted(targets.length, 'target')}: ${many.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`;
}

/** What to know first of one of several targets. */
export function targetWords({ result, problem = '' }: MatrixTarget): string {
  return shortened(result ? headlineOf(result).words : problem, 300);
}
