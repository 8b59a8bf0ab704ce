import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withBehaviour, type Behaviour } from '../../proof/servers/behaviour.ts';
import { called, defects, variants } from '../../proof/catalogue.ts';
import { type CliResult, succeeds, tool } from '../support/cli.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sample } from '../support/sample.ts';
import { environmentFor } from '../support/target.ts';

const folder = temporaryFolder();

/** What these tests read of a report of Respect. */
interface Workflow {
  readonly workflowId: string;
  readonly executedSteps: readonly {
    readonly stepId: string;
    readonly checks: readonly { readonly status: string }[];
    /** Set where the step is tried again. */
    readonly retriesLeft?: number;
  }[];
}

/** Runs `npm run respect` to its end. */
const respect = (environment: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<CliResult> =>
  tool('scripts/contract/respect.mjs', args, { environment });

/** Runs it on a server of the proof: also its report, the workflows that ran, and the steps with a failed check. */
function respectBehaviour(behaviour: Behaviour, own: Readonly<Record<string, string>> = {}) {
  const file = folder.fresh().at('report.json');
  return withBehaviour(behaviour, async (server) => {
    const result = await respect({ ...environmentFor(server), ...own }, ['--json-output', file]);
    const report = readFileSync(file, 'utf8');
    const { files } = JSON.parse(report) as { files: Record<string, { executedWorkflows: Workflow[] }> };
    const executed = Object.values(files).flatMap((each) => each.executedWorkflows);
    const failed = executed.flatMap(({ workflowId, executedSteps }) =>
      executedSteps
        .filter(({ retriesLeft = 0, checks }) => retriesLeft === 0 && checks.some(({ status }) => status === 'error'))
        .map(({ stepId }) => `${workflowId}/${stepId}`),
    );
    return { ...result, report, workflows: executed.map(({ workflowId }) => workflowId), failed };
  });
}

/** Defects of the proof, each with the step that must fail first, and conforming variants. */
const { defects: DEFECTS, variants: VARIANTS } = casesBeside(import.meta.url) as {
  defects: [string, string][];
  variants: string[];
};

describe.concurrent('the workflows of arazzo.yaml', () => {
  it.each(sample(DEFECTS, 1))('fail for the defect %s at %s', async (defect, step) => {
    const { code, failed } = await respectBehaviour(called(defects, defect).behaviour);
    expect(failed).toContain(step);
    expect(code).toBe(1);
  });

  it.each(sample(['', ...VARIANTS], 1))('succeed for a conforming server: %s', async (variant) => {
    const { failed, workflows } = await succeeds(
      respectBehaviour(variant === '' ? {} : called(variants, variant).behaviour),
    );
    expect(failed).toEqual([]);
    expect(workflows).toHaveLength(6);
  });

  it('do not succeed for a server that shows neither name nor e-mail address', async () => {
    const { code, failed } = await respectBehaviour(called(variants, 'shows-id-only').behaviour);
    expect(failed.filter((step) => step.endsWith('/setBoth'))).toHaveLength(4);
    expect(code).toBe(1);
  });
});

describe.concurrent('npm run respect', () => {
  it('starts the reference server without an address, and passes arguments on', async () => {
    const { stdout } = await succeeds(respect({}, ['--workflow', 'list-banners']));
    expect(stdout).toContain('Workflows: 1 passed, 1 total');
  });

  it('skips workflows that lack an input, and says so', async () => {
    const unknown = { CONFORMANCE_ROLE_IDS: '', CONFORMANCE_RESTRICTED_KEY: '', CONFORMANCE_MISSING_USER_ID: '' };
    const { workflows, stderr } = await succeeds(respectBehaviour({}, unknown));
    expect(workflows).toEqual(['update-in-turn', 'refuse-invalid-update', 'list-banners']);
    expect(stderr).toContain('update-role-only is skipped: set CONFORMANCE_ROLE_IDS.');
    expect(stderr).toContain('refuse-without-permission is skipped: set CONFORMANCE_RESTRICTED_KEY.');
  });

  it('runs nothing without a key', async () => {
    const { code, stdout, stderr } = await respect({ CONFORMANCE_BASE_URL: 'http://127.0.0.1:9' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('CONFORMANCE_ADMIN_KEY');
  });

  it('never shows the keys, even where a step fails', async () => {
    const keys = { CONFORMANCE_ADMIN_KEY: 'other-admin-Key-7', CONFORMANCE_RESTRICTED_KEY: 'other-restricted-Key-8' };
    const { code, stdout, stderr, report } = await respectBehaviour({}, keys);
    expect(code).toBe(1);
    expect(report).toContain('"authorization"');
    for (const text of [stdout, stderr, report]) expect(text).not.toMatch(/other-(admin|restricted)-Key/);
  });
});
