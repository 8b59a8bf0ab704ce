/** Compares how the parts of a form are written: their media types as lists, and all else as it stands. */
import { member, objectOf, textOf, without } from '../../../common/json.ts';
import { BREAKS_BOTH, change, effectOn, type Change } from '../change.ts';
import { child, children, type Located, type MaybeLocated } from '../documents/description.ts';
import { isMoving, type Part } from '../schemas/difference.ts';
import { inlinedText } from '../schemas/keywords.ts';
import { covers } from './media-types.ts';

/** Compares how the parts of a form are written. Of a part that only one side has, the schema says that it is new, or gone. */
export function diffEncodings(was: Located, is: Located, form: string, part: Part): Change[] {
  const names = new Set([was, is].flatMap((media) => [...children(child(media, 'encoding')).keys()]));
  const found = [...names].flatMap((name) => {
    if (hasMember(was, name) !== hasMember(is, name)) return [];
    const own = { ...part, name: `${part.name}.${name}` };
    const [before = '', after = ''] = [was, is].map((media) => writtenAs(media, name, form));
    return [...diffTypes(typesOf(was, name), typesOf(is, name), is, own), ...diffWritten(before, after, is, own)];
  });
  const others = ['prefixEncoding', 'itemEncoding'].flatMap((key) => {
    const [before = '', after = ''] = [was, is].map((media) => inlinedText(media, member(media.value, key)));
    return diffWritten(before, after, is, part);
  });
  return [...found, ...others];
}

function hasMember(media: Located, name: string): boolean {
  return child(media, 'schema', 'properties', name) !== undefined;
}

function diffTypes(before: readonly string[], after: readonly string[], at: Located, part: Part): Change[] {
  const within = (inner: readonly string[], outer: readonly string[]): boolean =>
    inner.every((type) => outer.some((range) => covers(range, type)));
  const moves = { narrows: !within(before, after), widens: !within(after, before) };
  const fact = `the media type of the part changes from ${before.join(', ')} to ${after.join(', ')}`;
  const effect = effectOn(part.sender, moves);
  return isMoving(moves) ? [change('encoding-changed', at, { where: part.name, fact }, effect)] : [];
}

function diffWritten(before: string, after: string, at: Located, { name }: Part): Change[] {
  const fact = `the style of the part changes from ${before} to ${after}`;
  return before === after ? [] : [change('encoding-changed', at, { where: name, fact }, BREAKS_BOTH)];
}

/** The media types that a part may have: those that its encoding says, or the usual one of its schema. */
function typesOf(media: Located, name: string): readonly string[] {
  const said = textOf(member(child(media, 'encoding', name)?.value, 'contentType'));
  const types = said ?? usualType(child(media, 'schema', 'properties', name));
  return types.split(',').map((each) => each.trim().toLowerCase());
}

function usualType(schema: MaybeLocated): string {
  const { type, format } = objectOf(schema?.value);
  if (type === 'array') return usualType(child(schema, 'items'));
  if (type === 'object') return 'application/json';
  if (format === 'binary') return 'application/octet-stream';
  return typeof type === 'string' ? 'text/plain' : 'what its schema says';
}

/** All else that is said of how a part is written, with what holds anyway. */
function writtenAs(media: Located, name: string, form: string): string {
  const said = without(objectOf(child(media, 'encoding', name)?.value), 'contentType');
  const { style = 'form', explode = style === 'form', allowReserved = false } = said;
  const usual = form.startsWith('multipart/') ? {} : { style, explode, allowReserved };
  return inlinedText(media, { ...said, ...usual });
}
