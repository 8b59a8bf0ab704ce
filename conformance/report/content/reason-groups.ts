import type { CheckResult } from '../../result/result.ts';
import { counted, groupedBy } from '../../../common/text.ts';

/** Checks without a judgement that have one reason in common; they have none if they do not apply. */
export type ReasonGroup = ReturnType<typeof reasonGroups>[number];

/** What a reason says before the first code span, the members that it names, and what it says after the last one. */
function splitDetail(detail = '') {
  const [, lead = detail, named = '', rest = ''] = /^([^`]*)(`.*`)([^`]*)$/s.exec(detail) ?? [];
  return { lead, members: named.match(/`[^`]*`/g) ?? [], rest };
}

/** The reasons of a group as one: they differ only in the members that they name and in where these are missing. */
function mergedDetail(checks: readonly CheckResult[]): string {
  const details = [...new Set(checks.map(({ detail = '' }) => detail))];
  const [only = ''] = details;
  if (details.length === 1) return only;
  const split = details.map(splitDetail);
  const rests = new Set(split.map(({ rest }) => rest));
  const members = [...new Set(split.flatMap((each) => each.members))].sort();
  return `${splitDetail(only).lead}${members.join(', ')}${rests.size === 1 ? [...rests].join('') : ' where that is needed'}`;
}

/** The inputs to set, each with the number of checks that wait for it. */
function missingInputs(checks: readonly CheckResult[]): string[] {
  const named = checks.flatMap(({ detail = '' }) => detail.match(/CONFORMANCE_[A-Z_]+ \([^)]*\)/g) ?? []);
  return groupedBy(named, (text) => text).map(([text, { length }]) => `${text}: ${counted(length, 'check')}`);
}

/** Checks without a judgement by their reason; those that lack an input are one group, whichever they lack, and come first. */
export function reasonGroups(checks: readonly CheckResult[]) {
  const missing = checks.filter(({ reason }) => reason === 'missing-input');
  const others = checks.filter(({ reason }) => reason !== 'missing-input');
  const groups = groupedBy(others, ({ reason, detail }) => `${reason ?? ''}\n${splitDetail(detail).lead}`).map(
    ([, own]) => ({ reason: own[0]?.reason, detail: mergedDetail(own), missing: [] as string[], checks: own }),
  );
  if (missing.length === 0) return groups;
  const detail = 'Not set; set and run again:';
  const reason = 'missing-input' as const;
  return [{ reason, detail, missing: missingInputs(missing), checks: missing }, ...groups];
}
