import { describe, expect, it } from 'vitest';
import { workflowCommands } from '../../../conformance/report/github.ts';
import {
  everyStanding,
  failedCheck,
  HOSTILE_TEXTS,
  NO_ROLES,
  unseenCheck,
  hostileResult,
  resultOf,
  UNSEEN,
} from '../../support/results.ts';

describe('workflow commands', () => {
  it('are an error for a failure that decides, a warning for one that does not', () => {
    expect(workflowCommands(resultOf(everyStanding()))).toEqual([
      '::error title=Error of the suite::it broke',
      '::error title=finding-failed (must)::name is Bob%0AStore what `name` is sent as.%0A1 failed check: failed',
      '::warning title=finding-should (should)::name is Bob%0AStore what `name` is sent as.%0A1 failed check: should',
      '::warning title=finding-unscored (not scored)::name is Bob%0AStore what `name` is sent as.%0A1 failed check: unscored',
      '::warning title=1 check inconclusive%3A deadline::late%0Aunseen',
    ]);
  });

  it('have percent signs, line ends, colons and commas escaped as GitHub wants it', () => {
    const check = failedCheck('100 %\r\n::a,b', { id: 'x:y,%' });
    const [line] = workflowCommands(resultOf([check]));
    expect(line).toBe(
      '::error title=finding-x%3Ay%2C%25 (must)::name is 100 %25%0A::a,b%0AStore what `name` is sent as.%0A1 failed check: x:y,%25',
    );
  });

  it('warn once for each reason why checks were inconclusive, and say what to set', () => {
    const lines = workflowCommands(
      resultOf([
        unseenCheck(NO_ROLES, { id: 'a' }),
        unseenCheck(NO_ROLES, { id: 'b' }),
        unseenCheck('late', { id: 'c', reason: 'deadline' }),
      ]),
    );
    expect(lines).toEqual([
      '::warning title=2 checks inconclusive%3A missing-input::Not set; set and run again:%0ACONFORMANCE_ROLE_IDS (two roles): 2 checks%0Aa, b',
      '::warning title=1 check inconclusive%3A deadline::late%0Ac',
    ]);
  });

  it('are no more of a kind than GitHub shows, and the last names the others', () => {
    const checks = Array.from({ length: 25 }, (_each, index) => failedCheck('Bob', { id: `check-${index}` }));
    const lines = workflowCommands(resultOf(checks));
    expect(lines).toHaveLength(10);
    expect(lines[9]).toMatch(/^::error title=and 16 more::finding-check-9 \(must\)%0A.*finding-check-24 \(must\)$/);
  });

  it.each(HOSTILE_TEXTS)('are one line each, whatever the target sent: %#', (text) => {
    const lines = workflowCommands(hostileResult(text));
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning) title=[^:,\n]+::.*$/);
      expect(line.replaceAll('\t', '')).not.toMatch(UNSEEN);
    }
  });
});
