/** Reads regular expressions as automata, to prove what texts fit them. */
import { requireModule } from '../../../../common/process/commonjs.ts';
import type { AST } from '@eslint-community/regexpp';
import type { Work } from '../../documents/description.ts';

/** Makes a function remember what it gave for each text. */
function remembering<V>(make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    if (!known.has(text)) known.set(text, make(text));
    return known.get(text) as V;
  };
}

/** A set of characters: the code points, in order, at which it begins and ends by turns. */
type CharacterSet = readonly number[];

/** An edge of an automaton: by a character, by nothing, or by nothing at the start or at the end of the text. */
interface Edge {
  readonly on: CharacterSet | 'nothing' | 'start' | 'end';
  readonly to: number;
}

/** An automaton that begins in state 0 and accepts in state 1, in texts of which the pattern fits a part. */
type Automaton = readonly (readonly Edge[])[];

/** States of an automaton, beyond which it is not built, and of several together, beyond which they are not compared. */
const MOST_STATES = 3_000;
const MOST_TOGETHER = 20_000;
const LAST_POINT = 0x10ffff;

/** Thrown for what is not regular or too much. */
class Unreadable extends Error {}

const ALL: CharacterSet = [0, LAST_POINT + 1];

/** Whether a set has a character: an odd number of its bounds lie before it. */
function has(set: CharacterSet, point: number): boolean {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[middle] ?? 0) <= point) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** The characters that are in any of some sets. */
function unionOf(sets: readonly CharacterSet[]): CharacterSet {
  const ends = sets.flatMap((set) => set.map((point, index) => ({ point, step: index % 2 === 0 ? 1 : -1 })));
  const bounds: number[] = [];
  let depth = 0;
  // A set that begins where another one ends goes on.
  for (const { point, step } of ends.sort((a, b) => a.point - b.point || b.step - a.step)) {
    if (depth === 0 || depth + step === 0) bounds.push(point);
    depth += step;
  }
  return bounds;
}

function complementOf(set: CharacterSet): CharacterSet {
  const begun = set[0] === 0 ? set.slice(1) : [0, ...set];
  return begun.at(-1) === LAST_POINT + 1 ? begun.slice(0, -1) : [...begun, LAST_POINT + 1];
}

/** What a class such as `\d` or `\p{L}` has, asked of the engine itself, code point by code point. */
const ofClass = remembering((source: string): CharacterSet => {
  const fits = new RegExp(`^${source}$`, 'u');
  const bounds: number[] = [];
  for (let point = 0; point <= LAST_POINT; point += 1)
    if (fits.test(String.fromCodePoint(point)) === (bounds.length % 2 === 0)) bounds.push(point);
  return bounds.length % 2 === 0 ? bounds : [...bounds, LAST_POINT + 1];
});

function charactersOf(element: AST.CharacterClassElement | AST.CharacterSet | AST.CharacterClass): CharacterSet {
  switch (element.type) {
    case 'Character':
      return [element.value, element.value + 1];
    case 'CharacterClassRange':
      return [element.min.value, element.max.value + 1];
    case 'CharacterClass': {
      const union = unionOf(element.elements.map(charactersOf));
      return element.negate ? complementOf(union) : union;
    }
    case 'CharacterSet':
      return ofClass(element.raw);
    default:
      throw new Unreadable();
  }
}

/** Builds the automaton of a pattern from its end to its start: each part is given the state that follows it. */
class Builder {
  readonly states: Edge[][] = [[], []];

  add(edges: Edge[] = []): number {
    if (this.states.length > MOST_STATES) throw new Unreadable();
    return this.states.push(edges) - 1;
  }

  alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    return this.add(alternatives.map((each) => ({ on: 'nothing', to: this.sequence(each.elements, next) })));
  }

  sequence(elements: readonly AST.Element[], next: number): number {
    return elements.reduceRight((after, element) => this.element(element, after), next);
  }

  private element(element: AST.Element, next: number): number {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.add([{ on: charactersOf(element), to: next }]);
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives, next);
      case 'Quantifier':
        return this.repeated(element, next);
      case 'Assertion':
        if (element.kind === 'start' || element.kind === 'end') return this.add([{ on: element.kind, to: next }]);
        throw new Unreadable();
      default:
        throw new Unreadable();
    }
  }

  private repeated({ element, min, max }: AST.Quantifier, next: number): number {
    let entry = next;
    if (max === Infinity) {
      entry = this.add();
      const again = this.element(element, entry);
      this.states[entry]?.push({ on: 'nothing', to: again }, { on: 'nothing', to: next });
    } else {
      for (let count = min; count < max; count += 1) {
        const once = this.element(element, entry);
        entry = this.add([
          { on: 'nothing', to: once },
          { on: 'nothing', to: next },
        ]);
      }
    }
    for (let count = 0; count < min; count += 1) entry = this.element(element, entry);
    return entry;
  }
}

