import type { Result } from '../result/result.ts';
import { isPartial } from './content/scope.ts';
import { counted } from '../../common/text.ts';
import { checksStanding } from './content/check-standing.ts';

/** Requirements, not checks: which checks exist depends on the form of the keys, which requirements exist does not. */
function metOf({ requirements, findings, selection }: Result): string {
  const both = selection.failOn === 'should';
  const counting = requirements.filter(
    ({ level, outcome }) => (both || level === 'must') && outcome !== 'not-applicable',
  );
  const met = counting.filter(({ outcome }) => outcome === 'passed');
  const known = findings.filter(({ level, knownFailure }) => knownFailure && (both || level === 'must'));
  return [
    `${met.length}/${counting.length} ${both ? 'must and should' : 'must'}`,
    ...(known.length > 0 ? [counted(known.length, 'known failure')] : []),
    ...(isPartial(selection) ? ['a part only'] : []),
  ].join(', ');
}

function badgeFor(result: Result): readonly [message: string, color: string] {
  const { length } = checksStanding(result, 'failed');
  const badges: Readonly<Record<Result['verdict'], readonly [string, string]>> = {
    passed: [metOf(result), 'brightgreen'],
    failed: [length > 0 ? `failed ${length}` : 'baseline out of date', 'red'],
    inconclusive: ['inconclusive', 'yellow'],
    interrupted: ['interrupted', 'lightgrey'],
    error: ['error of the suite', 'lightgrey'],
  };
  return badges[result.verdict];
}

/** The endpoint document from which shields.io draws a badge. */
export function badgeReport(result: Result): string {
  const [message, color] = badgeFor(result);
  return `${JSON.stringify({ schemaVersion: 1, label: 'conformance', message, color })}\n`;
}
