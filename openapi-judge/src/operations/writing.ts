/** How the values of parameters and headers are put into text, and what they are. */
import { member, textOf } from '../../../common/json.ts';
import { change, type Change } from '../change.ts';
import { child, children, type Located } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
import { formOf } from '../schemas/forms.ts';
import { isFree, type Conjunction, type Form, type JsonType } from '../schemas/values/value-set.ts';
import { mediumOf } from './media-types.ts';
import { diffValue, schemaAt } from './value-diff.ts';

/** The schema of a parameter or header. One that says nothing of other types than texts is a text: that is how it is written. */
export function writtenSchema(located: Located): Conjunction {
  const schema = schemaAt(located);
  // The other styles are for lists and objects.
  const isForTexts = ['form', 'simple'].includes(styleOf(located).style);
  return isForTexts && isUntyped(schema) ? [...schema, { ...located, value: { type: 'string' } }] : schema;
}

function isUntyped(schema: Conjunction): boolean {
  const form = readForm(schema);
  return TYPED.every((type) => form?.get(type)?.some(isFree));
}

/** The types of which something has to be said, so that a value is not just a text. */
const TYPED = ['boolean', 'number', 'array', 'object'] as const;

function readForm(schema: Conjunction): Form | undefined {
  try {
    return formOf(schema, 'client');
  } catch {
    return undefined;
  }
}

const STYLES: Readonly<Record<string, string>> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

/** The style and whether each element or member is written by itself. */
function styleOf(parameter: Located): { readonly style: string; readonly explode: boolean } {
  const place = textOf(member(parameter.value, 'in')) ?? 'header';
  const style = textOf(member(parameter.value, 'style')) ?? STYLES[place] ?? 'simple';
  return { style, explode: (member(parameter.value, 'explode') ?? style === 'form') === true };
}

/** The types of values; lists and objects where that cannot be read. */
export function typesOf(schema: Conjunction): ReadonlySet<JsonType> {
  return new Set(readForm(schema)?.keys() ?? ['array', 'object']);
}

/** How the values of a parameter or header are put into text, as far as it shows. */
export function writingOf(parameter: Located, schema = writtenSchema(parameter)): string {
  const { style, explode } = styleOf(parameter);
  const types = typesOf(schema);
  // A list in the simple style is written alike, exploded or not.
  if (types.has('object') || (types.has('array') && style !== 'simple')) return `${style} ${String(explode)}`;
  return types.has('array') || ['label', 'matrix'].includes(style) ? style : 'plain';
}

/** The same for people. */
export function describedWriting(parameter: Located): string {
  if (writingOf(parameter) === 'plain') return 'as a single value';
  const { style, explode } = styleOf(parameter);
  return `in the style \`${style}\`${explode ? ', exploded' : ', not exploded'}`;
}

/** Compares the values of a parameter or header: by `schema`, or by `content` with one media type. */
export function diffCarried(before: Located, after: Located, part: Part): Change[] {
  const [old, now] = [carriedBy(before), carriedBy(after)];
  if (old.type === now.type)
    return diffValue(old.schema, now.schema, part, old.type === '' ? 'text' : mediumOf(old.type));
  const named = (type: string): string => (type === '' ? 'a plain value' : type);
  const fact = `is written as ${named(now.type)}, where it was ${named(old.type)}`;
  return [change('parameter-media-type', after, { where: part.name, fact })];
}

function carriedBy(located: Located): { readonly type: string; readonly schema: Conjunction } {
  const [content] = children(child(located, 'content'));
  if (content === undefined) return { type: '', schema: writtenSchema(located) };
  const [type, media] = content;
  // A single value is written the same by either.
  const isPlain = /^text\/plain\s*(;|$)/.test(type) && writingOf(located, writtenSchema(media)) === 'plain';
  return isPlain ? { type: '', schema: writtenSchema(media) } : { type, schema: schemaAt(media) };
}
