import { arrayOf, below, member, objectOf, stableJson, stepsOf, textOf, without } from '../../../common/json.ts';
import { BREAKS_CLIENTS, COMPATIBLE, effectOf, effectOn, movesOf, worseEffect, type Sender } from '../change.ts';
import {
  diffEntries,
  follow,
  partAt,
  type Description,
  type Located,
  rememberingEach,
} from '../documents/description.ts';
import type { Rule } from '../rules.ts';
import { madeOf, partsOf, referencesOf } from './made-of.ts';
import { difference, effectOfDifference, isText, listOf, movesOfAll, STILL } from './difference.ts';
import type { CompareSchemas, Comparison, SchemaDifference } from './difference.ts';
import { tagValues } from './normalize.ts';
import type { Conjunction } from './values/value-set.ts';

/** What schemas say by a keyword. */
function keyword(parts: readonly Located[], name: string): unknown {
  return parts.map(({ value }) => member(value, name)).find((value) => value !== undefined);
}

/** A difference that does not follow from which values are valid. */
function beside(rule: Rule, at: Located, message: string, sender: Sender, moves = movesOf(rule)): SchemaDifference {
  return difference(rule, at, message, STILL, STILL, worseEffect(effectOn(sender, moves), effectOf(rule)));
}

/** Compares what says nothing of which values are valid: open lists, and how a value is read and written. */
export const compareHints: CompareSchemas = (base, head, at, context) => {
  const parts = [partsOf(base), partsOf(head)] as const;
  const found = compareExtensible(...parts, at, context);
  const { name, sender } = context;
  const [before, after] = [told(parts[0]), told(parts[1])];
  if (before?.member !== after?.member) {
    const isAnother = before !== undefined && after !== undefined;
    const message = `${name}: the discriminator changes from ${before?.member ?? 'none'} to ${after?.member ?? 'none'}`;
    found.push(beside('discriminator-changed', at, message, sender, [isAnother, isAnother]));
  } else if (before !== undefined && after !== undefined && !(isToldApart(base, before) && isToldApart(head, after))) {
    found.push(...compareTold(before, after, at, context));
  }
  if (context.medium !== 'xml') return found;
  const [xml, newXml] = [xmlForm(parts[0]), xmlForm(parts[1])];
  if (xml !== newXml)
    found.push(beside('xml-changed', at, `${name}: the XML form changes from ${xml} to ${newXml}`, sender));
  return found;
};

/** Compares the defaults of a value. */
export const compareDefaults: CompareSchemas = (base, head, at, { name, medium }) => {
  const [before = 'undefined', after = 'undefined'] = [base, head].map((each) => {
    // A default of null is what a server does without any.
    const value = keyword(partsOf(each), 'default') ?? undefined;
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    return stableJson(isText(medium) && scalar ? String(value) : value);
  });
  if (before === after) return [];
  if (before === 'undefined') return [difference('default-added', at, `${name}: ${after} is the default now`)];
  if (after === 'undefined') return [difference('default-removed', at, `${name}: the default ${before} is gone`)];
  const message = `${name}: the default changes from ${before} to ${after}`;
  return [difference('default-changed', at, message, STILL)];
};

/** Compares the values of an open list (`x-extensible-enum`): more may come at any time, but those that clients send have to stay. */
const compareExtensible: CompareSchemas = (base, head, at, { name, sender }) => {
  const [before = [], after = []] = [base, head].map((each) =>
    arrayOf(keyword(each, 'x-extensible-enum')).map(stableJson),
  );
  if (before.length === 0 || after.length === 0) return [];
  const [gone, come] = [
    before.filter((value) => !after.includes(value)),
    after.filter((value) => !before.includes(value)),
  ];
  const lost = `${name}: ${listOf(gone)} is gone from an open list`;
  const effect = sender === 'client' ? BREAKS_CLIENTS : COMPATIBLE;
  return [
    gone.length > 0 && difference('extensible-values-removed', at, lost, STILL, STILL, effect),
    come.length > 0 && difference('extensible-values-added', at, `${name}: ${listOf(come)} is new in an open list`),
  ].filter((each) => each !== false);
};

/** Whether schemas are one of those that the discriminator of another tells apart, and nothing is made of them: no other can stand there. */
function isToldApart(conjunction: Conjunction, { place, schemas }: Told): boolean {
  const [only, ...more] = conjunction;
  if (only === undefined || more.length > 0) return false;
  const { pointer, description } = follow(only);
  const isAlternative = [...schemas.values()].some((each) => each.pointer === pointer);
  return isAlternative && pointer !== place && !madeOf(description.root).has(pointer);
}

