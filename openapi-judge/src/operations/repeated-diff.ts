/** Compares a single value with a list of which one element is written the same. */
import { arrayOf, member, objectOf, stableJson } from '../../../common/json.ts';
import { change, type Change } from '../change.ts';
import { child, follow, type Located } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
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
  const { name, sender } = part;
  const elements = { ...part, given: true };
  const [list, newList] = [repeatedIn(before), repeatedIn(after)];
  if (writingOf(before) === 'plain' && newList !== undefined) {
    const said = { where: name, fact: 'may be sent several times now' };
    return [
      change('parameter-repeatable', after, said, sender),
      ...diffValue(writtenSchema(before), newList, elements, 'text'),
      ...diffDefaults(before, after, part),
    ];
  }
  if (list !== undefined && writingOf(after) === 'plain') {
    const said = { where: name, fact: 'may be sent only once now' };
    return [
      change('parameter-not-repeatable', before, said, sender),
      ...diffValue(list, writtenSchema(after), elements, 'text'),
      ...diffDefaults(before, after, part),
    ];
  }
  return undefined;
}

/** The default of a value; a list of one is that one. */
function defaultOf(parameter: Located): string {
  const value = child(parameter, 'schema', 'default')?.value;
  const [only, ...more] = arrayOf(value);
  return stableJson(only !== undefined && more.length === 0 ? only : value);
}

function diffDefaults(before: Located, after: Located, { name, sender, given }: Part): Change[] {
  const [was, is] = [defaultOf(before), defaultOf(after)];
  if (was === is || sender === 'server' || given) return [];
  const said = (fact: string) => ({ where: name, fact });
  if (was === 'undefined') return [change('default-added', after, said(`${is} is the default now`))];
  if (is === 'undefined') return [change('default-removed', before, said(`the default ${was} is gone`))];
  return [change('default-changed', after, said(`the default changes from ${was} to ${is}`))];
}
