/** Whether parts of two documents are written alike, and so need no comparison. */
import { atPointer, below, isRecord, type JsonObject, objectOf } from '../../common/json.ts';
import { pointerOf, rememberingPair, type Located, rememberingEach } from './documents/description.ts';
import { madeOf } from './schemas/made-of.ts';

/** Whether two JSON values are equal; the order of members does not count. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) return areSameLists(one, other);
  const [left, right] = [one as JsonObject, other as JsonObject];
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}

function areSameLists(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((each, index) => sameJson(each, other[index]));
}

/** What was found of pairs of objects: each is asked about with one other, again and again. */
const compared = new WeakMap<object, { readonly other: unknown; readonly same: boolean }>();

/** As `sameJson`, and remembers it. */
export function areSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return sameJson(one, other);
  const known = compared.get(one);
  if (known?.other === other) return known?.same === true;
  const same = sameJson(one, other);
  compared.set(one, { other, same });
  return same;
}

/** What a discriminator refers to. */
function mappedBy({ mapping, defaultMapping = [] }: JsonObject): readonly string[] {
  const names = [...Object.values(objectOf(mapping)), defaultMapping].flat().map(String);
  return names.map((name) => pointerOf(name) ?? below('/components/schemas', name));
}

/** What a value of a document refers to, by references and by a discriminator. */
const targetsIn = rememberingEach((value: object): ReadonlySet<string> => {
  const targets = new Set<string>();
  const left: unknown[] = [value];
  for (const node of left) {
    if (typeof node !== 'object' || node === null) continue;
    for (const each of Object.values(node) as unknown[]) if (typeof each === 'object') left.push(each);
    const { $ref: target, $dynamicRef: dynamic, $recursiveRef: recursive, discriminator } = node as JsonObject;
    // These may lead anywhere.
    if (dynamic !== undefined || recursive !== undefined) targets.add('');
    if (typeof target === 'string') targets.add(pointerOf(target) ?? target);
    if (isRecord(discriminator)) for (const each of mappedBy(discriminator)) targets.add(each);
  }
  return targets;
});

/** The places that are referred to and differ, or refer to what differs. */
const changedIn = rememberingPair((base, head): ReadonlySet<string> => {
  const changed = new Set<string>();
  const referring = new Map<string, Set<string>>();
  const items = [base.root.paths, base.root.webhooks].flatMap((each) => Object.values(objectOf(each)));
  const seen = new Set(items.flatMap((each) => [...targetsIn(objectOf(each))]));
  for (const pointer of seen) {
    const [before, after] = [base, head].map(({ root }) => atPointer(root, pointer));
    const targets = targetsIn(typeof before === 'object' && before !== null ? before : {});
    if (!areSame(before, after)) changed.add(pointer);
    const children = [base, head].flatMap(({ root }) => [...(madeOf(root).get(pointer) ?? [])]);
    const made = children.map((name) => below('/components/schemas', name));
    for (const target of [...targets, ...made]) {
      seen.add(target);
      referring.set(target, (referring.get(target) ?? new Set()).add(pointer));
    }
  }
  for (const pointer of changed) for (const each of referring.get(pointer) ?? []) changed.add(each);
  return changed;
});

/** Whether two parts of two documents are written alike and refer to nothing that differs, so that they need no comparison. */
export const isUnchanged = (base: Located, head: Located): boolean => {
  if (base.description.old !== head.description.old || !areSame(base.value, head.value)) return false;
  if (typeof base.value !== 'object' || base.value === null) return true;
  const changed = changedIn(base.description, head.description);
  if (changed.has(base.pointer)) return false;
  for (const target of targetsIn(base.value)) if (changed.has(target)) return false;
  return true;
};

/** The same of schemas that hold together. */
export function areUnchanged(base: readonly Located[], head: readonly Located[]): boolean {
  return (
    base.length === head.length &&
    base.every((part, index) => {
      const other = head[index];
      if (other === undefined) return false;
      return part.description.side === 'base' ? isUnchanged(part, other) : isUnchanged(other, part);
    })
  );
}
