import type { Result } from '../result/result.ts';
import { isPartial } from './scope.ts';
import { counted } from '../../common/text.ts';
import { checksStanding } from './content/check-standing.ts';

interface Badge {
  readonly message: string;
  readonly color: string;
}

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

function badgeFor(result: Result): Badge {
  switch (result.verdict) {
    case 'passed':
      return { message: passedOf(result), color: 'brightgreen' };
    case 'failed': {
      const { length } = checksStanding(result, 'failed');
      return { message: length > 0 ? `failed ${length}` : 'baseline out of date', color: 'red' };
    }
    case 'inconclusive':
      return { message: 'inconclusive', color: 'yellow' };
    case 'interrupted':
      return { message: 'interrupted', color: 'lightgrey' };
    case 'error':
      return { message: 'error of the suite', color: 'lightgrey' };
  }
}

/** The endpoint document from which shields.io draws a badge. */
export function badgeReport(result: Result): string {
  return `${JSON.stringify({ schemaVersion: 1, label: 'conformance', ...badgeFor(result) })}\n`;
}
