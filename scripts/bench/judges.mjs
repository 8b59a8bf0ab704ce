// Asks judges of contract changes about the same labelled pairs: node scripts/bench/judges.mjs FOLDER [--sample N]
// FOLDER has index.json (a list of { id, truth: { f: [verdict for clients], r: … } } for a → b and b → a) and pairs/ID.a.json, pairs/ID.b.json.
// Peers are asked if they are there: oasdiff on the PATH, `redocly` from this repository, openapi-diff as the jar that OPENAPI_DIFF_JAR
// names, and libopenapi, the library of openapi-changes, as the program that LIBOPENAPI names (scripts/bench/libopenapi.go).
// Prints a table in Markdown. N (default 200) directions are drawn, the same for every judge.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '200' } },
});
const [given] = positionals;
if (given === undefined) {
  console.error('bench-judges: a folder is needed: node scripts/bench/judges.mjs FOLDER');
  process.exit(2);
}
const folder = resolve(given);
const file = (id, side) => join(folder, 'pairs', `${id}.${side}.json`);
const labelled = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')).flatMap(({ id, truth }) =>
  ['f', 'r'].flatMap((way) => {
    const [base, head] = way === 'f' ? ['a', 'b'] : ['b', 'a'];
    return truth?.[way] ? [{ base: file(id, base), head: file(id, head), expected: truth[way][0] }] : [];
  }),
);
// Every so-manieth: the pairs of one source stand together.
const step = Math.max(1, labelled.length / Number(values.sample));
const drawn = Array.from(
  { length: Math.min(labelled.length, Number(values.sample)) },
  (_each, index) => labelled[Math.floor(index * step)],
);

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
// In the folder of the pairs: in this one, Redocly would read the configuration of the repository.
const settings = { cwd: folder, encoding: 'utf8', env, maxBuffer: 1e9, timeout: 120_000 };
const run = (program, ...args) => spawnSync(program, args, settings);
const by = (broken) => (broken ? 'breaking' : 'compatible');
const redocly = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '../bin/cli.js');
const judge = new URL('../../openapi-judge/dist/main.js', import.meta.url).pathname;
const jar = process.env.OPENAPI_DIFF_JAR;

/** Each gives a verdict, or undefined where it refuses the pair. */
const JUDGES = {
  'openapi-judge': ({ base, head }) => {
    const { status, stdout } = run(process.execPath, judge, base, head, '--format', 'json');
    return status === 0 ? JSON.parse(stdout).clients : undefined;
  },
  oasdiff: ({ base, head }) => {
    const { status } = run('oasdiff', 'breaking', '--fail-on', 'ERR', base, head);
    return status === 0 || status === 1 ? by(status === 1) : undefined;
  },
  'openapi-diff': ({ base, head }) => {
    if (jar === undefined) return undefined;
    const [said] = run('java', '-jar', jar, '--state', base, head).stdout?.trim().split('\n').slice(-1) ?? [];
    return /^(no_changes|compatible|incompatible|metadata)$/.test(said) ? by(said === 'incompatible') : undefined;
  },
  'openapi-changes (libopenapi)': ({ base, head }) => {
    const { status, stdout } = run(process.env.LIBOPENAPI ?? 'libopenapi', base, head);
    return status === 0 ? by(Number(stdout) > 0) : undefined;
  },
  'redocly diff': ({ base, head }) => {
    const { stdout } = run(
      process.execPath,
      redocly,
      'diff',
      base,
      head,
      '--format',
      'json',
      '--fail-on',
      'none',
      '--lint-config',
      'off',
    );
    try {
      const verdicts = JSON.parse(stdout).changes.flatMap((each) => each.verdicts ?? []);
      return by(verdicts.some(({ impact }) => impact === 'major'));
    } catch {
      return undefined;
    }
  },
};

const rows = Object.entries(JUDGES).flatMap(([name, ask]) => {
  if (ask(drawn[0]) === undefined && ask(drawn[1]) === undefined) {
    console.error(`${name}: not here, or it gives no verdict`);
    return [];
  }
  const count = { right: 0, missed: 0, alarm: 0, refused: 0 };
  for (const each of drawn) {
    const verdict = ask(each);
    if (verdict === undefined) count.refused += 1;
    else if (verdict === each.expected) count.right += 1;
    else count[each.expected === 'breaking' ? 'missed' : 'alarm'] += 1;
  }
  return [`| ${name} | ${count.right} | ${count.missed} | ${count.alarm} | ${count.refused} |`];
});
console.log(`| of ${drawn.length} directions | right | breaking, missed | compatible, called breaking | no verdict |`);
console.log('| --- | --: | --: | --: | --: |');
console.log(rows.join('\n'));
