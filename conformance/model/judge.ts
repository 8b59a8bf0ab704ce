import type { Check } from './check.ts';
import type { Recording } from './recording/recording.ts';
import { type Explained, explain } from './causes.ts';
import { ABSENT, inWords } from '../http/exchange.ts';
import type { Deviation, Facts } from './facts.ts';
import { type Passed, passOver } from './pass.ts';
import { type View, valuesSent } from './recording/view.ts';
import type { JudgedOperation, Rows } from './responses.ts';
import { judgeCheck, type Judgement } from './verdicts.ts';

/** What the model says of a recording. */
export interface Judged {
  readonly view: View;
  readonly facts: Facts;
  readonly why: ReadonlyMap<Facts['deviations'][number], Explained>;
  readonly checks: readonly JudgedCheck[];
  /** What speaks against a judgement of the users, in words: another run, another client, or a target that was away. */
  readonly disturbed?: string | undefined;
}

export interface JudgedCheck {
  readonly check: Check;
  readonly said: Judgement;
}

/** As many values of one member that nobody in the run sent, and that nothing explains, come from another client. */
const FOREIGN_VALUES = 3;

/** What shows that another client changes the users: their texts change again and again to values that the suite never sent. */
function foreignChanges({ exchanges }: View, { deviations }: Facts): string | undefined {
  const sent = new Set(exchanges.flatMap((each) => valuesSent(each)));
  // Not every body is JSON: a form writes blanks in other ways.
  const plain = (text: string): string => text.replaceAll(/\+|%20/g, ' ');
  const bodies = exchanges.flatMap(({ request: { body } }) => (body === undefined ? [] : [plain(body)]));
  const found = new Map<string, Set<unknown>>();
  for (const { kind, change, member, subject, actual, old, expected } of deviations) {
    if (kind !== 'changed' || change?.blamed === 'unusual' || (member !== 'name' && member !== 'email')) continue;
    if (typeof actual !== 'string' || actual === '' || actual === ABSENT || sent.has(actual) || actual === old)
      continue;
    // What is made of a value that was sent is the target's work.
    if (bodies.some((body) => body.includes(plain(actual)))) continue;
    if ([...sent].some((value) => typeof value === 'string' && isMadeOf(actual, value))) continue;
    const values = found.get(`${subject ?? ''} ${member}`) ?? new Set([expected].filter((each) => !sent.has(each)));
    found.set(`${subject ?? ''} ${member}`, values.add(actual));
  }
  const [most] = [...found].filter(([, values]) => values.size >= FOREIGN_VALUES);
  if (!most) return undefined;
  const [, values] = most;
  return `somebody else changed the users: ${values.size} values that this run did not send, such as ${inWords([...values].at(-1))}`;
}

/** Characters. Shorter texts, of which the suite sends some, occur in any other by chance. */
const LEAST_PART = 3;

/** Whether a text is another one, or a part of it, but for letter case and what stands between words. */
function isMadeOf(value: string, sent: string): boolean {
  const [one = '', other = ''] = [value, sent].map((text) => text.toLowerCase().replaceAll(/[\s._+-]+/g, ''));
  return Math.min(one.length, other.length) >= LEAST_PART && (one.includes(other) || other.includes(one));
}

/** While another run changes what this one writes, what a check sees of that may be the work of that run. */
function asDisturbed(
  said: Judgement,
  { operations }: Check,
  { showWritten }: Pick<Passed, 'showWritten'>,
  disturbed: string | undefined,
): Judgement {
  const seesWritten = operations.some((id) => showWritten.has(id));
  if (disturbed === undefined || said.outcome !== 'failed' || !seesWritten) return said;
  const exchanges = said.deviation.shows ?? [said.deviation.x];
  return { outcome: 'inconclusive', reason: 'disturbed', detail: disturbed, exchanges, causes: [] };
}

/** A change that one of several updates made fails those of their checks that are selected, if the one that is blamed is not. */
function amongSelected(d: Deviation, selected: ReadonlySet<string>): Deviation {
  const checks = (d.change?.possible ?? []).filter((id) => selected.has(id));
  const isBlamed = d.checks.length === 0 || d.checks.some((id) => selected.has(id));
  return checks.length === 0 || isBlamed ? d : { ...d, checks };
}

/** Nor has a check passed where what changed something may be of its kind, and its check is not selected. */
function asBlamed(said: Judgement, check: Check, { deviations }: Facts, selected: ReadonlySet<string>): Judgement {
  if (said.outcome !== 'passed' || !Array.isArray(check.alongside)) return said;
  const d = deviations.find(
    ({ change, checks, requirements }) =>
      change && !checks.some((id) => selected.has(id)) && requirements.some((id) => check.requirements.includes(id)),
  );
  if (!d) return said;
  const detail = `the update that changed something may be another one: ${d.checks.join(', ')} fails, and is not selected`;
  return { outcome: 'inconclusive', reason: 'precondition-failed', detail, exchanges: d.shows ?? [d.x], causes: [] };
}

/**
 * Judges a recording: one pass gives deviations and witnesses, the table of causes their roots, and each check asks.
 *
 * @param checks those that were selected
 * @param error of the suite, which leaves nothing to be judged
 */
export function judgeRecording(
  recording: Recording,
  checks: readonly Check[],
  operations: readonly JudgedOperation[],
  rows: Pick<Rows, 'refusals'>,
  error?: Error,
): Judged {
  return judgeFacts(passOver(recording, operations, rows), checks, error);
}

/** Judges what one pass over a recording found. */
export function judgeFacts({ view, ...found }: Passed, checks: readonly Check[], error?: Error): Judged {
  const selected = new Set(checks.map(({ id }) => id));
  const facts = { ...found, deviations: found.deviations.map((each) => amongSelected(each, selected)) };
  const why = explain(facts.deviations);
  const disturbed = view.disturbed ?? foreignChanges(view, facts);
  return {
    disturbed,
    view,
    facts,
    why,
    checks: checks.map((check) => {
      const said = asBlamed(judgeCheck(check, view, facts, why, error), check, facts, selected);
      return { check, said: asDisturbed(said, check, found, disturbed) };
    }),
  };
}
