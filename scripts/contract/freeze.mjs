// Writes every id that results, reports and the site refer to into contract/frozen.json, or into a FILE with the same format:
//   npm run freeze [-- --unreleased] [FILE]
// Within one version of the contract the checks stay as they are, because they decide on conformance to it: what is new, or has
// another level, is listed under `ahead`, and counts from the next version on. --unreleased freezes the checks of a version that
// was never released, and lets ids go that nobody has seen.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checks } from '../../conformance/checks/catalogue.ts';
import { contractDocument, openPoints, requirements } from '../../contract/document.ts';
import { parseRetiredIds } from '../../contract/retired-ids.ts';

const { values, positionals } = parseArgs({ options: { unreleased: { type: 'boolean' } }, allowPositionals: true });
const [file = fileURLToPath(new URL('../../contract/frozen.json', import.meta.url))] = positionals;
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const levels = (entries) => Object.fromEntries(entries.map(({ id, level }) => [id, level]).sort());
const namesOf = (ids) => (Array.isArray(ids) ? ids : Object.keys(ids));

const { version } = contractDocument.info;
const { contractVersion, ahead: knownAhead = {}, ...frozen } = readJson(file);
const retired = new Set(parseRetiredIds(readJson(join(dirname(file), 'retired-ids.json'))).map(({ id }) => id));
const current = {
  requirements: levels(requirements),
  openPoints: openPoints.map(({ id }) => id).sort(),
  observations: openPoints.flatMap(({ id, observations }) => observations.map((each) => `${id}#${each.id}`)).sort(),
  checks: levels(checks),
  failureModes: checks
    .flatMap(({ id, failureModes }) => Object.keys(failureModes).map((mode) => `${id}#${mode}`))
    .sort(),
};

const gone = Object.entries(frozen).flatMap(([kind, ids]) =>
  namesOf(ids)
    .filter((id) => !namesOf(current[kind]).includes(id) && !retired.has(id))
    .map((id) => ({ kind, id })),
);
if (gone.length > 0 && !values.unreleased) {
  for (const { kind, id } of gone) {
    console.error(
      `The id ${id} (${kind}) is frozen and no longer exists. Restore it, or retire it in contract/retired-ids.json:\n` +
        `  { "id": "${id}", "since": "${version}", "replacedBy": ["…"] } or, without a successor, "reason": "…"`,
    );
  }
  process.exitCode = 1;
} else {
  const keepsChecks = contractVersion === version && !values.unreleased;
  const ahead = checks.filter(({ id, level }) => keepsChecks && frozen.checks[id] !== level);
  const written = { contractVersion: version, ...current, ahead: levels(ahead) };
  if (keepsChecks) {
    written.checks = frozen.checks;
    written.failureModes = current.failureModes.filter((mode) => Object.hasOwn(frozen.checks, mode.split('#')[0]));
  }
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
  console.log(`wrote the ids of contract ${version}, ${Object.keys(written.checks).length} checks`);
  if (ahead.some(({ id, level }) => knownAhead[id] !== level)) {
    console.error(
      `The checks of contract ${version} are frozen; these count from the next version on: ${ahead.map(({ id }) => id).join(', ')}.\n` +
        `To freeze them, raise info.version in openapi.yaml and run "npm run generate", then this again.\n` +
        `If ${version} was never released: npm run freeze -- --unreleased`,
    );
  }
}
