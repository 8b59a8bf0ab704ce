/** Makes findings of what is broken: one for each requirement, with the plainest evidence, and all that failed. */
import { groupedBy, present } from '../../common/text.ts';
import { type Level, LEVELS, levelOf } from '../../contract/document.ts';
import type { Check } from '../engine/check.ts';
import type { Judgement } from '../engine/judge.ts';
import type { Exchange } from '../facts/exchange.ts';
import type { Broken, Fault, Problem } from '../facts/fault.ts';
import type { ExchangeRecord, Failure, Finding } from '../facts/result.ts';
import type { Recorder } from '../http/record.ts';
import { requestInWords, wordsOf, wordsOfProblem } from './titles.ts';

/** What findings are made of. */
type Found = Pick<Judgement, 'broken' | 'checks'>;

/** A status that came in place of another one. */
interface WrongStatus {
  /** Of the finding, if several requirements are broken by it. */
  readonly id: string;
  readonly due: number;
  readonly came: number;
}

/** What one finding is made of. */
interface Group {
  readonly id: string;
  /** Set if refusals for several reasons get one wrong status. */
  readonly wrongStatus?: WrongStatus | undefined;
  /** The requirements, `must` first. */
  readonly broken: readonly Broken[];
}

const isError = (status: number): boolean => status >= 400 && status <= 599;

/**
 * The status of an error in place of another one; undefined for other problems. Where an update may be accepted or refused, the
 * status of the refusal is meant.
 */
function wrongStatusOf({ problems: [first] }: Broken): WrongStatus | undefined {
  const { fault, aspect } = first ?? {};
  if (fault?.kind !== 'status' || (aspect !== 'status' && aspect !== 'accepted')) return undefined;
  const due = fault.due.find(isError);
  const { came } = fault;
  return due !== undefined && isError(came) ? { id: `status.${due}-is-${came}`, due, came } : undefined;
}

/**
 * What is broken, by requirement; or by the wrong status that breaks several of them. A 5xx status has the same cause only where
 * the target never responds as it should.
 */
function groupsOf({ broken, checks }: Found): Group[] {
  const passed = checks.filter(({ outcome }) => outcome.outcome === 'passed');
  const isUsed = (status: number): boolean => passed.some(({ check }) => isRefusedOnlyWith(check, status));
  const wrong = new Map(
    broken.flatMap((each): [Broken, WrongStatus][] => {
      const status = wrongStatusOf(each);
      return status && (status.came < 500 || !isUsed(status.due)) ? [[each, status]] : [];
    }),
  );
  const ids = [...wrong.values()].map(({ id }) => id);
  const systematic = ids.filter((id, index) => ids.indexOf(id) < index);
  const keyOf = (each: Broken): string => systematic.find((id) => id === wrong.get(each)?.id) ?? each.requirement;
  return groupedBy(broken, keyOf).map(([id, own]): Group => {
    // What must be refused shows a wrong status more plainly than what may be accepted.
    const sorted = own.toSorted((one, other) => rankOf(one) - rankOf(other));
    const wrongStatus = [...wrong.values()].find((each) => each.id === id);
    return { id, broken: sorted, wrongStatus };
  });
}

const isRefusedOnlyWith = (check: Check, status: number): boolean =>
  'requests' in check && check.refusedWith.length === 1 && check.refusedWith[0] === status;

const rankOf = ({ requirement }: Broken): number => LEVELS.indexOf(levelOf(requirement));

/** The title of a finding. If responses showed it, the other statuses that do follow. */
function titleOf(problems: readonly Problem[], wrongStatus: WrongStatus | undefined): string {
  const [first] = problems;
  if (!first) return '';
  if (wrongStatus) return `Refusals that should get ${wrongStatus.due} get ${wrongStatus.came}`;
  const { title } = wordsOfProblem(first);
  if (first.check !== undefined) return title;
  const [, ...others] = new Set(problems.flatMap(({ fault }) => (fault.kind === 'response' ? [fault.status] : [])));
  return others.length === 0 ? title : `${title} (also in responses with ${others.join(', ')})`;
}

/** The member that a fault is about. */
function memberOf(fault: Fault): string | undefined {
  if (fault.kind === 'member') return fault.member;
  return fault.kind === 'response' && fault.rule === 'member-type' ? fault.names?.[0] : undefined;
}

/** Where a fault was found: by a check, or in the response to a request. */
function placeOfFault({ check, exchanges: [cause] }: Problem, text: Recorder['text']) {
  if (check !== undefined) return { check };
  return cause ? { request: text(requestInWords({ request: cause.request })) } : {};
}

/** Every value and form that failed, each once. */
function failuresOf(problems: readonly Problem[], text: Recorder['text']): Failure[] {
  const found = new Map<string, Failure>();
  for (const problem of problems) {
    const { title, expected, actual } = wordsOf(problem.fault);
    const own = { title: text(title), expected: text(expected), actual: text(actual) };
    const key = JSON.stringify([problem.check, own]);
    if (!found.has(key)) found.set(key, { ...placeOfFault(problem, text), ...own });
  }
  return [...found.values()];
}

/** The exchanges of a problem: the guilty one first, then what it needs to be understood and sent again. */
function recordsOf({ exchanges, before = [] }: Problem, record: Recorder['record']): ExchangeRecord[] {
  const [cause, ...after] = exchanges;
  const as = (part: ExchangeRecord['part'], each: Exchange): ExchangeRecord => ({ ...record(each), part });
  return present([
    cause && as('cause', cause),
    ...before.map((each) => as('before', each)),
    ...after.map((each) => as('after', each)),
  ]);
}

/**
 * What a target does wrong: one finding for each broken requirement, `must` first, then in the order of the checks.
 *
 * @param recorder the door through which texts and exchanges leave
 */
export async function findingsOf(found: Found, recorder: Recorder): Promise<Finding[]> {
  if (found.broken.length === 0) return [];
  // The texts take time to read, and most runs need none.
  const { fixOf } = await import('./fixes.ts');
  const findings = groupsOf(found).flatMap(({ id, broken, wrongStatus }): Finding[] => {
    const problems = broken.flatMap((each) => each.problems);
    const requirements = broken.map(({ requirement }) => requirement);
    const [plainest] = problems;
    if (!plainest) return [];
    const { expected, actual } = wordsOfProblem(plainest);
    const level: Level = requirements.some((each) => levelOf(each) === 'must') ? 'must' : 'should';
    return [
      {
        id,
        kind: plainest.fault.kind,
        member: memberOf(plainest.fault),
        level,
        requirement: requirements[0] ?? '',
        title: recorder.text(titleOf(problems, wrongStatus)),
        expected: recorder.text(expected),
        actual: recorder.text(actual),
        failures: failuresOf(problems, recorder.text),
        checks: [...new Set(problems.flatMap(({ check }) => check ?? []))],
        exchanges: recordsOf(plainest, recorder.record),
        fix: fixOf(plainest).text,
        seen: plainest.seen,
        knownFailure: false,
      },
    ];
  });
  const placeOf = ({ checks: [own] }: Finding): number => {
    const place = found.checks.findIndex(({ check }) => check.id === own);
    // Those that no check made come last.
    return place === -1 ? found.checks.length : place;
  };
  return LEVELS.flatMap((level) =>
    findings.filter((each) => each.level === level).sort((one, other) => placeOf(one) - placeOf(other)),
  );
}
