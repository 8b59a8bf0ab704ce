import { arrayOf, below, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import { diffEntries, follow, partAt, pointerOf, type Located } from '../description.ts';
import { difference, isText, moved, movesOfAll } from './difference.ts';
import type { CompareSchemas, Comparison, SchemaDifference } from './difference.ts';
import { tagValues } from './normalize.ts';
import type { Conjunction } from './value-set.ts';

/** The value of a keyword of a schema, also behind references and in `allOf`. */
function keyword(conjunction: Conjunction, name: string): unknown {
  for (const part of conjunction) {
    const value = member(part.value, name) ?? member(follow(part).value, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Compares the defaults of a value; they mean something only in a request, and only if the value may be left out. */
export const compareDefaults: CompareSchemas = (base, head, at, { sender, name, medium, given }) => {
  const [before = 'undefined', after = 'undefined'] = [base, head].map((each) => {
    const value = keyword(each, 'default');
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    return stableJson(isText(medium) && scalar ? String(value) : value);
  });
  if (before === after || sender === 'server' || given) return [];
  if (before === 'undefined') return [difference('default-added', at, `${name}: ${after} is the default now`)];
  if (after === 'undefined') return [difference('default-removed', at, `${name}: the default ${before} is gone`)];
  const message = `${name}: the default changes from ${before} to ${after}`;
  return [difference('default-changed', at, message, [false, false])];
};

/** Keywords that steer how a value is read and written: `discriminator`, `xml`. */
export const compareHints: CompareSchemas = (base, head, at, context) => {
  const { name } = context;
  const found: SchemaDifference[] = [];
  const [before, after] = [told(base), told(head)];
  if (before?.member !== after?.member) {
    const isAnother = before !== undefined && after !== undefined;
    const message = `${name}: the discriminator is ${after?.member ?? 'gone'}`;
    found.push(difference('discriminator-changed', at, message, [isAnother, isAnother]));
  } else if (before !== undefined && after !== undefined) {
    found.push(...compareTold(before.schemas, after.schemas, at, context));
  }
  const [xml, newXml] = [keyword(base, 'xml'), keyword(head, 'xml')].map(stableJson);
  if (context.medium === 'xml' && xml !== newXml)
    found.push(difference('xml-changed', at, `${name}: the XML form changes`));
  return found;
};

/** The member that is a discriminator, and what its values stand for. */
function told(conjunction: Conjunction) {
  for (const part of conjunction.flatMap((each) => [each, follow(each)])) {
    const discriminator = member(part.value, 'discriminator');
    const name = textOf(member(discriminator, 'propertyName'));
    if (name !== undefined) return { member: name, schemas: toldSchemas(part, name, objectOf(discriminator)) };
  }
  return undefined;
}

/** By `mapping`; what that leaves out, by the value that the alternative itself lists, or by the name of its component. */
function toldSchemas(
  part: Located,
  name: string,
  { mapping }: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Located> {
  const at = (reference: string): Located => follow({ ...part, value: { $ref: reference } });
  const mapped = Object.entries(objectOf(mapping)).map(([value, target]): [string, Located] => {
    const text = String(target);
    return [value, at(text.includes('/') ? text : `#/components/schemas/${text}`)];
  });
  const known = new Set(mapped.map(([, { pointer }]) => pointer));
  const others = alternativesOf(part)
    .map((reference): [string, Located] => [reference, at(reference)])
    .filter(([, schema]) => !known.has(schema.pointer))
    .flatMap(([reference, schema]): [string, Located][] => {
      const values = tagValues([partAt(schema, 'properties', name)]);
      const names = values?.map((value) => String(JSON.parse(value))) ?? [reference.split('/').at(-1) ?? reference];
      return names.map((each) => [each, schema]);
    });
  return new Map([...mapped, ...others]);
}

/** References to the alternatives of a schema with a discriminator: those that it lists, else the components made of it by `allOf`. */
function alternativesOf({ description, pointer, value }: Located): readonly string[] {
  const references = (list: unknown): readonly string[] =>
    arrayOf(list).flatMap((each) => textOf(member(each, '$ref')) ?? []);
  const listed = [...references(member(value, 'oneOf')), ...references(member(value, 'anyOf'))];
  if (listed.length > 0) return listed;
  const components = objectOf(member(member(description.root, 'components'), 'schemas'));
  return Object.entries(components)
    .filter(([, schema]) => references(member(schema, 'allOf')).some((each) => pointerOf(each) === pointer))
    .map(([name]) => `#${below('/components/schemas', name)}`);
}

function compareTold(
  before: ReadonlyMap<string, Located>,
  after: ReadonlyMap<string, Located>,
  at: Located,
  context: Comparison,
): SchemaDifference[] {
  const label = (value: string): string => `${context.name}: the discriminator's value ${JSON.stringify(value)}`;
  return diffEntries(before, after, {
    gone: (_old, value) => difference('discriminator-value-removed', at, `${label(value)} is gone`),
    come: (_now, value) =>
      difference('discriminator-value-added', at, `${label(value)} is new: its receiver may not know it`),
    both: (old, now, value) => {
      // A component of the same name is compared where it is used.
      if (old.pointer === now.pointer) return [];
      const moves = movesOfAll(context.compare([old], [now], { ...context, name: label(value) }));
      return moved('discriminator-mapping-changed', at, `${label(value)} stands for something else`, moves);
    },
  });
}
