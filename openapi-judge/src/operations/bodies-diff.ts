/** Compares request bodies, and what bodies carry in each media type. */
import { BREAKS_BOTH, BREAKS_CLIENTS, BREAKS_IMPLEMENTERS, change, effectOn } from '../change.ts';
import type { Change } from '../change.ts';
import { child, type Located } from '../documents/description.ts';
import type { Conjunction } from '../schemas/values/value-set.ts';
import type { Part } from '../schemas/difference.ts';
import { isUnchanged } from '../unchanged.ts';
import { diffEncodings } from './encodings-diff.ts';
import { contentOf, entryFor, isBytes, mediumOf } from './media-types.ts';
import { diffRequired, diffValue, isRequired, schemaAt, type OperationPair } from './value-diff.ts';

/** Compares the request bodies of an operation. */
export function diffRequestBody({ was, is, sender }: OperationPair): Change[] {
  const [before, after] = [child(was.operation, 'requestBody'), child(is.operation, 'requestBody')];
  if (before === undefined) {
    if (after === undefined) return [];
    const effect = effectOn(sender, { narrows: isRequired(after), widens: sender === 'client' });
    const how = isRequired(after) ? 'is new and required' : 'is new and optional';
    return [change('request-body-added', after, { where: 'body', fact: how }, effect)];
  }
  if (after === undefined) {
    const effect = isRequired(before) && sender === 'client' ? BREAKS_BOTH : BREAKS_CLIENTS;
    return [change('request-body-removed', before, { where: 'body', fact: 'is gone' }, effect)];
  }
  if (isUnchanged(before, after)) return [];
  const given = isRequired(before) && isRequired(after);
  return [
    ...diffRequired('body', before, after, { name: 'body', sender }),
    ...diffContent(before, after, 'request', { name: 'body', sender, given }),
  ];
}

/** Compares the media types of a body, and its schema for each of them. */
export function diffContent(before: Located, after: Located, kind: 'request' | 'response', part: Part): Change[] {
  const [old, now] = [contentOf(before), contentOf(after)];
  const allowed = kind === 'response' ? 'sent' : 'accepted';
  const removed = kind === 'request' && part.sender === 'client' ? BREAKS_CLIENTS : BREAKS_BOTH;
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((type) => {
    const [was, is] = [entryFor(old, type), entryFor(now, type)];
    if (was && is) return diffMedia(was, is, type, part);
    const said = (fact: string) => ({ where: part.name, fact: `${type} ${fact}` });
    if (was) return [change('media-type-removed', was, said(`is no longer ${allowed}`), removed)];
    if (is === undefined) return [];
    // A client asks for the media type that it knows; a range lets the server choose another.
    const isOpen = kind === 'response' && type.includes('*') && old.size > 0;
    const effect = isOpen ? BREAKS_BOTH : BREAKS_IMPLEMENTERS;
    return [change('media-type-added', is, said(`is ${allowed} now`), effect)];
  });
}

function diffMedia(was: Located, is: Located, type: string, part: Part): Change[] {
  const medium = mediumOf(type);
  const [before, after] = [isBytes(type, was) ? [] : schemaAt(was), isBytes(type, is) ? [] : schemaAt(is)];
  const items = (media: Located): Conjunction => schemaAt(media, 'itemSchema');
  const found = [
    ...diffValue(before, after, part, medium),
    // What follows one upon the other in a stream, as lines or events do.
    ...diffValue(items(was), items(is), { ...part, name: `${part.name}[]`, given: true }, medium),
  ];
  if (medium === 'form') found.push(...diffEncodings(was, is, type, part));
  return found;
}
