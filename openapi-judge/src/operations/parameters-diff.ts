import { arrayOf, member, objectOf, textOf } from '../../../common/json.ts';
import { BREAKS_BOTH, BREAKS_CLIENTS, change, effectOn, type Change, type Sender } from '../change.ts';
import { child, children, diffEntries, follow, passedSunset, type Located } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
import { formOf } from '../schemas/normalize.ts';
import type { Conjunction, JsonType } from '../schemas/values/value-set.ts';
import { isUnchanged } from '../unchanged.ts';
import { mediumOf } from './media-types.ts';
import { diffRequired, diffValue, isRequired, schemaAt, type Operation } from './value-diff.ts';

const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function parametersOf({ item, operation, path }: Operation): Map<string, Located> {
  const positions = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  const found = new Map<string, Located>();
  for (const holder of [item, operation]) {
    const list = child(holder, 'parameters');
    arrayOf(list?.value).forEach((_each, index) => {
      const parameter = child(list, index);
      const name = textOf(member(parameter?.value, 'name')) ?? '';
      const place = textOf(member(parameter?.value, 'in')) ?? '';
      if (parameter === undefined || (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase()))) return;
      const keys: Record<string, string | number> = {
        header: name.toLowerCase(),
        path: positions.indexOf(name),
        querystring: '',
      };
      found.set(`${place} ${keys[place] ?? name}`, parameter);
    });
  }
  return found;
}

function labelOf(parameter: Located): string {
  return `${textOf(member(parameter.value, 'in')) ?? ''} parameter ${textOf(member(parameter.value, 'name')) ?? ''}`;
}

/** Compares the parameters of an operation whose requests this sender sends. */
export function diffParameters(was: Operation, is: Operation, sender: Sender): Change[] {
  return diffEntries(parametersOf(was), parametersOf(is), {
    gone: (before) => parameterRemoved(before, sender),
    come: (after) => parameterAdded(after, sender),
    both: (before, after) => {
      const given = isRequired(before) && isRequired(after);
      return diffParameter(before, after, { name: labelOf(after), sender, given });
    },
  });
}

function parameterRemoved(parameter: Located, sender: Sender): Change {
  const effect = isRequired(parameter) && sender === 'client' ? BREAKS_BOTH : BREAKS_CLIENTS;
  const sunset = passedSunset(parameter);
  if (sunset === undefined) return change('parameter-removed', parameter, `${labelOf(parameter)} is gone`, effect);
  const message = `${labelOf(parameter)} is gone, as announced for ${sunset}`;
  return change('parameter-removed-after-sunset', parameter, message, effect);
}

function parameterAdded(parameter: Located, sender: Sender): Change {
  const required = isRequired(parameter);
  // A server has to support what a client may send.
  const effect = effectOn(sender, [required, sender === 'client']);
  const rule = required ? 'required-parameter-added' : 'parameter-added';
  const how = required ? 'required' : 'optional, and has to be honoured';
  return change(rule, parameter, `${labelOf(parameter)} is new and ${how}`, effect);
}

function diffParameter(before: Located, after: Located, part: Part): Change[] {
  if (isUnchanged(before, after)) return [];
  const { name, sender } = part;
  const found = diffRequired('parameter', before, after, part);
  const repeated = diffRepeated(before, after, part);
  if (repeated !== undefined) return [...found, ...repeated];
  const hasContent = [before, after].some((each) => child(each, 'content') !== undefined);
  if (!hasContent && writingOf(before) !== writingOf(after))
    found.push(change('parameter-serialization', after, `${name} is serialized differently`));
  const flag = (located: Located, key: string): boolean => member(located.value, key) === true;
  for (const key of ['allowReserved', 'allowEmptyValue']) {
    if (flag(before, key) === flag(after, key)) continue;
    const effect = effectOn(sender, [flag(before, key), flag(after, key)]);
    found.push(change('parameter-characters', after, `${name}: \`${key}\` changes`, effect));
  }
  return [...found, ...diffCarried(before, after, part)];
}

/** The elements of a list that is written as `q=a&q=b`, and that one value makes already. */
function repeatedIn(parameter: Located): Conjunction | undefined {
  const [schema] = schemaAt(parameter);
  const { type, minItems = 0, maxItems = 1, prefixItems } = objectOf(schema && follow(schema).value);
  const exploded = member(parameter.value, 'in') === 'query' && writingOf(parameter) === 'form true';
  if (!exploded || type !== 'array' || Number(minItems) > 1 || Number(maxItems) < 1 || prefixItems !== undefined)
    return;
  const items = child(schema, 'items');
  return items === undefined ? [] : [items];
}

/** Compares a single value with a list of which one element is written the same; nothing if that is not what changed. */
function diffRepeated(before: Located, after: Located, part: Part): Change[] | undefined {
  const { name, sender } = part;
  const [list, newList] = [repeatedIn(before), repeatedIn(after)];
  if (writingOf(before) === 'plain' && newList !== undefined) {
    const several = change('parameter-repeatable', after, `${name} may be sent several times now`, sender);
    return [several, ...diffValue(schemaAt(before), newList, part, 'text')];
  }
  if (list !== undefined && writingOf(after) === 'plain') {
    const once = change('parameter-not-repeatable', before, `${name} may be sent only once now`, sender);
    return [once, ...diffValue(list, schemaAt(after), part, 'text')];
  }
  return undefined;
}

/** Compares the values of a parameter or header: by `schema`, or by `content` with one media type. */
export function diffCarried(before: Located, after: Located, part: Part): Change[] {
  const carried = (located: Located): readonly [string, Conjunction] => {
    const [content] = children(child(located, 'content'));
    if (content === undefined) return ['', schemaAt(located)];
    const [type, media] = content;
    // A single value is written the same by either.
    const isPlain = /^text\/plain\s*(;|$)/.test(type) && writingOf(located, schemaAt(media)) === 'plain';
    return [isPlain ? '' : type, schemaAt(media)];
  };
  const [type, schema] = carried(before);
  const [newType, newSchema] = carried(after);
  if (type !== newType) {
    const message = `${part.name} is serialized as ${newType === '' ? 'a plain value' : newType}`;
    return [change('parameter-media-type', after, message)];
  }
  return diffValue(schema, newSchema, part, type === '' ? 'text' : mediumOf(type));
}

const STYLES: Readonly<Record<string, string>> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

/** How the values of a parameter or header are put into text, as far as it shows. */
export function writingOf(parameter: Located, schema = schemaAt(parameter)): string {
  const place = textOf(member(parameter.value, 'in')) ?? 'header';
  const style = textOf(member(parameter.value, 'style')) ?? STYLES[place] ?? 'simple';
  const explode = member(parameter.value, 'explode') ?? style === 'form';
  let types: ReadonlySet<JsonType>;
  try {
    types = new Set(formOf(schema, 'client').keys());
  } catch {
    types = new Set(['array', 'object'] as const);
  }
  // A list in the simple style is written alike, exploded or not.
  if (types.has('object') || (types.has('array') && style !== 'simple')) return `${style} ${JSON.stringify(explode)}`;
  return types.has('array') || ['label', 'matrix'].includes(style) ? style : 'plain';
}
