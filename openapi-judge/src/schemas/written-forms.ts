/** Forms of values that are written without quotes, as in a query or a header: `1` is a number there, and a text. */
import { stableJson } from '../../../common/json.ts';
import { isPlainList } from './values/schema-values.ts';
import { isFree, type Form, type JsonType } from './values/value-set.ts';

const WRITTEN_AS_TEXTS: readonly JsonType[] = ['number', 'boolean', 'null'];
const SCALARS: readonly JsonType[] = ['string', 'number', 'boolean'];

/** Two forms of what is written without quotes: where any text is allowed, that holds every number, every boolean, and null, too. */
export function asTexts(before: Form, after: Form): readonly [Form, Form] {
  const scalars = [before, after].flatMap((form) => [...(form.get('number') ?? []), ...(form.get('boolean') ?? [])]);
  if (scalars.length > 0 && scalars.every(isPlainList)) return [withQuotes(before), withQuotes(after)];
  const holdsAll = (form: Form): boolean => (form.get('string') ?? []).some(isFree);
  if (!holdsAll(before) && !holdsAll(after)) return [before, after];
  const textual = (form: Form): Form => new Map([...form].filter(([type]) => !WRITTEN_AS_TEXTS.includes(type)));
  return [textual(before), textual(after)];
}

/** A form with the numbers and booleans that it lists as texts. */
function withQuotes(form: Form): Form {
  const shapes = SCALARS.flatMap((type) => form.get(type) ?? []);
  const [list, ...lists] = shapes.filter(isPlainList);
  if (list === undefined) return form;
  const values = [list, ...lists].flatMap((each) => [...(each.values ?? [])]);
  const texts = values.map((value) => (value.startsWith('"') ? value : stableJson(value)));
  const others = [...form].filter(([type]) => !SCALARS.includes(type));
  const listed = { ...list, values: new Set(texts) };
  return new Map([...others, ['string', [...shapes.filter((each) => !isPlainList(each)), listed]]]);
}
