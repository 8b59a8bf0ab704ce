/** Judges the documents that two arguments name: one pair, or those of two patterns. */
import { UsageError } from '../../common/process/args.ts';
import { change, judgementOf, type Judgement } from './change.ts';
import { judge, type Extensions } from './classify.ts';
import { isAddress } from './documents/addresses.ts';
import type { Description } from './documents/description.ts';
import { isPattern, matching, namedBy, type Named } from './documents/files.ts';
import { loadDescription, loadNamed, type Allowed } from './load.ts';
import type { Outcome } from './policy.ts';
import { scoped, type Scope } from './scope.ts';

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
  /** Files that are parts of others. */
  readonly parts: readonly string[];
}

/** How documents are read and judged. */
export interface Settings {
  readonly decide: Decide;
  readonly allowed: Allowed;
  readonly scope: Scope;
  readonly extensions?: Extensions | undefined;
}

/** Judges the documents that two arguments name. Throws UsageError if one cannot be read. */
export async function judgeAll(old: string, now: string, settings: Settings): Promise<Judged> {
  if (isPattern(old) && isPattern(now)) return judgeMatching(old, now, settings);
  if (isPattern(old) || isPattern(now)) throw new UsageError(`${old}, ${now}: both must be patterns, or none.`);
  const lone = loneSide(old, now);
  const judgement =
    lone === undefined
      ? judgeTwo(
          await loadDescription('base', old, settings.allowed),
          await loadDescription('head', now, settings.allowed),
          settings,
        )
      : judgementOf([LONE[lone]]);
  const pair = { name: now, outcome: settings.decide(judgement), file: now };
  const names = (side: typeof lone): readonly string[] => (lone === side ? [now] : []);
  return { several: false, pairs: [pair], gone: names('gone'), come: names('come'), parts: [] };
}

function judgeTwo(base: Description, head: Description, { scope, extensions }: Settings): Judgement {
  const [before, after] = [scoped(base, scope, scope.oldPrefix), scoped(head, scope, scope.newPrefix)];
  return judge(before, after, extensions);
}

/** What is said where one side alone has a document. */
const LONE = {
  gone: change('document-removed', { pointer: '', document: 'base' }, 'the document is gone'),
  come: change('document-added', { pointer: '', document: 'head' }, 'the document is new'),
};

/** Whether the same file is on one side of a comparison with a revision alone: a document is new, or gone. */
function loneSide(old: string, now: string): keyof typeof LONE | undefined {
  const areFiles = [old, now].every((each) => each !== '-' && !isAddress(each));
  if (!areFiles) return undefined;
  const [before, after] = [namedBy(old), namedBy(now)];
  if (before.path !== after.path || before.source === after.source) return undefined;
  const [was, is] = [before, after].map(({ source, path }) => source.has(path));
  if (was === is) return undefined;
  return is ? 'come' : 'gone';
}

function judgeMatching(old: string, now: string, settings: Settings): Judged {
  const [before, after] = [matching(old), matching(now)];
  if (before.documents.size + after.documents.size === 0)
    throw new UsageError(`${old}, ${now}: no OpenAPI document matches either.`);
  const all = new Map([...before.documents, ...after.documents]);
  const pairs = [...all].map(([key, any]) => {
    const [base, head] = [before.documents.get(key), after.documents.get(key)];
    const named = head ?? any;
    return {
      name: nameOf(named),
      outcome: settings.decide(judgeEither(base, head, settings), nameOf(named)),
      file: nameOf(named),
    };
  });
  const alone = (some: typeof before, others: typeof before): string[] =>
    [...some.documents].flatMap(([key, named]) => (others.documents.has(key) ? [] : [nameOf(named)]));
  const parts = after.parts.map(nameOf);
  return { several: true, pairs, gone: alone(before, after), come: alone(after, before), parts };
}

function judgeEither(base: Named | undefined, head: Named | undefined, settings: Settings): Judgement {
  if (base === undefined) return judgementOf([LONE.come]);
  if (head === undefined) return judgementOf([LONE.gone]);
  return judgeTwo(loadNamed('base', base, settings.allowed), loadNamed('head', head, settings.allowed), settings);
}

function nameOf({ source, path }: Named): string {
  return source.nameOf(path);
}
