import {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  change,
  COMPATIBLE,
  type Bump,
  type Change,
} from './change.ts';
import { diffEntries, partAt, placeOf, type Description, type Located } from './description.ts';
import { arrayOf, atPointer, below, member, stableJson, textOf } from '../../common/json.ts';
import { valuesUnder } from '../../common/openapi.ts';
import { compareWording } from './wording.ts';

type Kind = 'x-requirements' | 'x-open-points';

/** A requirement or an open point. */
interface Entry {
  readonly id: string;
  readonly place: Located;
  /** Pointer of the list that it is in. */
  readonly of: string;
}

/** Everything under a keyword anywhere in a document. */
function under(description: Description, keyword: string): Located[] {
  return valuesUnder(keyword, description.root).map(({ value, pointer }) => ({
    ...{ description, pointer: below(pointer, keyword), value },
  }));
}

function entriesOf(description: Description, kind: Kind): Map<string, Entry> {
  const entries = under(description, kind).flatMap((list) =>
    arrayOf(list.value).flatMap((each, index): [string, Entry][] => {
      const id = textOf(member(each, 'id'));
      return id === undefined ? [] : [[id, { id, place: partAt(list, index), of: list.pointer }]];
    }),
  );
  return new Map(entries.reverse());
}

function valueOf(entry: Entry, key: string): string {
  return textOf(member(entry.place.value, key)) ?? '';
}

/** Compares the extensions of the contract: requirements, open points, sample types. */
export function diffRequirements(base: Description, head: Description): Change[] {
  return [
    ...diffEntries(entriesOf(base, 'x-requirements'), entriesOf(head, 'x-requirements'), REQUIREMENTS),
    ...diffEntries(entriesOf(base, 'x-open-points'), entriesOf(head, 'x-open-points'), OPEN_POINTS),
    ...diffSampleTypes(base, head),
  ];
}

const REQUIREMENTS: Parameters<typeof diffEntries<Entry, Change>>[2] = {
  gone: (entry, id) => {
    const effect = binds(entry) ? BREAKS_CLIENTS : COMPATIBLE;
    return change('requirement-removed', placeOf(entry.place), effect, `the ${levelOf(entry)} ${id} is gone`);
  },
  come: (entry, id) => {
    const effect = binds(entry) ? BREAKS_IMPLEMENTERS : COMPATIBLE;
    const why = binds(entry) ? 'a server has to keep it' : 'it binds nobody';
    return change('requirement-added', placeOf(entry.place), effect, `the ${levelOf(entry)} ${id} is new: ${why}`);
  },
  both: diffRequirement,
};

function levelOf(entry: Entry): string {
  return valueOf(entry, 'level') || 'requirement';
}

/** Whether a server has to meet it in order to conform. */
function binds(entry: Entry): boolean {
  return valueOf(entry, 'level') !== 'should';
}

function diffRequirement(old: Entry, now: Entry): Change[] {
  const { id } = now;
  const place = placeOf(now.place);
  const found: Change[] = [];
  if (binds(old) !== binds(now)) {
    const effect = binds(old) ? BREAKS_CLIENTS : BREAKS_IMPLEMENTERS;
    const message = `${id} was a ${levelOf(old)} and is a ${levelOf(now)}`;
    found.push(change('requirement-level', place, effect, message));
  }
  const wording = compareWording(valueOf(old, 'text'), valueOf(now, 'text'));
  if (wording === 'spelling') {
    found.push(change('requirement-spelling', place, COMPATIBLE, `${id} is spelled differently`, 'patch'));
  } else if (wording === 'rewording') {
    const message = `${id} is reworded; if it means something else, give it a new id`;
    found.push({ ...change('requirement-reworded', place, COMPATIBLE, message), review: true });
  } else if (wording === 'meaning') {
    const effect = binds(old) || binds(now) ? BREAKS_BOTH : COMPATIBLE;
    const message = `${id} has another meaning; give it a new id`;
    found.push({ ...change('requirement-changed', place, effect, message), review: true });
  }
  if (old.of !== now.of) found.push(change('requirement-moved', place, COMPATIBLE, `${id} moved`, 'patch'));
  if (valueOf(old, 'source') !== valueOf(now, 'source'))
    found.push(change('requirement-source', place, COMPATIBLE, `${id} names another place in the source`, 'patch'));
  return found;
}

