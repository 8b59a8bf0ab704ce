/** Finds which alternative of an older schema became which of the newer one, and what alternatives are called. */
import { stableJson } from '../../../common/json.ts';
import { groupedBy } from '../../../common/text.ts';
import { rememberingEach } from '../documents/description.ts';
import { inAnyOrder } from './keywords.ts';
import { tagValues } from './made-of.ts';
import type { Conjunction, JsonType, Shape } from './values/value-set.ts';

/** Which alternatives belong together, and those without another one. */
export interface Matching {
  readonly pairs: readonly (readonly [Shape, Shape])[];
  readonly removed: readonly Shape[];
  readonly added: readonly Shape[];
}

/** The share of facts in common from which an alternative is taken for one that changed. */
const LIKELY = 0.3;

/** Pairs of alternatives, beyond which they are not compared one with each other to find which became which. */
const MOST_PAIRS = 1_000;

/** Matches alternatives by name and tag, then by what is most alike. */
export function matchAlternatives(before: readonly Shape[], after: readonly Shape[], type: JsonType): Matching {
  const named = matchedByName({ pairs: [], removed: before, added: after });
  const areSeveral = before.length > 1 && after.length > 1;
  const alike = areSeveral ? matchedByLikeness(named) : named;
  const [one, ...olds] = alike.removed;
  const [other, ...news] = alike.added;
  const isLeft = type !== 'object' && olds.length + news.length === 0;
  return isLeft && one && other ? taken(alike, one, other) : alike;
}

function taken({ pairs, removed, added }: Matching, one: Shape, other: Shape): Matching {
  return {
    pairs: [...pairs, [one, other]],
    removed: removed.filter((each) => each !== one),
    added: added.filter((each) => each !== other),
  };
}

/** Matches alternatives whose name, with their tag, no other one has on either side. */
function matchedByName(matching: Matching): Matching {
  const nameOf = (shape: Shape): string => (shape.name === undefined ? '' : `${shape.name} ${tagOf(shape) ?? ''}`);
  const newer = new Map(groupedBy(matching.added, nameOf));
  return groupedBy(matching.removed, nameOf).reduce((known, [name, [one, ...more]]) => {
    const [other, ...others] = newer.get(name) ?? [];
    const isSure = name !== '' && more.length + others.length === 0;
    return isSure && one && other ? taken(known, one, other) : known;
  }, matching);
}

function matchedByLikeness(matching: Matching): Matching {
  const { removed, added } = matching;
  if (removed.length * added.length > MOST_PAIRS) return matching;
  const news = added.map((shape) => ({ shape, facts: factsOf(shape) }));
  const likely = removed.flatMap((one) => {
    const facts = factsOf(one);
    return news.map((other) => ({ one, other: other.shape, alike: likeness(facts, other.facts) }));
  });
  return likely
    .filter(({ alike }) => alike >= LIKELY)
    .sort((a, b) => b.alike - a.alike)
    .reduce((known, { one, other }) => {
      const isFree = known.removed.includes(one) && known.added.includes(other);
      return isFree ? taken(known, one, other) : known;
    }, matching);
}

/** What tells an alternative from others: its members, which of them are required, and what is written of each. */
function factsOf({ properties, required }: Shape): ReadonlySet<string> {
  const written = ([name, schema]: [string, Conjunction]): string =>
    `${name}: ${stableJson(schema.map(({ value }) => inAnyOrder(value)))}`;
  return new Set([...properties.keys(), ...[...required].map((name) => `${name}!`), ...[...properties].map(written)]);
}

/** The share of facts that two alternatives have in common. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((fact) => other.has(fact)).length;
  return common / Math.max(1, one.size + other.size - common);
}

/** The values of required members that have only one, which is how alternatives are told apart. */
const tagOf = rememberingEach((shape: Shape): string | undefined => {
  const tags = [...shape.required].sort().flatMap((name) => {
    const values = tagValues(shape.properties.get(name));
    return values?.length === 1 ? [`${name}=${values.join()}`] : [];
  });
  return tags.length === 0 ? undefined : tags.join('&');
});

/** What each of some alternatives is called, so that no two are called the same. */
export function labelsOf(shapes: readonly Shape[]): (shape: Shape) => string {
  const labels = shapes.map((shape) => labelOf(shape, shapes));
  return (shape) => {
    const index = shapes.indexOf(shape);
    const label = labels[index] ?? labelOf(shape, shapes);
    const isShared = labels.filter((each) => each === label).length > 1;
    return isShared ? `${label}, number ${index + 1}` : label;
  };
}

/** What an alternative is called: its component, or what tells it from others. */
function labelOf(shape: Shape, others: readonly Shape[]): string {
  const known = shape.name ?? tagOf(shape);
  if (known !== undefined) return known;
  const rest = others.filter((each) => each !== shape);
  const own = [...shape.required, ...shape.properties.keys()].filter(
    (name) => !rest.some(({ properties, required }) => properties.has(name) || required.has(name)),
  );
  const [only] = own.length > 0 ? own : shape.required;
  if (only !== undefined) return `with ${only}`;
  const said = [...(shape.values ?? []), ...shape.formats, ...shape.patterns, ...shape.properties.keys()];
  return said.length > 0 ? said.slice(0, 3).join(', ') : 'one without a name';
}
