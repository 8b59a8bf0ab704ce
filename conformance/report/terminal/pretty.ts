import type { CheckResult, Counts, Result } from '../../result/result.ts';
import { headlineOf } from '../content/headline.ts';
import { observationWords } from '../content/observation-words.ts';
import type { ReasonGroup } from '../content/reason-groups.ts';
import { sectionsOf, type Content, type Section } from '../content/sections.ts';
import { VERDICT_STYLES, wrap, type PrettyOptions } from '../paint.ts';
import { scopeName } from '../scope.ts';
import { counted, groupedBy, legibleValue } from '../../../common/text.ts';
import { briefFinding, prettyFailure, prettyFinding, wholeFinding } from './failure.ts';

function countsWords(counts: Counts): string {
  const parts: readonly (readonly [number, string])[] = [
    [counts.failed, 'failed'],
    [counts.inconclusive, 'inconclusive'],
    [counts.notApplicable, 'not applicable'],
    [counts.error, 'not judged because of an error of the suite'],
  ];
  return [
    `${counts.passed} of ${counts.total} passed`,
    ...parts.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : [])),
    ...(counts.knownFailures > 0 ? [counted(counts.knownFailures, 'known failure')] : []),
  ].join(', ');
}

const MOST_IDS = 12;

/** The ids of a few checks; of many, how many in which area. */
function whichChecks(checks: readonly CheckResult[]): string {
  if (checks.length <= MOST_IDS)
    return checks.map(({ id, level }) => (level === 'must' ? id : `${id} (should)`)).join(', ');
  const areas = groupedBy(checks, ({ area }) => area).map(([area, { length }]) => `${length} of ${area}`);
  return `${areas.join(', ')} (which ones: --report json=PATH)`;
}

function reasonGroup({ reason, detail, missing, checks }: ReasonGroup, { paint, width }: PrettyOptions): string {
  return [
    `  ${paint(['yellow', 'bold'], reason ?? 'not-applicable')}  ${paint('dim', counted(checks.length, 'check'))}`,
    ...[detail, ...missing].map((line) => wrap(line, width, '    ')),
    paint('dim', wrap(whichChecks(checks), width, '    ')),
  ].join('\n');
}

