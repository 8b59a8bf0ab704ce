import type { Change } from '../change.ts';
import { legible } from '../tools/text.ts';
import { messageOf, operationsOf } from './text.ts';

/** The result of one document, for a report of tests. */
interface Suite {
  readonly name: string;
  readonly failed: readonly Change[];
  /** What fails beside changes, such as a document that is gone. */
  readonly problems: readonly string[];
}

function attribute(text: string): string {
  return legible(text).replaceAll(/[&<>"'\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Results as JUnit reads them: a test for each change that fails, or one that passes. */
export function toJUnit(suites: readonly Suite[]): string {
  const written = suites.map(({ name, failed, problems }) => {
    const failures = [
      ...failed.map((each) => ({
        what: `${operationsOf(each)}: ${each.rule} at ${each.pointer}`,
        why: messageOf(each),
      })),
      ...problems.map((problem) => ({ what: 'the documents', why: problem })),
    ];
    const cases = failures.map(
      ({ what, why }) =>
        `    <testcase classname="${attribute(name)}" name="${attribute(what)}"><failure message="${attribute(why)}"/></testcase>`,
    );
    const passed = `    <testcase classname="${attribute(name)}" name="no change fails"/>`;
    return [
      `  <testsuite name="${attribute(name)}" tests="${Math.max(1, cases.length)}" failures="${cases.length}">`,
      ...(cases.length > 0 ? cases : [passed]),
      '  </testsuite>',
    ].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...written, '</testsuites>', ''].join('\n');
}
