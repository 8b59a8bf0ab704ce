import { parse } from 'yaml';
import { contractDocument } from '../../contract/document.ts';
import { parseArguments, readGivenFile, UsageError } from '../../common/args.ts';
import { falseFailures, coverageOf } from './coverage.ts';
import { isRecord, type JsonObject } from '../../common/json.ts';
import { obligationsOf } from './obligations.ts';
import { coverageText, type Coverage } from './report.ts';
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

function contractOf({ info }: JsonObject): Coverage['contract'] {
  const { title, version } = isRecord(info) ? info : {};
  return { title: String(title), version: String(version) };
}

async function main(): Promise<number> {
  const options = {
    document: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArguments(process.argv.slice(2), options, 0);
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const document =
    typeof values.document === 'string' ? readDocument(values.document) : (contractDocument as unknown as JsonObject);
  const runs = await allRuns();
  const wrong = falseFailures(runs);
  for (const each of wrong) process.stderr.write(`✗ ${each}; the coverage says nothing until it passes.\n`);
  const coverage = {
    contract: contractOf(document),
    servers: runs.map(({ server }) => server),
    rows: coverageOf(document, runs),
  };
  process.stdout.write(coverageText(coverage));
  return wrong.length > 0 || coverage.rows.some(({ holes }) => holes.length > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`coverage:contract: ${error.message}\n`);
  process.exitCode = 2;
}
