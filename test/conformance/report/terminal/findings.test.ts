import { describe, expect, it } from 'vitest';
import type { Document } from '../../../../conformance/report/document.ts';
import { resultDocument } from '../../../../conformance/report/documents/result.ts';
import { plain } from '../../../../conformance/report/terminal/paint.ts';
import { nodeText } from '../../../../conformance/report/terminal/terminal.ts';
import type { Result } from '../../../../conformance/result/result.ts';
import { defects } from '../../../../proof/catalogue.ts';
import { judgeServer } from '../../../../proof/servers/judge.ts';
import { sample } from '../../../support/sample.ts';

const COMMAND = 'npx admin-api-conformance run http://localhost:4242 --user-id 1 --other-user-id 2 --role-ids 1,2,3';
const plainWords = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(' \\ ', ' ');

function findingsIn({ sections }: Document) {
  return sections.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (node.type === 'deviation' && node.isFinding ? node : [])),
  );
}

describe('a finding on a terminal', () => {
  it.each(sample(defects, 16).map((defect) => [defect.id, defect] as const))(
    'has twelve lines at most, and fix, request and rerun are whole: %s',
    async (_id, { behaviour, inputs }) => {
      const { result } = await judgeServer({ behaviour, ...(inputs && { inputs }) });
      const judged: Result = { ...result, tool: { ...result.tool, command: COMMAND } };
      const findings = findingsIn(resultDocument(judged));
      expect(findings.length).toBeGreaterThan(0);
      for (const finding of findings)
        for (const width of [80, 100]) {
          const text = nodeText(finding, { paint: plain, width });
          const lines = text.split('\n');
          expect(lines.length, text).toBeLessThanOrEqual(12);
          for (const line of lines) expect(line.length, text).toBeLessThanOrEqual(width);
          const words = plainWords(text);
          for (const { label, text: whole } of finding.lines)
            if (['fix', 'request', 'rerun'].includes(label)) expect(words).toContain(plainWords(`${label} ${whole}`));
        }
    },
  );
});
