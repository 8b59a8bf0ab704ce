import {
  countOutcomes,
  isScored,
  type CheckResult,
  type Finding,
  type RequirementResult,
  type Result,
} from '../../result/result.ts';
import { AGAIN } from '../../result/again.ts';
import { WORST_FIRST } from '../../result/verdict.ts';
import { counted, groupedBy, shortened } from '../../../common/text.ts';
import {
  apartFromFindings,
  checksStanding,
  findingsStanding,
  standingOf,
  toleratedBecause,
  type FindingStanding,
  type Standing,
} from '../content/check-standing.ts';
import { failureLines, findingFacts, requirementsOf } from '../content/failure.ts';
import { headlineOf } from '../content/headline.ts';
import { detailText } from '../content/observation-words.ts';
import { reasonGroups } from '../content/reason-groups.ts';
import { restorationLines } from '../content/restoration.ts';
import { isPartial } from '../content/scope.ts';
import {
  joined,
  listOf,
  piecesOf,
  prose,
  type Deviation,
  type Document,
  type Inline,
  type Item,
  type Node,
  type Section,
  type Text,
} from '../document.ts';

/** Characters. */
const LONGEST_TITLE = 400;

function anchor(kind: 'check' | 'finding' | 'requirement', id: string): string {
  return `${kind}-${encodeURIComponent(id)}`;
}

function linkTo(kind: Parameters<typeof anchor>[0], id: string): Inline {
  return { link: `#${anchor(kind, id)}`, text: { code: id } };
}

function code(text: string): Inline {
  return { code: text };
}

/** What a finding and a failed check have in common. */
function shared(failed: CheckResult | Finding, result: Result) {
  return {
    type: 'deviation',
    level: isScored(failed) ? failed.level : 'not scored',
    requirements: requirementsOf(failed, result).map(({ id, text, source }) => ({ id, text: prose(text), source })),
    lines: failureLines(failed, result),
    curl: failed.curl === undefined || failed.curl === '' ? [] : failed.curl.split(/\n(?=curl )/),
  } as const;
}

function findingNode(finding: Finding, result: Result, form: Deviation['form']): Deviation {
  const { id, title, checks, consequences, pointer } = finding;
  return {
    ...shared(finding, result),
    id: anchor('finding', String(result.findings.indexOf(finding) + 1)),
    name: id,
    isFinding: true,
    title: prose(shortened(title, LONGEST_TITLE)),
    facts: findingFacts(finding),
    ...(pointer !== undefined && { pointer }),
    related: [
      ['Failed checks', checks.map((each) => linkTo('check', each))],
      ...(consequences.length === 0 ? [] : [['Inconclusive because of it', consequences.map(code)] as const]),
    ],
    form,
  };
}

/** A failed check with all that belongs to it. */
export function checkNode(check: CheckResult, result: Result): Deviation {
  const { id, title, failure, requirements } = check;
  return {
    ...shared(check, result),
    id: anchor('check', id),
    name: id,
    isFinding: false,
    title: prose(shortened(failure?.message ?? title, LONGEST_TITLE)),
    facts: [title],
    ...(failure?.pointer !== undefined && { pointer: failure.pointer }),
    related: [['Judges', requirements.map((each) => linkTo('requirement', each))]],
    form: 'short',
  };
}

function findingSection(result: Result, standing: FindingStanding, title: string, lead?: string): Section {
  const findings = findingsStanding(result, standing);
  const isBrief = standing === 'known-failure' || (standing === 'tolerated' && result.verdict === 'failed');
  const nodes = findings.map((finding, index) => {
    const form = isBrief ? 'brief' : index === 0 && standing === 'failed' ? 'open' : 'short';
    return findingNode(finding, result, form);
  });
  return {
    id: `findings-${standing}`,
    title,
    count: nodes.length,
    nodes,
    ...(lead !== undefined && { lead: prose(lead) }),
  };
}

const MARKS = { fixed: 'good', 'still-there': 'bad', 'not-seen-again': 'other' } as const;

/** What became of the findings of an earlier result. */
function againSection({ again = [] }: Result): Section {
  const items = again.map(({ id, title, outcome, sporadic, requests }): Item => {
    const words: Text[] = [{ bold: AGAIN[outcome].words }, ': ', code(id), ' ', prose(shortened(title, LONGEST_TITLE))];
    const proof =
      outcome === 'not-seen-again' && sporadic === true ? '; it comes now and then, so they prove nothing' : '';
    const sent: Text = { soft: ` (${counted(requests, 'request')}${proof})` };
    return { mark: MARKS[outcome], lines: [joined([...words, sent], '')] };
  });
  return {
    id: 'again',
    title: 'Findings of the earlier result',
    count: again.length,
    nodes: [{ type: 'list', items }],
  };
}

