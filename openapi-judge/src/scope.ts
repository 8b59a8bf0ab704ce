/** Which paths of documents are judged, and what stands before each of them. */
import { matchesOne } from '../../common/glob.ts';
import { objectOf } from '../../common/json.ts';
import type { Description } from './documents/description.ts';

/** The paths that are judged: globs in which `*` stands for any text, and what is taken from the start of paths first. */
export interface Scope {
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly oldPrefix?: string | undefined;
  readonly newPrefix?: string | undefined;
}

/** A document with those of its paths that are judged. */
export function scoped(description: Description, { only, except }: Scope, prefix = ''): Description {
  if (only.length + except.length === 0 && prefix === '') return description;
  const paths = Object.entries(objectOf(description.root.paths)).flatMap(([path, item]) => {
    const left = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
    const isJudged = (only.length === 0 || matchesOne(only, left)) && !matchesOne(except, left);
    return isJudged ? [[left, item] as const] : [];
  });
  return { ...description, root: { ...description.root, paths: Object.fromEntries(paths) } };
}
