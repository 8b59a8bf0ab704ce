/** Compares how the parts of a form are written, as it stands. */
import { member, objectOf } from '../../../common/json.ts';
import { change, type Change } from '../change.ts';
import { child, children, type Located } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
import { inlinedText } from '../schemas/keywords.ts';

/** Compares how the parts of a form are written. Of a part that only one side has, the schema says that it is new, or gone. */
export function diffEncodings(was: Located, is: Located, form: string, part: Part): Change[] {
  const names = new Set([was, is].flatMap((media) => [...children(child(media, 'encoding')).keys()]));
  const kept = [...names].filter((name) => hasMember(was, name) === hasMember(is, name));
  return [
    ...kept.map((name) => ({ where: `${part.name}.${name}`, text: (media: Located) => writtenAs(media, name, form) })),
    ...['prefixEncoding', 'itemEncoding'].map((key) => {
      return { where: part.name, text: (media: Located) => inlinedText(media, member(media.value, key)) };
    }),
  ].flatMap(({ where, text }) => {
    const [before, after] = [text(was), text(is)];
    const fact = `the encoding of the part changes from ${before} to ${after}`;
    return before === after ? [] : [change('encoding-changed', is, { where, fact })];
  });
}

function hasMember(media: Located, name: string): boolean {
  return child(media, 'schema', 'properties', name) !== undefined;
}

/** What is said of how a part is written, with what holds anyway. */
function writtenAs(media: Located, name: string, form: string): string {
  const said = objectOf(child(media, 'encoding', name)?.value);
  const { style = 'form', explode = style === 'form', allowReserved = false } = said;
  const usual = form.startsWith('multipart/') ? {} : { style, explode, allowReserved };
  return inlinedText(media, { ...said, ...usual });
}