/** The automaton of a pattern; undefined if the pattern has no such automaton, or only a large one. */
const automatonOf = remembering((pattern: string): Automaton | undefined => {
  const { parseRegExpLiteral } = requireModule(
    '@eslint-community/regexpp',
  ) as typeof import('@eslint-community/regexpp');
  try {
    const { alternatives } = parseRegExpLiteral(new RegExp(pattern, 'u')).pattern;
    const builder = new Builder();
    const start = builder.alternatives(alternatives, 1);
    builder.states[0]?.push({ on: ALL, to: 0 }, { on: 'nothing', to: start });
    builder.states[1]?.push({ on: ALL, to: 1 });
    return builder.states;
  } catch {
    return undefined;
  }
});

/** The states that are reached without reading a character. */
function closure(automaton: Automaton, states: Iterable<number>, atStart: boolean, atEnd: boolean): Set<number> {
  const reached = new Set(states);
  for (const state of reached) {
    for (const { on, to } of automaton[state] ?? [])
      if (on === 'nothing' || (on === 'start' && atStart) || (on === 'end' && atEnd)) reached.add(to);
  }
  return reached;
}

function after(automaton: Automaton, states: ReadonlySet<number>, point: number): Set<number> {
  const next = new Set<number>();
  for (const state of states)
    for (const { on, to } of automaton[state] ?? []) if (typeof on === 'object' && has(on, point)) next.add(to);
  return closure(automaton, next, false, false);
}

function accepts(automaton: Automaton, states: ReadonlySet<number>, atStart: boolean): boolean {
  return closure(automaton, states, atStart, true).has(1);
}

/** Whether the engine reads a text in a time that does not grow beyond measure: no group is repeated, and few parts are. */
function isQuick(pattern: string, text: string): boolean {
  const repeated = pattern.match(/[*+{]/g)?.length ?? 0;
  return !/\)[*+{]/.test(pattern) && (text.length + 1) ** repeated < 1e6;
}

/** Whether a text fits a pattern; undefined for a pattern that cannot be read, or not in bounded time. */
export function fitsPattern(pattern: string, text: string): boolean | undefined {
  const engine = compiled(pattern);
  if (engine === undefined) return undefined;
  if (isQuick(pattern, text)) return engine.test(text);
  const automaton = automatonOf(pattern);
  if (automaton === undefined) return undefined;
  let states = closure(automaton, [0], true, false);
  for (const char of text) states = after(automaton, states, char.codePointAt(0) ?? 0);
  return accepts(automaton, states, text === '');
}

const compiled = remembering((pattern: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
});

/** What a proof about texts is asked. */
interface Question {
  readonly patterns: readonly string[];
  /** Lengths at which what is a counterexample may change. */
  readonly lengths: readonly number[];
  readonly work: Work;
  /** Tells by the length of a text and by the patterns that it fits. */
  readonly isCounterexample: (text: {
    readonly length: number;
    readonly fits: (pattern: string) => boolean;
  }) => boolean;
}

/** The states of each automaton that some texts of one length lead to. */
type Reached = readonly ReadonlySet<number>[];

/** Whether it is proven that no text is a counterexample. */
export function areTextsCovered({ patterns: given, lengths, work, isCounterexample }: Question): boolean {
  const patterns = [...new Set(given)];
  const automata = patterns.map(automatonOf).filter((each) => each !== undefined);
  if (automata.length < patterns.length) return false;
  const alphabet = alphabetOf(automata, work);
  const longest = Math.max(0, ...lengths.filter((each) => each !== Infinity)) + 1;
  let wave: Reached[] = [automata.map((each) => closure(each, [0], true, false))];
  const seen = new Set<string>();
  for (let length = 0; wave.length > 0; length += 1) {
    const next: Reached[] = [];
    for (const states of wave) {
      const key = `${Math.min(length, longest)} ${states.map((each) => [...each].sort((a, b) => a - b).join()).join('|')}`;
      if (seen.has(key)) continue;
      if (seen.add(key).size * alphabet.length > MOST_TOGETHER) return false;
      const many = states.reduce((sum, { size }) => sum + size, 0);
      work.spend(1 + Math.ceil((many * alphabet.length) / 10));
      const accepting = automata.map((each, index) => accepts(each, states[index] ?? new Set(), length === 0));
      if (isCounterexample({ length, fits: (pattern) => accepting[patterns.indexOf(pattern)] === true })) return false;
      next.push(
        ...alphabet.map((point) => automata.map((each, index) => after(each, states[index] ?? new Set(), point))),
      );
    }
    wave = next;
  }
  return true;
}

/** One character for all that no automaton tells apart. */
function alphabetOf(automata: readonly Automaton[], work: Work): readonly number[] {
  const sets = [...new Set(automata.flat(2).flatMap(({ on }) => (typeof on === 'object' ? [on] : [])))];
  const points = [...new Set([0, ...sets.flat()])].filter((point) => point <= LAST_POINT);
  work.spend(Math.ceil((points.length * sets.length) / 20));
  const apart = points.map((point) => [sets.map((set) => Number(has(set, point))).join(''), point] as const);
  return [...new Map(apart).values()];
}

/** Whether it is proven that every text that fits one pattern fits another. */
export function isPatternWithin(inner: string, outer: string, work: Work): boolean {
  if (inner === outer) return true;
  const isCounterexample: Question['isCounterexample'] = ({ fits }) => fits(inner) && !fits(outer);
  return areTextsCovered({ patterns: [inner, outer], lengths: [], work, isCounterexample });
}
