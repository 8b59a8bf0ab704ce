/** Compares a single value with a list of which one element is written the same. */
import { arrayOf, member, objectOf } from '../../../common/json.ts';
import { change, type Change } from '../change.ts';
import { child, follow, type Located } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
import { defaultFact } from '../schemas/hints-diff.ts';
import type { Conjunction } from '../schemas/values/value-set.ts';
import { diffValue, schemaAt } from './value-diff.ts';
import { writingOf, writtenSchema } from './writing.ts';

/** The elements of a list that is written as `q=a&q=b`, and that one value makes already. */
function repeatedIn(parameter: Located): Conjunction | undefined {
  const [schema] = schemaAt(parameter);
  const { type, minItems = 0, maxItems = 1, prefixItems } = objectOf(schema && follow(schema).value);
  const exploded = member(parameter.value, 'in') === 'query' && writingOf(parameter) === 'form true';
  if (!exploded || type !== 'array' || Number(minItems) > 1 || Number(maxItems) < 1 || prefixItems !== undefined)
    return undefined;
  const items = child(schema, 'items');
  return items === undefined ? [] : [items];
}

/** The differences if a single value became a list, or a list a single value; nothing if that is not what changed. */
export function diffRepeated(before: Located, after: Located, part: Part): Change[] | undefined {
  if ([before, after].some((each) => child(each, 'content') !== undefined)) return undefined;
  const elements = { ...part, given: true };
  const [list, newList] = [repeatedIn(before), repeatedIn(after)];
  if (newList !== undefined && writingOf(before) === 'plain')
    return [
      change('parameter-repeatable', after, { where: part.name, fact: 'may be sent several times now' }, part.sender),
      ...diffValue(writtenSchema(before), newList, elements, 'text'),
      ...diffDefaults(before, after, part),
    ];
  if (list !== undefined && writingOf(after) === 'plain')
    return [
      change('parameter-not-repeatable', before, { where: part.name, fact: 'may be sent only once now' }, part.sender),
      ...diffValue(list, writtenSchema(after), elements, 'text'),
      ...diffDefaults(before, after, part),
    ];
  return undefined;
}

/** The default of a value; a list of one is that one. */
function defaultOf(parameter: Located): unknown {
  const value = child(parameter, 'schema', 'default')?.value;
  const [only, ...more] = arrayOf(value);
  return only !== undefined && more.length === 0 ? only : value;
}

function diffDefaults(before: Located, after: Located, { name, sender, given }: Part): Change[] {
  const found = sender === 'server' || given ? undefined : defaultFact(defaultOf(before), defaultOf(after));
  return found === undefined ? [] : [change(found.rule, after, { where: name, fact: found.fact })];
}
