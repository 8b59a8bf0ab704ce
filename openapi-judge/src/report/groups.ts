/** What reports have in common: the verdicts in words, and the changes in the order in which they are shown. */
import { counted, escapeInvisible, groupedBy } from '../../../common/text.ts';
import { brokenSides, levelOfEffect, sentence, usesOf, type Change, type Effect, type Judgement } from '../change.ts';

/** For whom a report is. */
export interface View {
  /** Clients alone: nothing is said of implementers. */
  readonly clientsOnly?: boolean;
  /** Only what breaks somebody. */
  readonly breakingOnly?: boolean;
  /** Every change, and where it stands. */
  readonly verbose?: boolean;
  /** With colours of a terminal. */
  readonly colored?: boolean;
}

const BREAKING = {
  clients: 'A client of the older contract may fail with a server of the newer.',
  implementers: 'A server of the older contract has to change to conform to the newer.',
};
const COMPATIBLE = {
  clients: 'A client of the older contract that ignores what it does not know works with servers of the newer.',
  implementers: 'A server of the older contract conforms to the newer.',
};

/** The verdicts in words, with what was accepted. */
export function verdictLines(judgement: Judgement, { clientsOnly }: View = {}): readonly string[] {
  const lines = [verdictLine(judgement, 'clients'), verdictLine(judgement, 'implementers')];
  return clientsOnly === true ? lines.slice(0, 1) : lines;
}

function verdictLine({ accepted = [], ...verdicts }: Judgement, side: keyof Effect): string {
  const taken = accepted.filter((each) => each[side] === 'breaking').length;
  const name = side === 'clients' ? 'Clients' : 'Implementers';
  if (verdicts[side] === 'breaking') {
    const beside = taken === 0 ? '' : `, beside ${counted(taken, 'accepted change')}`;
    return `${name}: breaking${beside}. ${BREAKING[side]}`;
  }
  if (taken > 0) return `${name}: compatible but for ${counted(taken, 'accepted change')}.`;
  return `${name}: compatible. ${COMPATIBLE[side]}`;
}

/** What the bump means for `info.version`. */
export function bumpLine({ bump, accepted = [] }: Judgement): string {
  if (bump === 'none') return 'Version: no bump is needed.';
  const counting = accepted.length === 0 ? '' : `; ${counted(accepted.length, 'accepted change')} counted`;
  return `Version: at least a ${bump} bump${counting}.`;
}

const TITLES = ['Breaks clients and implementers', 'Breaks clients', 'Breaks implementers', 'Compatible', 'Wording'];

function titleOf(each: Change): string {
  const broken = brokenSides(each);
  if (broken !== '') return `Breaks ${broken}`;
  return each.bump === 'patch' && !each.review ? 'Wording' : 'Compatible';
}

/** The changes by whom they concern, each in one group; groups without changes are left out. */
export function groupsOf(changes: readonly Change[], { breakingOnly }: View = {}) {
  const shown = acrossOperations(changes).filter((each) => breakingOnly !== true || brokenSides(each) !== '');
  const all = TITLES.map((title) => ({ title, changes: shown.filter((each) => titleOf(each) === title) }));
  return all.filter((group) => group.changes.length > 0);
}

/** Changes that say the same of several operations, once; places and messages as they may be shown. */
function acrossOperations(changes: readonly Change[]): readonly Change[] {
  const same = groupedBy(changes, (each) => {
    const { rule, message, messages, level, document, reference, operations } = each;
    const place = operations === undefined ? each.pointer : '';
    return JSON.stringify([rule, message, messages, level, document, reference, titleOf(each), place]);
  });
  return same.flatMap(([, [first, ...more]]) => {
    if (first === undefined) return [];
    const all = [first, ...more];
    const operations = [...new Set(all.flatMap((each) => each.operations ?? []))].sort();
    const uses = [...new Set(all.flatMap(usesOf))];
    return [legible(operations.length === 0 ? first : { ...first, operations, uses })];
  });
}

/** A text in one line, without what hides or turns others. */
export function inOneLine(text: string): string {
  return escapeInvisible(text).replaceAll('\n', '\\n');
}

/** A change whose texts are each in one line. */
export function legible<C extends Change>(each: C): C {
  const legibleText = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? inOneLine(value) : value;
  return JSON.parse(JSON.stringify(each), legibleText) as C;
}

/** The operations of a change in a few words. */
export function operationsOf({ operations = [] }: Change): string {
  const [first, second, ...more] = operations;
  if (first === undefined) return 'The document';
  if (second === undefined) return first;
  return more.length === 0 ? `${first}, ${second}` : `${first}, ${second}, and ${more.length} more`;
}

/** Characters of a message that are shown. */
const MOST_SHOWN = 400;

/** A text as it is shown. */
function cut(text: string): string {
  const more = text.length - MOST_SHOWN;
  return more <= 0 ? text : `${text.slice(0, MOST_SHOWN)}… (${more} more characters)`;
}

/** What is said of a change by itself: with the reference by which it came. */
export function messageOf(each: Change): string {
  const { message, reference } = legible(each);
  return reference === undefined ? cut(message) : `${cut(message)}; ${referenceOf(reference)}`;
}

/** That a reference leads elsewhere now. */
export function referenceOf({ where, was, is }: NonNullable<Change['reference']>): string {
  return `${where} refers to ${is} now, not to ${was}`;
}

/** What is said of a change below the line about its reference. */
export function messageBehind({ reference, fact, message }: Change): string {
  return cut(reference === undefined ? message : sentence({ where: reference.inside.replace(/^\./, ''), fact }));
}

/**
 * What is to be said of a change beside what it is: that it shows in other places of its operations, too, that its level is not the
 * one of its effect, and that a person has to look.
 */
export function remarkOn(change: Change): string {
  const { level, review } = change;
  const others = placesOf(change).size - 1;
  return [
    others > 0 ? ` — also in ${counted(others, 'other place')}` : '',
    level === undefined || level === levelOfEffect(change) ? '' : ` — ${level}`,
    review ? ' — needs review' : '',
  ].join('');
}

/** Where a change shows in the operations that have it, without their names. */
function placesOf(change: Change): ReadonlySet<string> {
  const { operations = [] } = change;
  const placeIn = (use: string): string => {
    const operation = operations.find((each) => use === each || use.startsWith(`${each}: `)) ?? '';
    return use.slice(operation.length);
  };
  return new Set(usesOf(change).map(placeIn));
}
