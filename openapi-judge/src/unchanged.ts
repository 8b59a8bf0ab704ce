import { isDeepStrictEqual } from 'node:util';
import { atPointer, below, isRecord, member, objectOf, rememberingEach, textOf } from '../../common/json.ts';
import { NOT_COMPARED, pointerOf, type Description, type Located } from './description.ts';
import { madeOf } from './schemas/made-of.ts';

/** What a value refers to: by references, and by a discriminator. Undefined if that depends on the way that leads there. */
function targetsIn(value: unknown): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  const dynamic: unknown[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isRecord(node)) return;
    for (const each of [node.$dynamicRef, node.$recursiveRef, node[NOT_COMPARED]])
      if (each !== undefined) dynamic.push(each);
    const target = textOf(node.$ref);
    if (target !== undefined) found.add(pointerOf(target) ?? target);
    for (const mapped of Object.values(objectOf(member(node.discriminator, 'mapping'))).concat(
      member(node.discriminator, 'defaultMapping') ?? [],
    )) {
      const text = String(mapped);
      found.add(pointerOf(text) ?? below('/components/schemas', text));
    }
    Object.values(node).forEach(visit);
  };
  visit(value);
  return dynamic.length > 0 ? undefined : found;
}

const targetsOf = rememberingEach(targetsIn as (value: object) => ReadonlySet<string> | undefined);

/** The places that are referred to and differ, or refer to what differs. */
const changedIn = rememberingEach<Description, (head: Description) => ReadonlySet<string>>((base) =>
  rememberingEach((head) => {
    const changed = new Set<string>();
    const referring = new Map<string, Set<string>>();
    const queue = [...(targetsOf(base.root) ?? []), ...(targetsOf(head.root) ?? [])];
    const seen = new Set(queue);
    for (const pointer of seen) {
      const [before, after] = [base, head].map(({ root }) => atPointer(root, pointer));
      const targets = typeof before === 'object' && before !== null ? targetsOf(before) : new Set<string>();
      if (targets === undefined || !isDeepStrictEqual(before, after)) changed.add(pointer);
      const children = [base, head].flatMap(({ root }) => [...(madeOf(root).get(pointer) ?? [])]);
      const made = children.map((name) => below('/components/schemas', name));
      for (const target of [...(targets ?? []), ...made]) {
        seen.add(target);
        referring.set(target, (referring.get(target) ?? new Set()).add(pointer));
      }
    }
    for (const pointer of changed) for (const each of referring.get(pointer) ?? []) changed.add(each);
    return changed;
  }),
);

/** Whether two parts of two documents are written alike and refer to nothing that differs, so that they need no comparison. */
export const isUnchanged = (base: Located, head: Located): boolean => {
  if (base.description.old !== head.description.old || !isDeepStrictEqual(base.value, head.value)) return false;
  if (typeof base.value !== 'object' || base.value === null) return true;
  const targets = targetsOf(base.value);
  const changed = changedIn(base.description)(head.description);
  if (targets === undefined || changed.has(base.pointer)) return false;
  return [...targets].every((target) => !changed.has(target));
};
