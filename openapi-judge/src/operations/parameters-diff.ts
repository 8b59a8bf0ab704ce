/** Compares the parameters of operations. */
import { arrayOf, member, objectOf, textOf } from '../../../common/json.ts';
import { BREAKS_BOTH, BREAKS_CLIENTS, change, effectOn, type Change, type Sender } from '../change.ts';
import { child, diffEntries, isPublic, passedSunset, type Located } from '../documents/description.ts';
import type { Part } from '../schemas/difference.ts';
import { isUnchanged } from '../unchanged.ts';
import { diffRepeated } from './repeated-diff.ts';
import { spreadOver } from './spread-parameters.ts';
import { diffRequired, isRequired, type Operation, type OperationPair } from './value-diff.ts';
import { describedWriting, diffCarried, typesOf, writingOf, writtenSchema } from './writing.ts';

const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function namesInPath(path: string): readonly (string | undefined)[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
}

function parametersOf({ item, operation, path }: Operation): Map<string, Located> {
  const positions = namesInPath(path);
  const found = new Map<string, Located>();
  for (const holder of [item, operation]) {
    const list = child(holder, 'parameters');
    arrayOf(list?.value).forEach((_each, index) => {
      const parameter = child(list, index);
      const name = textOf(member(parameter?.value, 'name')) ?? '';
      const place = textOf(member(parameter?.value, 'in')) ?? '';
      if (parameter === undefined || !isPublic(parameter.value)) return;
      if (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return;
      const keys: Record<string, string | number> = {
        header: name.toLowerCase(),
        path: positions.indexOf(name),
        querystring: '',
      };
      found.set(`${place} ${keys[place] ?? name}`, parameter);
    });
  }
  return found;
}

function labelOf(parameter: Located): string {
  return `${textOf(member(parameter.value, 'in')) ?? ''} parameter ${textOf(member(parameter.value, 'name')) ?? ''}`;
}

/** Compares the parameters of an operation. */
export function diffParameters({ was, is, sender }: OperationPair): Change[] {
  const [old, now] = [parametersOf(was), parametersOf(is)];
  const [before, after] = [spreadOver(old, now), spreadOver(now, old)];
  const compared = (one: Located, other: Located): Change[] => {
    const given = isRequired(one) && isRequired(other);
    return diffParameter(one, other, { name: labelOf(other), sender, given });
  };
  return diffEntries(before, after, {
    gone: (one, key) => {
      if (!isInPath(key, is.path)) return parameterRemoved(one, sender);
      return [described(one, 'is no longer described'), ...compared(one, undescribed(one))];
    },
    come: (other, key) => {
      if (!isInPath(key, was.path)) return parameterAdded(other, sender);
      return [described(other, 'is described only now'), ...compared(undescribed(other), other)];
    },
    both: compared,
  });
}

/** Whether a path has a parameter, which then is part of each request, described or not. */
function isInPath(key: string, path: string): boolean {
  return /^path \d/.test(key) && namesInPath(path).length > Number(key.slice('path '.length));
}

function described(parameter: Located, fact: string): Change {
  return change('path-parameter-described', parameter, { where: labelOf(parameter), fact });
}

/** A parameter in a path of which nothing is said: any text. */
function undescribed({ value, ...place }: Located): Located {
  return { ...place, value: { name: member(value, 'name'), in: 'path', required: true, schema: { type: 'string' } } };
}

function parameterRemoved(parameter: Located, sender: Sender): Change {
  const effect = isRequired(parameter) && sender === 'client' ? BREAKS_BOTH : BREAKS_CLIENTS;
  const sunset = passedSunset(parameter);
  const where = labelOf(parameter);
  if (sunset === undefined) return change('parameter-removed', parameter, { where, fact: 'is gone' }, effect);
  const said = { where, fact: `is gone, as announced for ${sunset}` };
  return change('parameter-removed-after-sunset', parameter, said, effect);
}

function parameterAdded(parameter: Located, sender: Sender): Change {
  const required = isRequired(parameter);
  // A server has to support what a client may send.
  const effect = effectOn(sender, { narrows: required, widens: sender === 'client' });
  const where = labelOf(parameter);
  if (required) return change('required-parameter-added', parameter, { where, fact: 'is new and required' }, effect);
  return change('parameter-added', parameter, { where, fact: 'is new and optional, and has to be honoured' }, effect);
}

function diffParameter(before: Located, after: Located, part: Part): Change[] {
  if (isUnchanged(before, after)) return [];
  const found = [
    ...diffRequired('parameter', before, after, part),
    ...diffCharacters('allowReserved', before, after, part),
    ...diffCharacters('allowEmptyValue', before, after, part),
  ];
  const repeated = diffRepeated(before, after, part);
  if (repeated !== undefined) return [...found, ...repeated];
  if (isWrittenAnew(before, after)) {
    const fact = `is written ${describedWriting(after)}, where it was ${describedWriting(before)}`;
    found.push(change('parameter-serialization', after, { where: part.name, fact }));
  }
  return [...found, ...diffCarried(before, after, part)];
}

/** Whether a value is written in another way. One that may be single is written as before if lists are allowed beside it. */
function isWrittenAnew(before: Located, after: Located): boolean {
  if ([before, after].some((each) => child(each, 'content') !== undefined)) return false;
  if (writingOf(before) === writingOf(after)) return false;
  const isPlain = (parameter: Located): boolean => writingOf(parameter) === 'plain';
  const mayBeSingle = (parameter: Located): boolean => typesOf(writtenSchema(parameter)).has('string');
  const styles = [before, after].map((each) => textOf(objectOf(each.value).style) ?? 'form');
  const staysSingle = styles.every((style) => style === 'form' || style === 'simple');
  return !(staysSingle && [before, after].some(isPlain) && [before, after].every(mayBeSingle));
}

function diffCharacters(
  key: 'allowReserved' | 'allowEmptyValue',
  before: Located,
  after: Located,
  { name, sender }: Part,
): Change[] {
  const [was, is] = [before, after].map((located) => member(located.value, key) === true);
  if (was === is) return [];
  const effect = effectOn(sender, { narrows: was === true, widens: is === true });
  const said = { where: name, fact: `\`${key}\` changes from ${String(was)} to ${String(is)}` };
  return [change('parameter-characters', after, said, effect)];
}
