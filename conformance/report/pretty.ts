import { requirements as contractRequirements } from '../../contract/document.ts';
import {
  isScored,
  type CheckResult,
  type Counts,
  type ExchangeRecord,
  type RequirementResult,
  type Result,
} from '../result/result.ts';
import { scopeName, scopeWords } from './scope.ts';
import { counted, groupedBy, legibleValue } from '../../common/text.ts';
import { wrap, wrapJson, type Paint } from './paint.ts';
import { hintTexts, isStandIn, pathOf } from './standing.ts';
import { observationWords } from './observation-words.ts';
import { HEADLINES, missingInputLines, verdictWords } from './wording.ts';

/** How a report for people is laid out. */
export interface PrettyOptions {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
}

function countsWords(counts: Counts): string {
  const parts = [
    `${counts.passed} of ${counts.total - counts.notApplicable} passed`,
    counts.failed > 0 ? `${counts.failed} failed` : '',
    counts.inconclusive > 0 ? `${counts.inconclusive} was inconclusive` : '',
    counts.notApplicable > 0 ? `${counts.notApplicable} not applicable` : '',
    counts.suiteError > 0 ? `${counts.suiteError} suite faults` : '',
    counts.knownFailure > 0 ? `${counts.knownFailure} known failure` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function shortJson(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** A value as JSON where it stands in a body; a text of our own as it is. */
function valueText(value: unknown, inBody: boolean): string {
  return inBody && !isStandIn(value) ? shortJson(JSON.stringify(value)) : shortJson(value);
}

/** A curl line broken at its arguments, so that it fits and can still be pasted. */
function brokenCurl(curl: string, width: number, indent: string): string {
  const parts = curl.match(/(?:\\.|[^\s'"\\]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? [curl];
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && /^-[XH]$|^--data-raw$|^curl$/.test(last)) joined[joined.length - 1] = `${last} ${part}`;
    else joined.push(part);
  }
  const lines = [''];
  for (const part of joined) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && indent.length + line.length + part.length + 3 > width) lines.push(part);
    else lines[lines.length - 1] = line === '' ? part : `${line} ${part}`;
  }
  return lines.map((line, index) => `${indent}${index === 0 ? '' : '  '}${line}`).join(' \\\n');
}

function requestLines(
  { request, credential, response, transportError }: ExchangeRecord,
  { paint, width }: PrettyOptions,
): string[] {
  const lines = [
    `      ${paint('bold', `${request.method} ${pathOf(request.url)}`)}  ${paint('dim', `with ${credential}`)}`,
  ];
  if (request.body !== undefined) lines.push(wrapJson(shortJson(request.body), width, '        '));
  const got = response
    ? `${response.status} ${response.headers['content-type'] ?? '(no Content-Type)'}`
    : `no answer: ${transportError?.detail ?? ''}`;
  lines.push(`      ${paint('dim', '→')} ${got}`);
  if (response && response.body !== '') lines.push(wrapJson(shortJson(response.body), width, '        '));
  return lines;
}

function labelled(label: string, text: string, { paint, width }: PrettyOptions): string {
  const lead = `      ${label.padEnd(9)}`;
  const wrapped = wrap(text, width, ' '.repeat(lead.length), lead);
  return `      ${paint('dim', label.padEnd(9))}${wrapped.slice(lead.length)}`;
}

function failedCheck(check: CheckResult, options: PrettyOptions): string {
  const { failure, exchanges, curl } = check;
  const { paint, width } = options;
  const lines = [
    `    ${paint('red', '✗')} ${paint('bold', check.id)}${check.knownFailure ? paint('dim', '  (known failure)') : ''}`,
  ];
  if (failure) {
    const inBody = failure.pointer !== undefined && failure.pointer !== '';
    const where = inBody ? ` at ${failure.pointer ?? ''}` : '';
    lines.push(
      wrap(failure.message, width, '      '),
      ...exchanges.slice(-2).flatMap((exchange) => requestLines(exchange, options)),
      labelled('expected', valueText(failure.expected, inBody), options),
      labelled('got', `${valueText(failure.actual, inBody)}${where}`, options),
      labelled('to mend', failure.advice, options),
      labelled('alone', `run --only ${check.id}`, options),
    );
  }
  const commands = curl?.split(/\n(?=curl )/) ?? [];
  lines.push(...commands.map((command) => paint('dim', brokenCurl(command, width, '      '))));
  return lines.join('\n');
}

function requirementLines({ id, level, text, source }: RequirementResult, { paint, width }: PrettyOptions): string[] {
  return [
    `  ${paint(['red', 'bold'], id)}  ${paint('dim', level)}`,
    wrap(text, width, '    '),
    paint('dim', wrap(`Source: ${source}`, width, '    ')),
  ];
}

/**
 * What the report says of one failed check, by itself.
 *
 * @param requirements those that it judges
 */
export function failedCheckReport(
  check: CheckResult,
  requirements: readonly RequirementResult[],
  options: PrettyOptions,
): string {
  return [
    ...requirements.flatMap((requirement) => requirementLines(requirement, options)),
    '',
    failedCheck(check, options),
  ].join('\n');
}

/** The check of `--explore`. */
const EXPLORATION = 'update-explored';

const MOST_CHECKS = 3;

function failedRequirement(
  requirement: RequirementResult,
  own: readonly CheckResult[],
  elsewhere: readonly CheckResult[],
  options: PrettyOptions,
): string {
  const { width } = options;
  const lines = [
    ...requirementLines(requirement, options),
    ...own.slice(0, MOST_CHECKS).map((check) => `\n${failedCheck(check, options)}`),
  ];
  const more = own.slice(MOST_CHECKS).map(({ id }) => id);
  if (more.length > 0) lines.push('', wrap(`and ${more.length} more: ${more.join(', ')}`, width, '      ', '    '));
  if (elsewhere.length > 0) {
    lines.push('', wrap(`Broken, as named above, by ${elsewhere.map(({ id }) => id).join(', ')}.`, width, '    '));
  }
  return lines.join('\n');
}

/** Where a requirement stands in the contract; one that this version of it does not know, behind all others. */
function placeOf({ id }: RequirementResult): number {
  const place = contractRequirements.findIndex((each) => each.id === id);
  return place < 0 ? contractRequirements.length : place;
}

function failures({ requirements, checks }: Result, options: PrettyOptions): string[] {
  const shown = new Set<string>();
  return [...requirements]
    .filter(({ outcome }) => outcome === 'failed')
    .sort((left, right) => left.level.localeCompare(right.level) || placeOf(left) - placeOf(right))
    .map((requirement) => {
      const failed = checks.filter((check) => check.outcome === 'failed' && requirement.checks.includes(check.id));
      const own = failed.filter(({ id }) => !shown.has(id));
      const elsewhere = failed.filter(({ id }) => shown.has(id));
      for (const { id } of own) shown.add(id);
      return failedRequirement(requirement, own, elsewhere, options);
    });
}

const MOST_IDS = 12;

/** The ids of a few checks; of many, how many in which area. */
function whichChecks(group: readonly CheckResult[]): string {
  if (group.length <= MOST_IDS) {
    return group.map(({ id, level }) => (level === 'must' ? id : `${id} (should)`)).join(', ');
  }
  const areas = groupedBy(group, ({ area }) => area).map(([area, { length }]) => `${length} of ${area}`);
  return `${areas.join(', ')} (which ones: --report json=PATH)`;
}

function unseenGroup(
  group: readonly CheckResult[],
  reason: string,
  details: readonly string[],
  options: PrettyOptions,
): string {
  const { paint, width } = options;
  return [
    `  ${paint(['yellow', 'bold'], reason)}  ${paint('dim', counted(group.length, 'check'))}`,
    ...details.map((detail) => wrap(detail, width, '    ')),
    paint('dim', wrap(whichChecks(group), width, '    ')),
  ].join('\n');
}

interface SplitDetail {
  /** All before the first code span. */
  readonly lead: string;
  /** The members that it names. */
  readonly members: readonly string[];
  /** All behind the last one. */
  readonly rest: string;
}

function splitDetail(detail = ''): SplitDetail {
  const [, lead = detail, named = '', rest = ''] = /^([^`]*)(`.*`)([^`]*)$/s.exec(detail) ?? [];
  return { lead, members: named.match(/`[^`]*`/g) ?? [], rest };
}

/** The reasons of a group in one: they are the same but for the members that they name, and for where these are missing. */
function mergedDetail(group: readonly CheckResult[]): string {
  const details = [...new Set(group.map(({ detail = '' }) => detail))];
  const [only = ''] = details;
  if (details.length === 1) return only;
  const split = details.map(splitDetail);
  const rests = new Set(split.map(({ rest }) => rest));
  const members = [...new Set(split.flatMap((each) => each.members))].sort();
  return `${splitDetail(only).lead}${members.join(', ')}${rests.size === 1 ? [...rests].join('') : ' where that is needed'}`;
}

function unseenChecks(checks: readonly CheckResult[], options: PrettyOptions): string[] {
  const missing = checks.filter(({ reason }) => reason === 'missing-input');
  const others = checks.filter(({ reason }) => reason !== 'missing-input');
  const groups = groupedBy(others, ({ reason, detail }) => `${reason ?? ''}\n${splitDetail(detail).lead}`);
  return [
    ...(missing.length > 0
      ? [
          unseenGroup(
            missing,
            'missing-input',
            ['Not set; set it and run again:', ...missingInputLines(missing)],
            options,
          ),
        ]
      : []),
    ...groups.map(([, group]) => {
      const [first] = group;
      return unseenGroup(group, first?.reason ?? first?.outcome ?? '', [mergedDetail(group)], options);
    }),
  ];
}

function observations({ observations: all }: Result, { paint, width }: PrettyOptions): string[] {
  const seen = all.filter(({ observed }) => observed !== undefined);
  const unseen = all.filter(({ observed }) => observed === undefined).map(({ id }) => id);
  const lines = seen.map((observation) => {
    const { id } = observation;
    const line = wrap(`${observationWords(observation)} (${id})`, width, '    ', '  · ');
    // The last: a target may show the id of an open point as one of its values.
    const at = line.lastIndexOf(id);
    return at < 0 ? line : line.slice(0, at) + paint('dim', id) + line.slice(at + id.length);
  });
  return unseen.length === 0
    ? lines
    : [...lines, paint('dim', wrap(`Not seen in this run: ${unseen.join(', ')}.`, width, '    ', '  · '))];
}

function restorationLines({ restoration }: Result, { paint, width }: PrettyOptions): string[] {
  const { outcome, users, journal } = restoration;
  if (outcome === 'none') return ['No user was written to.'];
  const lines = users.map(({ id, members }) => {
    const back = members.filter((member) => member.outcome === 'restored').map(({ member }) => member);
    const words = back.length > 0 ? `${back.join(', ')} put back and seen` : 'nothing could be put back';
    const rest = members
      .filter((member) => member.outcome !== 'restored')
      .map(
        ({ member, outcome: kind, detail }) =>
          `${member} ${kind === 'sent' ? 'sent back, but not shown' : 'NOT put back'}${detail === undefined ? '' : ` (${detail})`}`,
      );
    return wrap([`User ${id}: ${words}`, ...rest].join('; '), width, '  ', '');
  });
  if (outcome === 'complete') return lines.map((line) => paint('dim', line));
  const journalLine =
    journal === undefined ? [] : [`Journal: ${journal}`, `To try again: admin-api-conformance restore ${journal}`];
  return [...lines, ...journalLine].map((line) => paint('yellow', line));
}

function heading(text: string, paint: Paint): string {
  return paint(['bold', 'underline'], text);
}

/** Checks that are newer than the scored set: what they found, so that nobody is surprised when they count. */
function unscoredChecks(checks: readonly CheckResult[], options: PrettyOptions): string[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const others = checks.filter(({ outcome }) => outcome !== 'failed');
  const lines = groupedBy(others, ({ outcome }) => outcome).map(([outcome, group]) =>
    wrap(`${outcome}: ${whichChecks(group)}`, options.width, '      ', '    '),
  );
  return [...failed.map((check) => failedCheck(check, options)), ...(lines.length > 0 ? [lines.join('\n')] : [])];
}

function hintLines(result: Result, { paint, width }: PrettyOptions): string[] {
  const lines = hintTexts(result).map((text) => paint('yellow', wrap(text, width, ' '.repeat(16), '  hint          ')));
  return lines.length === 0 ? [] : [...lines, ''];
}

/** What was explored without a finding: its seed is needed to repeat it. */
function explorationLines({ checks }: Result, { width }: PrettyOptions): string[] {
  const explored = checks.find(({ id, outcome }) => id === EXPLORATION && outcome === 'passed');
  return explored?.detail === undefined ? [] : [wrap(explored.detail, width, ' '.repeat(16), '  explored      ')];
}

/** The report for a person: verdict, failures, what was inconclusive, observations, restoration. */
export function prettyReport(given: Result, options: PrettyOptions): string {
  const result = legibleValue(given);
  const { paint, width } = options;
  const { label, style, words } = HEADLINES[result.verdict];
  const { must, should, requests, baselineProblems } = result.summary;
  const scored = result.checks.filter(isScored);
  const unscored = result.checks.filter((check) => !isScored(check));
  const scope = scopeWords(result.selection);
  const name = scopeName(result.selection);
  const apart = result.requirements.filter(({ outcome }) => outcome === 'not-applicable').length;
  const kept = result.requirements.filter(({ outcome }) => outcome === 'passed').length;
  const sections: string[] = [
    [
      `${paint(style, name === undefined ? label : `${label.trimEnd()} (${name}) `)}  ${verdictWords(result, words)}`,
      ...scope.map((sentence) => wrap(sentence, width, '  ')),
      '',
      ...hintLines(result, options),
      `  target        ${result.target.baseUrl}`,
      `  contract      ${result.contract.title} ${result.contract.version}`,
      `  requirements  ${kept} of ${result.requirements.length - apart} kept${apart > 0 ? `, ${apart} not applicable` : ''}`,
      wrap(countsWords(must), width, ' '.repeat(16), '  must checks   '),
      wrap(countsWords(should), width, ' '.repeat(16), '  should checks '),
      `  run           ${counted(requests, 'request')} in ${(result.durationMs / 1000).toFixed(1)} s`,
      ...explorationLines(result, options),
    ].join('\n'),
  ];
  const faults = scored.filter(({ outcome }) => outcome === 'error');
  if (faults.length > 0) {
    const details = [...new Set(faults.map(({ detail }) => detail ?? ''))].map((detail) => wrap(detail, width, '  '));
    sections.push([heading('Faults of the suite', paint), ...details].join('\n\n'));
  }
  if (baselineProblems.length > 0) {
    const lines = baselineProblems.map(({ kind, message }) => wrap(`${kind}: ${message}`, width, '  '));
    sections.push([heading('Baseline', paint), ...lines].join('\n'));
  }
  const failed = failures(result, options);
  if (failed.length > 0) sections.push([heading('Broken requirements', paint), ...failed].join('\n\n'));
  const unseen = scored.filter(({ outcome }) => outcome === 'inconclusive');
  if (unseen.length > 0)
    sections.push([heading('Could not run', paint), ...unseenChecks(unseen, options)].join('\n\n'));
  const inapplicable = scored.filter(({ outcome }) => outcome === 'not-applicable');
  if (inapplicable.length > 0) {
    sections.push([heading('Not applicable', paint), ...unseenChecks(inapplicable, options)].join('\n\n'));
  }
  if (unscored.length > 0) {
    const lead = wrap(
      `Newer than the scored set of contract ${result.contract.version}: they count from its next version on.`,
      width,
      '  ',
    );
    sections.push(
      [`${heading('Reported, not scored', paint)}\n${paint('dim', lead)}`, ...unscoredChecks(unscored, options)].join(
        '\n\n',
      ),
    );
  }
  if (result.observations.length > 0) {
    const lead = wrap('What this target does where the contract is silent. None of it is judged.', width, '  ');
    sections.push([heading('Observations', paint), paint('dim', lead), ...observations(result, options)].join('\n'));
  }
  sections.push(restorationLines(result, options).join('\n'));
  return `${sections.join('\n\n')}\n`;
}
