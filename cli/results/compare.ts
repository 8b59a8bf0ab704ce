import { compareResults } from '../../conformance/result/several/compare.ts';
import { comparisonDocument } from '../../conformance/report/documents/comparison.ts';
import { markdownOf } from '../../conformance/report/markdown.ts';
import { terminalText } from '../../conformance/report/terminal/terminal.ts';
import { readResult } from '../../conformance/result/read-result.ts';
import { EXIT_CODES } from '../../conformance/result/verdict.ts';
import { legibleJson } from '../../common/text.ts';
import { commandOf } from '../input/command-table.ts';
import { formatOf, formatOption } from '../input/options.ts';
import { layoutOf } from '../output/io.ts';

const FORMATS = ['pretty', 'json', 'markdown'] as const;
const OPTIONS = [formatOption(FORMATS)];

/** `compare`: what got worse and what got better between two results. */
export const command = commandOf({
  usage: 'compare OLD NEW',
  summary: 'show what got worse or better between two results',
  calls: ['compare OLD.json NEW.json [options]'],
  about: `Shows what got worse and what got better between two results. Differences in the
tool, the contract, the selection or the inputs are listed separately, because
they say nothing about the target. "run --report json=PATH" writes a result.`,
  options: OPTIONS,
  more: `Example, in CI, with the result of the main branch at hand:
  admin-api-conformance run --report json=new.json || true
  admin-api-conformance compare main.json new.json`,
  exitCodes: `0 not worse, 1 worse, 2 usage. Worse means: the verdict got worse,
or a must check did that the baseline does not name as a known failure (if NEW
was run with --fail-on should, also a should check). A check that only one of
the results has never counts.`,
  positionals: [2, 2],
  missing: 'compare: give two results, the earlier one first: compare OLD.json NEW.json.',
  run: (parsed, { out, environment }) => {
    const format = formatOf(parsed, FORMATS);
    const [old = '', now = ''] = parsed.positionals;
    const comparison = compareResults(readResult(old), readResult(now));
    const texts = {
      pretty: () => terminalText(comparisonDocument(comparison), layoutOf(out, environment)),
      json: () => legibleJson(comparison),
      markdown: () => markdownOf(comparisonDocument(comparison)),
    };
    (format === 'pretty' ? out.write : out.writeDocument)(texts[format]());
    return comparison.worse ? EXIT_CODES.failed : EXIT_CODES.passed;
  },
});
