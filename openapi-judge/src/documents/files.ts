/** The files that documents are read from: on disk, or in a revision of git. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { byText } from '../../../common/text.ts';
import { requireModule } from '../../../common/process/commonjs.ts';
import { UsageError } from '../../../common/process/args.ts';
import { readGivenFile } from '../../../common/process/files.ts';
import { isAddress, withoutPassword } from './addresses.ts';

/** Where the documents of one side come from. Paths are absolute. */
export interface Source {
  /** What a document is called in messages. */
  readonly nameOf: (path: string) => string;
  readonly has: (path: string) => boolean;
  /** The text of a file. Throws UsageError if it cannot be read. */
  readonly read: (path: string, name: string) => string;
  /** The paths of all files below a folder. */
  readonly list: (folder: string) => readonly string[];
  /** Whether a document may refer to a file: both are in one repository, or the file is below the folder of the document. */
  readonly mayRefer: (document: string, file: string) => boolean;
}

/** A document that is named on the command line, and where it comes from. */
export interface Named {
  readonly source: Source;
  readonly path: string;
}

/** MiB of one file. */
const MOST = 64;

function git(folder: string, ...args: readonly string[]): string | undefined {
  const { execFileSync } = requireModule('node:child_process') as typeof import('node:child_process');
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

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function isFileOf(document: string, file: string): boolean {
  const folder = realpathSync(dirname(resolve(document)));
  const root = git(folder, 'rev-parse', '--show-toplevel')?.trim();
  return !existsSync(file) || isInside(root ?? folder, realpathSync(file));
}

/** The files that stand in the working folder. */
const onDisk: Source = {
  nameOf: (path) => relative('.', path).split(sep).join('/'),
  has: existsSync,
  read: (path, name) => readGivenFile(path, MOST, name),
  list: (folder) => {
    if (!existsSync(folder)) return [];
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    return found.filter((each) => each.isFile()).map((each) => resolve(each.parentPath, each.name));
  },
  mayRefer: isFileOf,
};

/** The files as they stand in a revision of the git repository, and the root of that. */
function atRevision(revision: string): { readonly source: Source; readonly root: string } {
  const here = realpathSync('.');
  const root = git(here, 'rev-parse', '--show-toplevel')?.trim();
  if (root === undefined) throw new UsageError(`${revision}:…: this folder is in no git repository.`);
  const commit = git(here, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`)?.trim();
  if (commit === undefined)
    throw new UsageError(
      `${revision}: this git repository has no such revision. In CI, fetch it first (actions/checkout: fetch-depth: 0).`,
    );
  const inside = (path: string): string => relative(root, path).split(sep).join('/');
  const source: Source = {
    nameOf: (path) => `${revision}:${inside(path)}`,
    has: (path) => git(root, 'cat-file', '-e', `${commit}:${inside(path)}`) !== undefined,
    read: (path, name) => {
      const text = git(root, 'cat-file', 'blob', `${commit}:${inside(path)}`);
      if (text === undefined)
        throw new UsageError(`${name}: ${revision} has no file ${inside(path)}${elsewhere(path)}.`);
      return text;
    },
    list: (folder) => {
      const listed = git(root, 'ls-tree', '-r', '-z', '--name-only', '--full-tree', commit) ?? '';
      return listed
        .split('\0')
        .map((path) => resolve(root, path))
        .filter((path) => isInside(folder, path));
    },
    mayRefer: (_document, file) => isInside(root, file),
  };
  const elsewhere = (path: string): string => {
    const local = resolve(here, inside(path));
    const isThere = local !== path && isInside(root, local) && source.has(local);
    return isThere ? `; paths count from the root of the repository, so write ${revision}:./${inside(path)}` : '';
  };
  return { source, root };
}

/** Where an argument names files: the source, the folder that its path counts from, and that path. */
function placedBy(argument: string): { readonly source: Source; readonly from: string; readonly path: string } {
  const here = realpathSync('.');
  const [, revision, path] = /^([^:]{2,}):(.+)$/s.exec(argument) ?? [];
  if (revision === undefined || path === undefined || existsSync(argument))
    return { source: onDisk, from: here, path: argument };
  const { source, root } = atRevision(revision);
  return { source, from: /^\.\.?\//.test(path) ? here : root, path };
}

/**
 * What an argument names: a file, or a file in a revision. `REV:path` counts from the root of the repository, as in git, and
 * `REV:./path` from the current folder.
 *
 * @throws UsageError if there is no such revision, or for an address
 */
export function namedBy(argument: string): Named {
  if (isAddress(argument))
    throw new UsageError(`${withoutPassword(argument)}: addresses are read with --allow-url only.`);
  const { source, from, path } = placedBy(argument);
  return { source, path: resolve(from, path) };
}

/** Whether an argument is a pattern that may name several documents. */
export function isPattern(argument: string): boolean {
  return /[*?]|\{[^}]*,[^}]*\}/.test(argument) && !isAddress(argument) && !existsSync(argument);
}

/** The documents that a pattern names, by what stands where the pattern varies. Files without `openapi` are parts of others. */
export function matching(argument: string) {
  const { source, from, path: pattern } = placedBy(argument);
  const fixed = dirname(`${pattern.split(/[*?{[]/)[0] ?? ''}x`);
  const { makeRe } = requireModule('picomatch') as {
    makeRe: (pattern: string, options: { readonly capture: boolean }) => RegExp;
  };
  const expression = makeRe(pattern.replace(/^\.\//, ''), { capture: true });
  const fitting = source.list(resolve(from, fixed)).flatMap((path): [string, Named][] => {
    const match = expression.exec(relative(from, path).split(sep).join('/'));
    return match === null ? [] : [[match.slice(1).join('|'), { source, path }]];
  });
  const [documents, parts] = [new Map<string, Named>(), [] as Named[]];
  for (const [key, named] of fitting.sort(([a], [b]) => byText(a, b))) {
    const text = named.source.read(named.path, source.nameOf(named.path));
    if (/(^|[{,])\s*["']?(openapi|swagger)["']?\s*:/m.test(text)) documents.set(key, named);
    else parts.push(named);
  }
  return { documents, parts };
}
