/** Compares the elements of arrays and the members of objects. */
import { arrayOf, below, member } from '../../../common/json.ts';
import { follow, passedSunset, type Located } from '../documents/description.ts';
import { difference, mediumOfMembers, movesOfAll, NARROWS, WIDENS, within } from './difference.ts';
import type { CompareShapes, Comparison, SchemaDifference, ShapePair } from './difference.ts';
import { allowsEverything, allowsNothing } from './forms.ts';
import { compareOtherMembers } from './other-members-diff.ts';
import { memberSchema, type Shape } from './values/value-set.ts';

/** Compares the elements of arrays. */
export const compareItems: CompareShapes = ({ base, head }, context) => {
  const elements = { ...context, given: true };
  const places = Math.max(base.leading.length, head.leading.length);
  const leading = Array.from({ length: places }, (_each, index) => {
    const [before, after] = [base.leading[index] ?? base.items, head.leading[index] ?? head.items];
    return within(`[${index}]`, context.compare(before, after, elements));
  });
  return [...leading.flat(), ...within('[]', context.compare(base.items, head.items, elements))];
};

/** A member of two objects, with what both say of it. */
interface Member {
  readonly name: string;
  readonly objects: ShapePair;
}

function knows({ properties, required }: Shape, name: string): boolean {
  return properties.has(name) || required.has(name);
}

/** Compares the members of objects. */
export const compareMembers: CompareShapes = (objects, context) => {
  const { base, head } = objects;
  const members = { ...context, medium: mediumOfMembers(context.medium), given: true };
  const names = [base, head].flatMap(({ properties, required }) => [...properties.keys(), ...required]);
  const found = [...new Set(names)].flatMap((name) => {
    const given = base.required.has(name) && head.required.has(name);
    return within(`.${name}`, compareMember({ name, objects }, { ...members, given }));
  });
  return [...found, ...compareOtherMembers(objects, members)];
};

function compareMember(one: Member, context: Comparison): readonly SchemaDifference[] {
  const { base, head } = one.objects;
  if (!knows(base, one.name)) return memberAdded(one, context);
  return knows(head, one.name) ? memberKept(one, context) : memberRemoved(one, context);
}

/** Where a member stands: its schema, or its name in the list of those that are required. */
function placeOf(name: string, { properties, pointer }: Shape): Located {
  const [schema] = properties.get(name) ?? [];
  if (schema !== undefined) return schema;
  const index = arrayOf(member(pointer.value, 'required')).indexOf(name);
  return { ...pointer, pointer: below(pointer.pointer, 'required', index < 0 ? name : index) };
}

function memberKept({ name, objects }: Member, context: Comparison): readonly SchemaDifference[] {
  const { base, head } = objects;
  const found = context.compare(memberSchema(base, name), memberSchema(head, name), context);
  const place = placeOf(name, head);
  if (base.required.has(name) === head.required.has(name)) return found;
  return head.required.has(name)
    ? [...found, difference('member-required', place, 'is required now')]
    : [...found, difference('member-optional', place, 'is no longer required')];
}

function memberAdded({ name, objects }: Member, context: Comparison): readonly SchemaDifference[] {
  const { base, head } = objects;
  const [before, added] = [memberSchema(base, name), memberSchema(head, name)];
  const place = placeOf(name, head);
  const wasForbidden = allowsNothing(before, context.sender);
  if (allowsNothing(added, context.sender)) {
    const moves = { narrows: !wasForbidden, widens: false };
    return [difference('member-forbidden', place, 'is forbidden now', { moves })];
  }
  // Where nothing was said of the member, nobody could count on a value of it; so any schema for it is no narrowing.
  const { narrows, widens } = movesOfAll(allowsEverything(before) ? [] : context.compare(before, added, context));
  const required = head.required.has(name);
  const moves = { narrows: required || narrows, widens: wasForbidden || widens };
  const isClosed = wasForbidden && context.sender === 'server' && !required;
  const [rule, fact] = isClosed ? CLOSED_MEMBER : NEW_MEMBER[required ? 'required' : 'optional'];
  const honoured = context.sender === 'client' && !required ? ', and has to be honoured' : '';
  return [difference(rule, place, `${fact}${honoured}`, { moves, meaning: WIDENS })];
}

const NEW_MEMBER = {
  required: ['required-member-added', 'is new and required'],
  optional: ['member-added', 'is new and optional'],
} as const;

const CLOSED_MEMBER = [
  'closed-member-added',
  'is new and optional: the object was closed, so that a client may refuse it',
] as const;

function memberRemoved({ name, objects }: Member, context: Comparison): readonly SchemaDifference[] {
  const { base, head } = objects;
  const [removed, after] = [memberSchema(base, name), memberSchema(head, name)];
  const place = placeOf(name, base);
  if (allowsNothing(removed, context.sender)) {
    const moves = { narrows: false, widens: !allowsNothing(after, context.sender) };
    return [difference('member-no-longer-forbidden', place, 'is no longer forbidden', { moves })];
  }
  const { narrows, widens } = movesOfAll(allowsEverything(after) ? [] : context.compare(removed, after, context));
  const moves = { narrows, widens: base.required.has(name) || widens };
  const sunset = removed[0] && passedSunset(follow(removed[0]));
  const more = { moves, meaning: NARROWS };
  if (sunset === undefined) return [difference('member-removed', place, 'is gone', more)];
  return [difference('member-removed-after-sunset', place, `is gone, as announced for ${sunset}`, more)];
}
