import type { Result } from '../result/result.ts';
import { isPartial } from './scope.ts';
import { counted } from '../../common/text.ts';
import { checksStanding } from './content/check-standing.ts';

function passedOf(result: Result): string {
  const { must, should } = result.summary;
  const both = result.selection.failOn === 'should';
  const passed = must.passed + (both ? should.passed : 0);
  const applicable = must.total - must.notApplicable + (both ? should.total - should.notApplicable : 0);
  const known = must.knownFailures + (both ? should.knownFailures : 0);
  return [
    `${passed}/${applicable} ${both ? 'must and should' : 'must'}`,
    ...(known > 0 ? [counted(known, 'known failure')] : []),
    ...(isPartial(result.selection) ? ['a part only'] : []),
  ].join(', ');
}

function badgeFor(result: Result): readonly [message: string, color: string] {
  const { length } = checksStanding(result, 'failed');
  const badges: Readonly<Record<Result['verdict'], readonly [string, string]>> = {
    passed: [passedOf(result), 'brightgreen'],
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
