/** Accepted changes: which of the changes that were found they stand for, and the file that holds them. */
import { arrayOf, textOf, type JsonObject } from '../../common/json.ts';
import { matchesOne } from '../../common/glob.ts';
import { UsageError } from '../../common/process/args.ts';
import { usesOf, type Change, type Judgement } from './change.ts';
import { objectIn } from './object-in.ts';

/** What both kinds of entries say. */
interface Entry {
  readonly reason: string;
  /** The last day, as `2027-01-31`. */
  readonly until?: string;
  /** The newer document, where several are judged. */
  readonly document?: string;
}

/** One change: the same fact at the same place, where it is listed that it shows. */
interface AcceptedChange extends Entry {
  readonly rule: string;
  /** The JSON pointer of the place. */
  readonly place: string;
  /** What was and what is, as the fact of the change says it. */
  readonly change: string;
  /** Each operation with the place in it. */
  readonly uses: readonly string[];
  /** Whether it breaks clients; if this is not said, it may. */
  readonly clients?: string;
  /** The two schemas, where the fact does not say all that differs. */
  readonly digest?: string;
}

/** All changes that fit, whatever they are; `*` stands for any text. */
interface AcceptedPattern extends Entry {
  readonly pattern: {
    readonly rule?: string;
    readonly operation?: string;
    readonly message?: string;
  };
}

/** What somebody has accepted. */
export type Accepted = AcceptedChange | AcceptedPattern;

function isPattern(entry: Accepted): entry is AcceptedPattern {
  return 'pattern' in entry;
}

/** The uses of a change that an entry stands for. */
function usesIn(each: Change, entry: Accepted): readonly string[] {
  const uses = usesOf(each);
  if (isPattern(entry)) return uses.filter((use) => fits(each, use, entry.pattern));
  const isSame = entry.rule === each.rule && entry.place === each.pointer && entry.change === each.fact;
  const isWorse = each.clients === 'breaking' && entry.clients === 'compatible';
  if (!isSame || isWorse || entry.digest !== each.digest) return [];
  return uses.filter((use) => entry.uses.includes(use));
}

function fits(each: Change, use: string, { rule = '*', operation = '*', message = '*' }: AcceptedPattern['pattern']) {
  const operations = each.operations ?? [''];
  const isHere = operations.some((one) => isOf(use, one) && matchesOne([operation], one));
  return isHere && matchesOne([rule], each.rule) && matchesOne([message], each.message);
}

function isOf(use: string, operation: string): boolean {
  return use === operation || use.startsWith(`${operation}: `) || operation === '';
}

/** A change in some of its uses. */
function onlyIn<C extends Change>(each: C, uses: readonly string[]): C {
  const { operations } = each;
  const left = operations?.filter((operation) => uses.some((use) => isOf(use, operation)));
  return { ...each, uses, ...(left === undefined ? {} : { operations: left }) };
}

/** Changes without what is accepted of them: of one that shows in several places, some may be accepted. */
export function takenOut(changes: readonly Change[], entries: readonly Accepted[]) {
  const left: Change[] = [];
  const accepted: NonNullable<Judgement['accepted']>[number][] = [];
  const used = new Set<Accepted>();
  for (const each of changes) {
    let rest = usesOf(each);
    for (const entry of entries) {
      const taken = usesIn(each, entry).filter((use) => rest.includes(use));
      if (taken.length === 0) continue;
      used.add(entry);
      const { reason } = entry;
      accepted.push({ ...onlyIn(each, taken), reason, ...(isPattern(entry) ? { byPattern: true } : {}) });
      rest = rest.filter((use) => !taken.includes(use));
    }
    if (rest.length > 0) left.push(rest.length === usesOf(each).length ? each : onlyIn(each, rest));
  }
  return { left, accepted, used: [...used] };
}

function nameOf(entry: Accepted): string {
  if (isPattern(entry)) return `pattern ${JSON.stringify(entry.pattern)}`;
  return `${entry.rule} at ${entry.place || 'the document'}: ${entry.change}`.slice(0, 300);
}

/** What is wrong with accepted changes: those that are no changes any more, and those whose day has passed. */
export function staleEntries(
  { accepted, acceptedFile = 'accepted' }: { readonly accepted: readonly Accepted[]; readonly acceptedFile?: string },
  used: readonly Accepted[],
  today: string,
): readonly string[] {
  return accepted.flatMap((entry, index) => {
    const name = `${acceptedFile}: entry ${index + 1} (${nameOf(entry)})`;
    if (entry.until !== undefined && entry.until < today) return [`${name} has expired on ${entry.until}.`];
    return used.includes(entry) ? [] : [`${name} is stale: there is no such change; take it out.`];
  });
}

const MEMBERS = ['rule', 'place', 'change', 'uses', 'clients', 'digest', 'pattern', 'reason', 'until', 'document'];

/** Reads a list of accepted changes. Throws UsageError for what is none. */
export function readAccepted(value: unknown, file: string): readonly Accepted[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new UsageError(`${file}: this must be a list of accepted changes.`);
  return value.map((each: unknown, index) => {
    const name = `${file}: entry ${index + 1}`;
    const entry = objectIn(each, name, MEMBERS);
    return entry.pattern === undefined ? changeIn(entry, name) : patternIn(entry, name);
  });
}

function changeIn(entry: JsonObject, name: string): Accepted {
  const [rule, place, change] = [entry.rule, entry.place, entry.change].map(textOf);
  const uses = arrayOf(entry.uses).map(String);
  if (rule === undefined || place === undefined || change === undefined || uses.length === 0)
    throw new UsageError(
      `${name} needs rule, place, change and uses, which --write-accepted writes, or a pattern written by hand.`,
    );
  const [clients, digest] = [entry.clients, entry.digest].map(textOf);
  const said = saidOf(entry, `${name} (${rule} at ${place})`);
  return { rule, place, change, uses, ...(clients && { clients }), ...(digest && { digest }), ...said };
}

function patternIn(entry: JsonObject, name: string): Accepted {
  const { rule, place, change, uses, clients, digest } = entry;
  const pattern = objectIn(entry.pattern, `${name}: pattern`, ['rule', 'operation', 'message']);
  const texts = Object.values(pattern).filter((each) => typeof each === 'string' && each !== '');
  if ([rule, place, change, uses, clients, digest].some((each) => each !== undefined))
    throw new UsageError(`${name} has a pattern and more; a pattern stands alone.`);
  if (texts.length === 0 || texts.length < Object.keys(pattern).length)
    throw new UsageError(`${name}: a pattern needs rule, operation or message, each a text such as "GET /beta/*".`);
  return { pattern, ...saidOf(entry, name) };
}

/** What every entry has to say. */
function saidOf({ reason, until, document }: JsonObject, name: string): Entry {
  const [why, day, path] = [reason, until, document].map(textOf);
  if (why === undefined || why.trim() === '')
    throw new UsageError(`${name} needs a reason: say why the change is accepted.`);
  if (until !== undefined && (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)))
    throw new UsageError(`${name}: until must be a day such as 2027-01-31.`);
  if (document !== undefined && path === undefined) throw new UsageError(`${name}: document must be the path of one.`);
  return { reason: why, ...(day && { until: day }), ...(path && { document: path }) };
}

/** The entry for a change as it was found. */
export function entryFor(each: Change, reason: string, document?: string): Accepted {
  const { rule, pointer: place, fact: change, clients, digest } = each;
  const entry = { rule, place, change, uses: usesOf(each), clients, ...(digest && { digest }), reason };
  return document === undefined ? entry : { ...entry, document };
}
