import { member } from '../../../common/json.ts';
import { change, effectOn, type Change, type Sender } from '../change.ts';
import { child, children, type Located, type MaybeLocated } from '../documents/description.ts';
import { inlinedText } from '../schemas/keywords.ts';
import type { Part } from '../schemas/difference.ts';
import { isUnchanged } from '../unchanged.ts';
import { diffContent } from './bodies-diff.ts';
import { diffHeaders } from './headers-diff.ts';
import type { Operation } from './value-diff.ts';

function rangeOf(status: string): string {
  return /^[1-5]\d\d$/.test(status) ? `${status.charAt(0)}XX` : status;
}

/** The response that is documented for a status: by itself, by its range (`4XX`), or by `default`. */
function responseFor(responses: ReadonlyMap<string, Located>, status: string): MaybeLocated {
  const success = status.startsWith('2');
  const successNamed = [...responses.keys()].some((each) => each.startsWith('2'));
  const fallback = success && successNamed ? undefined : responses.get('default');
  return responses.get(status) ?? responses.get(rangeOf(status)) ?? fallback;
}

function responsesOf({ operation }: Operation): Map<string, Located> {
  const named = [...children(child(operation, 'responses'))].filter(([key]) => !key.startsWith('x-'));
  return new Map(named.map(([key, each]) => [key.replace(/xx$/i, 'XX'), each]));
}

/** Compares the responses of an operation; this sender sends them. */
export function diffResponses(was: Operation, is: Operation, sender: Sender): Change[] {
  const [old, now] = [responsesOf(was), responsesOf(is)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((status) => {
    const [before, after] = [responseFor(old, status), responseFor(now, status)];
    const part = { name: `response ${status}`, sender, given: true };
    // Where no response is documented, any may come.
    if (before === undefined) return after === undefined ? [] : [responseAdded(after, status, sender, old.size > 0)];
    if (after === undefined) return [responseRemoved(before, status, now, sender)];
    const found = diffResponse(before, after, part);
    const areOthers = old.has(rangeOf(status)) && rangeOf(status) !== status;
    const isOneOf = areOthers || (!status.startsWith('2') && old.has('default'));
    if (old.has(status) && !now.has(status) && !isOneOf) {
      const by = now.has(rangeOf(status)) ? `as one of ${rangeOf(status)}` : 'by `default`';
      const message = `the response ${status} is documented only ${by} now`;
      found.push(change('response-generalised', before, message, sender));
    }
    return found;
  });
}

function responseAdded(response: Located, status: string, sender: Sender, areOthers: boolean): Change {
  const unexpected = areOthers && /^[23]/.test(status);
  const why = unexpected
    ? 'its receiver does not expect it'
    : areOthers
      ? 'an error of any status may come at any time'
      : 'none was documented';
  return change(
    'response-added',
    response,
    `the response ${status} is new: ${why}`,
    effectOn(sender, [false, unexpected]),
  );
}

function responseRemoved(response: Located, status: string, now: ReadonlyMap<string, Located>, sender: Sender): Change {
  const isLeft = (range: string): boolean => [...now.keys()].some((each) => each.startsWith(range.charAt(0)));
  if (status === 'default' ? now.has('4XX') && now.has('5XX') : status.endsWith('XX') && isLeft(status)) {
    return change('response-narrowed', response, `only some of the responses ${status} are left`, sender);
  }
  return change('response-removed', response, `the response ${status} is gone`);
}

function diffResponse(before: Located, after: Located, part: Part): Change[] {
  if (isUnchanged(before, after)) return [];
  const found = [...diffContent(before, after, 'response', part), ...diffHeaders(before, after, part)];
  const [links, newLinks] = [before, after].map((each) => inlinedText(each, member(each.value, 'links')));
  if (links !== newLinks) found.push(change('links-changed', after, `${part.name}: the links change`));
  return found;
}
