import { arrayOf, atPointer, below, member, stableJson, textOf } from '../common/json.ts';
import { valuesUnder } from '../common/openapi.ts';
import {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  changeBy,
  child,
  children,
  COMPATIBLE,
  diffEntries,
  METHODS,
  partAt,
  type Change,
  type Description,
  type Effect,
  type Extensions,
  type Located,
  type MaybeLocated,
} from '../openapi-judge/src/index.ts';
import { OUR_RULES } from './rules.ts';
import { compareWording } from './wording.ts';

function change(rule: keyof typeof OUR_RULES, at: Located, message: string, effect?: Effect): Change {
  return changeBy(OUR_RULES, rule, at, message, effect);
}

/** Everything under a keyword anywhere in a document. */
function under(description: Description, keyword: string): Located[] {
  return valuesUnder(keyword, description.root).map(({ value, pointer }) => ({
    ...{ description, pointer: below(pointer, keyword), value },
  }));
}

/** The requirements or open points of a document by their ids; the first of an id counts. */
function entriesOf(description: Description, kind: 'x-requirements' | 'x-open-points'): Map<string, Located> {
  const entries = under(description, kind).flatMap((list) =>
    arrayOf(list.value).flatMap((each, index): [string, Located][] => {
      const id = textOf(member(each, 'id'));
      return id === undefined ? [] : [[id, partAt(list, index)]];
    }),
  );
  return new Map(entries.reverse());
}

function valueOf({ value }: Located, key: string): string {
  return textOf(member(value, key)) ?? '';
}

/** Whether an entry stands in the list of another object than before. */
function hasMoved(old: Located, now: Located): boolean {
  const listOf = ({ pointer }: Located): string => pointer.slice(0, pointer.lastIndexOf('/'));
  return listOf(old) !== listOf(now);
}

/** What the extensions of this contract mean. */
export const OUR_EXTENSIONS: Extensions = {
  keywords: new Set(['x-requirements', 'x-open-points', 'x-error-name', 'x-sample-type']),
  compare: diffRequirements,
};

/** Compares requirements, open points, sample types and the names of errors. */
function diffRequirements(base: Description, head: Description): Change[] {
  return [
    ...diffEntries(entriesOf(base, 'x-requirements'), entriesOf(head, 'x-requirements'), {
      gone: (old, id) => {
        const effect = binds(old) ? BREAKS_CLIENTS : COMPATIBLE;
        return change('requirement-removed', old, `the ${levelOf(old)} ${id} is gone`, effect);
      },
      come: (now, id) => {
        const effect = binds(now) ? BREAKS_IMPLEMENTERS : COMPATIBLE;
        const why = binds(now) ? 'a server has to keep it' : 'it binds nobody';
        return change('requirement-added', now, `the ${levelOf(now)} ${id} is new: ${why}`, effect);
      },
      both: diffRequirement,
    }),
    ...diffEntries(entriesOf(base, 'x-open-points'), entriesOf(head, 'x-open-points'), {
      gone: (old, id) => change('open-point-removed', old, `${id} is no longer open`),
      come: (now, id) => change('open-point-added', now, `${id} is open now`),
      both: diffOpenPoint,
    }),
    ...diffSampleTypes(base, head),
    ...diffErrorNames(base, head),
  ];
}

function levelOf(entry: Located): string {
  return valueOf(entry, 'level') || 'requirement';
}

/** Whether a server has to meet it in order to conform. */
function binds(entry: Located): boolean {
  return valueOf(entry, 'level') !== 'should';
}

function diffRequirement(old: Located, now: Located, id: string): Change[] {
  const found: Change[] = [];
  if (binds(old) !== binds(now)) {
    const message = `${id} was a ${levelOf(old)} and is a ${levelOf(now)}`;
    found.push(change('requirement-level', now, message, binds(old) ? BREAKS_CLIENTS : BREAKS_IMPLEMENTERS));
  }
  const wording = compareWording(valueOf(old, 'text'), valueOf(now, 'text'));
  if (wording === 'spelling') {
    found.push(change('requirement-spelling', now, `${id} is spelled differently`));
  } else if (wording === 'rewording') {
    const message = `${id} is reworded; if it means something else, give it a new id`;
    found.push({ ...change('requirement-reworded', now, message), review: true });
  } else if (wording === 'meaning') {
    const effect = binds(old) || binds(now) ? BREAKS_BOTH : COMPATIBLE;
    const message = `${id} has another meaning; give it a new id`;
    found.push({ ...change('requirement-changed', now, message, effect), review: true });
  }
  if (hasMoved(old, now)) found.push(change('requirement-moved', now, `${id} moved`));
  if (valueOf(old, 'source') !== valueOf(now, 'source'))
    found.push(change('requirement-source', now, `${id} names another place in the source`));
  return found;
}

