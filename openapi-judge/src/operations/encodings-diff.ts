/** Compares how the parts of a form are written. */
import { type JsonObject, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import { BREAKS_BOTH, change, effectOn, type Change, type Moves } from '../change.ts';
import { child, children, type Located, type MaybeLocated } from '../documents/description.ts';
import { isMoving, type Part } from '../schemas/difference.ts';
import { inlinedText } from '../schemas/keywords.ts';
import { formOf } from '../schemas/forms.ts';
import { diffHeaders } from './headers-diff.ts';
import { covers } from './media-types.ts';
import { schemaAt } from './value-diff.ts';

/** How a part of a form is written. */
interface Encoding {
  readonly place: MaybeLocated;
  /** The media types that it may have; undefined if that depends on a schema that does not say it. */
  readonly types: readonly string[] | undefined;
  /** Whether the encoding says so; else the schema does. */
  readonly isTyped: boolean;
  /** What else is said of how it is written. */
  readonly written: string;
}

/** Compares how the parts of a form are written. Of a part that only one side has, the schema says that it is new, or gone. */
export function diffEncodings(was: Located, is: Located, form: string, part: Part): Change[] {
  const [old, now] = [was, is].map((media) => partsOfForm(media, part));
  const names = [...(old ?? [])].filter((name) => now?.has(name) === true);
  const found = names.flatMap((name) => {
    const [before, after] = [encodingOf(was, name, form), encodingOf(is, name, form)];
    return diffEncoding(before, after, is, { ...part, name: `${part.name}.${name}` });
  });
  const others = ['prefixEncoding', 'itemEncoding'].flatMap((key) => {
    const [before = '', after = ''] = [was, is].map((media) => inlinedText(media, member(media.value, key)));
    const fact = `\`${key}\` changes from ${before} to ${after}`;
    return before === after ? [] : [change('encoding-changed', is, { where: part.name, fact }, BREAKS_BOTH)];
  });
  return [...found, ...others];
}

/** The parts of a form: the members of its schema, and those with an encoding. */
function partsOfForm(media: Located, { sender }: Part): ReadonlySet<string> {
  const encoded = children(child(media, 'encoding')).keys();
  try {
    const shapes = formOf(schemaAt(media), sender).get('object') ?? [];
    const members = shapes.flatMap(({ properties }) => [...properties.keys()]);
    // Without a list of members, each encoding is of one.
    return new Set(members.length > 0 ? members : encoded);
  } catch {
    return new Set(encoded);
  }
}

function encodingOf(media: Located, name: string, form: string): Encoding {
  const place = child(media, 'encoding', name);
  const { contentType, ...said } = objectOf(place?.value);
  const types = textOf(contentType)?.split(',') ?? usualTypes(child(media, 'schema', 'properties', name));
  // In a multipart form a style holds only if it is said, and in OpenAPI 3.0 never.
  const { style = 'form', explode = style === 'form', allowReserved = false } = said;
  const inside = inlinedText(media, pick(said, ['encoding', 'prefixEncoding', 'itemEncoding']));
  const usual = { style, explode, allowReserved };
  const inMultipart = media.description.old ? {} : pick(said, Object.keys(usual));
  const written = form.startsWith('multipart/') ? inMultipart : usual;
  return {
    place,
    types: types?.map((each) => each.trim().toLowerCase()),
    isTyped: contentType !== undefined,
    written: stableJson(written) + (inside === '{}' ? '' : ` ${inside}`),
  };
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

/** The media types of a part about which nothing is said. */
function usualTypes(schema: MaybeLocated): readonly string[] | undefined {
  const { type, format, contentEncoding, contentMediaType } = objectOf(schema?.value);
  if (typeof contentMediaType === 'string') return [contentMediaType];
  if (type === 'array') return usualTypes(child(schema, 'items'));
  if (type === 'object') return ['application/json'];
  if (format === 'binary' || contentEncoding !== undefined) return ['application/octet-stream'];
  return typeof type === 'string' ? ['text/plain'] : undefined;
}

function diffEncoding(before: Encoding, after: Encoding, media: Located, part: Part): Change[] {
  const place = after.place ?? media;
  const found = diffHeaders(before.place, after.place, part);
  const [old = 'any type', now = 'any type'] = [before, after].map(({ types }) => types?.join(', '));
  if (old !== now && (before.isTyped || after.isTyped)) {
    const within = (inner: Encoding, outer: Encoding): boolean =>
      inner.types?.every((type) => outer.types?.some((range) => covers(range, type))) === true;
    const moves: Moves = { narrows: !within(before, after), widens: !within(after, before) };
    const said = { where: part.name, fact: `the media type of the part changes from ${old} to ${now}` };
    if (isMoving(moves)) found.push(change('encoding-changed', place, said, effectOn(part.sender, moves)));
  }
  const fact = `the style of the part changes from ${before.written} to ${after.written}`;
  if (before.written !== after.written)
    found.push(change('encoding-changed', place, { where: part.name, fact }, BREAKS_BOTH));
  return found;
}
