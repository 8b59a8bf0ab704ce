import { BREAKS_BOTH, BREAKS_CLIENTS, BREAKS_IMPLEMENTERS, change, effectOn } from '../change.ts';
import type { Change, Effect, Sender } from '../change.ts';
import { child, type Located } from '../documents/description.ts';
import type { Conjunction } from '../schemas/values/value-set.ts';
import type { Part } from '../schemas/difference.ts';
import { isUnchanged } from '../unchanged.ts';
import { diffEncodings } from './encodings-diff.ts';
import { contentOf, entryFor, isBytes, mediumOf } from './media-types.ts';
import { diffRequired, diffValue, isRequired, schemaAt, type Operation } from './value-diff.ts';

type BodyKind = 'request' | 'request of a server' | 'response';

/** Whom it breaks that a media type, or a range of media types, was added to a body or removed from it. */
const MEDIA_TYPE_EFFECTS: Readonly<Record<BodyKind, Readonly<Record<'added' | 'rangeAdded' | 'removed', Effect>>>> = {
  request: { added: BREAKS_IMPLEMENTERS, rangeAdded: BREAKS_IMPLEMENTERS, removed: BREAKS_CLIENTS },
  'request of a server': { added: BREAKS_IMPLEMENTERS, rangeAdded: BREAKS_IMPLEMENTERS, removed: BREAKS_BOTH },
  // A client asks for the media type that it knows; a range lets the server choose another.
  response: { added: BREAKS_IMPLEMENTERS, rangeAdded: BREAKS_BOTH, removed: BREAKS_BOTH },
};

/** Compares the request bodies of an operation whose requests this sender sends. */
export function diffRequestBody(was: Operation, is: Operation, sender: Sender): Change[] {
  const [before, after] = [child(was.operation, 'requestBody'), child(is.operation, 'requestBody')];
  if (before === undefined) {
    if (after === undefined) return [];
    const effect = effectOn(sender, [isRequired(after), sender === 'client']);
    return [change('request-body-added', after, `${is.name} has a request body now`, effect)];
  }
  if (after === undefined) {
    const effect = isRequired(before) && sender === 'client' ? BREAKS_BOTH : BREAKS_CLIENTS;
    return [change('request-body-removed', before, `${was.name} no longer has a request body`, effect)];
  }
  if (isUnchanged(before, after)) return [];
  const kind = sender === 'client' ? 'request' : 'request of a server';
  return [
    ...diffRequired('request-body', before, after, { name: `${is.name}: the body`, sender }),
    ...diffContent(before, after, kind, { name: 'body', sender, given: isRequired(before) && isRequired(after) }),
  ];
}

/** Compares the media types of a body, and its schema for each of them. */
export function diffContent(before: Located, after: Located, kind: BodyKind, part: Part): Change[] {
  const [old, now] = [contentOf(before), contentOf(after)];
  const effects = MEDIA_TYPE_EFFECTS[kind];
  const allowed = kind === 'response' ? 'sent' : 'accepted';
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((type) => {
    const [was, is] = [entryFor(old, type), entryFor(now, type)];
    if (was && is) return diffMedia(was, is, type, part);
    if (was)
      return [change('media-type-removed', was, `${part.name}: ${type} is no longer ${allowed}`, effects.removed)];
    if (is === undefined) return [];
    const effect = type.includes('*') && old.size > 0 ? effects.rangeAdded : effects.added;
    return [change('media-type-added', is, `${part.name}: ${type} is ${allowed} now`, effect)];
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
