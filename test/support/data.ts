import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * The cases of a test, from the YAML file beside it.
 *
 * @param test `import.meta.url` of the test
 */
export function casesBeside(test: string): unknown {
  return parse(readFileSync(new URL(test.replace(/(\.test)?\.ts$/, '.yaml')), 'utf8'));
}
