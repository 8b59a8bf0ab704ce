import { follow, passedSunset, type Located } from '../documents/description.ts';
import { difference, mediumOfMembers, movesOfAll } from './difference.ts';
import type { CompareShapes, Comparison, SchemaDifference } from './difference.ts';
import { allowsEverything, allowsNothing } from './normalize.ts';
import { memberSchema, type Shape } from './values/value-set.ts';

/** Compares the elements of arrays. */
export const compareItems: CompareShapes = (base, head, _at, context) => {
  const found: SchemaDifference[] = [];
  const places = Math.max(base.leading.length, head.leading.length);
  for (let index = 0; index < places; index += 1) {
    const [before, after] = [base.leading[index] ?? base.items, head.leading[index] ?? head.items];
    found.push(...context.compare(before, after, { ...context, name: `${context.name}[${index}]`, given: true }));
  }
  return [...found, ...context.compare(base.items, head.items, { ...context, name: `${context.name}[]`, given: true })];
};

function namesOf({ properties, required }: Shape): readonly string[] {
  return [...new Set([...properties.keys(), ...required])];
}

function isOpenObject({ additional }: Shape): boolean {
  return additional === undefined || allowsEverything(additional);
}

/** Compares the members of objects. */
export const compareMembers: CompareShapes = (base, head, at, context, type) => {
  const found: SchemaDifference[] = [];
  const members = { ...context, medium: mediumOfMembers(context.medium), given: true };
  for (const name of new Set([...namesOf(base), ...namesOf(head)])) {
    const given = base.required.has(name) && head.required.has(name);
    const inside = { ...members, given, name: context.name === '' ? name : `${context.name}.${name}` };
    const known = base.properties.has(name) || base.required.has(name);
    const stays = head.properties.has(name) || head.required.has(name);
    if (!known) found.push(...memberAdded(base, head, name, at, inside));
    else if (!stays) found.push(...memberRemoved(base, head, name, inside));
    else found.push(...memberKept(base, head, name, at, inside));
  }
  return [...found, ...compareOtherMembers(base, head, at, members, type)];
};

function memberKept(base: Shape, head: Shape, name: string, at: Located, context: Comparison): SchemaDifference[] {
  const found = [...context.compare(memberSchema(base, name), memberSchema(head, name), context)];
  const place = head.properties.get(name)?.[0] ?? at;
  if (!base.required.has(name) && head.required.has(name))
    found.push(difference('member-required', place, `${context.name} is required now`));
  if (base.required.has(name) && !head.required.has(name))
    found.push(difference('member-optional', place, `${context.name} is no longer required`));
  return found;
}

function memberAdded(base: Shape, head: Shape, name: string, at: Located, context: Comparison): SchemaDifference[] {
  const { sender } = context;
  const added = memberSchema(head, name);
  const place = head.properties.get(name)?.[0] ?? at;
  const required = head.required.has(name);
  const before = memberSchema(base, name);
  const wasForbidden = allowsNothing(before, sender);
  if (allowsNothing(added, sender))
    return [difference('member-forbidden', place, `${context.name} is forbidden now`, [!wasForbidden, false])];
  // Where nothing was said of the member, nobody could count on a value of it; so any schema for it is no narrowing.
  const [narrows, widens] = movesOfAll(allowsEverything(before) ? [] : context.compare(before, added, context));
  const how = required ? 'required' : `optional${sender === 'client' ? ', and has to be honoured' : ''}`;
  const isClosed = wasForbidden && sender === 'server' && !base.properties.has(name);
  const rule = required ? 'required-member-added' : isClosed ? 'closed-member-added' : 'member-added';
  const why = isClosed ? ': the object was closed, so that a client may refuse it' : '';
  const moves = [required || narrows, wasForbidden || widens] as const;
  return [difference(rule, place, `${context.name} is new and ${how}${why}`, moves, [false, true])];
}

function memberRemoved(base: Shape, head: Shape, name: string, context: Comparison): SchemaDifference[] {
  const { sender } = context;
  const removed = memberSchema(base, name);
  const place = base.properties.get(name)?.[0] ?? base.pointer;
  const after = memberSchema(head, name);
  if (allowsNothing(removed, sender)) {
    const widens = !allowsNothing(after, sender);
    return [difference('member-no-longer-forbidden', place, `${context.name} is no longer forbidden`, [false, widens])];
  }
  const [narrows, widens] = movesOfAll(allowsEverything(after) ? [] : context.compare(removed, after, context));
  const moves = [narrows, base.required.has(name) || widens] as const;
  const sunset = removed[0] && passedSunset(follow(removed[0]));
  const rule = sunset === undefined ? 'member-removed' : 'member-removed-after-sunset';
  const announced = sunset === undefined ? '' : `, as announced for ${sunset}`;
  return [difference(rule, place, `${context.name} is gone${announced}`, moves, [true, false])];
}

/** Whether two patterns begin with fixed texts that no name can both begin with. */
function neverTogether(one: string, other: string): boolean {
  const [start = '', otherStart = ''] = [one, other].map((each) => /^\^([\w-]*)(?![\w\-?*{|])/.exec(each)?.[1]);
  const anyChoice = one.includes('|') || other.includes('|');
  return !anyChoice && !start.startsWith(otherStart) && !otherStart.startsWith(start);
}

/** Members that neither document names. */
const compareOtherMembers: CompareShapes = (base, head, at, context) => {
  const { sender, name } = context;
  const found: SchemaDifference[] = [];
  const patterns = new Set([...base.byPattern.keys(), ...head.byPattern.keys()]);
  for (const pattern of patterns) {
    const [before, after] = [base.byPattern.get(pattern), head.byPattern.get(pattern)];
    const inside = { ...context, name: `${name}./${pattern}/` };
    found.push(...context.compare(before ?? base.additional ?? [], after ?? head.additional ?? [], inside));
    if (before !== undefined && after !== undefined) continue;
    // A name that fits another pattern, too, has to be what both say.
    const [beside, comes] = before === undefined ? [base, true] : [head, false];
    for (const [other, schema] of beside.byPattern) {
      if (other === pattern || neverTogether(pattern, other)) continue;
      const together = [...schema, ...(before ?? after ?? [])];
      found.push(...(comes ? context.compare(schema, together, inside) : context.compare(together, schema, inside)));
    }
  }
  const place = head.additional?.[0] ?? base.additional?.[0] ?? at;
  const [before, after] = [base.additional ?? [], head.additional ?? []];
  const [wasClosed, isClosed] = [allowsNothing(before, sender), allowsNothing(after, sender)];
  if (wasClosed !== isClosed) {
    const message = `${name}: members that are not listed are ${isClosed ? 'forbidden' : 'allowed'} now`;
    found.push(difference(isClosed ? 'other-members-forbidden' : 'other-members-allowed', place, message));
  } else if (isOpenObject(base) !== isOpenObject(head) || !isOpenObject(base)) {
    found.push(...context.compare(before, after, { ...context, name: `${name}.*` }));
  }
  return found;
};
