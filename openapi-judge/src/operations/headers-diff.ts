/** Compares headers of responses, and of parts of forms. */
import { change, effectOn, type Change } from '../change.ts';
import { child, children, diffEntries, type Located, type MaybeLocated } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
import { describedWriting, diffCarried, writingOf } from './writing.ts';
import { diffRequired, isRequired } from './value-diff.ts';

function headersOf(response: MaybeLocated): Map<string, Located> {
  return new Map(
    [...children(child(response, 'headers'))]
      .map(([name, header]): [string, Located] => [name.toLowerCase(), header])
      .filter(([name]) => name !== 'content-type'),
  );
}

/** Compares the headers of a response, or of a part of a form. */
export function diffHeaders(
  before: MaybeLocated,
  after: MaybeLocated,
  { name: holder, sender, given }: Part,
): Change[] {
  const label = (header: string): string => `${holder}, header ${header}`;
  const said = (header: string, fact: string) => ({ where: label(header), fact });
  return diffEntries(headersOf(before), headersOf(after), {
    gone: (old, header) => change('header-removed', old, said(header, 'is gone')),
    come: (now, header) => {
      const how = isRequired(now) ? 'is new and required' : 'is new and optional';
      const effect = effectOn(sender, { narrows: isRequired(now), widens: false });
      return change('header-added', now, said(header, how), effect);
    },
    both: (old, now, header) => diffHeader(old, now, { name: label(header), sender, given }),
  });
}

function diffHeader(old: Located, now: Located, part: Part): Change[] {
  const found = diffRequired('header', old, now, part);
  const hasContent = [old, now].some((each) => child(each, 'content') !== undefined);
  if (!hasContent && writingOf(old) !== writingOf(now)) {
    const fact = `is written ${describedWriting(now)}, where it was ${describedWriting(old)}`;
    found.push(change('header-serialization', now, { where: part.name, fact }));
  }
  return [...found, ...diffCarried(old, now, part)];
}
