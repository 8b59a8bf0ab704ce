import { compareResults } from '../conformance/result/compare.ts';
import { markdownComparison, prettyComparison } from '../conformance/report/comparison.ts';
import { legibleValue } from '../common/text.ts';
import { paintFor } from '../conformance/report/paint.ts';
import { EXIT_CODES } from '../conformance/result/verdict.ts';
import { columnsOf, type Command } from './output/io.ts';
import { readResult } from '../conformance/result/read-result.ts';
import { oneOf, parseArguments, UsageError } from '../common/args.ts';

const COMPARE_HELP = `Usage: admin-api-conformance compare OLD.json NEW.json [options]

Says what got worse and what got better between two results. What was judged,
or judged with (another version, selection, input), is kept apart: it says
nothing of the target. "run --report json=PATH" writes a result.

  --format pretty|json|markdown   (pretty); markdown is for a pull request

Example, in CI, with the result of the main branch at hand:
  admin-api-conformance run --report json=new.json || true
  admin-api-conformance compare main.json new.json

Exit codes: 0 not worse, 1 worse, 2 usage. Worse is: the verdict is, or a must
check is (with --fail-on should in NEW, also a should check) that the baseline
does not excuse. A check that is in one result only never makes it worse.
`;

/** `compare`: what got worse and what got better between two results. */
export const compare: Command = (args, { out, environment }) => {
  const options = { format: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArguments(args, options, 2);
  if (values.help === true) {
    out.write(COMPARE_HELP);
    return Promise.resolve(0);
  }
  const format = oneOf('--format', (values.format as string | undefined) ?? 'pretty', ['pretty', 'json', 'markdown']);
  const [old, now] = positionals;
  if (old === undefined || now === undefined) {
    throw new UsageError('compare: give two results, the earlier one first: compare OLD.json NEW.json.');
  }
  const comparison = compareResults(readResult('', old), readResult('', now));
  const texts = {
    pretty: () =>
      prettyComparison(legibleValue(comparison), { paint: paintFor(out, environment), width: columnsOf(out) }),
    json: () => `${JSON.stringify(comparison, null, 2)}\n`,
    markdown: () => markdownComparison(comparison),
  };
  out.write(texts[format]());
  return Promise.resolve(comparison.worse ? EXIT_CODES.failed : EXIT_CODES.passed);
};
