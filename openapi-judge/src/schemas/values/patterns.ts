/** Regular expressions as automata, to prove what texts fit them. */
import type { CharSet, DFA } from 'refa';
import { requireModule } from '../../../../common/process/commonjs.ts';
import type { Work } from '../../documents/description.ts';

/** Makes a function remember what it gave for each text. */
function remembering<V>(make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    if (!known.has(text)) known.set(text, make(text));
    return known.get(text) as V;
  };
}

/** Loaded where it is needed: most comparisons ask nothing of texts. */
const library = () => requireModule('refa') as typeof import('refa');

/** States of an automaton, and ways between those that a pattern says, beyond which it is not built. */
const MOST_STATES = 3_000;
const MOST_WAYS = 10_000;

function states(): DFA.LimitedNodeFactory {
  const { DFA: automata } = library();
  return new automata.LimitedNodeFactory(MOST_STATES);
}

const LAST_POINT = 0x10ffff;
/** Stand before and behind each text, once or more, so that `^` and `$` are characters like others. */
const MARKS = { '^': LAST_POINT + 1, $: LAST_POINT + 2 };
const ALPHABET = { maxCharacter: MARKS.$ };

function characters(ranges: CharSet['ranges']): CharSet {
  return library().CharSet.empty(ALPHABET.maxCharacter).union(ranges);
}

function mark(assertion: string): CharSet {
  const point = Object.entries(MARKS).find(([name]) => name === assertion)?.[1];
  if (point === undefined) throw new Error(`${assertion} is not regular`);
  return characters([{ min: point, max: point }]);
}

/** The automaton of the texts that fit a pattern; undefined if it has none, or only a large one. */
export const automatonOf = remembering((pattern: string): DFA | undefined => {
  const { DFA: automata, JS, NFA, visitAst } = library();
  try {
    const { expression } = JS.Parser.fromLiteral({ source: pattern, flags: 'u' }).parse({ assertions: 'unknown' });
    visitAst(expression, {
      onCharacterClassEnter: (node) => {
        node.characters = characters(node.characters.ranges);
      },
      onConcatenationLeave: (parent) => {
        parent.elements = parent.elements.map((each) =>
          each.type === 'Unknown' ? { type: 'CharacterClass', parent, characters: mark(each.id) } : each,
        );
      },
    });
    const whole = NFA.fromRegex(expression, ALPHABET, {}, new NFA.LimitedNodeFactory(MOST_STATES));
    if ([...whole.nodes()].reduce((sum, { out }) => sum + out.size, 0) > MOST_WAYS) return undefined;
    whole.prepend(NFA.all(ALPHABET));
    whole.append(NFA.all(ALPHABET));
    const automaton = automata.fromFA(whole, states());
    // Behind the end of a text may be its start, if that is empty; marks do not tell that.
    return accepts(automaton, '') === compiled(pattern)?.test('') ? automaton : undefined;
  } catch {
    return undefined;
  }
});

/** The automaton of all texts of some lengths. Throws if it is too large. */
export function textsOf(least: number, most: number): DFA {
  const { DFA: automata, NFA } = library();
  const repeated = (set: CharSet, from: number, to: number) => {
    const automaton = NFA.fromCharSet(set);
    automaton.quantify(from, to, new NFA.LimitedNodeFactory(MOST_STATES));
    return automaton;
  };
  const texts = repeated(mark('^'), 1, Infinity);
  texts.append(repeated(characters([{ min: 0, max: LAST_POINT }]), least, most));
  texts.append(repeated(mark('$'), 1, Infinity));
  return automata.fromFA(texts, states());
}

/** Makes the automaton of what two accept, and spends work on it. Throws if it is too large. */
export function bothOf(work: Work): (one: DFA, other: DFA) => DFA {
  return (one, other) => {
    const both = library().DFA.fromIntersection(one, other, states());
    work.spend(STEPS_OF_PROOF + both.countNodes());
    return both;
  };
}

const STEPS_OF_PROOF = 100;

/** The automaton of what another does not accept. */
export function noneOf(automaton: DFA): DFA {
  const others = automaton.copy();
  others.complement();
  return others;
}

function accepts(automaton: DFA, text: string): boolean {
  return automaton.test([MARKS['^'], ...Array.from(text, (each) => each.codePointAt(0) ?? 0), MARKS.$]);
}

/** Whether the engine reads a text in a time that does not grow beyond measure: no group is repeated, and few parts are. */
function isQuick(pattern: string, text: string): boolean {
  const repeated = pattern.match(/[*+{]/g)?.length ?? 0;
  return !/\)[*+{]/.test(pattern) && (text.length + 1) ** repeated < 1e6;
}

const compiled = remembering((pattern: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
});

/** Whether a text fits a pattern; undefined for a pattern that cannot be read, or not in bounded time. */
export function fitsPattern(pattern: string, text: string): boolean | undefined {
  const engine = compiled(pattern);
  if (engine === undefined) return undefined;
  if (isQuick(pattern, text)) return engine.test(text);
  const automaton = automatonOf(pattern);
  return automaton && accepts(automaton, text);
}

/** Whether it is proven that an automaton accepts no text. */
export function isProvenEmpty(make: () => DFA): boolean {
  try {
    return make().isEmpty;
  } catch (error) {
    if (error instanceof library().TooManyNodesError) return false;
    throw error;
  }
}

/** Whether it is proven that every text that fits one pattern fits another. */
export function isPatternWithin(inner: string, outer: string, work: Work): boolean {
  if (inner === outer) return true;
  const [one, other] = [automatonOf(inner), automatonOf(outer)];
  if (one === undefined || other === undefined) return false;
  return isProvenEmpty(() => [one, noneOf(other)].reduce(bothOf(work), textsOf(0, Infinity)));
}
