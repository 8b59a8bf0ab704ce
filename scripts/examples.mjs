// Judges the servers to copy whose programs are installed, and tries the generators of code:
// npm run examples [-- [--defaults] [--check] [NAME …]].
// Each must pass without a finding; then its page in docs/servers/ gets its code. With --defaults, each is judged with every
// default of its framework that its page shows, one at a time, and the page gets what the suite finds. With --check no page is
// written, and one that says something else fails.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generators, tryGenerator } from './generators.mjs';
import { isSame, judge, missingPrograms, root, statementsOf } from './judge-server.mjs';
import { defaultsOf, pageWith, withDefault } from './server-pages.ts';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, defaults: { type: 'boolean', default: false } },
});
const servers = JSON.parse(readFileSync(join(root, 'examples/servers/servers.json'), 'utf8'));
/** Concurrent updates meet by chance. */
const TRIES = 20;

/** Judges a copy of a server with this text, below build/, so that installed packages are kept. */
async function judgeCopy({ name, source }, text) {
  const folder = join(root, 'build/examples', name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'examples/servers', name), folder, { recursive: true });
  writeFileSync(join(folder, source), source.endsWith('.go') ? withoutUnusedImports(text) : text);
  return judge({ name, folder, server: './run.sh' });
}

/** Go refuses an import that is not used. */
function withoutUnusedImports(text) {
  return text.replaceAll(/^\t"(?:\w+\/)*(\w+)"\n/gm, (line, name) => (text.includes(`${name}.`) ? line : ''));
}

/** A text without the values that a run makes, such as `Conformance hqzkdwa bb`: they are lettered in their order. */
function withoutRun(text) {
  const values = [];
  return text.replaceAll(/(conformance[ .])[a-z]{7}([ .])([a-z]+)/gi, (_value, lead, between, value) => {
    if (!values.includes(value)) values.push(value);
    return `${lead}abcdefg${between}${String.fromCharCode(97 + values.indexOf(value))}`;
  });
}

/** A text as Markdown shows it unchanged; what stands between backticks is code. */
function asMarkdown(text) {
  return text.replaceAll(/`[^`]*`|[<>*_\\]/g, (match) => (match.length > 1 ? match : `\\${match}`));
}

/** What a result says to the author of a server: its findings, or the hints that say why there are none. */
function linesOf({ findings = [], hints = [] }) {
  const found = findings.map(({ level, requirement, title }) => `${level} \`${requirement}\`: ${title}`);
  return (found.length > 0 ? found : hints.map(({ text }) => `hint: ${text}`)).map((line) =>
    asMarkdown(withoutRun(line)),
  );
}

/** What the suite finds by each default of a page. */
async function findingsByDefault(server, source, page) {
  const found = {};
  for (const each of defaultsOf(page)) {
    for (let tries = 0; tries < TRIES && !found[each.id]?.length; tries += 1) {
      found[each.id] = linesOf((await judgeCopy(server, withDefault(source, each))) ?? {});
    }
    console.log(`${server.name} ${each.id}:\n  ${found[each.id].join('\n  ') || 'nothing'}`);
  }
  return found;
}

/** What a list of findings says, without its words. */
function statementsByDefault(found) {
  return Object.entries(found).flatMap(([id, lines]) => lines.map((line) => `${id}: ${line.split(':')[0]}`));
}

/** @returns whether the server passes, and its page says what the suite finds */
async function judgeExample(server) {
  const { name, source: file } = server;
  const path = `examples/servers/${name}/${file}`;
  const source = readFileSync(join(root, path), 'utf8');
  const pagePath = join(root, `docs/servers/${name}.md`);
  const page = readFileSync(pagePath, 'utf8');
  const result = await judgeCopy(server, source);
  if (result === undefined || !isSame(name, ['verdict: passed'], statementsOf(result))) return false;
  const found = options.defaults ? await findingsByDefault(server, source, page) : {};
  if (!options.check) writeFileSync(pagePath, pageWith(page, { source, path }, found));
  else if (options.defaults) {
    const recorded = Object.fromEntries(defaultsOf(page).map(({ id, findings }) => [id, findings]));
    return isSame(name, statementsByDefault(recorded), statementsByDefault(found));
  }
  return Object.values(found).every((lines) => lines.length > 0);
}

const all = [
  ...servers.map((server) => ({ ...server, succeeds: judgeExample })),
  ...generators.map((generator) => ({ ...generator, succeeds: tryGenerator })),
];
const unknown = wanted.find((name) => !all.some((each) => each.name === name));
if (unknown !== undefined) {
  const names = all.map(({ name }) => name).join(', ');
  console.error(`There is no example ${unknown}. The examples are ${names}.`);
  process.exit(2);
}
for (const example of all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const missing = missingPrograms(example.needs);
  if (missing.length > 0) console.log(`${example.name}: skipped, ${missing.join(', ')} not found`);
  else if (!(await example.succeeds(example))) process.exitCode = 1;
}
