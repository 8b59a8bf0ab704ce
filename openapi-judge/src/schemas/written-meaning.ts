/** What keywords mean that are compared as they stand: `not`, `if`, `contains` and their like. */
import { arrayOf, objectOf } from '../../../common/json.ts';
import { partAt, type Located } from '../documents/description.ts';
import type { Demand } from './keywords.ts';
import type { Conjunction, Form, JsonType, Meaning, Shape } from './values/value-set.ts';

/**
 * What a demand means for one type; undefined if that is not computed.
 *
 * @param formOf reads schemas that hold together
 */
export function meaningOf(
  part: Located,
  { keyword, value }: Demand,
  type: JsonType,
  formOf: (parts: Conjunction) => Form,
): Meaning | undefined {
  const at = (schema: unknown, step: string): Located => ({
    ...part,
    pointer: `${part.pointer}#${step}`,
    value: schema,
  });
  const shapes = (...schemas: Conjunction): readonly Shape[] => formOf(schemas).get(type) ?? [];
  switch (keyword) {
    case 'not':
      return { noneOf: shapes(at(value, 'not')) };
    case 'if': {
      const { if: condition, then, else: otherwise } = objectOf(value);
      const fitting = shapes(at(condition, 'if'), at(then, 'then'));
      return { anyOf: [...fitting, ...shapes(at({ not: condition }, 'not-if'), at(otherwise, 'else'))] };
    }
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies': {
      const [name, depending] = arrayOf(value);
      const schema = Array.isArray(depending) ? { required: depending } : depending;
      const here = `${keyword}-${String(name)}`;
      const absent = shapes(at({ properties: { [String(name)]: false } }, `${here}-absent`));
      return { anyOf: [...absent, ...shapes(at({ required: [name] }, `${here}-present`), at(schema, here))] };
    }
    case 'propertyNames':
      return { names: [partAt(part, 'propertyNames')] };
    case 'contains':
      return containing(part, objectOf(value));
    default:
      return undefined;
  }
}

function containing(part: Located, { contains, minContains, maxContains }: Readonly<Record<string, unknown>>) {
  if (contains === undefined) return undefined;
  return { contained: [partAt(part, 'contains')], least: Number(minContains), most: Number(maxContains ?? Infinity) };
}