function sentences(id: string, title: string, all: readonly string[]): Section {
  return { id, title, count: all.length, nodes: [listOf([...new Set(all)].map(prose))] };
}

function idsOf(checks: readonly CheckResult[]): Node {
  const areas = groupedBy(checks, ({ area }) => area).map(([area, { length }]) => `${length} of ${area}`);
  return {
    type: 'ids',
    title: 'Which checks',
    ids: checks.map(({ id, level }) => (level === 'must' ? id : `${id} (should)`)),
    sum: `${areas.join(', ')} (which ones: --report json=PATH)`,
  };
}

function reasons(id: string, title: string, checks: readonly CheckResult[]): Section {
  const nodes = reasonGroups(checks).map(({ reason = 'not-applicable', detail, missing, checks: own }): Node => {
    const inputs = missing.length === 0 ? [] : [listOf(missing)];
    const title = [reason, { soft: ` ${counted(own.length, 'check')}` }];
    return { type: 'group', title, nodes: [{ type: 'paragraph', text: prose(detail) }, ...inputs, idsOf(own)] };
  });
  return { id, title, count: checks.length, nodes };
}

function observationText({ id, text, detail }: Result['observations'][number]): Text {
  const words = prose(text.replace(/\.$/, ''));
  return [...piecesOf(words), shortened(detailText(detail), 2_000), ' ', { soft: `(${id})` }];
}

/** What may be the cause of findings is shown also where observations are left out. */
function observationSections({ observations, verdict }: Result): Section[] {
  const seen = observations.filter(({ observed }) => observed !== undefined);
  const unseen = observations.filter(({ observed }) => observed === undefined).map(({ id }) => id);
  const isLeftOut = verdict === 'failed';
  const respelled = isLeftOut ? seen.filter(({ observed }) => observed === 'respelled').map(observationText) : [];
  const rest: Text[] = unseen.length === 0 ? [] : [{ soft: `Not seen in this run: ${unseen.join(', ')}.` }];
  return [
    { id: 'spellings', title: 'Other spellings', count: respelled.length, nodes: [listOf(respelled)] },
    {
      ...{ id: 'observations', title: 'Observations', count: seen.length === 0 ? 0 : observations.length },
      lead: 'What this target does where the contract is silent. None of it is judged.',
      nodes: [listOf([...seen.map(observationText), ...rest])],
      isFolded: true,
      ...(isLeftOut && { leftOut: counted(observations.length, 'observation') }),
    },
  ];
}

function requirementEntry({ id, level, text, source, outcome, checks: ids }: RequirementResult, result: Result): Node {
  const checks = result.checks.filter((check) => ids.includes(check.id));
  const items = checks.map((check): Text => {
    const name = check.outcome === 'failed' ? linkTo('check', check.id) : code(check.id);
    return [{ tag: standingOf(check, result.selection) }, ' ', name, ' ', ...joined([prose(check.title)])];
  });
  const { passed, notApplicable, total } = countOutcomes(checks);
  const found = `${passed} of ${total - notApplicable} passed`;
  return {
    type: 'entry',
    id: anchor('requirement', id),
    summary: [{ tag: outcome }, ' ', { tag: level }, ' ', code(id), { soft: ` ${found}` }],
    nodes: [{ type: 'paragraph', text: [...joined([prose(text)]), { soft: ` Source: ${source}` }] }, listOf(items)],
  };
}

/** What each requirement came to, the worst first: for a page, which has room for it. */
function requirementSection(result: Result): Section {
  const { requirements } = result;
  const nodes = WORST_FIRST.flatMap((outcome) => requirements.filter((each) => each.outcome === outcome));
  return {
    ...{ id: 'requirements', title: 'Requirements', count: requirements.length, isForPage: true },
    lead: 'Each requirement takes the outcome of its worst check.',
    nodes: nodes.map((requirement) => requirementEntry(requirement, result)),
  };
}

