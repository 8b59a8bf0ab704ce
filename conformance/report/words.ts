import { isDeeperThan, parsedJson } from '../../common/json.ts';
import { counted, groupedBy, listed, present, shortened } from '../../common/text.ts';
import { type Level, LEVELS } from '../../contract/document.ts';
import { isNowAndThen } from '../facts/fault.ts';
import { shellWord } from '../http/curl.ts';
import {
  type Counts,
  EXIT_CODES,
  type ExchangeRecord,
  type Failure,
  type Finding,
  type RequirementResult,
  type Result,
} from '../facts/result.ts';
import { decides, isSettled, isWorthAnotherTry, leftIn, openRequirements } from '../result/verdict.ts';

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
  return present([...new Set(texts)]).join(' ');
}

const NOTHING = 'Nothing could be checked.';

/** Names between backticks, the first few; the rest is counted. */
function named(ids: readonly string[], most = 3): string {
  const shown = ids.slice(0, most).map((id) => `\`${id}\``);
  return listed(present([...shown, ids.length > most && `${ids.length - most} more`]));
}

/** Why the verdict is inconclusive although something was judged. */
function doubtIn(result: Result): string {
  const { checks, selection, restoration, again = [] } = result;
  const open = checks.filter((check) => check.outcome === 'inconclusive' && decides(check, selection.failOn));
  if (open.length > 0) {
    const [detail = '', ...others] = new Set(open.map((check) => check.detail));
    // What stopped the run is said already.
    const isSaid = detail === '' || detail === result.message;
    const why = isSaid || others.length > 0 ? '' : `: ${detail.replace(/\.$/, '')}`;
    return `${counted(open.length, 'check')} could not be judged${why}`;
  }
  if (!isSettled(restoration)) return 'the users were not fully restored';
  if (again.some(({ became }) => became === 'not-seen-again'))
    return 'one pass does not prove that an intermittent failure is fixed';
  return doubtInRequirements(result);
}

/** Which requirement a response broke once, or nothing showed. */
function doubtInRequirements(result: Result): string {
  const items = openRequirements(result).filter((each) =>
    decides({ level: each.level, knownFailure: each.knownFailure === true }, result.selection.failOn),
  );
  const once = items.filter(({ seenOnce }) => seenOnce);
  const [first] = once;
  if (!first)
    return `nothing showed whether ${named(items.map(({ id }) => id))} ${items.length === 1 ? 'holds' : 'hold'}`;
  const what = once.length === 1 ? (first.detail ?? '').replace(/^[^:]*: /, ': ') : '';
  return `${named(once.map(({ id }) => id))} ${once.length === 1 ? 'was' : 'were'} broken once, and not again${what}`;
}

const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');

/** How many requirements of a level are broken, of those that the target is held to. */
function shareBroken({ summary }: Result, level: Level): string {
  const { failed, total, notApplicable } = summary.requirements[level];
  return `${failed} of ${counted(total - notApplicable, `${level} requirement`)}`;
}

/** Where known failures are listed, and how many. */
function baselineWords({ selection: { baseline } }: Result): string {
  if (!baseline) return '';
  const entries = baseline.entries === 1 ? '1 entry' : `${baseline.entries} entries`;
  return ` (${entries} in ${baseline.file ?? 'the baseline'})`;
}

const brokenIn = ({ requirements }: Result): RequirementResult[] =>
  requirements.filter(({ outcome }) => outcome === 'failed');

/** How many of what is broken is known: `and known`, `all known`, `2 of them known`. */
function knownOf(known: number, count: number): string {
  if (known < count) return `${known} of them known`;
  return count === 1 ? 'and known' : 'all known';
}

/** How many of some broken requirements are known, and where that is listed; empty if none is. */
function knownWords(broken: readonly RequirementResult[], where: string): string {
  const known = broken.filter(({ knownFailure }) => knownFailure).length;
  return known === 0 ? '' : `, ${knownOf(known, broken.length)}${where}`;
}

function failedWords(result: Result): string {
  const { summary } = result;
  const broken = brokenIn(result);
  const levels = LEVELS.filter((level) => summary.requirements[level].failed > 0);
  const shares = levels.map((level) => shareBroken(result, level)).join(' and ');
  const known = knownWords(broken, baselineWords(result));
  return sentences(
    broken.length === 0 ? '' : `${shares} ${isOrAre(broken.length)} broken${known}.`,
    summary.baselineProblems.length > 0 ? 'The baseline does not hold.' : '',
  );
}

