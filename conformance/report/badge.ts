import type { Result } from '../result/result.ts';
import { isPartial } from './scope.ts';
import { checksStanding } from './standing.ts';

interface Badge {
  readonly message: string;
  readonly color: string;
}

function keptOf(result: Result): string {
  const { must, should } = result.summary;
  const both = result.selection.failOn === 'should';
  const passed = must.passed + (both ? should.passed : 0);
  const applicable = must.total - must.notApplicable + (both ? should.total - should.notApplicable : 0);
  const excused = must.knownFailure + (both ? should.knownFailure : 0);
  return [
    `${passed}/${applicable} ${both ? 'must and should' : 'must'}`,
    ...(excused > 0 ? [`${excused} excused`] : []),
    ...(isPartial(result.selection) ? ['a part only'] : []),
  ].join(', ');
}

function badgeFor(result: Result): Badge {
  switch (result.verdict) {
    case 'passed':
      return { message: keptOf(result), color: 'brightgreen' };
    case 'failed': {
      const { length } = checksStanding(result, 'failed');
      return { message: length > 0 ? `failed ${length}` : 'baseline does not fit', color: 'red' };
    }
    case 'inconclusive':
      return { message: 'inconclusive', color: 'yellow' };
    case 'interrupted':
      return { message: 'interrupted', color: 'lightgrey' };
    case 'error':
      return { message: 'fault of the suite', color: 'lightgrey' };
  }
}

/** The endpoint document from which shields.io draws a badge. */
export function badgeReport(result: Result): string {
  return `${JSON.stringify({ schemaVersion: 1, label: 'conformance', ...badgeFor(result) })}\n`;
}
