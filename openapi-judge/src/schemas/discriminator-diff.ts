/** Compares discriminators: which member tells alternatives apart, and what its values stand for. */
import { below, member, objectOf, stepsOf, textOf } from '../../../common/json.ts';
import { effectOf, effectOn, movesOf, worseEffect, type Sender } from '../change.ts';
import {
  diffEntries,
  follow,
  partAt,
  rememberingEach,
  type Description,
  type Located,
} from '../documents/description.ts';
import type { Rule } from '../rules.ts';
import { BOTH_WAYS, difference, effectOfDifference, isMoving, movesOfAll, STILL, within } from './difference.ts';
import type { Comparison, SchemaDifference, SchemaPair } from './difference.ts';
import { madeOf, partsOf, referencesOf, tagValues } from './made-of.ts';
import type { Conjunction } from './values/value-set.ts';

export function compareDiscriminators(pair: SchemaPair, context: Comparison): readonly SchemaDifference[] {
  const { base, head, at } = pair;
  const [before, after] = [toldBy(partsOf(base)), toldBy(partsOf(head))];
  const [was = 'none', is = 'none'] = [before, after].map((each) => each?.member);
  if (was !== is) {
    const moves = before && after ? BOTH_WAYS : STILL;
    const fact = `the discriminator changes from ${was} to ${is}`;
    return [beside('discriminator-changed', at, fact, { sender: context.sender, moves })];
  }
  if (before === undefined || after === undefined) return [];
  return isToldApart(base, before) && isToldApart(head, after) ? [] : compareTold(before, after, at, context);
}

/** A difference that does not follow from which values are valid. */
function beside(
  rule: Rule,
  at: Located,
  fact: string,
  { sender, moves = movesOf(rule) }: { readonly sender: Sender; readonly moves?: SchemaDifference['moves'] },
): SchemaDifference {
  return difference(rule, at, fact, { moves: STILL, also: worseEffect(effectOn(sender, moves), effectOf(rule)) });
}

/** Whether schemas are one of those that the discriminator of another tells apart, and nothing is made of them: no other can stand there. */
function isToldApart(conjunction: Conjunction, { place, schemas }: Told): boolean {
  const [only, ...more] = conjunction;
  if (only === undefined || more.length > 0) return false;
  const { pointer, description } = follow(only);
  const isAlternative = [...schemas.values()].some((each) => each.pointer === pointer);
  return isAlternative && pointer !== place && !madeOf(description.root).has(pointer);
}

/** A discriminator: its member, and what the values of that stand for. */
interface Told {
  /** Where the schema with the discriminator stands. */
  readonly place: string;
  readonly member: string;
  readonly schemas: ReadonlyMap<string, Located>;
  /** Names of components that have a value of their own in `mapping`: they may be used, too. */
  readonly names: ReadonlySet<string>;
}

function toldBy(parts: readonly Located[]): Told | undefined {
  for (const part of parts) {
    const found = textOf(member(member(part.value, 'discriminator'), 'propertyName'));
    if (found !== undefined) return toldIn(part.description)(part);
  }
  return undefined;
}

/** Stands for the values that `defaultMapping` is for. */
const ANY_OTHER = 'any other';

const toldIn = rememberingEach<Description, (part: Located) => Told>(() =>
  rememberingEach(toldAt, ({ value }) => objectOf(value)),
);

/** What the values stand for: by `mapping`, by the value that an alternative itself lists, or else by the name of its component. */
function toldAt(part: Located): Told {
  const { propertyName, mapping, defaultMapping } = objectOf(member(part.value, 'discriminator'));
  const name = textOf(propertyName) ?? '';
  const mapped = Object.entries(objectOf(mapping)).map(([value, target]) => [value, mappedTo(part, target)] as const);
  const known = new Set(mapped.map(([, { pointer }]) => pointer));
  const others = alternativesOf(part)
    .map((reference) => ({ reference, schema: targetIn(part, reference) }))
    .filter(({ schema }) => !known.has(schema.pointer))
    .flatMap(({ reference, schema }) => valuesFor(schema, name, reference).map((value) => [value, schema] as const));
  const other = defaultMapping === undefined ? [] : [[ANY_OTHER, mappedTo(part, defaultMapping)] as const];
  return {
    place: part.pointer,
    member: name,
    schemas: new Map([...mapped, ...others, ...other]),
    names: new Set([...known].map((pointer) => stepsOf(pointer).at(-1) ?? '')),
  };
}

function targetIn(part: Located, reference: string): Located {
  return follow({ ...part, value: { $ref: reference } });
}

function mappedTo(part: Located, target: unknown): Located {
  const text = String(target);
  return targetIn(part, text.includes('/') ? text : `#/components/schemas/${text}`);
}

function valuesFor(schema: Located, name: string, reference: string): readonly string[] {
  const values = tagValues([partAt(schema, 'properties', name)])?.map((value) => String(JSON.parse(value)));
  return values ?? [reference.split('/').at(-1) ?? reference];
}

/** References to the alternatives of a schema with a discriminator: those that it lists, else the components made of it by `allOf`. */
function alternativesOf(part: Located): readonly string[] {
  const { description, pointer } = part;
  const listed = referencesOf(part.value, 'oneOf', 'anyOf');
  if (listed.length > 0) return listed;
  return [...(madeOf(description.root).get(pointer) ?? [])].map((name) => `#${below('/components/schemas', name)}`);
}

function compareTold(before: Told, after: Told, at: Located, context: Comparison): readonly SchemaDifference[] {
  const { sender } = context;
  return diffEntries<Located, SchemaDifference>(before.schemas, after.schemas, {
    gone: (_old, value) => {
      const fact = `the discriminator's value ${JSON.stringify(value)} is gone`;
      return after.names.has(value) ? [] : [beside('discriminator-value-removed', at, fact, { sender })];
    },
    come: (_now, value) => {
      const fact = `the discriminator's value ${JSON.stringify(value)} is new: its receiver may not know it`;
      return before.names.has(value) ? [] : [beside('discriminator-value-added', at, fact, { sender })];
    },
    both: (old, now, value) => {
      const found = context.compare([old], [now], context);
      if (old.pointer === now.pointer) return onlyTold(within(`(${before.member}=${value})`, found), sender);
      const names = `${lastStep(old)} → ${lastStep(now)}`;
      const fact = `the discriminator's value ${JSON.stringify(value)} stands for another schema: ${names}`;
      const moves = movesOfAll(found);
      return isMoving(moves) ? [beside('discriminator-mapping-changed', at, fact, { sender, moves })] : [];
    },
  });
}

/** What differs in a schema that nothing but the discriminator leads to. */
function onlyTold(found: readonly SchemaDifference[], sender: Sender): readonly SchemaDifference[] {
  return found.map((each) => ({ ...each, moves: STILL, meaning: STILL, also: effectOfDifference(each, sender) }));
}

function lastStep({ pointer }: Located): string {
  return stepsOf(pointer).at(-1) ?? '';
}
