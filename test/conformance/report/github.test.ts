import { describe, expect, it } from 'vitest';
import { workflowCommands } from '../../../conformance/report/github.ts';
import { failedCheck, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

describe('workflow commands', () => {
  it('have percent signs, line ends, colons and commas escaped as GitHub wants it', () => {
    const check = failedCheck('100 %\r\n::a,b', { id: 'x:y,%' });
    const [line] = workflowCommands(resultOf([check]));
    expect(line).toBe(
      '::error title=finding-x%3Ay%2C%25 (must)::name is 100 %25%0A::a,b%0AStore what `name` is sent as.%0A1 failed check: x:y,%25',
    );
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