/** What is broken in a run that did not fail; empty if nothing is. */
function toleratedWords(result: Result): string {
  const broken = brokenIn(result);
  if (broken.length === 0) return '';
  const shoulds = broken.filter(({ level }) => level === 'should');
  const musts = broken.length - shoulds.length;
  const where = baselineWords(result);
  const ofMusts =
    musts === 0
      ? 'No must is broken'
      : `${counted(musts, 'must')} ${isOrAre(musts)} broken, ${knownOf(musts, musts)}${where}`;
  if (shoulds.length === 0) return ofMusts;
  const known = knownWords(shoulds, musts === 0 ? where : '');
  return `${ofMusts}; ${counted(shoulds.length, 'should')} ${isOrAre(shoulds.length)}${known}`;
}

/** Whether the run judged all that there is to judge. */
function isWhole(result: Result): boolean {
  return result.again === undefined && selectionOf(result) === '';
}

/** That nothing is broken, but for what is known to be inconclusive. */
function conformingWords(result: Result): string {
  const { summary } = result;
  const known = summary.must.knownFailures + summary.should.knownFailures;
  const apart = known === 0 ? '' : `, apart from ${counted(known, 'known failure')}${baselineWords(result)}`;
  return `${isWhole(result) ? 'The target' : 'Everything that was selected'} conforms to the contract${apart}`;
}

