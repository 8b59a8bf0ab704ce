import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const XSD = fileURLToPath(new URL('junit.xsd', import.meta.url));

function xmllint(args: readonly string[], input: string): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('xmllint', ['--nonet', ...args, '-'], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, output: status === 0 ? stdout : stderr };
}

/** Whether xmllint (Debian's libxml2-utils) is there. */
export const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;

/** What is wrong with a JUnit report; empty if nothing is. */
export function junitProblems(xml: string): string {
  const { status, output } = xmllint(['--noout', '--huge', '--schema', XSD], xml);
  return status === 0 ? '' : output;
}

/** The value of an XPath expression. */
export function xpath(xml: string, expression: string): string {
  const { status, output } = xmllint(['--huge', '--xpath', expression], xml);
  if (status !== 0) throw new Error(output);
  return output.replace(/\n$/, '');
}
