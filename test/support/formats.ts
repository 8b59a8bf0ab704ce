import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Whether xmllint (Debian's libxml2-utils) is there. */
export const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;

/** What is wrong with a JUnit report; empty if nothing is. */
export function junitProblems(xml: string): string {
  const xsd = fileURLToPath(new URL('junit.xsd', import.meta.url));
  const args = ['--nonet', '--noout', '--huge', '--schema', xsd, '-'];
  const { status, stderr } = spawnSync('xmllint', args, { input: xml, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}
