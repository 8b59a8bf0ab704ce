import { UsageError } from '../../common/process/args.ts';
import type { Judgement } from './change.ts';
import { judge, type Extensions } from './classify.ts';
import { isPattern, matching } from './documents/files.ts';
import { loadDescription, loadNamed } from './load.ts';
import type { Outcome } from './policy.ts';

/** What a judgement comes to, by what a team has decided; `document` is the newer one, where several are judged. */
export type Decide = (judgement: Judgement, document?: string) => Outcome;

/** The two documents that are compared, and what one pair of several is called. */
export interface Pair {
  readonly name: string;
  readonly outcome: Outcome;
  /** The newer document on disk, for the lines of annotations. */
  readonly file: string;
}

/** What is judged, and documents that one side alone has. */
export interface Judged {
  /** Whether patterns name them. */
  readonly several: boolean;
  readonly pairs: readonly Pair[];
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** Judges the documents that two arguments name. Throws UsageError if one cannot be read. */
export async function judgeAll(old: string, now: string, decide: Decide, extensions?: Extensions): Promise<Judged> {
  if (!isPattern(old) && !isPattern(now)) {
    const documents = [await loadDescription('base', old), await loadDescription('head', now)] as const;
    const pair = { name: now, outcome: decide(judge(...documents, extensions)), file: now };
    return { several: false, pairs: [pair], gone: [], come: [] };
  }
  if (!isPattern(old) || !isPattern(now)) throw new UsageError(`${old}, ${now}: both must be patterns, or none.`);
  const [before, after] = [matching(old), matching(now)];
  const pairs = [...before].flatMap(([key, base]): Pair[] => {
    const head = after.get(key);
    if (head === undefined) return [];
    const name = head.source.nameOf(head.path);
    const judgement = judge(loadNamed('base', base), loadNamed('head', head), extensions);
    return [{ name, outcome: decide(judgement, head.path), file: head.path }];
  });
  const alone = (some: typeof before, others: typeof before): string[] =>
    [...some].flatMap(([key, { source, path }]) => (others.has(key) ? [] : [source.nameOf(path)]));
  return { several: true, pairs, gone: alone(before, after), come: alone(after, before) };
}
