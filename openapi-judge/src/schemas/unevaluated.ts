/** What `unevaluatedProperties` and `unevaluatedItems` say of what no other keyword covers. */
import { stableJson } from '../../../common/json.ts';
import { partAt, type Located } from '../documents/description.ts';
import { inlined } from './keywords.ts';
import { areApart, type Reading } from './values/schema-values.ts';
import { demanding, isOpen, overlaps, type Conjunction, type Form, type Shape } from './values/value-set.ts';

/** Keywords by which more members or elements may be evaluated than an alternative names. */
const EVALUATING = ['if', 'dependentSchemas', 'dependencies', 'contains'];

const KEYWORDS = [
  {
    type: 'object',
    keyword: 'unevaluatedProperties',
    closed: (shape: Shape, rest: Conjunction): Shape => ({ ...shape, additional: shape.additional ?? rest }),
  },
  {
    type: 'array',
    keyword: 'unevaluatedItems',
    closed: (shape: Shape, rest: Conjunction): Shape => (shape.items.length === 0 ? { ...shape, items: rest } : shape),
  },
] as const;

/** A form of a schema with what that says of the rest; as it is written where that depends on the value. */
export function withUnevaluated(form: Form, part: Located, read: Reading): Form {
  return KEYWORDS.reduce((each, { type, keyword, closed }) => {
    const shapes = each.get(type);
    const rest = partAt(part, keyword);
    if (rest.value === undefined || shapes === undefined || isOpen(rest)) return each;
    const dependent = new Set(shapes.filter((shape) => dependsOnValue(shape, shapes, read)));
    const written = dependent.size > 0 ? stableJson(inlined(part, part.value, [])) : '';
    const left = shapes.map((shape) =>
      dependent.has(shape) ? demanding(shape, keyword, written) : closed(shape, [rest]),
    );
    return new Map([...each, [type, left]]);
  }, form);
}

/** Whether what is evaluated depends on which of several alternatives a value fits. */
function dependsOnValue(shape: Shape, shapes: readonly Shape[], read: Reading): boolean {
  if (EVALUATING.some((each) => shape.asWritten.has(each))) return true;
  if (overlaps(shape)) return false;
  return shapes.some((other) => evaluated(other) !== evaluated(shape) && !areApart(shape, other, read));
}

function evaluated({ properties, leading }: Shape): string {
  return stableJson([[...properties.keys()].sort(), leading.length]);
}
