import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Mutant } from './instrument.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** That something is not used any more is the change itself, and no error of types. */
const UNUSED = [6133, 6192, 6196, 6198, 6199, 6205];

/** Makes what tells whether the compiler rejects a mutant, which then nobody can leave in the code. */
export function makeTypeCheck(): (mutant: Mutant) => boolean {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => readFileSync(path, 'utf8')).config,
    ts.sys,
    ROOT,
  );
  let [changed, content, version] = ['', '', 0];
  const files = fileNames.filter((file) => file.startsWith(`${ROOT}conformance/`));
  const service = ts.createLanguageService({
    ...{ getCompilationSettings: () => options, getScriptFileNames: () => files, getCurrentDirectory: () => ROOT },
    ...{ fileExists: (path) => ts.sys.fileExists(path), readFile: (path) => ts.sys.readFile(path) },
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    getScriptVersion: (file) => (file === changed ? String(version) : '0'),
    getScriptSnapshot: (file) =>
      ts.ScriptSnapshot.fromString(file === changed ? content : (ts.sys.readFile(file) ?? '')),
  });
  return ({ file, range: [start, end], replacement }) => {
    changed = `${ROOT}${file}`;
    const own = readFileSync(changed, 'utf8');
    content = own.slice(0, start) + replacement + own.slice(end);
    version += 1;
    return service.getSemanticDiagnostics(changed).some(({ code }) => !UNUSED.includes(code));
  };
}
