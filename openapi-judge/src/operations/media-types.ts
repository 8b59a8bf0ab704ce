/** Media types: which entry of a body is for which, and how its values are written. */
import { member, objectOf } from '../../../common/json.ts';
import { child, children, type Located, type MaybeLocated } from '../documents/description.ts';
import type { Medium } from '../schemas/difference.ts';

function isJson(type: string): boolean {
  return /[/+]json$/i.test(type);
}

/** A media type or range without the letter case and blanks of its parameters, and without what holds for every JSON text. */
function mediaTypeForm(type: string): string {
  const [name = '', ...parameters] = type.split(';').map((each) => each.trim());
  const relevant = parameters
    .map((each) => each.toLowerCase())
    .filter((each) => !(isJson(name) && each === 'charset=utf-8'));
  return [name.toLowerCase(), ...relevant.sort()].join(';');
}

/** Whether a range of media types has one, or another range. */
function covers(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1));
  return false;
}

/** The most exact entry for a media type. */
export function entryFor(entries: ReadonlyMap<string, Located>, type: string): MaybeLocated {
  const fitting = [...entries].filter(([range]) => covers(range, type));
  return fitting.sort(([a], [b]) => a.split('*').length - b.split('*').length)[0]?.[1];
}

/** The media types of a body, each in one form. */
export function contentOf(body: Located): Map<string, Located> {
  return new Map([...children(child(body, 'content'))].map(([type, each]) => [mediaTypeForm(type), each]));
}

/** How a body of this media type is written. */
export function mediumOf(type: string): Medium {
  if (/^(multipart\/|application\/x-www-form-urlencoded)/.test(type)) return 'form';
  return /[/+]xml(;|$)|\*/.test(type) ? 'xml' : 'json';
}

/** Whether a body is bytes of which its schema says nothing more, as OpenAPI 3.0 writes it. */
export function isBytes(type: string, media: Located): boolean {
  if (/^text\/|[/+](json|xml)(;|$)|\*/.test(type) || mediumOf(type) === 'form') return false;
  const schema = child(media, 'schema')?.value;
  const keywords = Object.keys(objectOf(schema)).filter((key) => !['description', 'title'].includes(key));
  return keywords.sort().join() === 'format,type' && member(schema, 'format') === 'binary';
}