/** What `xml` says, without extensions and without what holds anyway; `attribute` and `wrapped` as OpenAPI 3.2 writes them. */
function xmlForm(parts: readonly Located[]): string {
  const { attribute, ...said } = objectOf(keyword(parts, 'xml'));
  const isList = keyword(parts, 'type') === 'array';
  const usual = isList ? 'none' : 'element';
  const { nodeType = attribute === true ? 'attribute' : isList && said.wrapped === true ? 'element' : usual, ...all } =
    said;
  const rest = isList ? without(all, 'wrapped') : all;
  const own = Object.entries(rest).filter(([key, value]) => !key.startsWith('x-') && value !== false);
  return stableJson(Object.fromEntries([...own, ...(nodeType === usual ? [] : [['nodeType', nodeType] as const])]));
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

function told(parts: readonly Located[]): Told | undefined {
  for (const part of parts) {
    const found = textOf(member(member(part.value, 'discriminator'), 'propertyName'));
    if (found !== undefined) return toldIn(part.description)(part);
  }
  return undefined;
}

/** Stands for the values that `defaultMapping` is for. */
const ANY_OTHER = 'any other';

/** What the values stand for: by `mapping`, by the value that an alternative itself lists, or else by the name of its component. */
const toldIn = rememberingEach<Description, (part: Located) => Told>(() =>
  rememberingEach(
    (part) => {
      const { propertyName, mapping, defaultMapping } = objectOf(member(part.value, 'discriminator'));
      const name = textOf(propertyName) ?? '';
      const at = (reference: string): Located => follow({ ...part, value: { $ref: reference } });
      const mappedTo = (target: unknown): Located => {
        const text = String(target);
        return at(text.includes('/') ? text : `#/components/schemas/${text}`);
      };
      const mapped = Object.entries(objectOf(mapping)).map(([value, target]) => [value, mappedTo(target)] as const);
      const known = new Set(mapped.map(([, { pointer }]) => pointer));
      const others = alternativesOf(part).flatMap((reference) => {
        const schema = at(reference);
        if (known.has(schema.pointer)) return [];
        const values = tagValues([partAt(schema, 'properties', name)])?.map((value) => String(JSON.parse(value)));
        return (values ?? [reference.split('/').at(-1) ?? reference]).map((each) => [each, schema] as const);
      });
      const other = defaultMapping === undefined ? [] : [[ANY_OTHER, mappedTo(defaultMapping)] as const];
      return {
        place: part.pointer,
        member: name,
        schemas: new Map([...mapped, ...others, ...other]),
        names: new Set([...known].map((pointer) => stepsOf(pointer).at(-1) ?? '')),
      };
    },
    ({ value }) => objectOf(value),
  ),
);

/** References to the alternatives of a schema with a discriminator: those that it lists, else the components made of it by `allOf`. */
function alternativesOf(part: Located): readonly string[] {
  const { description, pointer } = part;
  const listed = referencesOf(part.value, 'oneOf', 'anyOf');
  if (listed.length > 0) return listed;
  return [...(madeOf(description.root).get(pointer) ?? [])].map((name) => `#${below('/components/schemas', name)}`);
}

function compareTold(before: Told, after: Told, at: Located, context: Comparison): SchemaDifference[] {
  const { sender, name } = context;
  const label = (value: string): string => `${name}: the discriminator's value ${JSON.stringify(value)}`;
  return diffEntries(before.schemas, after.schemas, {
    gone: (_old, value) =>
      after.names.has(value) ? [] : beside('discriminator-value-removed', at, `${label(value)} is gone`, sender),
    come: (_now, value) =>
      before.names.has(value)
        ? []
        : beside('discriminator-value-added', at, `${label(value)} is new: its receiver may not know it`, sender),
    both: (old, now, value) => {
      const found = context.compare([old], [now], { ...context, name: label(value) });
      if (old.pointer === now.pointer) {
        // Nothing but the discriminator leads to this schema.
        return found.map((each) => ({ ...each, moves: STILL, known: STILL, also: effectOfDifference(each, sender) }));
      }
      const moves = movesOfAll(found);
      const message = `${label(value)} stands for another schema: ${nameOf(old)} → ${nameOf(now)}`;
      return moves.includes(true) ? [beside('discriminator-mapping-changed', at, message, sender, moves)] : [];
    },
  });
}

function nameOf({ pointer }: Located): string {
  return stepsOf(pointer).at(-1) ?? '';
}
