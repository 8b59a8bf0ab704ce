// openapi-judge/src/schemas/patterns.ts
import { createRequire } from "node:module";
function remembering(make) {
  const known = /* @__PURE__ */ new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, make(text));
    return known.get(text);
  };
}
var MOST_STATES = 3e3;
var MOST_TOGETHER = 2e4;
var LAST_POINT = 1114111;
var Unreadable = class extends Error {
};
var all = { has: () => true, bounds: [] };
function ofRange(min, max) {
  return { has: (point) => point >= min && point <= max, bounds: [min, max + 1] };
}
function oneOf(sets, negated) {
  return {
    has: (point) => sets.some((set) => set.has(point)) !== negated,
    bounds: sets.flatMap(({ bounds }) => bounds)
  };
}
var ofClass = remembering((source) => {
  const fits = new RegExp(`^${source}$`, "u");
  const bounds = [];
  let inside = false;
  for (let point = 0; point <= LAST_POINT; point += 1) {
    if (fits.test(String.fromCodePoint(point)) === inside) continue;
    inside = !inside;
    bounds.push(point);
  }
  const has = (point) => bounds.filter((bound) => bound <= point).length % 2 === 1;
  return { has, bounds };
});
function charactersOf(element) {
  switch (element.type) {
    case "Character":
      return ofRange(element.value, element.value);
    case "CharacterClassRange":
      return ofRange(element.min.value, element.max.value);
    case "CharacterClass":
      return oneOf(element.elements.map(charactersOf), element.negate);
    case "CharacterSet":
      return ofClass(element.raw);
    default:
      throw new Unreadable();
  }
}
var Builder = class {
  states = [[], []];
  add(edges = []) {
    if (this.states.length > MOST_STATES) throw new Unreadable();
    return this.states.push(edges) - 1;
  }
  alternatives(alternatives, next) {
    return this.add(alternatives.map((each) => ({ on: "nothing", to: this.sequence(each.elements, next) })));
  }
  sequence(elements, next) {
    return elements.reduceRight((after2, element) => this.element(element, after2), next);
  }
  element(element, next) {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.add([{ on: charactersOf(element), to: next }]);
      case "Group":
      case "CapturingGroup":
        return this.alternatives(element.alternatives, next);
      case "Quantifier":
        return this.repeated(element, next);
      case "Assertion":
        if (element.kind === "start" || element.kind === "end") return this.add([{ on: element.kind, to: next }]);
        throw new Unreadable();
      default:
        throw new Unreadable();
    }
  }
  repeated({ element, min, max }, next) {
    let entry = next;
    if (max === Infinity) {
      entry = this.add();
      const again = this.element(element, entry);
      this.states[entry]?.push({ on: "nothing", to: again }, { on: "nothing", to: next });
    } else {
      for (let count = min; count < max; count += 1) {
        const once = this.element(element, entry);
        entry = this.add([
          { on: "nothing", to: once },
          { on: "nothing", to: next }
        ]);
      }
    }
    for (let count = 0; count < min; count += 1) entry = this.element(element, entry);
    return entry;
  }
};
var requireModule = createRequire(import.meta.url);
var automatonOf = remembering((pattern) => {
  const { parseRegExpLiteral } = requireModule("@eslint-community/regexpp");
  try {
    const { alternatives } = parseRegExpLiteral(new RegExp(pattern, "u")).pattern;
    const builder = new Builder();
    const start = builder.alternatives(alternatives, 1);
    builder.states[0]?.push({ on: all, to: 0 }, { on: "nothing", to: start });
    builder.states[1]?.push({ on: all, to: 1 });
    return builder.states;
  } catch {
    return void 0;
  }
});
function closure(automaton, states, atStart, atEnd) {
  const reached = new Set(states);
  for (const state of reached) {
    for (const { on, to } of automaton[state] ?? [])
      if (on === "nothing" || on === "start" && atStart || on === "end" && atEnd) reached.add(to);
  }
  return reached;
}
function after(automaton, states, point) {
  const next = /* @__PURE__ */ new Set();
  for (const state of states)
    for (const { on, to } of automaton[state] ?? []) if (typeof on === "object" && on.has(point)) next.add(to);
  return closure(automaton, next, false, false);
}
function accepts(automaton, states, atStart) {
  return closure(automaton, states, atStart, true).has(1);
}
function isQuick(pattern, text) {
  const repeated = pattern.match(/[*+{]/g)?.length ?? 0;
  return !/\)[*+{]/.test(pattern) && (text.length + 1) ** repeated < 1e6;
}
function fitsPattern(pattern, text) {
  const engine = compiled(pattern);
  if (engine === void 0) return void 0;
  if (isQuick(pattern, text)) return engine.test(text);
  const automaton = automatonOf(pattern);
  if (automaton === void 0) return void 0;
  let states = closure(automaton, [0], true, false);
  for (const char of text) states = after(automaton, states, char.codePointAt(0) ?? 0);
  return accepts(automaton, states, text === "");
}
var compiled = remembering((pattern) => {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return void 0;
  }
});
function textsCovered(inside, outside) {
  const patterns = [...new Set([inside, ...outside].flatMap((each) => each.patterns))];
  const found = patterns.map(automatonOf);
  const automata = found.filter((each) => each !== void 0);
  if (automata.length < patterns.length) return false;
  const bounds = automata.flat(2).flatMap(({ on }) => typeof on === "object" ? on.bounds : []);
  const alphabet = representatives(automata, [.../* @__PURE__ */ new Set([0, ...bounds.filter((bound) => bound <= LAST_POINT)])]);
  const longest = Math.max(...[inside, ...outside].flatMap(({ least, most }) => [least, most === Infinity ? 0 : most + 1]));
  const isIn = (one, length, fits) => length >= one.least && length <= one.most && one.patterns.every((each) => fits[patterns.indexOf(each)]);
  let wave = [automata.map((each) => closure(each, [0], true, false))];
  const seen = /* @__PURE__ */ new Set();
  for (let length = 0; wave.length > 0 && length <= inside.most; length += 1) {
    const next = [];
    for (const states of wave) {
      const key = `${Math.min(length, longest)} ${states.map((each) => [...each].sort((a, b) => a - b).join()).join("|")}`;
      if (seen.has(key)) continue;
      if (seen.add(key).size * alphabet.length > MOST_TOGETHER) return false;
      const fits = automata.map((each, index) => accepts(each, states[index] ?? /* @__PURE__ */ new Set(), length === 0));
      if (isIn(inside, length, fits) && !outside.some((each) => isIn(each, length, fits))) return false;
      for (const point of alphabet) next.push(automata.map((each, index) => after(each, states[index] ?? /* @__PURE__ */ new Set(), point)));
    }
    wave = next;
  }
  return true;
}
function representatives(automata, points) {
  const sets = [...new Set(automata.flat(2).flatMap(({ on }) => typeof on === "object" ? [on] : []))];
  return [...new Map(points.map((point) => [sets.map((set) => Number(set.has(point))).join(""), point])).values()];
}