function observationLines(observations: Result['observations'], { paint, width }: PrettyOptions): string[] {
  const seen = observations.filter(({ observed }) => observed !== undefined);
  const unseen = observations.filter(({ observed }) => observed === undefined).map(({ id }) => id);
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

/** How much of a result is shown. */
export interface ReportOptions extends PrettyOptions {
  /** Everything: findings in full, each failed check, the observations also of a run that failed. */
  readonly verbose?: boolean;
}

type Findings = Extract<Content, { readonly kind: 'findings' }>;

/** Unless everything is shown, only findings that decide have their exchanges, if there are any. */
function findingParts({ findings, standing }: Findings, result: Result, options: ReportOptions): string[] {
  if (options.verbose) return findings.map((finding) => wholeFinding(finding, result, options));
  const isBrief = standing === 'known-failure' || (standing === 'tolerated' && result.verdict === 'failed');
  return findings.map((finding) => (isBrief ? briefFinding(finding, options) : prettyFinding(finding, options)));
}

/** The parts of a section. */
function partsOf(content: Content, result: Result, options: ReportOptions): readonly string[] {
  const { paint, width } = options;
  const item = (text: string): string => wrap(text, width, '    ', '  · ');
  switch (content.kind) {
    case 'sentences':
      return content.sentences.map(item);
    case 'findings':
      return findingParts(content, result, options);
    case 'failures':
      return content.checks.map((check) => prettyFailure(check, options));
    case 'reasons':
      return content.groups.map((group) => reasonGroup(group, options));
    case 'checks':
      return content.checks.map(({ id, detail = '' }) => item(`${id}: ${detail}`));
    case 'observations':
      return observationLines(content.observations, options);
    case 'restoration':
      return content.lines.map(({ text, restored }) => {
        return paint(restored ? 'dim' : 'yellow', wrap(text, width));
      });
  }
}

const APART = new Set<Content['kind']>(['findings', 'failures', 'reasons']);

function sectionText({ title, lead, content }: Section, result: Result, options: ReportOptions): string {
  const { paint, width } = options;
  const parts = partsOf(content, result, options);
  // What became of the users is the last line, and needs no head.
  if (content.kind === 'restoration') return parts.join('\n');
  const about = lead === undefined ? [] : [paint('dim', wrap(lead, width, '  '))];
  const head = [paint(['bold', 'underline'], title), ...about].join('\n');
  return [head, ...parts].join(APART.has(content.kind) ? '\n\n' : '\n');
}

/** The check of `--explore`. */
const EXPLORATION = 'update-explored';

function headText(result: Result, { paint, width }: PrettyOptions): string {
  const { label, words, scope, hints } = headlineOf(result);
  const { summary, target, contract, verdict, requirements, checks } = result;
  const name = scopeName(result.selection);
  const apart = requirements.filter(({ outcome }) => outcome === 'not-applicable').length;
  const conforming = requirements.filter(({ outcome }) => outcome === 'passed').length;
  // Its seed is needed to repeat it.
  const explored = checks.find(({ id, outcome }) => id === EXPLORATION && outcome === 'passed')?.detail;
  const row = (key: string, text: string): string => wrap(text, width, ' '.repeat(16), `  ${key.padEnd(14)}`);
  const tag = ` ${label}${name === undefined ? '' : ` (${name})`} `;
  return [
    paint(VERDICT_STYLES[verdict], tag) + wrap(words, width, '  ', `${tag}  `).slice(tag.length),
    ...scope.map((sentence) => wrap(sentence, width, '  ')),
    '',
    ...hints.map((text) => paint('yellow', row('hint', text))),
    ...(hints.length === 0 ? [] : ['']),
    `  target        ${target.baseUrl}`,
    `  contract      ${contract.title} ${contract.version}`,
    row(
      'requirements',
      `${conforming} of ${requirements.length - apart} met${apart > 0 ? `, ${apart} not applicable` : ''}`,
    ),
    row('must checks', countsWords(summary.must)),
    row('should checks', countsWords(summary.should)),
    row('run', `${counted(summary.requests, 'request')} in ${(result.durationMs / 1000).toFixed(1)} s`),
    ...(summary.moreRequests === undefined ? [] : [row('', summary.moreRequests)]),
    ...(explored === undefined ? [] : [row('explored', explored)]),
  ].join('\n');
}

/** What is left out unless everything is shown, and where to see it. */
function moreText(left: readonly Section[], { paint, width }: PrettyOptions): string[] {
  if (left.length === 0) return [];
  const counts = left.map(({ title, count = 0, content: { kind } }) => {
    const text = counted(count, title.toLowerCase().replace(/s$/, ''));
    return kind === 'failures' ? `${text} behind the findings` : text;
  });
  const what = counts.join(' and ');
  return [paint('dim', wrap(`Not shown: ${what}. See them with run --verbose, or in --report html=PATH.`, width))];
}

/** The report for a person at a terminal. */
export function prettyReport(given: Result, options: ReportOptions): string {
  // Nothing shows the exchanges of what passed: most of a result.
  const checks = given.checks.map((check) => (check.outcome === 'passed' ? { ...check, exchanges: [] } : check));
  const result = legibleValue({ ...given, checks });
  const all = sectionsOf(result);
  const isLong = all.some(({ id }) => id === 'findings-failed');
  const isLeft = ({ content: { kind } }: Section): boolean =>
    !options.verbose && (kind === 'failures' || (kind === 'observations' && isLong));
  const left = all.filter(isLeft);
  const texts = all
    .filter((section) => !left.includes(section))
    .map((section) => sectionText(section, result, options))
    .toSpliced(-1, 0, ...moreText(left, options));
  return `${[headText(result, options), ...texts].join('\n\n')}\n`;
}
