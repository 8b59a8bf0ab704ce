/** Results as JUnit reads them. */
import { html, join } from '../../../common/html.ts';
import type { Change } from '../change.ts';
import { inOneLine, messageOf, operationsOf } from './groups.ts';

/** The result of one document, for a report of tests. */
interface Suite {
  readonly name: string;
  readonly failed: readonly Change[];
  /** What fails beside changes, such as a document that is gone. */
  readonly problems: readonly string[];
}

/** Results as JUnit reads them: a test for each change that fails, or one that passes. */
export function toJUnit(suites: readonly Suite[]): string {
  const written = suites.map(({ name, failed, problems }) => {
    const failures = [
      ...failed.map((each) => [inOneLine(`${operationsOf(each)}: ${each.rule} at ${each.pointer}`), messageOf(each)]),
      ...problems.map((problem) => ['the documents', problem]),
    ];
    const cases = failures.map(
      ([what, why]) => html`<testcase classname="${name}" name="${what}"><failure message="${why}" /></testcase>`,
    );
    const passed = html`<testcase classname="${name}" name="no change fails" />`;
    const counts = html`tests="${Math.max(1, cases.length)}" failures="${cases.length}"`;
    return html`<testsuite name="${name}" ${counts}>${cases.length > 0 ? join(cases, '\n') : passed}</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<testsuites>${join(written, '\n')}</testsuites>`.text}\n`;
}