function diffOpenPoint(old: Located, now: Located, id: string): Change[] {
  const found: Change[] = [];
  const texts = {
    ruling: `${id} has another ruling; what a server may no longer do belongs in a requirement`,
    text: `${id} is described in different words`,
  };
  for (const key of ['ruling', 'text'] as const) {
    const wording = compareWording(valueOf(old, key), valueOf(now, key));
    if (wording === 'spelling')
      found.push(change('open-point-spelling', now, `${id}: its ${key} is spelled differently`));
    else if (wording !== 'same') found.push({ ...change(`open-point-${key}`, now, texts[key]), review: true });
  }
  if (valueOf(old, 'kind') !== valueOf(now, 'kind'))
    found.push(change('open-point-kind', now, `${id} is now of the kind ${valueOf(now, 'kind')}`));
  if (valueOf(old, 'source') !== valueOf(now, 'source') || hasMoved(old, now))
    found.push(change('open-point-moved', now, `${id} moved`));
  return [...found, ...diffObservations(old, now, id)];
}

function diffObservations(old: Located, now: Located, point: string): Change[] {
  const texts = ({ value }: Located): Map<string, string> =>
    new Map(
      arrayOf(member(value, 'observations')).map((each) => [
        textOf(member(each, 'id')) ?? '',
        textOf(member(each, 'text')) ?? '',
      ]),
    );
  const label = (id: string): string => `${point}, observation ${id}`;
  return diffEntries(texts(old), texts(now), {
    come: (_text, id) => change('observation-added', now, `${label(id)}, is new: it binds nobody`),
    gone: (_text, id) => change('observation-removed', now, `${label(id)}, is gone`),
    both: (was, is, id) => {
      const wording = compareWording(was, is);
      const found = change('observation-text', now, `${label(id)}, is reworded`);
      return wording === 'same' ? [] : [wording === 'spelling' ? { ...found, bump: 'patch' } : found];
    },
  });
}

const SAMPLE_TYPE = 'x-sample-type';

/** Compares the sample types (what a member should be, at level `should`) by the place that they stand at. */
function diffSampleTypes(base: Description, head: Description): Change[] {
  const typesOf = (description: Description): Map<string, Located> =>
    new Map(under(description, SAMPLE_TYPE).map((located) => [located.pointer, located]));
  const changed = (place: Located, was: string, is: string): Change[] =>
    was === is ? [] : [change('sample-type-changed', place, `${SAMPLE_TYPE} changes from ${was} to ${is}`)];
  // Where the member came or went with its type, that is the change.
  const has = ({ root }: Description, at: string): boolean =>
    atPointer(root, at.slice(0, -SAMPLE_TYPE.length - 1)) !== undefined;
  return diffEntries(typesOf(base), typesOf(head), {
    gone: (old, at) => (has(head, at) ? changed(old, stableJson(old.value), 'none') : []),
    come: (now, at) => (has(base, at) ? changed(now, 'none', stableJson(now.value)) : []),
    both: (old, now) => changed(now, stableJson(old.value), stableJson(now.value)),
  });
}

/** The responses of every operation, by method, path and status. */
function responsesOf(description: Description): Map<string, Located> {
  const paths: MaybeLocated = { description, pointer: '/paths', value: description.root.paths };
  const found = [...children(paths)].flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      [...children(child(item, method, 'responses'))].map(([status, response]): [string, Located] => [
        `${method.toUpperCase()} ${path}: response ${status}`,
        response,
      ]),
    ),
  );
  return new Map(found);
}

function diffErrorNames(base: Description, head: Description): Change[] {
  return diffEntries(responsesOf(base), responsesOf(head), {
    gone: () => [],
    come: () => [],
    both: (before, after, response) => {
      const [error, newError] = [before, after].map((each) => member(each.value, 'x-error-name'));
      if (error === newError) return [];
      const effect = error === undefined ? BREAKS_IMPLEMENTERS : newError === undefined ? BREAKS_CLIENTS : BREAKS_BOTH;
      const message = `${response}: the error name changes from ${stableJson(error)} to ${stableJson(newError)}`;
      return [change('error-name-changed', after, message, effect)];
    },
  });
}