/** With what, and by which contract, the target was judged. */
function settingsSection({ target, contract, tool, selection, startedAt }: Result): Section {
  const told = Object.entries(target).filter(([name]) => name !== 'baseUrl');
  const rows: (readonly [string, Text])[] = [
    ['Started', startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')],
    ['Fails on', selection.failOn === 'must' ? 'a failed must' : 'a failed must or should'],
    ...told.map(([name, value]) => [name, code(typeof value === 'string' ? value : JSON.stringify(value))] as const),
    ['Suite', `${tool.name} ${tool.version}`],
    ['Contract digest', code(contract.digest)],
    ['Scored checks digest', code(contract.scoredSetDigest)],
  ];
  return { id: 'settings', title: 'Settings and versions', nodes: [{ type: 'fields', rows }], isForPage: true };
}

/** The sections that are not empty; the findings come first. */
function sectionsOf(result: Result): Section[] {
  const { restoration, summary } = result;
  const errors = checksStanding(result, 'error').map(({ detail = '' }) => detail);
  const problems = summary.baselineProblems.map(({ kind, message }) => `${kind}: ${message}`);
  const apart = (standing: Standing): CheckResult[] => apartFromFindings(checksStanding(result, standing), result);
  const known = apart('known-failure').filter(({ outcome }) => outcome === 'inconclusive');
  const failed = result.checks.filter(({ outcome }) => outcome === 'failed');
  const because = [...new Set(findingsStanding(result, 'tolerated').map(toleratedBecause))].join(', or ');
  const lines = restorationLines(restoration);
  const sections: Section[] = [
    // If the suite itself failed, nothing below can be trusted.
    sentences('errors', 'Errors of the suite', errors),
    againSection(result),
    findingSection(result, 'failed', 'Findings'),
    findingSection(result, 'tolerated', 'Findings that do not fail the run', `Not counted, because ${because}.`),
    findingSection(result, 'known-failure', 'Known findings', 'The baseline lists these; they do not decide.'),
    sentences('baseline', 'Baseline entries that no longer hold', problems),
    reasons('inconclusive', 'Inconclusive checks', apart('inconclusive')),
    sentences(
      'known-failures',
      'Checks that are known to be inconclusive',
      known.map(({ id, detail = '' }) => `\`${id}\`: ${detail}`),
    ),
    reasons('not-applicable', 'Checks that do not apply', checksStanding(result, 'not-applicable')),
    {
      ...{ id: 'failures', title: 'Failed checks', lead: 'Each check that shows a finding.', count: failed.length },
      nodes: failed.map((check) => checkNode(check, result)),
      isFolded: true,
      leftOut: `${counted(failed.length, 'failed check')} behind the findings`,
    },
    requirementSection(result),
    ...observationSections(result),
    {
      ...{ id: 'restoration', title: 'Restoration of the users' },
      nodes: lines.map(({ text, restored }) => {
        const sign: Inline = restored ? { tag: 'passed', text: '✓' } : { tag: 'failed', text: '✗' };
        return { type: 'paragraph', text: [sign, ' ', ...piecesOf(prose(shortened(text, 1_000)))] };
      }),
    },
    settingsSection(result),
  ];
  return sections.filter(({ count }) => count !== 0);
}

const EXPLORATION = 'update-explored';

/** A result as every report for people shows it. */
export function resultDocument(result: Result): Document {
  const { contract, target, tool, verdict, summary, selection, requirements, checks, durationMs } = result;
  const { label, words, scope, exit, hints } = headlineOf(result);
  const selected = (key: string, entries: readonly string[]): (readonly [string, Text])[] =>
    entries.length === 0 ? [] : [[key, joined(entries.map(code))]];
  // Its seed is needed to repeat it.
  const explored = checks.find(({ id, outcome }) => id === EXPLORATION && outcome === 'passed')?.detail;
  const ofRequirements = countOutcomes(requirements.map(({ outcome }) => ({ outcome, knownFailure: false })));
  return {
    title: `Conformance of ${target.baseUrl}`,
    tone: verdict,
    label,
    ...(isPartial(selection) && { scope: 'selection' }),
    words,
    notes: scope,
    exit,
    hints,
    nodes: [
      {
        type: 'fields',
        rows: [
          ['target', code(target.baseUrl)],
          ['contract', `${contract.title} ${contract.version}`],
          ['run', `${counted(summary.requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s`],
          ...(summary.moreRequests === undefined ? [] : [['', summary.moreRequests] as const]),
          ...selected('only', selection.only),
          ...selected('without', selection.skip),
          ...(explored === undefined ? [] : [['explored', explored] as const]),
        ],
      },
      {
        type: 'counts',
        rows: [
          ['requirements', ofRequirements],
          ['must checks', summary.must],
          ['should checks', summary.should],
        ],
      },
    ],
    sections: sectionsOf(result),
    footer: `Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.`,
  };
}
