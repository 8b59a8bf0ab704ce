// Makes dist/, which is what the package has: the command and the library, each of few files, and the published files;
// and openapi-judge/dist/, which is what the package of the judge has.
//   node scripts/package/build.mjs [--if-needed] [--types]
// With --if-needed nothing is done where both are up to date; --types adds the declarations of the libraries.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import '../typescript.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The programs of each package, the folder in which they are made, and the project that makes the declarations. */
const SUITE = {
  home: '',
  programs: { 'cli/main': 'cli/main.ts', 'conformance/index': 'conformance/index.ts' },
  types: { project: 'tsconfig.build.json', entry: 'dist/conformance/index.d.ts' },
};
const JUDGE = {
  home: 'openapi-judge/',
  // As CommonJS, which Node starts a sixth faster.
  command: { main: 'openapi-judge/src/main.ts' },
  programs: { index: 'openapi-judge/src/index.ts' },
  types: {
    project: 'openapi-judge/tsconfig.build.json',
    entry: 'openapi-judge/dist/types/openapi-judge/src/index.d.ts',
  },
};

/** A change of any of these makes dist/ out of date. */
const SOURCES = [
  ...['common', 'contract', 'reference-server', 'conformance', 'cli', 'proof', 'openapi-judge/src'],
  ...['openapi.yaml', 'package.json', 'openapi-judge/package.json', 'scripts/package/build.mjs'],
];

/** When a file was last changed, or when anything in a folder was changed, added or removed. */
function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  const inside = found?.isDirectory() ? readdirSync(path).map((name) => newest(`${path}/${name}`)) : [];
  return Math.max(found?.mtimeMs ?? 0, ...inside);
}

/** Whether each dist/, which a build replaces as a whole, is younger than the sources. */
function isBuilt() {
  const built = ['dist/cli/main.js', 'openapi-judge/dist/main.cjs'].map((path) => newest(root + path));
  return Math.max(...SOURCES.map((path) => newest(root + path))) <= Math.min(...built);
}

const OWN_FILE = /readFileSync\(new URL\('([^']+)', import\.meta\.url\), 'utf8'\)/g;

/** Puts the files that modules read from their own folder into the modules. */
const embedFiles = {
  name: 'embed-files',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('node_modules')) return null;
    return code.replaceAll(OWN_FILE, (_all, file) => {
      const text = readFileSync(new URL(file, pathToFileURL(id)), 'utf8');
      if (!file.endsWith('package.json')) return JSON.stringify(text);
      const { name, version } = JSON.parse(text);
      return JSON.stringify(JSON.stringify({ name, version }));
    });
  },
};

/** Is joined although it is installed, for its types: to load all of it takes as long as to start the command. */
const JOINED = ['zod'];

/** Joins the modules that programs need, those of development dependencies included: then they start in half the time. */
async function bundle({ home, command, programs }, dir) {
  const { dependencies } = JSON.parse(readFileSync(`${root}${home}package.json`, 'utf8'));
  const installed = Object.keys(dependencies).filter((name) => !JOINED.includes(name));
  const external = (id) => installed.some((name) => id === name || id.startsWith(`${name}/`));
  const options = { external, platform: 'node', tsconfig: false, plugins: [embedFiles] };
  const modules = [];
  for (const [input, format, extension] of [[programs, 'esm', 'js'], ...(command ? [[command, 'cjs', 'cjs']] : [])]) {
    const built = await rolldown({ cwd: root, input, ...options });
    const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `parts/[name].${extension}` };
    const { output } = await built.write({ dir, format, ...names });
    await built.close();
    modules.push(...output.flatMap(({ moduleIds = [] }) => moduleIds));
  }
  writeFileSync(`${dir}/licenses.txt`, licensesOf(modules));
}

/** The licenses of the packages that modules are of. */
function licensesOf(modules) {
  const folders = new Set(modules.map((id) => /.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean));
  const texts = [...folders].sort().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return `${folder.split('/node_modules/').at(-1)}\n\n${readFileSync(`${folder}/${file}`, 'utf8')}`;
  });
  return texts.join('\n---\n\n');
}

/** Writes the published files: those of the contract, and the schemas of results and of configuration files. */
async function publish(folder) {
  const { z } = await import('zod');
  const { resultSchema } = await import('../../conformance/facts/result.ts');
  const { configurationSchema } = await import('../../cli/settings.ts');
  const { buildContract } = await import('../../contract/publish/contract-files.ts');
  await buildContract(`${folder}/published`);
  const schemas = {
    'conformance/result/result.schema.json': { title: 'Result of a conformance run', ...z.toJSONSchema(resultSchema) },
    'cli/config.schema.json': configurationSchema(),
  };
  for (const [path, schema] of Object.entries(schemas)) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    writeFileSync(`${folder}/${path}`, `${JSON.stringify(schema, null, 2)}\n`);
  }
}

/** Fills a folder, and moves it into place at the end, so that each dist/ is complete at any time. */
async function build() {
  const draft = mkdtempSync(`${root}.build-`);
  try {
    await bundle(SUITE, `${draft}/suite`);
    await publish(`${draft}/suite`);
    await bundle(JUDGE, `${draft}/judge`);
    for (const command of ['suite/cli/main.js', 'judge/main.cjs']) chmodSync(`${draft}/${command}`, 0o755);
    for (const [made, folder] of Object.entries({ suite: 'dist', judge: 'openapi-judge/dist' })) {
      rmSync(root + folder, { recursive: true, force: true });
      renameSync(`${draft}/${made}`, root + folder);
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const wants = (option) => process.argv.includes(option);
if (!wants('--if-needed') || !isBuilt()) await build();
if (wants('--types')) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  for (const { project } of [SUITE.types, JUDGE.types].filter((each) => !existsSync(root + each.entry)))
    // `npm run typecheck` judges the types, which takes as long again.
    execFileSync(process.execPath, [tsc, '-p', project, '--noCheck'], { cwd: root, stdio: 'inherit' });
}
