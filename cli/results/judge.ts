import { nameOf, readGivenFile, UsageError } from '../../common/process/args.ts';
import { MOST_RESULT } from '../../conformance/result/read-result.ts';
import { RunRefused } from '../../conformance/traffic/run-refused.ts';
import { EXIT_CODES, USAGE_ERROR } from '../../conformance/result/verdict.ts';
import { judgeAgain } from '../../conformance/run/run.ts';
import { readBaseline } from '../input/baseline-file.ts';
import { commandOf } from '../input/command-table.ts';
import { OWN_SETTINGS, RUN_ONLY, settingsHelp, valueOf } from '../input/settings.ts';
import { parseReports, parseVerbosity, showResult, writeReports } from '../output/result-output.ts';

const { only, skip, failOn, baseline, format, reports } = OWN_SETTINGS;
const OPTIONS = [only, skip, failOn, baseline, format, reports, RUN_ONLY.quiet, RUN_ONLY.verbose];

/** `judge`: the result of an earlier run, without its target. */
export const command = commandOf({
  usage: 'judge RECORDING',
  summary: 'judge again what an earlier run left, without the target',
  calls: ['judge RECORDING [options]'],
  about: `Judges once more what an earlier run left ("run --report recording=PATH"). Sends
no requests. The result is that of the run. What the options do not say is as in
the run, but for the baseline; what the run did not send is inconclusive.`,
  options: OPTIONS,
  optionsHelp: settingsHelp(OPTIONS),
  examples: ['judge run.json --fail-on should', 'judge run.json --only bodies.json --format json'],
  exitCodes: `0 passed, 1 failed, 2 wrong use or a recording that cannot be read,
3 inconclusive, 4 an error of the suite itself.`,
  positionals: [1, 1],
  missing: 'judge: give the recording of a run; "run --report recording=PATH" writes one.',
  run: async (parsed, io) => {
    const [path = ''] = parsed.positionals;
    const files = parseReports(parsed);
    if (files.some((file) => file.format === 'recording'))
      throw new UsageError('judge: --report recording=PATH belongs to "run"; here it would be a copy.');
    const shown = { format: valueOf(format, parsed), verbosity: parseVerbosity(parsed) };
    const file = valueOf(baseline, parsed);
    const [onlyThese, without] = [valueOf(only, parsed), valueOf(skip, parsed)];
    const result = judged(path, {
      ...(onlyThese && { only: onlyThese }),
      ...(without && { skip: without }),
      ...(parsed.values['fail-on'] !== undefined && { failOn: valueOf(failOn, parsed) }),
      ...(file !== undefined && { baseline: await readBaseline(nameOf(parsed, 'baseline'), file) }),
    });
    await showResult(result, shown, io);
    return (await writeReports(files, result, io)) ? EXIT_CODES[result.verdict] : USAGE_ERROR;
  },
});

function judged(path: string, options: Parameters<typeof judgeAgain>[2]) {
  try {
    return judgeAgain(path, readGivenFile('', path, MOST_RESULT), options);
  } catch (error) {
    if (error instanceof RunRefused) throw new UsageError(error.message);
    throw error;
  }
}
