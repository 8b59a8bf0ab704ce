import { arrayOf, below, member, stableJson, textOf } from '../../common/json.ts';
import { valuesUnder } from '../../common/openapi.ts';
import {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  changesBy,
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
  type RuleTable,
} from '../../openapi-judge/src/index.ts';
import { compareWording } from './wording.ts';

/** The rules for the extensions of this contract: whom a change breaks, and what it is. */
export const OUR_RULES = {
  'requirement-added': ['implementers|nobody', 'A requirement is new: a `must` breaks implementers, a `should` nobody'],
  'requirement-removed': ['clients|nobody', 'A requirement is gone: a `must` breaks clients, a `should` nobody'],
  'requirement-level': [
    'clients|implementers',
    'A `must` that becomes a `should` breaks clients, the reverse implementers',
  ],
  'requirement-changed': ['both|nobody', 'A requirement has another meaning: a `must` breaks both, a `should` nobody'],
  'requirement-reworded': ['nobody', 'A requirement is reworded; a person reviews it'],
  'requirement-spelling': ['words', 'A requirement is spelled differently'],
  'requirement-moved': ['words', 'A requirement stands at another place, or names another one in the source'],
  'open-point-added': ['nobody', 'An open point is new'],
  'open-point-removed': ['nobody', 'An open point is gone'],
  'open-point-changed': ['nobody', 'An open point has another ruling, text or observation; a person reviews it'],
  'open-point-spelling': ['words', 'An open point is spelled differently'],
  'error-name-changed': [
    'clients|implementers|both',
    'The name of an error: a new one breaks implementers, one that is gone clients',
  ],
} as const satisfies RuleTable;

const change: (rule: keyof typeof OUR_RULES, at: Located, fact: string, effect?: Effect) => Change =
  changesBy(OUR_RULES);

/** What the extensions of this contract mean. */
export const OUR_EXTENSIONS: Extensions = {
  keywords: new Set(['x-requirements', 'x-open-points', 'x-error-name']),
  compare: (base, head) => [
    ...diffRequirements(base, head),
    ...diffOpenPoints(base, head),
    ...diffErrorNames(base, head),
  ],
};

/** Everything under a keyword anywhere in a document. */
function under(description: Description, keyword: string): Located[] {
  return valuesUnder(keyword, description.root).map(({ value, pointer }) => ({
    description,
    pointer: below(pointer, keyword),
    value,
  }));
}

/** The requirements or open points of a document by their ids; the first of an id counts. */
export function entriesOf(description: Description, kind: 'x-requirements' | 'x-open-points'): Map<string, Located> {
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

const levelOf = (entry: Located): string => valueOf(entry, 'level') || 'requirement';

/** Whether a server has to meet it in order to conform. */
const binds = (entry: Located): boolean => valueOf(entry, 'level') !== 'should';

function diffRequirements(base: Description, head: Description): Change[] {
  return diffEntries(entriesOf(base, 'x-requirements'), entriesOf(head, 'x-requirements'), {
    gone: (old, id) => {
      const effect = binds(old) ? BREAKS_CLIENTS : COMPATIBLE;
      return change('requirement-removed', old, `the ${levelOf(old)} ${id} is gone`, effect);
    },
    come: (now, id) => {
      const effect = binds(now) ? BREAKS_IMPLEMENTERS : COMPATIBLE;
      const why = binds(now) ? 'a server has to keep it' : 'it binds nobody';
      return change('requirement-added', now, `the ${levelOf(now)} ${id} is new: ${why}`, effect);
    },
    both: (old, now, id) => [...diffLevel(old, now, id), ...diffText(old, now, id), ...diffPlace(old, now, id)],
  });
}

function diffLevel(old: Located, now: Located, id: string): Change[] {
  if (binds(old) === binds(now)) return [];
  const message = `${id} was a ${levelOf(old)} and is a ${levelOf(now)}`;
  return [change('requirement-level', now, message, binds(old) ? BREAKS_CLIENTS : BREAKS_IMPLEMENTERS)];
}

/** What a requirement says: its text, and the description that binds like it. */
const wordsOf = (entry: Located): string => `${valueOf(entry, 'text')} ${valueOf(entry, 'description')}`.trim();

function diffText(old: Located, now: Located, id: string): Change[] {
  switch (compareWording(wordsOf(old), wordsOf(now))) {
    case 'same':
      return [];
    case 'spelling':
      return [change('requirement-spelling', now, `${id} is spelled differently`)];
    case 'rewording': {
      const message = `${id} is reworded; if it means something else, give it a new id`;
      return [{ ...change('requirement-reworded', now, message), review: true }];
    }
    case 'meaning': {
      const effect = binds(old) || binds(now) ? BREAKS_BOTH : COMPATIBLE;
      const message = `${id} has another meaning; give it a new id`;
      return [{ ...change('requirement-changed', now, message, effect), review: true }];
    }
  }
}

function diffPlace(old: Located, now: Located, id: string): Change[] {
  const placeOf = (entry: Located): string => entry.pointer.replace(/\/\d+$/, '') + valueOf(entry, 'source');
  return placeOf(old) === placeOf(now) ? [] : [change('requirement-moved', now, `${id} moved`)];
}

function diffOpenPoints(base: Description, head: Description): Change[] {
  return diffEntries(entriesOf(base, 'x-open-points'), entriesOf(head, 'x-open-points'), {
    gone: (old, id) => change('open-point-removed', old, `${id} is no longer open`),
    come: (now, id) => change('open-point-added', now, `${id} is open now`),
    both: (old, now, id) => {
      const wording = compareWording(stableJson(old.value), stableJson(now.value));
      if (wording === 'same') return [];
      if (wording === 'spelling') return [change('open-point-spelling', now, `${id} is spelled differently`)];
      const message = `${id} changed; what a server may no longer do belongs in a requirement`;
      return [{ ...change('open-point-changed', now, message), review: true }];
    },
  });
}

/** The responses of every operation, by method, path and status. */
function responsesOf(description: Description): Map<string, Located> {
  const paths = { description, pointer: '/paths', value: description.root.paths };
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
      const [was, is] = [before, after].map(({ value }) => member(value, 'x-error-name'));
      if (was === is) return [];
      const lost = is === undefined ? BREAKS_CLIENTS : BREAKS_BOTH;
      const effect = was === undefined ? BREAKS_IMPLEMENTERS : lost;
      const message = `${response}: the error name changes from ${stableJson(was)} to ${stableJson(is)}`;
      return [change('error-name-changed', after, message, effect)];
    },
  });
}
