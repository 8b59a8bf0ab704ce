/** Parameters that stand for several: an object in a query whose members are written as parameters of their own. */
import { arrayOf, member, objectOf, textOf } from '../../../common/json.ts';
import { child, children, type Located } from '../documents/description.ts';
import { writingOf } from './writing.ts';

/** Some parameters, with the members of objects in place of those that the other document does not have as objects. */
export function spreadOver(
  parameters: ReadonlyMap<string, Located>,
  others: ReadonlyMap<string, Located>,
): Map<string, Located> {
  const spread = [...parameters].flatMap(([key, parameter]) => {
    const members = others.has(key) ? [] : membersOf(parameter);
    const areKnown = members.some(([name]) => others.has(name));
    return areKnown ? members : [[key, parameter] as const];
  });
  return new Map(spread);
}

/** The parameters that the members of an exploded object are. */
function membersOf(parameter: Located): readonly (readonly [string, Located])[] {
  if (member(parameter.value, 'in') !== 'query') return [];
  const name = textOf(member(parameter.value, 'name')) ?? '';
  const named = NAMES[writingOf(parameter)];
  const schema = child(parameter, 'schema');
  if (named === undefined || schema === undefined) return [];
  const isRequired = member(parameter.value, 'required') === true;
  const required = arrayOf(objectOf(schema.value).required);
  return [...children(child(schema, 'properties'))].map(([key, each]) => {
    const value = {
      name: named(name, key),
      in: 'query',
      required: isRequired && required.includes(key),
      schema: each.value,
    };
    return [`query ${named(name, key)}`, { ...each, value }] as const;
  });
}

/** What a member is called in the query, by how the object is written. */
const NAMES: Readonly<Record<string, (parameter: string, key: string) => string>> = {
  'form true': (_parameter, key) => key,
  'deepObject true': (parameter, key) => `${parameter}[${key}]`,
  'deepObject false': (parameter, key) => `${parameter}[${key}]`,
};