// openapi-judge/test/tmp/pt.ts
var x = 7;
var r = () => (x = x * 1103515245 + 12345 & 2147483647) / 2147483647;
var ps = ["a(?=b)", "^a", "b$", "a$|b", "^(?:a|b)$|c", "^a|b$", "a??b", ".", "^.$", "^.*$", "\\n$", "x{0}", "(a|)b", "[^a]", "^[\\s\\S]{1,3}$", "^(a+)+$", "foo|^bar$", "^a+$", "\\d|\\w{2}", "^(ab|a)*x$", "(^a)+b", "a^b", "$^", "^$", "[a-c]{2,3}?x"];
for (const p of ps) {
  const bad = [];
  const re = new RegExp(p, "u");
  const long = "(?:" + p + ")(?:){1}";
  for (let i = 0; i < 2e3; i++) {
    const len = Math.floor(r() * 5);
    let s = "";
    for (let j = 0; j < len; j++) s += "abc\nx1"[Math.floor(r() * 6)];
    const forced = `(?:${p})`;
    const q = fitsPattern(`(?:${p}){1}`, s);
    if (q !== re.test(s)) bad.push([s, q]);
  }
  console.log(p, bad.length ? "WRONG " + JSON.stringify(bad.slice(0, 3)) : "ok");
}
var t = (p, least = 0, most = Infinity) => ({ patterns: p, least, most });
var T = (n, a, b) => {
  const s = performance.now();
  console.log(n, textsCovered(a, b), (performance.now() - s).toFixed(1));
};
T(".+ in len1", t([".+"]), [t([], 1)]);
T("len1 in .+", t([], 1), [t([".+"])]);
T(".{2,} in 1", t([".{2,}"]), [t([], 1)]);
T("ba+b in b.*b", t(["^ba+b$"]), [t(["b.*b"])]);
T("rev", t(["b.*b"]), [t(["^ba+b$"])]);
T("ab* max5 in ab0-3", t(["^(ab)*$"], 0, 5), [t(["^(ab){0,3}$"])]);
T("all in [a-z]*", t([]), [t(["[a-z]*"])]);
T("^[^a]*$ u a", t([]), [t(["^[^a]*$"]), t(["a"])]);
T("255", t(["^[a-z]{1,255}$"]), [t(["^[a-z0-9]+$"], 0, 300)]);
T("uuid", t(["^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"]), [t(["^[0-9a-fA-F-]{36}$"])]);
T("\\p", t(["^\\p{Lu}+$"]), [t(["^\\p{L}+$"])]);
T("\\w", t(["^\\w+$"]), [t(["^[\\w-]+$"])]);
T("hang", t(["^(a|aa|aaa|b?a)*c?(d*e*)*$"], 0, 1e3), [t(["^[a-e]*$"], 0, 1e3)]);
console.log(fitsPattern("^(a+)+$", "a".repeat(5e3) + "b"));
