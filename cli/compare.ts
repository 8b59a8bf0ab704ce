import { legibleJson } from '../common/text.ts';
import { markdownComparison } from '../conformance/report/markdown.ts';
import { terminalComparison } from '../conformance/report/terminal.ts';
import { compareResults } from '../conformance/result/compare.ts';
import { EXIT_CODES } from '../conformance/facts/result.ts';
import type { Command } from './command.ts';
import { argument, option, resultFile, word } from './option.ts';

const REPORTS = { pretty: terminalComparison, json: legibleJson, markdown: markdownComparison } as const;
const OPTIONS = {
  old: argument('OLD', resultFile, 'the earlier of two results'),
  now: argument('NEW', resultFile, 'the later of two results'),
  format: option('--format pretty|json|markdown', word(['pretty', 'json', 'markdown']), 'what to print', {
    default: 'pretty',
  }),
};

/** `compare`: what is new, fixed and still there between two results. */
export const command: Command<typeof OPTIONS> = {
  about: `Shows what is new, what is fixed and what is still there in the later of two
results, by check. "run --report json=PATH" writes a result.`,
  options: OPTIONS,
  more: `Example, in CI, with the result of the main branch at hand:
  admin-api-conformance run --report json=new.json || true
  admin-api-conformance compare main.json new.json`,
  exitCodes: `0 not worse, 1 worse, 2 usage. Worse means: the verdict got worse,
or a check that counts fails now and did not before. A check that only one of
the results has never counts.`,
  run: ({ old, now, format = 'pretty' }, { out }) => {
    const comparison = compareResults(old.result, now.result);
    out.writeStyled(REPORTS[format](comparison, out));
    return comparison.worse ? EXIT_CODES.failed : EXIT_CODES.passed;
  },
};
