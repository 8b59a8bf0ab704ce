import { requireModule } from '../../../../common/process/commonjs.ts';
import type { AST } from '@eslint-community/regexpp';

/** Makes a function remember what it gave for each text. */
function remembering<V>(make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    if (!known.has(text)) known.set(text, make(text));
    return known.get(text) as V;
  };
}

/** A set of characters, with the code points at which it begins or ends. */
interface CharacterSet {
  readonly has: (point: number) => boolean;
  readonly bounds: readonly number[];
}

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

const all: CharacterSet = { has: () => true, bounds: [] };

function ofRange(min: number, max: number): CharacterSet {
  return { has: (point) => point >= min && point <= max, bounds: [min, max + 1] };
}

function oneOf(sets: readonly CharacterSet[], negated: boolean): CharacterSet {
  return {
    has: (point) => sets.some((set) => set.has(point)) !== negated,
    bounds: sets.flatMap(({ bounds }) => bounds),
  };
}

/** What a class such as `\d` or `\p{L}` has, asked of the engine itself, code point by code point. */
const ofClass = remembering((source: string): CharacterSet => {
  const fits = new RegExp(`^${source}$`, 'u');
  const bounds: number[] = [];
  let inside = false;
  for (let point = 0; point <= LAST_POINT; point += 1) {
    if (fits.test(String.fromCodePoint(point)) === inside) continue;
    inside = !inside;
    bounds.push(point);
  }
  const has = (point: number): boolean => bounds.filter((bound) => bound <= point).length % 2 === 1;
  return { has, bounds };
});

function charactersOf(element: AST.CharacterClassElement | AST.CharacterSet | AST.CharacterClass): CharacterSet {
  switch (element.type) {
    case 'Character':
      return ofRange(element.value, element.value);
    case 'CharacterClassRange':
      return ofRange(element.min.value, element.max.value);
    case 'CharacterClass':
      return oneOf(element.elements.map(charactersOf), element.negate);
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
    builder.states[0]?.push({ on: all, to: 0 }, { on: 'nothing', to: start });
    builder.states[1]?.push({ on: all, to: 1 });
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
    for (const { on, to } of automaton[state] ?? []) if (typeof on === 'object' && on.has(point)) next.add(to);
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

/**
 * Whether it is proven that no text is a counterexample.
 *
 * @param lengths at which what is a counterexample may change
 * @param isCounterexample tells by the length of a text and by the patterns that it fits
 */
export function textsCovered(
  given: readonly string[],
  lengths: readonly number[],
  isCounterexample: (length: number, fits: (pattern: string) => boolean) => boolean,
): boolean {
  const patterns = [...new Set(given)];
  const found = patterns.map(automatonOf);
  const automata = found.filter((each) => each !== undefined);
  if (automata.length < patterns.length) return false;
  const bounds = automata.flat(2).flatMap(({ on }) => (typeof on === 'object' ? on.bounds : []));
  const alphabet = representatives(automata, [...new Set([0, ...bounds.filter((bound) => bound <= LAST_POINT)])]);
  const longest = Math.max(0, ...lengths.filter((each) => each !== Infinity)) + 1;
  let wave = [automata.map((each) => closure(each, [0], true, false))];
  const seen = new Set<string>();
  for (let length = 0; wave.length > 0; length += 1) {
    const next: Set<number>[][] = [];
    for (const states of wave) {
      const key = `${Math.min(length, longest)} ${states.map((each) => [...each].sort((a, b) => a - b).join()).join('|')}`;
      if (seen.has(key)) continue;
      if (seen.add(key).size * alphabet.length > MOST_TOGETHER) return false;
      const fits = automata.map((each, index) => accepts(each, states[index] ?? new Set(), length === 0));
      if (isCounterexample(length, (pattern) => fits[patterns.indexOf(pattern)] === true)) return false;
      for (const point of alphabet)
        next.push(automata.map((each, index) => after(each, states[index] ?? new Set(), point)));
    }
    wave = next;
  }
  return true;
}

/** One character for all that no automaton tells apart. */
function representatives(automata: readonly Automaton[], points: readonly number[]): readonly number[] {
  const sets = [...new Set(automata.flat(2).flatMap(({ on }) => (typeof on === 'object' ? [on] : [])))];
  return [...new Map(points.map((point) => [sets.map((set) => Number(set.has(point))).join(''), point])).values()];
}