/** What a verdict means, in a sentence or two. */
function verdictWords(result: Result): string {
  const { verdict, checks, findings } = result;
  if (verdict === 'error') return 'The suite failed, not the target. Please report it.';
  if (verdict === 'interrupted') return 'The run was interrupted.';
  if (verdict === 'failed') return sentences(besidesWords(result), failedWords(result));
  const tolerated = toleratedWords(result);
  if (verdict === 'passed') return `${tolerated === '' ? conformingWords(result) : tolerated}.`;
  const isSeen = findings.length > 0 || checks.some(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  return isSeen ? `${tolerated === '' ? 'Nothing failed' : tolerated}, but ${doubtIn(result)}.` : NOTHING;
}

/** That what was selected passes, where only responses break something. */
function besidesWords(result: Result): string {
  const { checks, findings } = result;
  const isOfResponses = findings.length > 0 && findings.every((finding) => finding.checks.length === 0);
  if (isWhole(result) || !isOfResponses || checks.some(({ outcome }) => outcome !== 'passed')) return '';
  const which = checks.length === 1 ? 'The selected check passes' : 'The selected checks pass';
  return `${which}, but some responses break requirements that hold for every response.`;
}

/** What the users had before and nobody knows, so that it cannot be restored. */
function lostWords({ restoration: { users } }: Result): string {
  const lost = users.flatMap(({ id, members }) => {
    const own = members.filter(({ outcome }) => outcome === 'never-shown');
    return groupedBy(own, ({ detail = '' }) => detail).map(([why, each]) => {
      return {
        id,
        why,
        names: named(
          each.map(({ member }) => member),
          6,
        ),
      };
    });
  });
  if (lost.length === 0) return '';
  const words = groupedBy(lost, ({ why }) => why).map(([why, all]) => {
    const what = groupedBy(all, ({ names }) => names).map(([names, own]) => `${names} of ${usersInWords(own)}`);
    return what.join('; ') + (why === '' ? '' : `, because ${why}`);
  });
  return `Not restored: ${words.join('; ')}.`;
}

const usersInWords = (users: readonly { readonly id: string }[]): string =>
  `${users.length === 1 ? 'user' : 'users'} ${users.map(({ id }) => id).join(' and ')}`;

/** What may be left of a run, and how to restore it; empty if the users are as before. */
function leftWords(result: Result): string {
  const { journal } = result.restoration;
  const left = leftIn(result.restoration).map(({ id, members }) => `${members.join(', ')} of user ${id}`);
  if (left.length === 0) return '';
  const canRestore = journal !== undefined && isWorthAnotherTry(result.restoration);
  const how = canRestore ? ` (to restore: ${programOf(result)} restore ${shellWord(journal)})` : '';
  return `Perhaps not as before: ${left.join('; ')}${how}.`;
}

/**
 * How every report of a result begins: with the cause, if nothing was judged, or if it is known why not everything was.
 *
 * @returns what to know first, in a few sentences, and the hints that are not among them
 */
export function headlineOf(result: Result): { readonly words: string; readonly hints: readonly string[] } {
  const [left, message] = [leftWords(result), result.message ?? ''];
  const words = sentences(verdictWords(result), lostWords(result));
  const [cause, ...others] = result.hints.map(({ text }) => text);
  const isNothingJudged = words.startsWith(NOTHING);
  const isCauseFirst = result.verdict === 'inconclusive' && (isNothingJudged || left + message === '');
  if (cause !== undefined && isCauseFirst) return { words: sentences(left, words, cause), hints: others };
  return { words: sentences(left, message, words), hints: present([cause, ...others]) };
}

/** What a run was, in a line. */
export function runWords(result: Result): string {
  const { contract, summary, durationMs, verdict } = result;
  const selection = shortened(selectionOf(result).trim(), 200);
  return present([
    `contract ${contract.version}`,
    `${counted(summary.requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s`,
    `exit code ${EXIT_CODES[verdict]}`,
    selection,
  ]).join(' · ');
}

/** The outcomes of the requirements of a level, and then of its checks. */
export function tallyWords({ summary }: Result, level: Level): string {
  return [
    outcomeWords(summary.requirements[level], 'requirement', 'held'),
    outcomeWords(summary[level], 'check', 'passed'),
  ].join('; ');
}

/** "20 of 48 requirements held, 19 failed, 9 inconclusive". */
function outcomeWords(counts: Counts, noun: string, good: string): string {
  const { passed, total, failed, inconclusive, notApplicable, error, knownFailures } = counts;
  const others = [
    `${failed} ${noun === 'requirement' ? 'broken' : 'failed'}`,
    `${inconclusive} inconclusive`,
    `${error} with an error of the suite`,
    `${knownFailures} known`,
  ].filter((text) => !text.startsWith('0 '));
  return [`${passed} of ${counted(total - notApplicable, noun)} ${good}`, ...others].join(', ');
}

const STANDING_WORDS = { failed: '', tolerated: 'does not fail the run', known: 'known failure' } as const;

/** What a finding is, in a few words each. */
export function findingFacts(finding: Finding, result: Result): string[] {
  const { level, id, seen, checks, requirement } = finding;
  const blocked = result.checks.filter(({ blockedBy }) => blockedBy === requirement).length;
  return present([
    level,
    id,
    seen && `in ${seen.times} of ${seen.of} ${seen.what}`,
    // What shows now and then need not fail a check.
    checks.length > 1 &&
      (isNowAndThen(finding) ? `in ${counted(checks.length, 'check')}` : counted(checks.length, 'failed check')),
    blocked > 0 && `blocks ${counted(blocked, 'check')}`,
    STANDING_WORDS[standingOf(finding, result)],
  ]);
}

/** What an exchange is for, in the order of sending, with its label; the request that is to blame needs none. */
const PARTS = { before: 'first', cause: 'request', after: 'then' } as const;

/** An exchange with its label. */
export interface LabelledExchange {
  readonly exchange: ExchangeRecord;
  readonly label: string;
  /** Whether its request is to blame. */
  readonly isCause: boolean;
}

/**
 * The exchanges of a finding in the order in which they are sent: what must be sent first, the request that is to blame, and what
 * shows what came of it.
 */
export function exchangesOf({ exchanges }: Finding): LabelledExchange[] {
  const partOf = ({ part }: ExchangeRecord, index: number): string => part ?? (index === 0 ? 'cause' : 'after');
  return Object.entries(PARTS).flatMap(([part, label]) =>
    exchanges
      .filter((exchange, index) => partOf(exchange, index) === part)
      .map((exchange) => ({ exchange, label, isCause: part === 'cause' })),
  );
}

/** A failure in a line; of one that a response showed, with the request. */
function failureWords({ title, expected, actual, request }: Failure, { kind }: Finding): string {
  if (kind === 'status' || kind === 'member') return title;
  const detail = request ?? `expected ${expected}, actual ${actual}`;
  const all = `${title} (${detail})`;
  return all.length > MOST_OF_FAILURE ? title : all;
}

/** What failed besides the fault in the title, a line for each. One request shows what many responses have in common. */
export function otherFailures(finding: Finding): string[] {
  const { failures, title, checks } = finding;
  const lines = failures.map((failure): [key: string, line: string] => {
    const { check, request } = failure;
    const named = check === undefined || checks.length < 2 ? '' : `${check}: `;
    const line = named + failureWords(failure, finding);
    return [request === undefined ? line : failure.title, line];
  });
  // The title holds that of the failure that shows it most plainly.
  const others = lines.filter((_line, index) => !title.includes(failures[index]?.title ?? ''));
  return groupedBy(others, ([key]) => key).flatMap(([, [first]]) => first?.slice(1) ?? []);
}

/** What came back, in a line without the body. */
export function responseWords({ response, lost }: ExchangeRecord): string {
  if (!response) return `none (${lost ?? 'unknown reason'})`;
  return `${response.status} ${response.headers['content-type'] ?? 'without Content-Type'}`;
}

/** Characters of a line about a failure; without the values where they make it longer. */
const MOST_OF_FAILURE = 200;

/** The flags that say of a target what no variable has to: a run of the library has no command line. */
function idsOf({ userId, otherUserId, missingUserId, roleIds, bannerIds }: Result['target']): string {
  const inFlag = (values: readonly unknown[] | undefined): string | undefined =>
    values && (JSON.stringify(values).slice(1, -1) || '[]');
  const flags = {
    'user-id': userId,
    'other-user-id': otherUserId,
    'missing-user-id': missingUserId,
    'role-ids': inFlag(roleIds),
    'banner-ids': inFlag(bannerIds),
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` --${name}=${shellWord(String(value))}`).join('');
}

/** The command of the run, without what selects checks, as it is started from anywhere: it can be pasted. */
function commandOf({ tool, target }: Result): string {
  const command = tool.command ?? `${tool.name} run ${target.baseUrl}${idsOf(target)}`;
  return command.startsWith(tool.name) ? `npx ${command}` : command;
}

/** The program that ran, as it is started from anywhere. */
export function programOf(result: Result): string {
  return commandOf(result).replace(/ run(?: .*)?$/s, '');
}

/** Checks that tell less alone: a list that refuses the key is wrong only if an update accepts that key. */
const TOLD_BESIDE: Readonly<Record<string, string>> = { 'banners-accepted': 'update-name' };

/** What selects a check again, with what it needs to say the same. */
function selectionOfCheck(check: string): string {
  const beside = TOLD_BESIDE[check];
  return [check, ...(beside === undefined ? [] : [beside])].map((id) => ` --only ${id}`).join('');
}

/** The commands that judge a finding again, failing if it is still there, and explain it. */
export function commandsOf({ level, checks, requirement }: Finding, result: Result) {
  const command = commandOf(result);
  const only = checks[0] === undefined ? selectionOf(result) : selectionOfCheck(checks[0]);
  const failOn = level === 'should' && !/--fail-on[ =]should/.test(command) ? ' --fail-on should' : '';
  return {
    rerun: `${command}${only}${failOn}`,
    explain: `${programOf(result)} explain ${checks[0] ?? requirement}`,
  };
}

/** The arguments of a command of a shell, an option together with its value. */
function argumentsOf(command: string): string[] {
  const argument =
    /(?:(?:curl|npx|-[XH]|--[\w-]+) )?(?:\\.|[^\s'"\\]|'[^']*'|"\$\((?:\\.|'[^']*'|[^')\\])*\)"|"(?:\\.|[^"\\])*"|['"\\])+/gs;
  return command.match(argument) ?? [];
}

/**
 * A command in lines of a width, broken between its arguments so that it can be pasted.
 *
 * @param head what stands before its first line
 * @param indent the blanks before the others
 */
export function brokenCommand(command: string, width: number, { head = '', indent = 2 } = {}): string[] {
  const lines = [head];
  for (const word of argumentsOf(command)) {
    const last = lines.at(-1) ?? '';
    // Two columns are for the blank and the backslash.
    if (last === head) lines[0] = head + word;
    else if (last.length + 1 + word.length <= width - 2) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(' '.repeat(indent) + word);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

/** Levels. A text that nests deeper is not for people. */
const DEEPEST = 30;

/** Characters of a JSON text that is read more easily in one line. */
const SHORT = 60;

/** A JSON text with a line for each value; as it is if it is short, nests too deep, or would lose how its values are spelled. */
export function indented(text: string): string {
  const value = parsedJson(text);
  if (text.length <= SHORT || isDeeperThan(value, DEEPEST)) return text;
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
