import { groupedBy } from '../../common/text.ts';
import { type Level, responseSchemaOf } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import { rootOf } from '../model/causes.ts';
import type { Deviation } from '../model/facts.ts';
import type { Judged } from '../model/judge.ts';
import { defectsOf, statusOf } from '../model/recording/view.ts';
import { isShownWith } from '../model/verdicts.ts';

/** One finding: a root, with all deviations that show the same, and with what follows from it. */
export interface FailureGroup {
  readonly id: string;
  readonly level: Level;
  /** The requirements that it contradicts, the one that describes it best first. */
  readonly requirements: readonly string[];
  /** The deviation that represents it. */
  readonly lead: Deviation;
  /** Ids of the checks that fail for it: those of the lead, then in the order of the catalogue. */
  readonly checks: readonly string[];
  /** How many requests show it. */
  readonly seen: number;
  /** Whether it comes now and then. */
  readonly isSporadic: boolean;
  /** Ids of the checks that are inconclusive because of it. */
  readonly consequences: readonly string[];
}

function isWrongStatus({ kind, actual }: Deviation): boolean {
  return kind === 'outcome' && typeof actual === 'number';
}

function mostFrequent(statuses: readonly number[]): number | undefined {
  const [most] = groupedBy(statuses, String).sort(([, left], [, right]) => right.length - left.length);
  return most?.[1][0];
}

/** The usual status of the refusals of a run, if it is the same although the contract has several for them. */
function onlyRefusal(exchanges: readonly Exchange[]): number | undefined {
  const refused = exchanges.filter((each) => {
    const { due, meant } = each.request;
    const isKnown = due.class === 'refuse' && meant.id === 'valid' && defectsOf(each.request).length > 0;
    return isKnown && each.response && (statusOf(each) >= 300 || due.statuses.length === 1);
  });
  const byDue = groupedBy(refused, ({ request }) => String(request.due.statuses[0]));
  const usual = byDue.map(([, some]) => mostFrequent(some.map(statusOf)));
  return byDue.length > 1 && new Set(usual).size === 1 ? usual[0] : undefined;
}

/** The wrong status of all valid requests of a run, if there are several operations and no other status. */
function onlyResponse(exchanges: readonly Exchange[]): number | undefined {
  const valid = exchanges.filter(({ request, response }) => response && request.due.class === 'accept');
  const statuses = new Set(valid.map(statusOf));
  const operations = new Set(valid.map(({ request }) => request.operation));
  return statuses.size === 1 && operations.size > 1 ? [...statuses][0] : undefined;
}

/** Names what roots have in common that are one finding: one wrong status in place of another, or a requirement. */
function makeKeyOf(exchanges: readonly Exchange[]): (root: Deviation) => string {
  const refusal = onlyRefusal(exchanges);
  const response = onlyResponse(exchanges);
  return (root) => {
    const { due } = root.x.request;
    const [requirement = ''] = root.requirements;
    if (root.kind === 'carried-out') return `status.${statusOf(root.x)}-carried-out`;
    if (!isWrongStatus(root)) return requirement;
    const status = String(root.actual);
    if (due.class === 'refuse')
      return root.actual === refusal ? `status.refusals-are-${status}` : `status.${due.statuses[0] ?? ''}-is-${status}`;
    if (root.actual === response) return `status.200-is-${status}`;
    return due.class === 'accept' && due.level === 'must' ? `${requirement}.${status}` : requirement;
  };
}

/** Whether a root keeps the responses of an operation from showing anything, or those of a member. */
function hides(root: Deviation): boolean {
  if (root.kind === 'outcome') return root.x.request.due.class === 'accept' || root.actual === 'accepted';
  return [
    'shape',
    'other-resource',
    'no-operation',
    'carried-out',
    'stale-response',
    'member',
    'absent',
    'unstable',
    'changed',
    'not-stored',
    'sporadic',
  ].includes(root.kind);
}

/** The roots of the deviations of a run as findings: `must` comes first, then what explains most. */
export function groupFailures({ view, facts, why, checks }: Judged): FailureGroup[] {
  const keyOf = makeKeyOf(view.exchanges);
  const failing = new Map(checks.filter(({ said }) => said.outcome === 'failed').map(({ check }) => [check.id, check]));
  const judged = facts.deviations.filter((each) => each.checks.some((id) => failing.has(id)));
  const shown = judged.filter((each) => isShownWith(each, why));
  const groups = groupedBy(shown, (each) => keyOf(rootOf(each, why)));
  const inconclusive = checks.flatMap(({ check, said }) => (said.outcome === 'inconclusive' ? [{ check, said }] : []));
  const made = groups.map(([id, all]) => {
    const roots = new Set(all.map((each) => rootOf(each, why)));
    const isOwn = (each: Deviation): boolean => roots.has(rootOf(each, why));
    const byTime = [...all].sort((one, other) => one.x.startedAt - other.x.startedAt);
    const inOrder = [...byTime.filter((each) => roots.has(each)), ...byTime.filter((each) => !roots.has(each))];
    const lead = inOrder.find(({ level }) => level === 'must') ?? inOrder[0];
    const isSporadic = [...roots].some(({ kind }) => kind === 'sporadic');
    return { id, all, lead, isOwn, isSporadic };
  });
  const ownersOf = ({ check, said }: (typeof inconclusive)[number]): readonly string[] => {
    if (['missing-input', 'disturbed', 'deadline'].includes(said.reason)) return [];
    const direct = made.filter(({ isOwn }) => said.causes.some(isOwn));
    const items = new Set(check.uses.map(({ id }) => id));
    const seenOf = [...check.operations, ...said.exchanges.map(({ request }) => request.operation)];
    const ways: readonly ((d: Deviation) => boolean)[] = [
      (d) => said.exchanges.some((x) => d.x === x || [...(d.shows ?? []), ...(d.also ?? [])].includes(x)),
      (d) => d.x.request.item !== undefined && items.has(d.x.request.item),
      (d) => hides(d) && seenOf.includes(d.x.request.operation),
      (d) => hides(d) && seenOf.some((id) => responseSchemaOf(id) === responseSchemaOf(d.x.request.operation)),
    ];
    const near = ways.map((is) => made.find(({ all }) => all.some(is))).find((each) => each !== undefined);
    return (direct.length > 0 ? direct : [near].flatMap((each) => each ?? [])).map(({ id }) => id);
  };
  const consequences = groupedBy(
    inconclusive.flatMap((each) => ownersOf(each).map((id) => ({ id, check: each.check.id }))),
    ({ id }) => id,
  );
  return made
    .flatMap(({ id, all, lead, isSporadic }): FailureGroup[] => {
      if (!lead) return [];
      const named = new Set(all.flatMap((each) => each.checks));
      return [
        {
          id,
          lead,
          isSporadic,
          level: all.some(({ level }) => level === 'must') ? 'must' : 'should',
          requirements: [...new Set([lead, ...all].flatMap((each) => each.requirements))],
          checks: [...new Set([...lead.checks, ...failing.keys()])].filter((id) => named.has(id) && failing.has(id)),
          seen: new Set(all.flatMap(({ x, also = [] }) => [x, ...also])).size,
          consequences: (consequences.find(([other]) => other === id)?.[1] ?? []).map(({ check }) => check),
        },
      ];
    })
    .sort((one, other) => one.level.localeCompare(other.level) || weight(other) - weight(one));
}

function weight({ checks, consequences }: FailureGroup): number {
  return checks.length + consequences.length;
}
