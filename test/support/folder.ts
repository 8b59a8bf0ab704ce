import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for temporary files. */
export interface TemporaryFolder {
  readonly path: string;
  /** The path of a file in it. */
  readonly at: (...names: string[]) => string;
  /** Writes a file into it, and returns its path. */
  readonly write: (name: string, content: string) => string;
  /** The text of a file in it. */
  readonly read: (name: string) => string;
  /** What a file in it says in JSON. */
  readonly json: (name: string) => unknown;
  /** Makes an empty folder in it. */
  readonly fresh: () => TemporaryFolder;
}

function folderAt(path: string): TemporaryFolder {
  const at = (...names: string[]): string => join(path, ...names);
  const write = (name: string, content: string): string => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
    return at(name);
  };
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  const json = (name: string): unknown => JSON.parse(read(name));
  return { path, at, write, read, json, fresh: () => folderAt(mkdtempSync(at('fresh-'))) };
}

/** Makes a folder that is removed after the tests of the file that calls this. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return folderAt(path);
}

/** Every file below a folder, by its path from there, with slashes on every system. */
export function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')).sort();
}
