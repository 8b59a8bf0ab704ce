import { legibleJson } from '../common/text.ts';
import { markdownComparison } from '../conformance/report/markdown.ts';
import { terminalComparison } from '../conformance/report/terminal.ts';
import { compareResults } from '../conformance/result/compare.ts';
import { readResult } from '../conformance/result/read.ts';
import { EXIT_CODES } from '../conformance/result/result.ts';
import { type Command, formatOf, formatOption } from './command.ts';
import { layoutOf } from './reports.ts';

const FORMATS = ['pretty', 'json', 'markdown'] as const;

/** `compare`: what is new, fixed and still there between two results. */
export const command: Command = {
  usage: 'compare OLD NEW',
  summary: 'show what is new, fixed or still there in a later result',
  calls: ['compare OLD.json NEW.json [options]'],
  about: `Shows what is new, what is fixed and what is still there in the later of two
results, by check. "run --report json=PATH" writes a result.`,
  options: [formatOption(FORMATS)],
  more: `Example, in CI, with the result of the main branch at hand:
  admin-api-conformance run --report json=new.json || true
  admin-api-conformance compare main.json new.json`,
  exitCodes: `0 not worse, 1 worse, 2 usage. Worse means: the verdict got worse,
or a check that counts fails now and did not before. A check that only one of
the results has never counts.`,
  positionals: [2, 2],
  missing: 'compare: give two results, the earlier one first: compare OLD.json NEW.json.',
  run: (parsed, io) => {
    const format = formatOf(parsed, FORMATS);
    const [old = '', now = ''] = parsed.positionals;
    const comparison = compareResults(readResult(old), readResult(now));
    if (format === 'pretty') io.out.write(terminalComparison(comparison, layoutOf(io.out, io)));
    else io.out.writeDocument(format === 'json' ? legibleJson(comparison) : markdownComparison(comparison));
    return comparison.worse ? EXIT_CODES.failed : EXIT_CODES.passed;
  },
};
