/** What schemas are made of: what they refer to, what stands in their `allOf`, and what is made of them. */
import { arrayOf, atPointer, type JsonObject, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import { follow, partAt, pointerOf, type Located, rememberingEach } from '../documents/description.ts';
import type { Conjunction } from './values/value-set.ts';

/** The references in the lists of a schema. */
export function referencesOf(schema: unknown, ...keywords: readonly string[]): readonly string[] {
  return keywords.flatMap((each) => arrayOf(member(schema, each)).flatMap((one) => textOf(member(one, '$ref')) ?? []));
}

/** The components that are made of a schema by `allOf`, also of one that is made of it, by the place of that schema. */
export const madeOf = rememberingEach((root: JsonObject): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  const schemas = objectOf(member(root.components, 'schemas'));
  for (const [name, schema] of Object.entries(schemas)) {
    const around = [schema];
    const seen = new Set<string>();
    for (const part of around) {
      for (const reference of referencesOf(part, 'allOf')) {
        const pointer = pointerOf(reference);
        if (pointer === undefined || seen.has(pointer)) continue;
        seen.add(pointer);
        found.set(pointer, (found.get(pointer) ?? new Set()).add(name));
        around.push(atPointer(root, pointer));
      }
    }
  }
  return found;
});

/** The schemas that say what some schemas say: those themselves, what they refer to, and what stands in their `allOf`. */
export function partsOf(conjunction: Conjunction): readonly Located[] {
  const parts = new Map<unknown, Located>();
  const visit = (part: Located): void => {
    if (parts.has(part.value)) return;
    parts.set(part.value, part);
    const target = follow(part);
    if (target !== part) {
      visit(target);
      // Beside a reference, OpenAPI 3.0 reads nothing.
      if (part.description.old) parts.delete(part.value);
      if (part.description.old) return;
    }
    arrayOf(member(part.value, 'allOf')).forEach((_each, index) => visit(partAt(part, 'allOf', index)));
  };
  conjunction.forEach(visit);
  return [...parts.values()];
}

/** The values of a member that is restricted to a list. */
export function tagValues(conjunction: Conjunction | undefined): readonly string[] | undefined {
  for (const part of conjunction ?? []) {
    const schema = objectOf(follow(part).value);
    if (schema.const !== undefined) return [stableJson(schema.const)];
    if (schema.enum !== undefined) return arrayOf(schema.enum).map(stableJson);
  }
  return undefined;
}
