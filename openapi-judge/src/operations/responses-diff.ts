/** Compares the responses of operations. */
import { member } from '../../../common/json.ts';
import { change, effectOn, type Change, type Sender } from '../change.ts';
import { child, children, type Located, type MaybeLocated } from '../documents/description.ts';
import { inlinedText } from '../schemas/keywords.ts';
import type { Part } from '../schemas/difference.ts';
import { isUnchanged } from '../unchanged.ts';
import { diffContent } from './bodies-diff.ts';
import { diffHeaders } from './headers-diff.ts';
import type { Operation, OperationPair } from './value-diff.ts';

function rangeOf(status: string): string {
  return /^[1-5]\d\d$/.test(status) ? `${status.charAt(0)}XX` : status;
}

type Responses = ReadonlyMap<string, Located>;

/** The response that is documented for a status: by itself, by its range (`4XX`), or by `default`. */
function responseFor(responses: Responses, status: string): MaybeLocated {
  const success = status.startsWith('2');
  const successNamed = [...responses.keys()].some((each) => each.startsWith('2'));
  const fallback = success && successNamed ? undefined : responses.get('default');
  return responses.get(status) ?? responses.get(rangeOf(status)) ?? fallback;
}

function responsesOf({ operation }: Operation): Responses {
  const named = [...children(child(operation, 'responses'))].filter(([key]) => !key.startsWith('x-'));
  return new Map(named.map(([key, each]) => [key.replace(/xx$/i, 'XX'), each]));
}

/** Compares the responses of an operation; this sender sends them. */
export function diffResponses({ was, is }: OperationPair, sender: Sender): Change[] {
  const [old, now] = [responsesOf(was), responsesOf(is)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((status) => {
    const [before, after] = [responseFor(old, status), responseFor(now, status)];
    const part = { name: `response ${status}`, sender, given: true };
    // Where no response is documented, any may come.
    if (before === undefined) return after === undefined ? [] : [responseAdded(after, old, part, status)];
    if (after === undefined) return [responseRemoved(before, [old, now], part, status)];
    const hasBody = is.method !== 'HEAD' && !BODILESS.test(status);
    return [...diffResponse(before, after, { ...part, hasBody }), ...diffRange(before, [old, now], part, status)];
  });
}

/** Responses that never have a body, whatever is documented. */
const BODILESS = /^(1..|204|205|304)$/;

/** Tells that a status is documented only as one of several now. */
function diffRange(before: Located, [old, now]: readonly [Responses, Responses], part: Part, status: string): Change[] {
  const range = rangeOf(status);
  const areOthers = old.has(range) && range !== status;
  const wasOneOf = areOthers || (!status.startsWith('2') && old.has('default'));
  if (!old.has(status) || now.has(status) || wasOneOf) return [];
  const fact = `is documented only ${now.has(range) ? `as one of ${range}` : 'by `default`'} now`;
  return [change('response-generalised', before, { where: part.name, fact }, part.sender)];
}

function responseAdded(response: Located, old: Responses, { name, sender }: Part, status: string): Change {
  const isUnexpected = old.size > 0 && /^[23]/.test(status);
  const others = old.size > 0 ? 'an error of any status may come at any time' : 'none was documented';
  const fact = `is new: ${isUnexpected ? 'its receiver does not expect it' : others}`;
  const effect = effectOn(sender, { narrows: false, widens: isUnexpected });
  return change('response-added', response, { where: name, fact }, effect);
}

function responseRemoved(
  response: Located,
  [old, now]: readonly [Responses, Responses],
  { name, sender }: Part,
  status: string,
): Change {
  const isLeft = (range: string): boolean => [...now.keys()].some((each) => each.startsWith(range.charAt(0)));
  const isNarrowed = status === 'default' ? now.has('4XX') && now.has('5XX') : status.endsWith('XX') && isLeft(status);
  if (isNarrowed)
    return change('response-narrowed', response, { where: name, fact: 'is documented only in part' }, sender);
  const others = new Map([...now].filter(([other]) => old.has(other)));
  if (isErrorAsOthers(response, others, status)) {
    const fact = 'is no longer documented, beside others like it';
    return change('error-response-removed', response, { where: name, fact });
  }
  return change('response-removed', response, { where: name, fact: 'is gone' });
}

/** Whether an error has no other body than errors of its kind that stay documented: one of any status may come at any time. */
function isErrorAsOthers(response: Located, left: Responses, status: string): boolean {
  if (!/^[45]\d\d$/.test(status)) return false;
  const others = [...left].filter(([other]) => other.startsWith(status.charAt(0))).map(([, each]) => each);
  const part = { name: '', sender: 'server', given: true } as const;
  const isAlike = (other: Located): boolean =>
    diffContent(response, other, 'response', part).every(({ clients }) => clients === 'compatible');
  return others.some((other) => member(response.value, 'content') === undefined || isAlike(other));
}

function diffResponse(before: Located, after: Located, part: Part & { readonly hasBody: boolean }): Change[] {
  if (isUnchanged(before, after)) return [];
  const found = [
    ...(part.hasBody ? diffContent(before, after, 'response', part) : []),
    ...diffHeaders(before, after, part),
  ];
  const [links = '', newLinks = ''] = [before, after].map((each) =>
    inlinedText(each, member(each.value, 'links') ?? {}),
  );
  const fact = `the links change from ${links} to ${newLinks}`;
  return links === newLinks ? found : [...found, change('links-changed', after, { where: part.name, fact })];
}
