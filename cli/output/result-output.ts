import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError, type ParsedArguments } from '../../common/process/args.ts';
import { resultDocument } from '../../conformance/report/documents/result.ts';
import { REPORTS } from '../../conformance/report/formats.ts';
import { quietReport } from '../../conformance/report/terminal/quiet.ts';
import { terminalText } from '../../conformance/report/terminal/terminal.ts';
import type { Result } from '../../conformance/result/result.ts';
import { draftOf } from '../../conformance/traffic/keeping/journal.ts';
import type { ReportFile } from '../input/kinds.ts';
import { OWN_SETTINGS, valueOf } from '../input/settings.ts';
import { layoutOf, type CommandIo } from './io.ts';
import { writeOutput } from './output-file.ts';
import type { Verbosity } from './progress.ts';

/** What `--quiet` and `--verbose` say. */
export function parseVerbosity({ values: { quiet, verbose } }: ParsedArguments): Verbosity {
  if (quiet === true && verbose === true) throw new UsageError('--quiet and --verbose exclude each other.');
  if (quiet === true) return 'quiet';
  return verbose === true ? 'verbose' : 'normal';
}

/** The file that a path leads to, also if a link does. */
function placeOf(path: string): string {
  const place = resolve(path);
  try {
    return realpathSync(place);
  } catch {
    return existsSync(dirname(place)) ? join(realpathSync(dirname(place)), basename(place)) : place;
  }
}

/** The files that `--report` names, each once. */
export function parseReports(parsed: ParsedArguments): ReportFile[] {
  const reports = valueOf(OWN_SETTINGS.reports, parsed) ?? [];
  const journal = parsed.values.journal as string | undefined;
  const taken = new Set((journal === undefined ? [] : [journal, draftOf(journal)]).map(placeOf));
  for (const { path } of reports) {
    const place = placeOf(path);
    if (taken.has(place)) throw new UsageError(`--report: ${path} is the file of another output; give each its own.`);
    taken.add(place);
  }
  return reports;
}

/**
 * @param recording of a run, its text
 * @returns whether all were written
 */
export async function writeReports(
  reports: readonly ReportFile[],
  result: Result,
  { err }: CommandIo,
  recording: () => string = () => '',
): Promise<boolean> {
  let written = true;
  for (const { format, path } of reports) {
    try {
      writeOutput(`the report ${path}`, path, format === 'recording' ? recording() : await REPORTS[format](result));
    } catch (error) {
      err.write(`admin-api-conformance: ${(error as Error).message}\n`);
      written = false;
    }
  }
  return written;
}

/** Prints a result on stdout. */
export async function showResult(
  result: Result,
  { format, verbosity }: { readonly format: 'pretty' | 'json'; readonly verbosity: Verbosity },
  { out, environment }: CommandIo,
): Promise<void> {
  const shown = { ...layoutOf(out, environment), verbose: verbosity === 'verbose' };
  if (format === 'json') out.writeDocument(await REPORTS.json(result));
  else out.write(verbosity === 'quiet' ? quietReport(result) : terminalText(resultDocument(result), shown));
}
