import { parse } from 'yaml';
import { contractDocument } from '../../contract/document.ts';
import { readGivenFile, UsageError, type OptionDefinitions } from '../../common/process/args.ts';
import { runEntry } from '../../common/process/entry.ts';
import { falseFailures, coverageOf } from './coverage.ts';
import { isRecord, objectOf, type JsonObject } from '../../common/json.ts';
import { obligationsOf } from './obligations.ts';
import { coverageText } from './report.ts';
import { allRuns } from './runs.ts';

const HELP = `Usage: npm run coverage:contract -- [--document FILE]

Runs the suite on the reference server and on some conforming variants, and says
of every operation, parameter, security scheme, media type, status, header,
property and requirement of the contract whether it is exercised: it occurs in an
exchange, each type of a union somewhere, and a check fails if it is corrupted
there (an operation and a media type of a request need only occur). A requirement
is exercised by a check that judges it and passes.

  --document FILE   another OpenAPI document instead of the contract

Exit codes: 0 everything is exercised, 1 there are holes, 2 usage.
`;

function readDocument(file: string): JsonObject {
  let document: unknown;
  try {
    document = parse(readGivenFile('--document', file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--document ${file}: it is not YAML or JSON: ${(error as Error).message}`);
  }
  if (!isRecord(document) || !isRecord(document.paths))
    throw new UsageError(`--document ${file}: it is not an OpenAPI document; it has no "paths".`);
  try {
    obligationsOf(document);
  } catch (error) {
    throw new UsageError(`--document ${file}: ${(error as Error).message}`);
  }
  return document;
}

const OPTIONS: OptionDefinitions = { document: { type: 'string' } };

await runEntry({ name: 'coverage:contract', help: HELP, options: OPTIONS }, async ({ values }) => {
  const document =
    typeof values.document === 'string' ? readDocument(values.document) : (contractDocument as unknown as JsonObject);
  const runs = await allRuns();
  const wrong = falseFailures(runs);
  for (const each of wrong) process.stderr.write(`✗ ${each}; the coverage says nothing until it passes.\n`);
  const rows = coverageOf(document, runs);
  const servers = runs.map(({ server }) => server);
  const { title, version } = objectOf(document.info);
  const contract = { title: String(title), version: String(version) };
  process.stdout.write(coverageText({ contract, servers, rows }));
  return wrong.length > 0 || rows.some(({ holes }) => holes.length > 0) ? 1 : 0;
});
