import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { byText } from '../../../common/text.ts';
import { requireModule } from '../../../common/process/commonjs.ts';
import { UsageError } from '../../../common/process/args.ts';
import { readGivenFile } from '../../../common/process/files.ts';

/** Where the documents of one side come from. */
interface Source {
  /** What a document is called in messages. */
  readonly nameOf: (path: string) => string;
  /** The text of a file. Throws UsageError if it cannot be read. */
  readonly read: (path: string, name: string) => string;
  /** The paths of all files below a folder. */
  readonly list: (folder: string) => readonly string[];
}

/** MiB. */
const MOST = 256;

function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', [...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: MOST * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

/** The files that stand in the working folder. */
const onDisk: Source = {
  nameOf: (path) => path,
  read: (path, name) => readGivenFile(path, MOST, name),
  list: filesBelow,
};

function filesBelow(folder: string): readonly string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).map((each) => resolve(each.parentPath, each.name));
}

/** The files as they stand in a revision of the git repository. */
function atRevision(revision: string): Source {
  const here = realpathSync('.');
  const root = git(here, 'rev-parse', '--show-toplevel')?.trim();
  if (root === undefined) throw new UsageError(`${revision}:…: this folder is in no git repository.`);
  const commit = git(here, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`)?.trim();
  if (commit === undefined)
    throw new UsageError(
      `${revision}: this git repository has no such revision. In CI, fetch it first (actions/checkout: fetch-depth: 0).`,
    );
  const inside = (path: string): string => relative(root, resolve(here, path)).split(sep).join('/');
  return {
    nameOf: (path) => `${revision}:${path}`,
    read: (path, name) => {
      const place = inside(path);
      if (place.startsWith('../')) throw new UsageError(`${name}: it is outside of the git repository.`);
      const text = git(root, 'cat-file', 'blob', `${commit}:${place}`);
      if (text === undefined) throw new UsageError(`${name}: the revision ${revision} has no file ${place}.`);
      return text;
    },
    list: (folder) => {
      const listed = git(resolve(here, folder), 'ls-tree', '-r', '-z', '--name-only', '--full-tree', commit) ?? '';
      return listed
        .split('\0')
        .map((path) => resolve(root, path))
        .filter((path) => path.startsWith(resolve(here, folder)));
    },
  };
}

/** A document that is named on the command line, and where it comes from. */
export interface Named {
  readonly source: Source;
  readonly path: string;
}

/**
 * What an argument names: a file, or a file in a revision (`REV:path`).
 *
 * @throws UsageError if there is no such revision
 */
export function namedBy(argument: string): Named {
  if (/^https?:/.test(argument)) throw new UsageError(`${argument}: only files are read, and no addresses.`);
  const [, revision, path] = /^([^:]{2,}):(.+)$/s.exec(argument) ?? [];
  if (revision === undefined || path === undefined || existsSync(argument)) return { source: onDisk, path: argument };
  return { source: atRevision(revision), path };
}

/** Whether an argument is a pattern that may name several documents. */
export function isPattern(argument: string): boolean {
  return /[*?]|\{[^}]*,[^}]*\}/.test(argument) && !existsSync(argument);
}

/** The documents that a pattern names, by what stands where the pattern varies. */
export function matching(argument: string): ReadonlyMap<string, Named> {
  const { source, path: pattern } = namedBy(argument);
  const fixed = dirname(`${pattern.split(/[*?{[]/)[0] ?? ''}x`);
  const { makeRe } = requireModule('picomatch') as {
    makeRe: (pattern: string, options: { readonly capture: boolean }) => RegExp;
  };
  const expression = makeRe(pattern.replace(/^\.\//, ''), { capture: true });
  const found = source.list(fixed).flatMap((absolute): [string, Named][] => {
    const path = relative(realpathSync('.'), absolute).split(sep).join('/');
    const match = expression.exec(path);
    return match === null ? [] : [[match.slice(1).join('|'), { source, path }]];
  });
  if (found.length === 0) throw new UsageError(`${argument}: no file matches.`);
  return new Map(found.sort(([a], [b]) => byText(a, b)));
}