const OPEN_POINTS: Parameters<typeof diffEntries<Entry, Change>>[2] = {
  gone: ({ place }, id) => change('open-point-removed', placeOf(place), COMPATIBLE, `${id} is no longer open`),
  come: ({ place }, id) => change('open-point-added', placeOf(place), COMPATIBLE, `${id} is open now`),
  both: diffOpenPoint,
};

function diffOpenPoint(old: Entry, now: Entry): Change[] {
  const { id } = now;
  const place = placeOf(now.place);
  const found: Change[] = [];
  for (const key of ['ruling', 'text'] as const) {
    const wording = compareWording(valueOf(old, key), valueOf(now, key));
    if (wording === 'spelling') {
      found.push(change('open-point-spelling', place, COMPATIBLE, `${id}: its ${key} is spelled differently`, 'patch'));
    } else if (wording !== 'same') {
      const message =
        key === 'ruling'
          ? `${id} has another ruling; what a server may no longer do belongs in a requirement`
          : `${id} is described in different words`;
      found.push({ ...change(`open-point-${key}`, place, COMPATIBLE, message), review: true });
    }
  }
  if (valueOf(old, 'kind') !== valueOf(now, 'kind'))
    found.push(change('open-point-kind', place, COMPATIBLE, `${id} is now of the kind ${valueOf(now, 'kind')}`));
  if (valueOf(old, 'source') !== valueOf(now, 'source') || old.of !== now.of)
    found.push(change('open-point-moved', place, COMPATIBLE, `${id} moved`, 'patch'));
  return [...found, ...diffObservations(old, now)];
}

function diffObservations(old: Entry, now: Entry): Change[] {
  const texts = (entry: Entry): Map<string, string> =>
    new Map(
      arrayOf(member(entry.place.value, 'observations')).map((each) => [
        textOf(member(each, 'id')) ?? '',
        textOf(member(each, 'text')) ?? '',
      ]),
    );
  const place = placeOf(now.place);
  const label = (id: string): string => `${now.id}, observation ${id}`;
  return diffEntries(texts(old), texts(now), {
    come: (_text, id) => change('observation-added', place, COMPATIBLE, `${label(id)}, is new: it binds nobody`),
    gone: (_text, id) => change('observation-removed', place, COMPATIBLE, `${label(id)}, is gone`),
    both: (was, is, id) => {
      const wording = compareWording(was, is);
      if (wording === 'same') return [];
      const least: Bump = wording === 'spelling' ? 'patch' : 'minor';
      return [change('observation-text', place, COMPATIBLE, `${label(id)}, is reworded`, least)];
    },
  });
}

const SAMPLE_TYPE = 'x-sample-type';

/** Compares the sample types (what a member should be, at level `should`) by the place that they stand at. */
function diffSampleTypes(base: Description, head: Description): Change[] {
  const [before, after] = [base, head].map(
    (each) => new Map(under(each, SAMPLE_TYPE).map((located) => [located.pointer, located])),
  );
  const changed = (place: Located, was: string, is: string): Change[] => {
    const message = `${SAMPLE_TYPE} changes from ${was} to ${is}`;
    return was === is ? [] : [change('sample-type-changed', placeOf(place), COMPATIBLE, message)];
  };
  // Where the member came or went with its type, that is the change.
  const has = ({ root }: Description, at: string): boolean =>
    atPointer(root, at.slice(0, -SAMPLE_TYPE.length - 1)) !== undefined;
  return diffEntries(before ?? new Map<string, Located>(), after ?? new Map<string, Located>(), {
    gone: (old, at) => (has(head, at) ? changed(old, stableJson(old.value), 'none') : []),
    come: (now, at) => (has(base, at) ? changed(now, 'none', stableJson(now.value)) : []),
    both: (old, now) => changed(now, stableJson(old.value), stableJson(now.value)),
  });
}
